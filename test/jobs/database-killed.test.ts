import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyDataFolder, withDatabase } from '../harness/data-folder.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { killServices } from '../harness/service-process.ts';
import { openFolder, postmasterPid, removeFolder, until } from '../setup/processes.ts';
import { startPipelineProcess } from './pipeline-process.ts';
import {
  anHourPasses,
  attemptsPerItem,
  claimsPerItem,
  countOf,
  expectExact,
  startTicks,
  trackItems,
  untilQuiet,
  watchClaims,
} from './tracked-database.ts';

const wanted = { workspaces: 2, items_each: 30, credits: 1_000 };
const items = wanted.workspaces * wanted.items_each;

let folder: string;
let dataDir: string;

beforeEach(async () => {
  folder = await openFolder();
  dataDir = join(folder, 'data');
  await copyDataFolder(dataDir);
});

afterEach(async () => {
  await killServices();
  await removeFolder(folder, dataDir);
});

test('after kill -9 of PostgreSQL during tracking checks, the pipeline continues, and no check is lost or charged twice', async () => {
  const manifest = await writeInventedManifest(folder, { delay_ms: 1_500 });
  const pipeline = await startPipelineProcess({ DATA_DIR: dataDir, UPSTREAM_REPLAY: manifest });
  await withDatabase(dataDir, async (sql) => {
    await watchClaims(sql);
    await untilQuiet(sql);
    await trackItems(sql, wanted);
    const ticks = await startTicks(sql);
    await ticks.sweep();
    await until(async () => (await countOf(sql, 'claims_seen')) > 0);
    await ticks.stop();
    expect(await countOf(sql, 'check_attempts')).toBeLessThan(await countOf(sql, 'claims_seen'));
  });
  const killed = await postmasterPid(dataDir);
  process.kill(killed as number, 'SIGKILL');
  await until(async () => {
    const pid = await postmasterPid(dataDir);
    return pid !== null && pid !== killed;
  });
  await until(() => answers(dataDir));
  await withDatabase(dataDir, async (sql) => {
    await anHourPasses(sql);
    // Allows for sixty checks of 1.5 s each, ten at a time, on a machine that also runs other tests.
    await until(async () => (await countOf(sql, 'check_attempts')) >= items, 60_000);
    expect(await attemptsPerItem(sql)).toEqual({ 1: items });
    expect((await claimsPerItem(sql)).most_attempts).toBe(1);
    await expectExact(sql, wanted, 1);
  });
  expect((await pipeline.stop()).code).toBe(0);
  expect(await postmasterPid(dataDir)).toBe(null);
}, 120_000);

const answers = (dataDir: string) =>
  withDatabase(dataDir, (sql) => sql`select 1`).then(
    () => true,
    () => false,
  );
