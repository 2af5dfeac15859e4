import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkLedger } from '../../../db/money/ledger.ts';
import { cancelBatch, deleteBatch, resumeBatch } from '../../../pipeline/batches/batches.ts';
import { startQueue } from '../../../pipeline/queue/queue.ts';
import { until } from '../../setup/processes.ts';
import { silentLog } from '../../setup/test-database.ts';
import { address, addresses, type BatchSetup, createBatchSetup, jobs } from './batch-workspace.ts';

let setup: BatchSetup;

beforeAll(async () => {
  setup = await createBatchSetup();
});
beforeEach(() => setup.reset());
afterAll(async () => {
  expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
  await setup.close();
});

const hourMs = 3_600_000;
const later = (milliseconds: number) => {
  setup.clock.now = new Date(setup.clock.now.getTime() + milliseconds);
};
describe('a run of a batch', () => {
  test('a run of a batch fills 200 rows, charges 1 credit for each and finishes the batch', async () => {
    const workspaceId = await setup.workspace(500);
    const batch = await setup.create(workspaceId, addresses(200, 'many'));
    await setup.run(batch);
    const { now } = setup.clock;
    expect(await setup.read(batch)).toMatchObject({
      status: 'finished',
      total: 200,
      answered: 200,
      ok: 200,
      failed: 0,
    });
    expect(await setup.read(batch)).toMatchObject({ credits: 200, finished_at: now, waiting_for: null });
    expect(setup.upstream.asked).toHaveLength(200);
    expect(await setup.charges(workspaceId)).toBe(200);
    expect(await setup.balance(workspaceId)).toBe(300);
    expect(await setup.capUsed(workspaceId)).toBe(200);
    expect(new Set(await setup.column(batch, 'username')).size).toBe(200);
  });

  test('a batch uses a cached answer of up to one day for free, even without credits, and fetches an older one', async () => {
    const workspaceId = await setup.workspace(1);
    const line = [address('cached')];
    await setup.run(await setup.create(workspaceId, line));
    later(24 * hourMs);
    const free = await setup.create(workspaceId, line);
    await setup.run(free);
    expect(await setup.read(free)).toMatchObject({ status: 'finished', ok: 1, credits: 0 });
    expect(await setup.column(free, 'cached')).toEqual([true]);
    later(1);
    const fetched = await setup.create(workspaceId, line);
    await setup.run(fetched);
    expect(await setup.read(fetched)).toMatchObject({ status: 'paused', waiting_for: 'INSUFFICIENT_CREDITS' });
    await setup.topUp(workspaceId, 1);
    await resumeBatch(setup.context, workspaceId, fetched.batch_id);
    await setup.run(fetched);
    expect(await setup.read(fetched)).toMatchObject({ status: 'finished', ok: 1, credits: 1 });
    expect(setup.upstream.asked).toHaveLength(2);
  });

  test('a batch fetches a row again whose answer was cached while the clock was days ahead', async () => {
    const workspaceId = await setup.workspace(2);
    const line = [address('early')];
    later(72 * hourMs);
    await setup.run(await setup.create(workspaceId, line));
    later(-72 * hourMs);
    const batch = await setup.create(workspaceId, line);
    await setup.run(batch);
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', ok: 1, credits: 1 });
    expect(setup.upstream.asked).toHaveLength(2);
  });

  test('a batch fills failed rows with their error code for free and continues, even after an internal error', async () => {
    const workspaceId = await setup.workspace(10);
    setup.upstream.answer = ({ url }) => {
      if (url.includes('broken')) throw new TypeError('invented fault');
      if (url.includes('gone')) return { status: 404, body: Buffer.from('{}') };
      if (url.includes('strange')) return { status: 200, body: Buffer.from('[]') };
      return url.includes('busy') ? { status: 429, body: Buffer.from('{}') } : null;
    };
    const batch = await setup.create(workspaceId, ['gone', 'fine', 'busy', 'broken', 'strange', 'well'].map(address));
    await setup.run(batch);
    expect(await setup.column(batch, 'status')).toEqual([
      'RESOURCE_NOT_FOUND',
      'OK',
      'SOURCE_CAPACITY',
      'INTERNAL',
      'SOURCE_RESPONSE_CHANGED',
      'OK',
    ]);
    expect(await setup.column(batch, 'credits_charged')).toEqual([0, 1, 0, 0, 0, 1]);
    const messages = await setup.column(batch, 'message');
    expect(messages[3]).not.toContain('invented fault');
    expect(messages[4]).toMatch(/tell your Tidemark administrator\.$/);
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', ok: 2, failed: 4, credits: 2 });
    expect(await setup.balance(workspaceId)).toBe(8);
  });

  test('a batch finishes the rows in progress on a stop and leaves the rest to the next run', async () => {
    const workspaceId = await setup.workspace(50);
    const batch = await setup.create(workspaceId, addresses(12, 'stop'));
    const held = setup.holdAnswers();
    const stopping = new AbortController();
    const run = setup.run(batch, { signal: stopping.signal });
    await held.waiting(5);
    stopping.abort();
    held.open();
    await run;
    expect(await setup.read(batch)).toMatchObject({ status: 'running', answered: 5, ok: 5, credits: 5 });
    await setup.run(batch);
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', ok: 12, credits: 12 });
    expect(setup.upstream.asked).toHaveLength(12);
  });

  test('a run of a batch does not start another row after a minute, so that it ends before its queue entry expires', async () => {
    const workspaceId = await setup.workspace(50);
    const batch = await setup.create(workspaceId, addresses(12, 'minute'));
    const held = setup.holdAnswers();
    const run = setup.run(batch);
    await held.waiting(5);
    later(60_000);
    held.open();
    await run;
    expect(await setup.read(batch)).toMatchObject({ status: 'running', answered: 5 });
  });

  test('a run of a finished batch does nothing', async () => {
    const workspaceId = await setup.workspace(5);
    const batch = await setup.create(workspaceId, [address('done')]);
    await setup.run(batch);
    later(48 * hourMs);
    const finished = await setup.read(batch);
    await setup.run(batch);
    expect(await setup.read(batch)).toEqual(finished);
    expect(setup.upstream.asked).toHaveLength(1);
  });
});

