import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { profileAddress, writeInventedManifest } from '../harness/invented-manifest.ts';
import { killServices } from '../harness/service-process.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { openFolder, removeFolder, until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import {
  type PipelineProcess,
  startPipelineHere,
  startPipelineProcess,
  stopPipelinesHere,
} from './pipeline-process.ts';
import {
  anHourPasses,
  attemptsPerItem,
  claimsPerItem,
  countOf,
  expectExact,
  makeDue,
  startTicks,
  type Ticks,
  trackItems,
  untilQuiet,
  watchClaims,
} from './tracked-database.ts';

const wanted = { workspaces: 4, items_each: 25, credits: 1_000 };
const items = wanted.workspaces * wanted.items_each;
/** Delays (ms) of the source for handles that begin with p0, p1 and p2. Other handles get an answer immediately. */
const delaysMs = [150, 400, 900];
const maxDelayMs = 900;

let folder: string;
let db: TestDatabase;
let ticks: Ticks;
/**
 * The environments of two pipeline processes. Their sources return different numbers, which show the process that
 * fetched an item.
 */
let envs: [Record<string, string>, Record<string, string>];

beforeEach(async () => {
  folder = await openFolder();
  db = await createTestDatabase();
  envs = [await environment('4321'), await environment('8765')];
  await watchClaims(db.sql);
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

async function environment(followers: string): Promise<Record<string, string>> {
  const own = join(folder, followers);
  await mkdir(own);
  const url = `${profileAddress}paper.kite`;
  const { status, headers, body } = await inventedUpstream().fetch({ url }, new AbortController().signal);
  const text = body.toString().replaceAll('4321', followers);
  const special = [...delaysMs, 0].map((delayMs, n) => ({
    prefix: `${profileAddress}p${n}.`,
    ...{ status, headers, text, delay_ms: delayMs },
  }));
  return { DATABASE_URL: db.database_url, UPSTREAM_REPLAY: await writeInventedManifest(own, { special }) };
}

const attempts = () => countOf(db.sql, 'check_attempts');
const claims = () => countOf(db.sql, 'claims_seen');

test('two processes check every due item exactly once and charge the exact credits', async () => {
  const both = await Promise.all(envs.map(startPipelineProcess));
  let followers: unknown[] = [];
  // On a busy machine, one process can start so much earlier that it checks all items. Then all are checked again.
  for (let round = 1; followers.length < envs.length; round += 1) {
    if (round > 1) {
      await makeDue(db.sql);
      await ticks.sweep();
    }
    await until(async () => (await attempts()) >= round * items);
    expect(await attemptsPerItem(db.sql)).toEqual({ [round]: items });
    expect(await claims()).toBe(round * items);
    await expectExact(db.sql, wanted, round);
    await untilQuiet(db.sql);
    const rows = await db.sql`select distinct followers from observations order by followers`;
    followers = rows.map((row) => row.followers);
  }
  expect(followers).toEqual([4321, 8765]);
  const ended = await Promise.all(both.map((one) => one.stop()));
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
}, 120_000);

test('after days without a running pipeline, each item is checked once', async () => {
  await makeDue(db.sql, 9 * 24);
  const [env] = envs;
  const stop = await startPipelineHere(env);
  await until(async () => (await attempts()) >= items);
  await ticks.sweep();
  await untilQuiet(db.sql);
  expect(await attemptsPerItem(db.sql)).toEqual({ 1: items });
  await stop();
});

test('SIGTERM during checks lets these checks finish and leaves the other items to other processes', async () => {
  const [env] = envs;
  const first = await startPipelineProcess(env);
  await until(async () => (await claims()) > 0);
  const ended = await first.stop();
  const underWay = await claims();
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(underWay).toBeLessThan(items);
  const finished = await attempts();
  expect(finished).toBeGreaterThan(0);
  expect(await db.sql`select from jobs.job where state = 'active'`).toHaveLength(0);
  const stopNext = await startPipelineHere(env);
  await until(async () => (await attempts()) >= items);
  await stopNext();
  expect(await attemptsPerItem(db.sql)).toEqual({ 1: items });
  // A check that was still waiting for its turn to send a request when the process stopped is claimed again, with the
  // same attempt id.
  expect(await claims()).toBe(items + underWay - finished);
  expect((await claimsPerItem(db.sql)).most_attempts).toBe(1);
  await expectExact(db.sql, wanted, 1);
});

test('after kill -9 of pipelines during tracking checks, interrupted attempts resume with the same ids, and none is lost or paid twice', async () => {
  const rounds: readonly (readonly [number, ...number[]])[] = [[0], [1], [0, 1], [1], [0, 1]];
  const processes = await Promise.all(envs.map(startPipelineProcess));
  await until(async () => (await attempts()) >= items);
  const interrupted: number[] = [];
  for (const [round, victims] of rounds.entries()) {
    await untilQuiet(db.sql);
    await db.sql`truncate claims_seen`;
    await makeDue(db.sql);
    await ticks.sweep();
    await until(async () => (await claims()) > 0);
    // Kills at a random moment, which can be anywhere in a check, even between two statements.
    await pause(Math.random() * maxDelayMs);
    for (const victim of victims) await (processes[victim] as PipelineProcess).kill();
    const before = round + 1;
    interrupted.push((await claims()) - ((await attempts()) - before * items));
    await anHourPasses(db.sql);
    for (const victim of victims) processes[victim] = await startPipelineProcess(envs[victim] as (typeof envs)[0]);
    await until(async () => (await attempts()) >= (before + 1) * items);
    expect(await attemptsPerItem(db.sql)).toEqual({ [before + 1]: items });
    const { most_claims, most_attempts } = await claimsPerItem(db.sql);
    expect([most_attempts, most_claims <= 2]).toEqual([1, true]);
    await expectExact(db.sql, wanted, before + 1);
  }
  expect(Math.max(...interrupted)).toBeGreaterThan(0);
}, 120_000);
