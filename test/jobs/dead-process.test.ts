import { afterEach, beforeEach, expect, test } from 'vitest';
import { profileAddress, writeInventedManifest } from '../harness/invented-manifest.ts';
import { killServices } from '../harness/service-process.ts';
import { openFolder, removeFolder, until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import { startPipelineHere, startPipelineProcess, stopPipelinesHere } from './pipeline-process.ts';
import { attemptsPerItem, expectExact, startTicks, type Ticks, trackItems } from './tracked-database.ts';

const wanted = { workspaces: 1, items_each: 10, credits: 100 };
/**
 * Delay (ms) of the source for the first process. The delay exceeds the duration of the test, so that this process
 * never finishes a check.
 */
const endlessMs = 120_000;
/**
 * Time limit (ms) for all checks: the time after which a silent process counts as dead, the interval between searches
 * for dead processes, and some seconds for startups.
 */
const maxMs = 45_000;

let folder: string;
let db: TestDatabase;
let ticks: Ticks;

beforeEach(async () => {
  folder = await openFolder();
  db = await createTestDatabase();
  await trackItems(db.sql, wanted);
  ticks = await startTicks(db.sql);
});
afterEach(async () => {
  await killServices();
  await stopPipelinesHere();
  await ticks.stop();
  await db.close();
  await removeFolder(folder, folder);
});

const countOf = async (state: string) => {
  const [row] = await db.sql<{ n: number }[]>`
    select count(*)::int as n from jobs.job where name = 'track-check' and state = ${state}`;
  return row?.n ?? 0;
};
const attempts = async () => (await db.sql`select from check_attempts where outcome = 'OK'`).length;

test('the tracking checks of a killed process are taken over within 45 seconds and charged once', async () => {
  const env = { DATABASE_URL: db.database_url };
  const special = [{ prefix: profileAddress, status: 200, delay_ms: endlessMs }];
  const silent = await startPipelineProcess({
    ...env,
    UPSTREAM_REPLAY: await writeInventedManifest(folder, { special }),
  });
  await ticks.sweep();
  await until(async () => (await countOf('active')) > 0);
  await silent.kill();
  const stop = await startPipelineHere({ ...env, UPSTREAM_REPLAY: await writeInventedManifest(folder) });
  await until(async () => (await attempts()) >= wanted.items_each, maxMs);
  expect(await attemptsPerItem(db.sql)).toEqual({ 1: wanted.items_each });
  await expectExact(db.sql, wanted, 1);
  await stop();
}, 70_000);
