import { afterAll, beforeAll, expect, test } from 'vitest';
import { correctQueueTimes } from '../../../db/queue.ts';
import type { Job, JobContext } from '../../../pipeline/queue/job.ts';
import { startQueue } from '../../../pipeline/queue/queue.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../../setup/test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

function jobThatKeeps(done: string[]): Job {
  return {
    name: 'invented-job',
    schedule: null,
    items_per_run: 1,
    expire_seconds: 60,
    retries: 2,
    async run(items) {
      done.push(...items.map(({ key }) => key));
    },
  };
}

function start(done: string[], working: boolean) {
  const work = working ? () => ({}) as JobContext : null;
  return startQueue({ sql: db.sql, jobs: [jobThatKeeps(done)], log: silentLog, work });
}

test('an item that was queued while the clock was three days ahead runs when a process starts after the correction', async () => {
  const done: string[] = [];
  const queue = await start(done, false);
  await queue.send('invented-job', [{ key: 'early', data: {} }]);
  await db.sql`update jobs.job set created_on = now() + interval '3 days', start_after = now() + interval '3 days'`;
  await queue.stop();
  const working = await start(done, true);
  await expect.poll(() => done, { timeout: 10_000 }).toEqual(['early']);
  await working.stop();
});

test('after the clock was set back, items keep their delays, retries run at once, and dead processes are found', async () => {
  const queue = await start([], false);
  await db.sql`delete from jobs.job`;
  await queue.send(
    'invented-job',
    ['delayed', 'retried', 'active', 'planned'].map((key) => ({ key, data: {} })),
  );
  const set = (key: string, values: object) =>
    db.sql`update jobs.job set ${db.sql(values)} where singleton_key = ${key}`;
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  await set('delayed', { created_on: inHours(72), start_after: inHours(77) });
  await set('retried', { state: 'retry', started_on: inHours(72), start_after: inHours(72) });
  await set('active', { state: 'active', started_on: inHours(72), heartbeat_on: inHours(72) });
  await set('planned', { start_after: inHours(20) });
  await db.sql`update jobs.queue set monitor_claim_on = ${inHours(72)}, monitor_on = ${inHours(72)}`;
  await correctQueueTimes(db.sql);
  const rows = await db.sql<{ key: string; hours: number }[]>`
    select singleton_key as key, round(extract(epoch from case state when 'active' then greatest(started_on, heartbeat_on)
      else start_after end - now()) / 3600)::int as hours
    from jobs.job order by 1`;
  expect(Object.fromEntries(rows.map(({ key, hours }) => [key, hours]))).toEqual({
    delayed: 5,
    retried: 0,
    active: 0,
    planned: 20,
  });
  expect(await db.sql`select from jobs.queue where monitor_claim_on > now() or monitor_on > now()`).toHaveLength(0);
  await queue.stop();
});
