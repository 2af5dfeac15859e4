import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectClients, type Database, parseDatabaseUrl } from '../../../db/connect.ts';
import { type BatchId, insertBatch, moveBatch } from '../../../db/deliveries/batches.ts';
import { inheritDistribution } from '../../../db/distribution/distributed.ts';
import { newId } from '../../../db/ids.ts';
import { checkLedger, moveCredits } from '../../../db/money/ledger.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { resumeBatch } from '../../../pipeline/batches/batches.ts';
import { publicAddresses } from '../../../pipeline/network/outbound.ts';
import { createEndpoint } from '../../../pipeline/notify/webhooks.ts';
import { databaseProxy } from '../../harness/database-proxy.ts';
import { isCitusRun } from '../../setup/citus.ts';
import { until } from '../../setup/processes.ts';
import { patientMs } from '../../setup/test-database.ts';
import { address, addresses, type BatchSetup, createBatchSetup } from './batch-workspace.ts';

let setup: BatchSetup;

beforeAll(async () => {
  setup = await createBatchSetup();
});
beforeEach(() => setup.reset());
afterAll(async () => {
  expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
  await setup.close();
});

describe('credits of a batch', () => {
  test('a batch pauses when the credits run out, does not call a source for unpaid rows, and resumes after a top-up', async () => {
    const workspaceId = await setup.workspace(3);
    const batch = await setup.create(workspaceId, [...addresses(8, 'short'), 'nonsense']);
    await setup.run(batch);
    const paused = { status: 'paused', waiting_for: 'INSUFFICIENT_CREDITS', total: 9, answered: 4, ok: 3, failed: 1 };
    expect(await setup.read(batch)).toMatchObject({ ...paused, credits: 3, finished_at: null });
    expect(setup.upstream.asked).toHaveLength(3);

    const queued = await resumeBatch(setup.context, workspaceId, batch.batch_id);
    expect(queued).toMatchObject({ status: 'queued', waiting_for: null });
    await setup.run(batch);
    expect(await setup.read(batch)).toMatchObject(paused);
    expect(setup.upstream.asked).toHaveLength(3);

    await setup.topUp(workspaceId, 100);
    await resumeBatch(setup.context, workspaceId, batch.batch_id);
    await setup.run(batch);
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', waiting_for: null, ok: 8, credits: 8 });
    expect(await setup.balance(workspaceId)).toBe(95);
    expect(setup.upstream.asked).toHaveLength(8);
  });

  test('a batch finishes when the credits are just enough for all its rows', async () => {
    const workspaceId = await setup.workspace(7);
    const batch = await setup.create(workspaceId, addresses(7, 'exact'));
    await setup.run(batch);
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', ok: 7 });
    expect(await setup.balance(workspaceId)).toBe(0);
  });

  test('failed rows of a batch use no credits, so the last credit pays for the row that succeeds', async () => {
    const workspaceId = await setup.workspace(1);
    setup.upstream.answer = ({ url }) => (url.includes('never') ? { status: 404, body: Buffer.from('{}') } : null);
    const batch = await setup.create(workspaceId, [...addresses(20, 'never'), address('once')]);
    await setup.run(batch);
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', ok: 1, failed: 20, credits: 1 });
  });

  test('a batch leaves a row unfinished and uncharged when the credits are spent elsewhere during its fetch', async () => {
    const workspaceId = await setup.workspace(1);
    const batch = await setup.create(workspaceId, [address('raced')]);
    const held = setup.holdAnswers();
    const run = setup.run(batch);
    await held.waiting(1);
    await moveCredits(setup.db.sql, workspaceId, { kind: 'adjustment', credits: -1, reason: 'spent elsewhere' });
    held.open();
    await run;
    expect(await setup.read(batch)).toMatchObject({
      status: 'paused',
      waiting_for: 'INSUFFICIENT_CREDITS',
      answered: 0,
    });
    expect(await setup.capUsed(workspaceId)).toBeUndefined();
    expect(await setup.charges(workspaceId)).toBe(0);
  });
});

