import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkLedger } from '../../db/money/ledger.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { killServices } from '../harness/service-process.ts';
import { addresses } from '../pipeline/batches/batch-workspace.ts';
import { createImportSetup, type ImportSetup } from '../pipeline/sheets/import-setup.ts';
import { clientEmail, privateKeyText } from '../pipeline/sheets/sheets-server.ts';
import { openFolder, removeFolder, until } from '../setup/processes.ts';
import { startPipelineProcess } from './pipeline-process.ts';

const people = 30;
let folder: string;
let setup: ImportSetup;

beforeEach(async () => {
  folder = await openFolder();
  setup = await createImportSetup();
  await setup.restart();
});
afterEach(async () => {
  await killServices();
  await setup.close();
  await removeFolder(folder, folder);
});

test('a sheet import whose process is killed continues with its stored rows and pays each row once', async () => {
  const account = join(folder, 'account.json');
  await writeFile(account, JSON.stringify({ client_email: clientEmail, private_key: privateKeyText }));
  const workspaceId = await setup.workspace(100);
  const importId = await setup.create(workspaceId, {
    source_range: '',
    source_list: addresses(people, 'killed').join('\n'),
    schedule: 'manual',
  });
  const run = await setup.start(workspaceId, importId);
  // Opens the spreadsheet in this process, because the killed process cannot reach the fake Google Sheets API.
  await setup.advance(run);
  const killed = await startPipelineProcess({
    DATABASE_URL: setup.db.database_url,
    GOOGLE_SERVICE_ACCOUNT: account,
    UPSTREAM_REPLAY: await writeInventedManifest(folder, { delay_ms: 300 }),
  });
  const progress = async () => (await setup.runs(workspaceId, importId))[0] ?? expect.fail('no run');
  await until(async () => (await progress()).ok >= 3, 30_000);
  await killed.kill();
  // Waits, because the database may still be committing the last statements of the killed process.
  await until(async () => {
    const left = await setup.db.sql`
      select from pg_stat_activity where datname = current_database() and application_name = 'tidemark-pipeline'`;
    return left.length === 0;
  });
  const { ok } = await progress();
  expect(ok).toBeLessThan(people);
  expect(setup.upstream.asked).toEqual([]);
  expect(await setup.finish(run)).toMatchObject({ outcome: 'OK', written_rows: people });
  expect(setup.upstream.asked).toHaveLength(people - ok);
  expect(setup.table()).toHaveLength(people + 1);
  expect(await setup.charges(workspaceId)).toBe(people);
  expect(await setup.balance(workspaceId)).toBe(100 - people);
  expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
}, 60_000);
