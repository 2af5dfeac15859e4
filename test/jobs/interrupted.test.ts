import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { addEndpoint } from '../../db/deliveries/webhooks.ts';
import { newId } from '../../db/ids.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { ensureMonths } from '../../db/observations/months.ts';
import type { Tier } from '../../db/tier.ts';
import { type CheckResult, createCheckRecorder, createClaims } from '../../db/tracking/checks.ts';
import { addItem, setStatuses } from '../../db/tracking/items.ts';
import { removeItems } from '../../db/tracking/removals.ts';
import { changeWorkSettings } from '../../db/tracking/work-settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createBreakers } from '../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../pipeline/collect/sources.ts';
import { listJobs } from '../../pipeline/jobs/all.ts';
import { trackCheck } from '../../pipeline/jobs/track-check.ts';
import { trackSweep } from '../../pipeline/jobs/track-sweep.ts';
import type { JobContext, JobItem, JobQueue } from '../../pipeline/queue/job.ts';
import { type RunningQueue, startQueue } from '../../pipeline/queue/queue.ts';
import { checkByHand } from '../../pipeline/tracking/manual-check.ts';
import { metricValues } from '../../pipeline/tracking/metrics.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { countLockWaits } from '../setup/lock-waits.ts';
import { until } from '../setup/processes.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../setup/test-database.ts';

const minuteMs = 60_000;
const clock = { now: new Date('2026-11-20T10:00:00.000Z') };
const now = () => clock.now;
const upstream = inventedUpstream();
const { signal } = new AbortController();
let db: TestDatabase;
let queue: RunningQueue;
let context: JobContext;

beforeAll(async () => {
  db = await createTestDatabase();
  queue = await startQueue({ sql: db.sql, jobs: listJobs(), log: silentLog, work: null });
  const breakers = createBreakers({ enabled: false });
  const sources = { fetch: upstream.fetch, config: readSourcesConfig({}), now, breakers };
  context = { db, now, queue, sources, signal, base_url: 'http://tidemark.test', log: silentLog };
});
beforeEach(() => {
  clock.now = new Date('2026-11-20T10:00:00.000Z');
  Object.assign(upstream, { answer: null, hold: Promise.resolve() });
  upstream.asked.length = 0;
});
afterEach(async () => {
  await db.sql`delete from workspaces`;
  await db.sql`delete from observations`;
});
afterAll(async () => {
  await queue.stop();
  await db.close();
});

interface Tracked {
  workspace_id: string;
  item_id: string;
}

async function tracked(tier: Tier, handle = 'paper.kite'): Promise<Tracked> {
  const made = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'test', credits: 10, tier }));
  return { workspace_id: made.workspace_id, item_id: await itemOf(made.workspace_id, handle) };
}

async function itemOf(workspaceId: string, handle: string): Promise<string> {
  const url = `https://www.instagram.com/${handle}/`;
  const item = { platform: 'photo', kind: 'profile', url, identifier: handle };
  const added = await addItem(db.sql, workspaceId, item, 200);
  if (added.outcome === 'full') throw new Error('full');
  return added.item_id;
}

const later = (minutes: number) => {
  clock.now = new Date(clock.now.getTime() + minutes * minuteMs);
};
const attempts = ({ item_id }: Tracked) =>
  db.sql`select attempt_id, outcome, credits from check_attempts where item_id = ${item_id} order by attempted_at`;

/** Returns the tracking checks that the scheduler (`trackSweep`) enqueues now. */
async function swept(): Promise<JobItem[]> {
  const sent: JobItem[] = [];
  const collecting: JobQueue = { send: async (_, items) => void sent.push(...items) };
  await trackSweep.run([], { ...context, queue: collecting });
  return sent;
}

const itemFor = ({ workspace_id, item_id }: Tracked, attemptId = newId(clock.now)): JobItem => ({
  key: item_id,
  data: { workspace_id, item_id, attempt_id: attemptId },
});

