import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../db/accounts/keys.ts';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type ServiceProcess, startService } from '../../harness/service-process.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';
import { writeAddon } from '../built-addon.ts';
import { openFile, type SpreadsheetFile } from '../harness/file.ts';

let database: TestDatabase;
let service: ServiceProcess;
let dist: string;
let file: SpreadsheetFile;
let workspaceId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ DATABASE_URL: database.database_url, PIPELINE: 'off' });
  dist = await mkdtemp(join(tmpdir(), 'addon-'));
  await writeAddon(service.base_url, dist, 'bound');
  file = await openFile(dist);
  const created = await inTransaction(database.sql, (tx) => createWorkspace(tx, { name: 'test', credits: 10 }));
  workspaceId = created.workspace_id;
});
afterAll(async () => {
  await file?.close();
  await service?.kill();
  await database?.close();
  await rm(dist, { recursive: true });
});

test.each<[string, Parameters<typeof createKey>[2], boolean]>([
  ['a production key', { kind: 'live', name: 'mine' }, false],
  ['a production key with a cap', { kind: 'live', name: 'mine', monthly_cap: 5 }, false],
  ['a sheet key with a cap', { kind: 'sheet', name: 'sheet', monthly_cap: 5 }, true],
  ['a development key', { kind: 'test', name: 'dev' }, true],
])(
  'the real server tells the kind of %s, so that a script of one spreadsheet accepts or refuses it',
  async (_, key, accepted) => {
    const created = await createKey(database.sql, workspaceId, key);
    const reply = file.run('sidebarConnect', ['account', created.key]);
    expect(reply).toMatchObject(accepted ? { ok: true, uses: 'file' } : { ok: false, code: 'SHEET_KEY_NEEDED' });
    expect(JSON.stringify(file.world().properties).includes(created.key)).toBe(accepted);
  },
);