/** Runs a batch until it waits before its next row, whose latest posts cost 4 credits. Returns the batch. */
async function waitForPosts(workspaceId: string): Promise<BatchId> {
  const batch = { workspace_id: workspaceId, batch_id: newId() };
  const plan = { kind: 'latest_posts', posts_each: 3, max_age_seconds: 0, import_id: null } as const;
  const lines = ['https://www.youtube.com/@unknown', address('cheaper')];
  const rows = lines.map((url, index) => ({
    ...{ row_no: index + 1, url, duplicate_of: null, status: null, cells: null },
  }));
  const now = setup.clock.now;
  await inTransaction(setup.db.sql, (tx) => insertBatch(tx, { ...batch, name: null, now, plan }, rows));
  await setup.run(batch);
  return batch;
}

describe('a batch that waits for more credits than are left', () => {
  test('a batch is not resumed while the balance does not cover its next row, and continues once the balance does', async () => {
    const workspaceId = await setup.workspace(3);
    const batch = await waitForPosts(workspaceId);
    const paused = { status: 'paused', waiting_for: 'INSUFFICIENT_CREDITS', waiting_cost: 4 };
    expect(await setup.read(batch)).toMatchObject(paused);
    await setup.tick();
    expect(await setup.read(batch)).toMatchObject(paused);
    expect(await setup.queued(batch)).toBe(0);
    await setup.topUp(workspaceId, 1);
    await setup.tick();
    expect(await setup.read(batch)).toMatchObject({ status: 'queued', waiting_for: null, waiting_cost: null });
    expect(await setup.queued(batch)).toBe(1);
  });

  test('a batch is not resumed while the monthly cap does not cover its next row, and continues once the cap does', async () => {
    const workspaceId = await setup.workspace(50);
    await setup.settings(workspaceId, { monthly_cap: 3 });
    const batch = await waitForPosts(workspaceId);
    await setup.tick();
    expect(await setup.read(batch)).toMatchObject({ status: 'paused', waiting_for: 'CAP_REACHED', waiting_cost: 4 });
    await setup.settings(workspaceId, { monthly_cap: 4 });
    await setup.tick();
    expect(await setup.read(batch)).toMatchObject({ status: 'queued' });
  });

  test('a batch whose charge is refused waits for the cost of its first open row', async () => {
    const workspaceId = await setup.workspace(9);
    const held = setup.holdAnswers();
    const batch = setup.create(workspaceId, addresses(2, 'spent'));
    const run = setup.run(await batch);
    await held.waiting(2);
    await moveCredits(setup.db.sql, workspaceId, { kind: 'adjustment', credits: -9, reason: 'spent elsewhere' });
    held.open();
    await run;
    expect(await setup.read(await batch)).toMatchObject({ waiting_for: 'INSUFFICIENT_CREDITS', waiting_cost: 1 });
  });

  test('a batch that an earlier version paused is resumed when one credit is left', async () => {
    const workspaceId = await setup.workspace(3);
    const batch = await waitForPosts(workspaceId);
    await setup.db.sql`update batches set waiting_cost = null where batch_id = ${batch.batch_id}`;
    await setup.tick();
    expect(await setup.read(batch)).toMatchObject({ status: 'queued' });
  });
});