describe('the pause switch of the workspace', () => {
  test('pausing a workspace stops all rows of a batch, even cached ones, until work is resumed', async () => {
    const workspaceId = await setup.workspace(5);
    await setup.run(await setup.create(workspaceId, [address('switch.cached')]));
    await setup.settings(workspaceId, { paused: true });
    const batch = await setup.create(workspaceId, [address('switch.cached'), address('switch')]);
    await setup.run(batch);
    await setup.tick();
    expect(await setup.read(batch)).toMatchObject({ status: 'paused', waiting_for: 'PAUSED', answered: 0 });
    expect(setup.upstream.asked).toHaveLength(1);
    await setup.settings(workspaceId, { paused: false });
    await setup.tick();
    expect(await setup.read(batch)).toMatchObject({ status: 'queued', waiting_for: null });
  });

  test('pausing a workspace during a run lets the rows in progress of a batch finish', async () => {
    const workspaceId = await setup.workspace(20);
    const batch = await setup.create(workspaceId, addresses(9, 'midway'));
    const held = setup.holdAnswers();
    const run = setup.run(batch);
    await held.waiting(5);
    await setup.settings(workspaceId, { paused: true });
    held.open();
    await run;
    const paused = { status: 'paused', waiting_for: 'PAUSED', waiting_cost: null, ok: 5, credits: 5 };
    expect(await setup.read(batch)).toMatchObject(paused);
  });
});

describe('a cancelled batch', () => {
  test('a cancelled batch finishes the rows in progress and leaves the others empty and unpaid', async () => {
    const workspaceId = await setup.workspace(20);
    const batch = await setup.create(workspaceId, addresses(12, 'cancel'));
    const held = setup.holdAnswers();
    const run = setup.run(batch);
    await held.waiting(5);
    await cancelBatch(setup.context, workspaceId, batch.batch_id);
    held.open();
    await run;
    expect(await setup.read(batch)).toMatchObject({ status: 'cancelled', answered: 5, ok: 5, failed: 0, credits: 5 });
    expect(await setup.balance(workspaceId)).toBe(15);
    expect((await setup.column(batch, 'status')).filter((status) => status === null)).toHaveLength(7);
    await setup.tick();
    expect((await setup.read(batch)).status).toBe('cancelled');
  });
});