describe('a tracking attempt that was claimed and not recorded', () => {
  test('an unrecorded attempt is due again after ten minutes as the same attempt, even when a user started it in a tier without daily checks', async () => {
    const item = await tracked('air');
    const attemptId = newId(clock.now);
    await createClaims(db.pipelined)({ ...item, attempt_id: attemptId, now: clock.now });
    later(9);
    expect(await swept()).toEqual([]);
    later(1);
    const [found, ...others] = await swept();
    expect([found, others]).toEqual([itemFor(item, attemptId), []]);
    await trackCheck.run([found as JobItem], context);
    expect([...(await attempts(item))]).toEqual([{ attempt_id: attemptId, outcome: 'OK', credits: 1 }]);
    later(24 * 60);
    expect(await swept()).toEqual([]);
  });

  test('an unrecorded attempt is resumed instead of replaced by a new attempt, even days later', async () => {
    const item = await tracked('pro');
    const attemptId = newId(clock.now);
    await createClaims(db.pipelined)({ ...item, attempt_id: attemptId, now: clock.now });
    later(3 * 24 * 60);
    expect(await swept()).toEqual([itemFor(item, attemptId)]);
  });

  test('an attempt that two processes record at the same time is charged and observed once, and neither process fails', async () => {
    const item = await tracked('pro');
    const attemptId = newId(clock.now);
    await createClaims(db.pipelined)({ ...item, attempt_id: attemptId, now: clock.now });
    // These connections have no time limit for locks, so that both statements wait until the test releases the lock.
    const records = [createCheckRecorder(db.background), createCheckRecorder(db.background)];
    const results = await inTransaction(db.sql, async (tx) => {
      await tx`
        select from tracked_items where workspace_id = ${item.workspace_id} and item_id = ${item.item_id} for update`;
      const both = records.map((record) => record(resultOf(item, attemptId)));
      await until(async () => (await countLockWaits(db.sql)) === 2);
      return both;
    }).then((both) => Promise.all(both));
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['NOT_RECORDED', 'OK']);
    expect(await readBalance(db.sql, item.workspace_id)).toBe(9);
    expect(await attempts(item)).toHaveLength(1);
    expect((await checkLedger(db.sql)).mismatches).toEqual([]);
  });

  test('an attempt cannot be recorded after a later attempt has claimed the item', async () => {
    const item = await tracked('pro');
    const [first, second] = [newId(clock.now), newId(clock.now)];
    const claim = createClaims(db.pipelined);
    await claim({ ...item, attempt_id: first, now: clock.now });
    later(24 * 60);
    await claim({ ...item, attempt_id: second, now: clock.now });
    const record = createCheckRecorder(db.pipelined);
    expect(await record(resultOf(item, first))).toMatchObject({ outcome: 'NOT_RECORDED', credits: 0 });
    expect(await record(resultOf(item, second))).toMatchObject({ outcome: 'OK', credits: 1 });
  });

  test('an attempt that is recorded while its item is removed is kept with the removed item', async () => {
    const item = await tracked('pro');
    const attemptId = newId(clock.now);
    await createClaims(db.pipelined)({ ...item, attempt_id: attemptId, now: clock.now });
    const recorded = await inTransaction(db.sql, async (tx) => {
      await createCheckRecorder(tx)(resultOf(item, attemptId));
      const removing = removeItems(db.background, item.workspace_id, [item.item_id], clock.now);
      await until(async () => (await countLockWaits(db.sql)) > 0);
      return { removing };
    });
    expect(await recorded.removing).not.toBeNull();
    const kept = await db.sql`
      select jsonb_array_length(rows->'check_attempts') as attempts from removed_items where item_id = ${item.item_id}`;
    expect(kept).toEqual([{ attempts: 1 }]);
  });

  test('a manual attempt whose caller aborts is not recorded, and is due again later', async () => {
    const item = await tracked('air');
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const caller = new AbortController();
    const check = checkByHand(item, context, caller.signal);
    await expect.poll(() => upstream.asked.length).toBe(1);
    caller.abort();
    await expect(check).rejects.toThrow();
    resolve();
    expect(await attempts(item)).toHaveLength(0);
    later(10);
    expect(await swept()).toHaveLength(1);
  });
});

