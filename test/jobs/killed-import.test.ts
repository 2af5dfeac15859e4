import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkLedger } from '../../db/money/ledger.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { killServices } from '../harness/service-process.ts';
import { addresses } from '../pipeline/batches/batch-workspace.ts';
import { createImportBench, type ImportBench } from '../pipeline/sheets/import-bench.ts';
import { clientEmail, privateKeyText } from '../pipeline/sheets/sheets-server.ts';
import { openFolder, removeFolder, until } from '../setup/processes.ts';
import { startPipelineProcess } from './pipeline-process.ts';

const people = 30;
let folder: string;
let bench: ImportBench;

beforeEach(async () => {
  folder = await openFolder();
  bench = await createImportBench();
  await bench.restart();
});
afterEach(async () => {
  await killServices();
  await bench.close();
  await removeFolder(folder, folder);
});

test('a sheet import whose process is killed continues with its stored rows and pays each row once', async () => {
  const account = join(folder, 'account.json');
  await writeFile(account, JSON.stringify({ client_email: clientEmail, private_key: privateKeyText }));
  const workspaceId = await bench.workspace(100);
  const importId = await bench.create(workspaceId, {
    source_range: '',
    source_list: addresses(people, 'killed').join('\n'),
    schedule: 'manual',
  });
  const run = await bench.start(workspaceId, importId);
  // Opens the spreadsheet in this process, because the killed process cannot reach the fake Google Sheets API.
  await bench.advance(run);
  const killed = await startPipelineProcess({
    DATABASE_URL: bench.db.database_url,
    GOOGLE_SERVICE_ACCOUNT: account,
    UPSTREAM_REPLAY: await writeInventedManifest(folder, { delay_ms: 300 }),
  });
  const progress = async () => (await bench.runs(workspaceId, importId))[0] ?? expect.fail('no run');
  await until(async () => (await progress()).ok >= 3, 30_000);
  await killed.kill();
  // Waits, because the database may still commit the last statements of the killed process.
  await until(async () => {
    const left = await bench.db.sql`
      select from pg_stat_activity where datname = current_database() and application_name = 'tidemark-pipeline'`;
    return left.length === 0;
  });
  const { ok } = await progress();
  expect(ok).toBeLessThan(people);
  expect(bench.upstream.asked).toEqual([]);
  expect(await bench.finish(run)).toMatchObject({ outcome: 'OK', written_rows: people });
  expect(bench.upstream.asked).toHaveLength(people - ok);
  expect(bench.table()).toHaveLength(people + 1);
  expect(await bench.charges(workspaceId)).toBe(people);
  expect(await bench.balance(workspaceId)).toBe(100 - people);
  expect((await checkLedger(bench.db.sql)).mismatches).toEqual([]);
}, 60_000);