describe('the monthly cap of a workspace', () => {
  test('the monthly cap pauses a batch, is not exceeded by concurrent batches, and resets on the 1st (UTC)', async () => {
    const workspaceId = await setup.workspace(50);
    await setup.settings(workspaceId, { monthly_cap: 7 });
    const batches = [
      await setup.create(workspaceId, addresses(6, 'capA')),
      await setup.create(workspaceId, addresses(6, 'capB')),
    ];
    await Promise.all(batches.flatMap((batch) => [setup.run(batch), setup.run(batch)]));
    expect(await setup.capUsed(workspaceId)).toBe(7);
    expect(await setup.charges(workspaceId)).toBe(7);
    const waiting = (await Promise.all(batches.map(setup.read))).filter(({ status }) => status === 'paused');
    expect(waiting.map(({ waiting_for }) => waiting_for)).toContain('CAP_REACHED');

    setup.clock.now = new Date('2026-12-01T00:00:00.000Z');
    await setup.tick();
    for (const batch of waiting) expect((await setup.read(batch)).status).toBe('queued');
    for (const batch of batches) await setup.run(batch);
    for (const batch of batches) expect(await setup.read(batch)).toMatchObject({ status: 'finished', credits: 6 });
    expect(await setup.capUsed(workspaceId)).toBe(5);
  });

  test('a batch leaves a row unfinished and uncharged when the monthly cap is reached during its fetch', async () => {
    const workspaceId = await setup.workspace(5);
    await setup.settings(workspaceId, { monthly_cap: 1 });
    const batch = await setup.create(workspaceId, [address('capped.meanwhile')]);
    const held = setup.holdAnswers();
    const run = setup.run(batch);
    await held.waiting(1);
    await setup.db.sql`
      update work_settings set cap_used = 1, cap_month = '2026-11-01' where workspace_id = ${workspaceId}`;
    held.open();
    await run;
    expect(await setup.read(batch)).toMatchObject({ status: 'paused', waiting_for: 'CAP_REACHED', answered: 0 });
    expect(await setup.balance(workspaceId)).toBe(5);
    expect(await setup.capUsed(workspaceId)).toBe(1);
    const kept = await setup.db.sql`select from responses where body like '%capped.meanwhile%'`;
    expect(kept).toHaveLength(0);
  });
});

describe('a process that is killed during a batch', () => {
  const locks = {
    'between the answer of the source and the charge': (workspaceId: string) =>
      `select from credit_balances where workspace_id = '${workspaceId}' for update`,
    'in the middle of the charge': (workspaceId: string) =>
      `select from work_settings where workspace_id = '${workspaceId}' for update`,
  };

  async function expectPaidOnce(batch: BatchId): Promise<void> {
    await setup.run(batch);
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', answered: 2, ok: 2, credits: 1 });
    expect(await setup.column(batch, 'credits_charged')).toEqual([1, 0]);
    expect(await setup.charges(batch.workspace_id)).toBe(1);
    expect(await setup.capUsed(batch.workspace_id)).toBe(1);
    expect(await setup.balance(batch.workspace_id)).toBe(9);
  }

  /** Runs the batch with its own database connections, and closes them after the run. */
  async function runKilled(batch: BatchId, databaseUrl: string): Promise<unknown> {
    const db = connectClients(parseDatabaseUrl(databaseUrl), 'killed', {
      distributed: isCitusRun,
      database_timeout_ms: patientMs,
    });
    const ended = await setup.run(batch, { db }).catch((error: unknown) => error);
    await Promise.all([db.sql, db.pipelined].map((client) => client.end({ timeout: 0 })));
    return ended;
  }

  async function twins(handle: string): Promise<BatchId> {
    const workspaceId = await setup.workspace(10);
    await setup.settings(workspaceId, { monthly_cap: 10 });
    return setup.create(workspaceId, [address(handle), address(handle)]);
  }

  test.each(Object.entries(locks))(
    'a process that is killed %s has charged nothing, and the row is charged once later',
    async (point, lock) => {
      const batch = await twins(`killed${point.length}`);
      const held = setup.holdAnswers();
      const run = runKilled(batch, setup.db.database_url);
      await held.waiting(1);
      await inTransaction(setup.db.sql, async (tx) => {
        await tx.unsafe(lock(batch.workspace_id));
        held.open();
        await setup.killWaiting();
      });
      expect(await run).toBeInstanceOf(Error);
      expect(await setup.charges(batch.workspace_id)).toBe(0);
      expect(await setup.read(batch)).toMatchObject({ status: 'running', answered: 0, credits: 0 });
      await expectPaidOnce(batch);
    },
  );

  test('a process that is killed between a charge and its confirmation leaves a finished row that is not charged again', async () => {
    const batch = await twins('unconfirmed');
    const wire = await databaseProxy(setup.db.sql);
    wire.dropReplyTo('"username":"unconfirmed"');
    expect(await runKilled(batch, wire.database_url)).toBeInstanceOf(Error);
    await wire.close();
    expect(await setup.read(batch)).toMatchObject({ status: 'running', answered: 2, credits: 1 });
    await expectPaidOnce(batch);
    expect(setup.upstream.asked).toHaveLength(1);
  });

  test('a process that is killed after the last row of a batch leaves the end of the batch to the next run', async () => {
    const batch = await twins('unfinished');
    await setup.run(batch);
    await setup.db.sql`
      update batches set status = 'running', finished_at = null where batch_id = ${batch.batch_id}`;
    await expectPaidOnce(batch);
  });
});