function resultOf(item: Tracked, attemptId: string): CheckResult {
  const values = metricValues({ followers: 7 });
  return {
    ...{ ...item, attempt_id: attemptId, charge_id: attemptId, attempted_at: clock.now, trigger: 'scheduled' },
    ...{ outcome: 'OK', duration_ms: 5, message: null },
    observation: { platform_id: '990001', name: 'paper.kite', values, quality: 0, source: 'invented' },
  };
}

test('an internal error becomes the free outcome of its tracking check and does not delay other checks of the run', async () => {
  const item = await tracked('pro');
  const broken = { workspace_id: item.workspace_id, item_id: await itemOf(item.workspace_id, 'broken.kite') };
  upstream.answer = ({ url }) => {
    if (url.includes('broken.kite')) throw new TypeError('invented');
    return null;
  };
  const batch = [itemFor(broken), itemFor(item)];
  await expect(trackCheck.run(batch, context)).rejects.toThrow('invented');
  await trackCheck.run(batch, context);
  expect(await attempts(broken)).toMatchObject([{ outcome: 'INTERNAL', credits: 0 }]);
  expect(await attempts(item)).toMatchObject([{ outcome: 'OK', credits: 1 }]);
  expect(await readBalance(db.sql, item.workspace_id)).toBe(9);
});

test('a process that stops finishes its running tracking checks and leaves the other checks to other processes', async () => {
  const { workspace_id } = await tracked('ultra');
  const handles = Array.from({ length: 30 }, (_, n) => `kite.${n}`);
  const items = await Promise.all(
    handles.map(async (handle) => ({ workspace_id, item_id: await itemOf(workspace_id, handle) })),
  );
  await db.sql`update credit_balances set balance = 30`;
  const batch = items.map((item) => itemFor(item));
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.hold = promise;
  const stopping = new AbortController();
  const run = trackCheck.run(batch, { ...context, signal: stopping.signal });
  await expect.poll(() => upstream.asked.length).toBe(6);
  stopping.abort();
  resolve();
  await expect(run).rejects.toThrow('Another process will run the remaining checks.');
  const recorded = async () => (await db.sql`select outcome from check_attempts`).map(({ outcome }) => outcome);
  expect([upstream.asked.length, await recorded()]).toEqual([6, Array(6).fill('OK')]);
  await trackCheck.run(batch, context);
  expect([upstream.asked.length, await recorded()]).toEqual([30, Array(30).fill('OK')]);
});

test.each([
  ['SKIPPED_PAUSED', { paused: true }, 0],
  ['SKIPPED_CAP_REACHED', { monthly_cap: 0 }, 0],
  ['SKIPPED_NO_CREDITS', {}, -10],
])(
  'a check with the outcome %s is recorded once in 24 hours, and the item is tried again each hour',
  async (outcome, settings, credits) => {
    const item = await tracked('pro');
    await changeWorkSettings(db.sql, item.workspace_id, settings, clock.now);
    if (credits < 0) await db.sql`update credit_balances set balance = 0`;
    await db.sql`update tracked_items set check_minute = 0`;
    for (let hour = 0; hour < 3; hour += 1) {
      const due = await swept();
      expect(due).toHaveLength(1);
      await trackCheck.run(due, context);
      expect(await swept()).toEqual([]);
      later(60);
    }
    expect(await attempts(item)).toMatchObject([{ outcome, credits: 0 }]);
    expect(upstream.asked).toHaveLength(0);
  },
);

