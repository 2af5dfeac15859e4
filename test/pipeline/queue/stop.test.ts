import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobContext } from '../../../pipeline/queue/job.ts';
import { startQueue } from '../../../pipeline/queue/queue.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../../setup/test-database.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

/**
 * Calls `work` and returns the time limits (ms) of the timers that were started by it and fired before it ended. Timers
 * of other work are left out.
 */
async function firedTimers(work: () => Promise<unknown>): Promise<number[]> {
  const inside = new AsyncLocalStorage<true>();
  const started = new Map<number, number>();
  const fired: number[] = [];
  const hook = createHook({
    init(id, type, _, timer) {
      if (type === 'Timeout' && inside.getStore()) started.set(id, (timer as { _idleTimeout: number })._idleTimeout);
    },
    before(id) {
      const ms = started.get(id);
      if (ms !== undefined) fired.push(ms);
    },
  }).enable();
  await inside.run(true, work).finally(() => hook.disable());
  return fired;
}

test('the queue stops as soon as its running job has finished, without a pause', async () => {
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  let hasFinished = false;
  const job = {
    name: 'invented-job',
    schedule: null,
    items_per_run: 1,
    expire_seconds: 60,
    retries: 0,
    async run() {
      started.resolve();
      await finish.promise;
      hasFinished = true;
    },
  };
  const queue = await startQueue({ sql: db.sql, jobs: [job], log: silentLog, work: () => ({}) as JobContext });
  await queue.send('invented-job', [{ key: 'one', data: {} }]);
  await started.promise;
  const pauses = await firedTimers(async () => {
    const stopped = queue.stop();
    finish.resolve();
    await stopped;
  });
  expect(hasFinished).toBe(true);
  // The queue library waits 10 ms at a time for a statement that is not finished. Its own stop would wait half a second
  // at a time for the job.
  expect(pauses.filter((ms) => ms > 10)).toEqual([]);
}, 60_000);