describe('two concurrent runs of one batch', () => {
  test('two concurrent runs of one batch charge and count each row once and finish the batch once', async () => {
    const workspaceId = await setup.workspace(100);
    await createEndpoint(
      setup.db.sql,
      workspaceId,
      { url: 'https://receiver.invented.example/', events: ['batch.finished'] },
      publicAddresses,
    );
    const batch = await setup.create(workspaceId, [...addresses(40, 'both'), address('both0'), 'nonsense']);
    await Promise.all([setup.run(batch), setup.run(batch)]);
    const progress = { status: 'finished', total: 42, answered: 42, ok: 41, failed: 1, credits: 40 };
    expect(await setup.read(batch)).toMatchObject(progress);
    expect(await setup.charges(workspaceId)).toBe(40);
    expect(await setup.capUsed(workspaceId)).toBe(40);
    const deliveries = await setup.db.sql<{ body: string }[]>`
      select body from webhook_deliveries where workspace_id = ${workspaceId}`;
    expect(deliveries.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        type: 'batch.finished',
        data: { batch_id: batch.batch_id, name: null, total: 42, ok: 41, failed: 1, credits: 40 },
      },
    ]);
  });
});

describe('two batches with the same lines at the same time', () => {
  test('pay for each line once', async () => {
    const workspaceId = await setup.workspace(100);
    const lines = addresses(16, 'shared');
    const first = await setup.create(workspaceId, lines.slice(0, 12));
    const second = await setup.create(workspaceId, [...lines.slice(4), lines[4] ?? '']);
    const held = setup.holdAnswers();
    const runs = [setup.run(first), setup.run(second)];
    await held.waiting(6);
    held.open();
    await Promise.all(runs);
    const [one, two] = [await setup.read(first), await setup.read(second)];
    expect([one, two]).toMatchObject([
      { status: 'finished', ok: 12 },
      { status: 'finished', ok: 13 },
    ]);
    expect([await setup.charges(workspaceId), one.credits + two.credits]).toEqual([16, 16]);
    expect(setup.upstream.asked).toHaveLength(16);
  });

  test('pay for a line once when another process has paid for it during the fetch', async () => {
    const workspaceId = await setup.workspace(100);
    const line = [address('elsewhere')];
    const batch = await setup.create(workspaceId, line);
    const held = setup.holdAnswers();
    const run = setup.run(batch);
    await held.waiting(1);
    setup.upstream.hold = Promise.resolve();
    const other = connectClients(parseDatabaseUrl(setup.db.database_url), 'other', { distributed: isCitusRun });
    await setup.run(await setup.create(workspaceId, line), { db: other });
    await other.close();
    held.open();
    await run;
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', ok: 1, credits: 0 });
    expect(await setup.charges(workspaceId)).toBe(1);
  });

  test('pay for a line once when both always want new data', async () => {
    const workspaceId = await setup.workspace(100);
    const plan = { kind: 'profiles', posts_each: 3, max_age_seconds: 0, import_id: null } as const;
    const rows = [{ row_no: 1, url: address('always'), duplicate_of: null, status: null, cells: null }];
    const [first, second] = [newId(), newId()].map((id) => ({ workspace_id: workspaceId, batch_id: id }));
    for (const batch of [first, second]) {
      const input = { ...(batch as BatchId), name: null, now: setup.clock.now, plan };
      await inTransaction(setup.db.sql, (tx) => insertBatch(tx, input, rows));
    }
    const held = setup.holdAnswers();
    const run = setup.run(first as BatchId);
    await held.waiting(1);
    setup.upstream.hold = Promise.resolve();
    setup.clock.now = new Date(setup.clock.now.getTime() + 1_000);
    const other = connectClients(parseDatabaseUrl(setup.db.database_url), 'other', { distributed: isCitusRun });
    await setup.run(second as BatchId, { db: other });
    await other.close();
    held.open();
    await run;
    expect(await setup.charges(workspaceId)).toBe(1);
  });
});