describe('a deleted batch', () => {
  test('a batch that is deleted while rows are in progress stores and charges none of them', async () => {
    const workspaceId = await setup.workspace(20);
    const batch = await setup.create(workspaceId, addresses(12, 'deleted'));
    await expect(deleteBatch(setup.context, workspaceId, batch.batch_id)).rejects.toThrow('it is queued');
    const held = setup.holdAnswers();
    const run = setup.run(batch);
    await held.waiting(5);
    await cancelBatch(setup.context, workspaceId, batch.batch_id);
    await deleteBatch(setup.context, workspaceId, batch.batch_id);
    held.open();
    await run;
    expect(await setup.balance(workspaceId)).toBe(20);
    expect(await setup.db.sql`select from batch_rows where batch_id = ${batch.batch_id}`).toHaveLength(0);
    await expect(deleteBatch(setup.context, workspaceId, batch.batch_id)).rejects.toThrow('no batch with this ID');
  });
});

describe('the scheduled job of batches', () => {
  test('the scheduled job resumes only the paused batches that can continue after a top-up', async () => {
    const [rich, poor] = [await setup.workspace(0), await setup.workspace(0)];
    const [resumed, waiting] = [
      await setup.create(rich, [address('tick.rich')]),
      await setup.create(poor, [address('tick.poor')]),
    ];
    for (const batch of [resumed, waiting]) await setup.run(batch);
    await setup.db.sql`delete from jobs.job`;
    await setup.topUp(rich, 1);
    await setup.tick();
    await setup.tick();
    expect([(await setup.read(resumed)).status, (await setup.read(waiting)).status]).toEqual(['queued', 'paused']);
    expect([await setup.queued(resumed), await setup.queued(waiting)]).toEqual([1, 0]);
  });

  test('the scheduled job queues a running batch again that has lost its queue entry', async () => {
    const workspaceId = await setup.workspace(5);
    const batch = await setup.create(workspaceId, [address('lost')]);
    await setup.db.sql`delete from jobs.job`;
    await setup.tick();
    expect(await setup.queued(batch)).toBe(1);
  });
});

test('creating a batch is enough for the queue to run it', async () => {
  const workspaceId = await setup.workspace(300);
  const working = await startQueue({
    sql: setup.db.sql,
    jobs,
    log: silentLog,
    work: (queue) => ({ ...setup.context, queue }),
  });
  const batch = await setup.create(workspaceId, addresses(200, 'queue'));
  await until(async () => (await setup.read(batch)).status === 'finished');
  await working.stop();
  expect(await setup.read(batch)).toMatchObject({ ok: 200, credits: 200 });
  expect(await setup.charges(workspaceId)).toBe(200);
});

test('the first batch of a workspace does not wait for the second one of another workspace', async () => {
  await setup.db.sql`delete from jobs.job`;
  const busy = await setup.workspace(100);
  for (const name of addresses(12, 'busy')) await setup.create(busy, [name]);
  const first = await setup.create(await setup.workspace(1), [address('first')]);
  const taken = setup.holdAnswers();
  const working = await startQueue({
    sql: setup.db.sql,
    jobs,
    log: silentLog,
    work: (queue) => ({ ...setup.context, queue }),
  });
  // The queue starts four batches at the same time, and any of these can be the first to send its request.
  await taken.waiting(4);
  const asked = setup.upstream.asked.join(' ');
  taken.open();
  await until(async () => (await setup.read(first)).status === 'finished');
  await working.stop();
  expect(asked).toContain('username=first');
});

test('the scheduled job queues the first batch of every workspace before the second of any', async () => {
  const busy = await setup.workspace(5);
  for (const name of addresses(3, 'ahead')) await setup.create(busy, [name]);
  const first = await setup.create(await setup.workspace(5), [address('behind')]);
  await setup.db.sql`delete from jobs.job`;
  await setup.tick();
  const rows = await setup.db.sql`
    select priority from jobs.job where data -> 'data' ->> 'workspace_id' = ${busy} order by priority desc`;
  expect(rows.map(({ priority }) => priority)).toEqual([0, -1, -2]);
  const [row] = await setup.db.sql`select priority from jobs.job where singleton_key = ${first.batch_id}`;
  expect(row?.priority).toBe(0);
});
