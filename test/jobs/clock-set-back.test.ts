import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addNotifications, claimNotifications } from '../../db/alerts/notifications.ts';
import { correctFutureTimes } from '../../db/clock/future-times.ts';
import { addDeliveries, overdueDeliveries } from '../../db/deliveries/webhook-deliveries.ts';
import { newId } from '../../db/ids.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { createClaims } from '../../db/tracking/checks.ts';
import { addItem } from '../../db/tracking/items.ts';
import { removeItems, undoRemoval } from '../../db/tracking/removals.ts';
import { inTransaction } from '../../db/transaction.ts';
import { trackCheck } from '../../pipeline/jobs/track-check.ts';
import { trackSweep } from '../../pipeline/jobs/track-sweep.ts';
import type { JobItem } from '../../pipeline/queue/job.ts';
import { createJobSetup } from '../pipeline/notify/webhook-receiver.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The real time at which the clock is corrected. */
const correctedAt = Date.parse('2026-11-20T10:00:00Z');
const upstream = inventedUpstream();
let setup: Awaited<ReturnType<typeof createJobSetup>>;

beforeAll(async () => {
  setup = await createJobSetup();
});
beforeEach(() => at(3 * dayMs));
afterAll(() => setup.db.close());

/** Sets the clock to this many milliseconds after its correction. Before the correction, it is three days ahead. */
function at(ms: number): void {
  setup.clock.now = new Date(correctedAt + ms);
}

/** Sets the clock back and corrects the times as `operator clock correct` does. Returns the corrected rows by table. */
function correct(): Promise<Record<string, number>> {
  at(0);
  return correctFutureTimes(setup.db.sql, setup.clock.now);
}

async function tracked(handle: string) {
  const workspaceId = await setup.workspace(10);
  await setup.db.sql`update workspaces set tier = 'ultra' where workspace_id = ${workspaceId}`;
  const item = { platform: 'photo', kind: 'profile', url: `https://www.instagram.com/${handle}/`, identifier: handle };
  const added = await addItem(setup.db.sql, workspaceId, item, 10);
  if (added.outcome === 'full') throw new Error('full');
  return { workspace_id: workspaceId, item_id: added.item_id };
}

/** Returns the items of these checks that the schedule queues now. */
async function swept({ item_id }: { item_id: string }): Promise<JobItem[]> {
  setup.queued.length = 0;
  await trackSweep.run([], setup.context);
  return setup.queued.filter(({ key }) => key === item_id);
}

const sources = () => ({ ...setup.context.sources, fetch: upstream.fetch });

test('an item that was checked while the clock was ahead is checked once more, 24 hours after the correction', async () => {
  const item = await tracked('early.kite');
  const check = { key: item.item_id, data: { ...item, attempt_id: newId(setup.clock.now) } };
  await trackCheck.run([check], { ...setup.context, sources: sources() });
  await correct();
  const claim = createClaims(setup.db.pipelined);
  const tooEarly = { ...item, attempt_id: newId(), now: new Date(correctedAt + dayMs - 1) };
  expect(await claim(tooEarly)).toMatchObject({ reason: 'too_early', next_attempt_at: new Date(correctedAt + dayMs) });
  at(dayMs);
  const [again] = await swept(item);
  await trackCheck.run([again as JobItem], { ...setup.context, sources: sources() });
  expect(await swept(item)).toEqual([]);
  expect(await readBalance(setup.db.sql, item.workspace_id)).toBe(8);
  expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
});

test('a check that was interrupted while the clock was ahead continues ten minutes after the correction', async () => {
  const item = await tracked('broken.kite');
  const attemptId = newId(setup.clock.now);
  await createClaims(setup.db.pipelined)({ ...item, attempt_id: attemptId, now: setup.clock.now });
  await correct();
  expect(await swept(item)).toEqual([]);
  at(600_000);
  expect(await swept(item)).toMatchObject([{ data: { attempt_id: attemptId } }]);
});

test('an item that was checked and removed while the clock was ahead, and is restored, is due 24 hours later', async () => {
  const item = await tracked('removed.kite');
  await createClaims(setup.db.pipelined)({ ...item, attempt_id: newId(), now: setup.clock.now });
  await setup.db.sql`update tracked_items set attempt_id = null where item_id = ${item.item_id}`;
  const removal = (await removeItems(setup.db.sql, item.workspace_id, [item.item_id], setup.clock.now)) ?? '';
  await correct();
  expect(await setup.db.sql`select from removed_attempts where last_attempt_at > ${setup.clock.now}`).toHaveLength(0);
  await undoRemoval(setup.db.sql, item.workspace_id, removal, { limit: 10, now: setup.clock.now });
  await correct();
  at(dayMs);
  expect(await swept(item)).toHaveLength(1);
});

test('messages that failed while the clock was ahead are sent again after the correction', async () => {
  const { sql } = setup.db;
  const workspaceId = await setup.workspace();
  const recipient = { workspace_id: workspaceId, recipient_id: newId(), channel: 'mail', address: 'ann@tidemark.test' };
  await sql`insert into alert_recipients ${sql({ ...recipient, label: '', topics: ['weekly_report'], confirmed_at: setup.clock.now, created_at: setup.clock.now })}`;
  const message = { kind: 'alert', subject_key: 'one', message: '{}' };
  const audience = { recipient_ids: [recipient.recipient_id] };
  await inTransaction(sql, (tx) => addNotifications(tx, workspaceId, audience, message, setup.clock.now));
  at(0);
  expect(await claimNotifications(sql, setup.clock.now, 5)).toEqual([]);
  await correct();
  expect(await claimNotifications(sql, setup.clock.now, 5)).toMatchObject([{ recipient_id: recipient.recipient_id }]);
});

test('a webhook whose queue item was lost while the clock was ahead is found an hour after the correction', async () => {
  const { sql } = setup.db;
  const workspaceId = await setup.workspace();
  await setup.endpoint(workspaceId, 'http://127.0.0.1:9/hook');
  const message = { event: 'report.ready', body: '{}', created_at: setup.clock.now, endpoint_id: null };
  const ids = await addDeliveries(sql, workspaceId, message);
  await correct();
  const late = new Date(correctedAt + hourMs + 1);
  const found = await overdueDeliveries(sql, late, new Date(correctedAt - dayMs), [3_600]);
  expect(found.map(({ delivery_id }) => delivery_id)).toEqual(ids);
});

test('a session that began while the clock was ahead ends 30 days after the correction, and other sessions are kept', async () => {
  const { sql } = setup.db;
  const user = { id: 'ann', name: 'Ann', email: 'ann@tidemark.test', created_at: new Date(), updated_at: new Date() };
  await sql`insert into auth_users ${sql(user)}`;
  for (const [id, days] of [
    ['early', 400],
    ['right', -2],
  ] as const) {
    at(days * dayMs);
    const started = { created_at: setup.clock.now, updated_at: setup.clock.now };
    const session = { id, token: id, user_id: 'ann', expires_at: new Date(setup.clock.now.getTime() + 30 * dayMs) };
    await sql`insert into auth_sessions ${sql({ ...session, ...started })}`;
  }
  await correct();
  expect(await sql`select id, expires_at from auth_sessions order by id`).toEqual([
    { id: 'early', expires_at: new Date(correctedAt + 30 * dayMs) },
    { id: 'right', expires_at: new Date(correctedAt + 28 * dayMs) },
  ]);
});