describe('the webhook event check.completed', () => {
  const bodies = async () =>
    (await db.sql`select body from webhook_deliveries order by created_at, delivery_id`).map(
      ({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> },
    );
  const endpoint = (workspaceId: string, events: string[]) =>
    addEndpoint(db.sql, workspaceId, { url: 'https://example.com/hook', secret: 'whsec_invented', events });

  test('check.completed is sent for scheduled and manual checks to workspaces that subscribe to it, and not for skipped checks', async () => {
    const [subscribed, unsubscribed] = [await tracked('pro'), await tracked('pro')];
    const paused = { ...subscribed, item_id: await itemOf(subscribed.workspace_id, 'paused.kite') };
    const manual = { ...subscribed, item_id: await itemOf(subscribed.workspace_id, 'manual.kite') };
    await setStatuses(db.sql, subscribed.workspace_id, [paused.item_id], 'paused');
    await endpoint(subscribed.workspace_id, ['check.completed']);
    await endpoint(unsubscribed.workspace_id, ['report.ready']);
    await trackCheck.run(
      [subscribed, unsubscribed, paused].map((item) => itemFor(item)),
      context,
    );
    upstream.answer = () => ({ status: 404, body: Buffer.from('{}') });
    later(1);
    await checkByHand(manual, context, signal);
    expect(await bodies()).toMatchObject([
      { type: 'check.completed', data: { item_id: subscribed.item_id, outcome: 'OK', credits: 1 } },
      { type: 'check.completed', data: { item_id: manual.item_id, outcome: 'RESOURCE_NOT_FOUND', credits: 0 } },
    ]);
    const waiting = await db.sql`select from jobs.job where name = 'deliver-webhooks'`;
    expect(waiting).toHaveLength(2);
  });

  test('check.completed is sent later with the same attempt id when the process died after it recorded the check', async () => {
    const item = await tracked('pro');
    await endpoint(item.workspace_id, ['check.completed']);
    const attemptId = newId(clock.now);
    await createClaims(db.pipelined)({ ...item, attempt_id: attemptId, now: clock.now });
    await createCheckRecorder(db.pipelined)(resultOf(item, attemptId));
    await trackCheck.run([itemFor(item, attemptId)], context);
    expect(await bodies()).toMatchObject([{ data: { item_id: item.item_id, attempt_id: attemptId } }]);
  });

  test('check.completed comes with one credits.low when the charge took the balance below the alert', async () => {
    const item = await tracked('pro');
    await changeWorkSettings(db.sql, item.workspace_id, { low_balance_alert: 10 }, clock.now);
    await endpoint(item.workspace_id, ['credits.low']);
    await trackCheck.run([itemFor(item)], context);
    later(24 * 60);
    await trackCheck.run([itemFor(item)], context);
    expect(await bodies()).toMatchObject([{ type: 'credits.low', data: { balance: 9, threshold: 10 } }]);
  });
});

test('observations that were stored before their month had a partition are moved into it, and two simultaneous calls do not fail', async () => {
  const item = await tracked('ultra');
  const days = ['2027-05-31T23:59:59.000Z', '2027-06-01T00:00:00.000Z', '2027-07-31T23:59:59.000Z'];
  for (const observedAt of days) {
    await db.sql`insert into observations ${db.sql({ ...item, observed_at: observedAt, followers: 5, source: 'invented' })}`;
  }
  const at = new Date('2027-06-15T00:00:00.000Z');
  await Promise.all([ensureMonths(db.sql, at), ensureMonths(db.sql, at)]);
  for (const partition of ['observations_default', 'observations_2027_06', 'observations_2027_07']) {
    const rows = await db.sql`select followers from ${db.sql(partition)}`;
    expect([partition, ...rows.map(({ followers }) => followers)]).toEqual([partition, 5]);
  }
  const repeat = db.sql`insert into observations ${db.sql({ ...item, observed_at: days[1] as string, source: 'invented' })}`;
  await expect(repeat).rejects.toThrow(/duplicate key/);
});

test('an observation that is being stored while its month gets a partition is moved into it', async () => {
  const item = await tracked('ultra');
  const stored = await inTransaction(db.sql, async (tx) => {
    await tx`insert into observations ${tx({ ...item, observed_at: '2028-02-01T00:00:00.000Z', followers: 5, source: 'invented' })}`;
    const made = ensureMonths(db.background, new Date('2028-02-15T00:00:00.000Z'));
    await until(async () => (await countLockWaits(db.sql)) > 0);
    return { made };
  });
  await stored.made;
  expect(await db.sql`select followers from observations_2028_02`).toEqual([{ followers: 5 }]);
});