/** Returns a database client, and the queries with which batches that use this client read their state. */
function watchStates(): { db: Database; states: PromiseLike<unknown>[] } {
  const states: PromiseLike<unknown>[] = [];
  const proxy = new Proxy(setup.db.sql, {
    apply(client, self, args) {
      const query = Reflect.apply(client, self, args);
      if (String(args[0]).includes('as credits_left')) states.push(query);
      return query;
    },
  });
  return { db: { ...setup.db, sql: inheritDistribution(setup.db.sql, proxy) }, states };
}

describe('a row that waits for another batch with the same line', () => {
  const stops = {
    'the workspace is paused': {
      stop: (workspaceId: string) => setup.settings(workspaceId, { paused: true }),
      second: { status: 'paused', waiting_for: 'PAUSED', waiting_cost: null, answered: 0 },
    },
    'the monthly cap is reached': {
      stop: (workspaceId: string) => setup.settings(workspaceId, { monthly_cap: 0 }),
      second: { status: 'paused', waiting_for: 'CAP_REACHED', waiting_cost: 1, answered: 0 },
    },
    'the credits are spent': {
      stop: (workspaceId: string) =>
        moveCredits(setup.db.sql, workspaceId, { kind: 'adjustment', credits: -9, reason: 'spent elsewhere' }),
      second: { status: 'paused', waiting_for: 'INSUFFICIENT_CREDITS', waiting_cost: 1, answered: 0 },
    },
    'its batch is cancelled': {
      stop: (_: string, second: BatchId) =>
        moveBatch(setup.db.sql, second, { from: ['running'], to: 'cancelled', finished_at: setup.clock.now }),
      second: { status: 'cancelled', answered: 0 },
    },
  };

  test.each(Object.entries(stops))('does not call the source after %s', async (reason, { stop, second }) => {
    const workspaceId = await setup.workspace(9);
    const lines = [address(`waits${reason.length}`)];
    const [before, waiting] = [await setup.create(workspaceId, lines), await setup.create(workspaceId, lines)];
    setup.upstream.answer = () => ({ status: 404, body: Buffer.from('{}') });
    const held = setup.holdAnswers();
    const { db, states } = watchStates();
    const first = setup.run(before, { db });
    await held.waiting(1);
    const earlier = states.length;
    const runs = [first, setup.run(waiting, { db })];
    // A run reads the state of its batch at its start, and again before each row.
    await until(async () => states.length >= earlier + 2);
    await Promise.all(states);
    // Then the row waits, as soon as the promises that are ready have been handled.
    await setImmediate();
    await stop(workspaceId, waiting);
    held.open();
    await Promise.all(runs);
    expect(setup.upstream.asked).toHaveLength(1);
    expect(await setup.read(before)).toMatchObject({ status: 'finished', failed: 1 });
    expect(await setup.read(waiting)).toMatchObject(second);
  });
});
