import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { newId } from '../../db/ids.ts';
import { moveCredits } from '../../db/money/ledger.ts';
import { addItem, setStatuses } from '../../db/tracking/items.ts';
import { removeItems } from '../../db/tracking/removals.ts';
import { changeWorkSettings } from '../../db/tracking/work-settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createBreakers } from '../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../pipeline/collect/sources.ts';
import { trackCheck } from '../../pipeline/jobs/track-check.ts';
import type { JobContext, JobItem } from '../../pipeline/queue/job.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../setup/test-database.ts';

const clock = { now: new Date('2026-11-20T10:00:00.000Z') };
const now = () => clock.now;
const upstream = inventedUpstream();
let db: TestDatabase;
let context: JobContext;

beforeAll(async () => {
  db = await createTestDatabase();
  const breakers = createBreakers({ enabled: false });
  const sources = { fetch: upstream.fetch, config: readSourcesConfig({}), now, breakers };
  const queue = { send: async () => undefined };
  const { signal } = new AbortController();
  context = { db, now, queue, sources, signal, base_url: 'http://tidemark.test', log: silentLog };
});
beforeEach(() => {
  Object.assign(upstream, { answer: null, hold: Promise.resolve() });
  upstream.asked.length = 0;
});
afterAll(() => db.close());

async function workspaceWith(credits: number): Promise<string> {
  const made = { name: 'test', credits, tier: 'ultra' as const };
  return (await inTransaction(db.sql, (tx) => createWorkspace(tx, made))).workspace_id;
}

/** Adds tracked items with invented handles, and returns queue entries that check them. */
async function checksOf(workspaceId: string, platform: string, number: number): Promise<JobItem[]> {
  const items: JobItem[] = [];
  for (let n = 0; n < number; n += 1) {
    const item = { platform, kind: 'profile', url: 'https://example.com/', identifier: `kite.${n}` };
    const added = await addItem(db.sql, workspaceId, item, 200);
    if (added.outcome === 'full') throw new Error('full');
    const { item_id } = added;
    items.push({ key: item_id, data: { workspace_id: workspaceId, item_id, attempt_id: newId(now()) } });
  }
  return items;
}

const outcomesOf = async (workspaceId: string) => {
  const rows = await db.sql`
    select outcome from check_attempts where workspace_id = ${workspaceId} order by outcome`;
  return rows.map(({ outcome }) => outcome);
};

test('one platform gets six requests at once, and its tracking checks do not delay those of another platform', async () => {
  const workspaceId = await workspaceWith(30);
  const checks = [...(await checksOf(workspaceId, 'photo', 10)), ...(await checksOf(workspaceId, 'shortvideo', 10))];
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.hold = promise;
  const run = trackCheck.run(checks, context);
  const askedOf = (host: string) => upstream.asked.filter((url) => url.includes(host)).length;
  await expect.poll(() => [askedOf('instagram'), askedOf('tiktok')]).toEqual([6, 6]);
  resolve();
  await run;
  expect(await outcomesOf(workspaceId)).toHaveLength(20);
});

test('a run of the job for tracking checks fetches only items that the workspace can pay for, and the others are tried again', async () => {
  const workspaceId = await workspaceWith(6);
  const checks = await checksOf(workspaceId, 'photo', 9);
  await changeWorkSettings(db.sql, workspaceId, { monthly_cap: 4 }, now());
  await trackCheck.run(checks, context);
  expect(upstream.asked).toHaveLength(4);
  expect(await outcomesOf(workspaceId)).toEqual([...Array(4).fill('OK'), ...Array(5).fill('SKIPPED_CAP_REACHED')]);
  await changeWorkSettings(db.sql, workspaceId, { monthly_cap: null }, now());
  await trackCheck.run(checks.slice(4), context);
  expect(upstream.asked).toHaveLength(6);
  expect((await outcomesOf(workspaceId)).filter((outcome) => outcome === 'SKIPPED_NO_CREDITS')).toHaveLength(3);
});

describe('a tracking check that waits for its platform', () => {
  const stops: Record<string, (workspaceId: string, itemIds: string[]) => Promise<unknown>> = {
    'its workspace is paused': (workspaceId) => changeWorkSettings(db.sql, workspaceId, { paused: true }, now()),
    'the monthly cap is reached': (workspaceId) => changeWorkSettings(db.sql, workspaceId, { monthly_cap: 0 }, now()),
    'the credits are spent': (workspaceId) =>
      moveCredits(db.sql, workspaceId, { kind: 'adjustment', credits: -30, reason: 'spent elsewhere' }),
    'its item is paused': (workspaceId, itemIds) => setStatuses(db.sql, workspaceId, itemIds, 'paused'),
    'its item is removed': (workspaceId, itemIds) => removeItems(db.sql, workspaceId, itemIds, now()),
  };
  const outcomes: Record<string, string> = {
    'its workspace is paused': 'SKIPPED_PAUSED',
    'the monthly cap is reached': 'SKIPPED_CAP_REACHED',
    'the credits are spent': 'SKIPPED_NO_CREDITS',
  };

  /** Runs eight checks, of which two wait, and calls `stop` while the other six are being fetched. */
  async function runStopped(workspaceId: string, checks: JobItem[], stop: (itemIds: string[]) => Promise<unknown>) {
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(upstream, { answer: () => ({ status: 404, body: Buffer.from('{}') }), hold: promise });
    const run = trackCheck.run(checks, context);
    await expect.poll(() => upstream.asked.length).toBe(6);
    const begun = upstream.asked.join(' ');
    const rows = await db.sql`select item_id, identifier from tracked_items where workspace_id = ${workspaceId}`;
    const waiting = rows
      .filter(({ identifier }) => !begun.includes(identifier))
      .map(({ item_id }) => item_id as string);
    await stop(waiting);
    const start = clock.now;
    clock.now = new Date(start.getTime() + 1_000);
    resolve();
    await run;
    clock.now = start;
    return waiting;
  }

  test.each(Object.entries(stops))('does not call the source after %s', async (reason, stop) => {
    const workspaceId = await workspaceWith(30);
    const checks = await checksOf(workspaceId, 'photo', 8);
    const waiting = await runStopped(workspaceId, checks, (itemIds) => stop(workspaceId, itemIds));
    expect(waiting).toHaveLength(2);
    expect(upstream.asked).toHaveLength(6);
    const skipped = (await outcomesOf(workspaceId)).filter((outcome) => outcome !== 'RESOURCE_NOT_FOUND');
    expect(skipped).toEqual(outcomes[reason] ? Array(2).fill(outcomes[reason]) : []);
  });

  test('keeps the check of these 24 hours when it is stopped, even if it continued an interrupted check', async () => {
    const workspaceId = await workspaceWith(30);
    const checks = await checksOf(workspaceId, 'photo', 8);
    const before = new Date('2026-11-19T08:00:00.000Z');
    await db.sql`update tracked_items set last_attempt_at = ${before} where workspace_id = ${workspaceId}`;
    const waiting = await runStopped(workspaceId, checks, (itemIds) =>
      setStatuses(db.sql, workspaceId, itemIds, 'paused'),
    );
    const attemptsOf = () => db.sql`
      select attempt_id, last_attempt_at from tracked_items where workspace_id = ${workspaceId}
        and item_id = any(${waiting}::uuid[])`;
    expect([...(await attemptsOf())]).toEqual(Array(2).fill({ attempt_id: null, last_attempt_at: before }));
    const again = checks.filter(({ key }) => waiting.includes(key));
    for (const { data } of again) {
      await db.sql`
        update tracked_items set attempt_id = ${String(data.attempt_id)}::uuid, last_attempt_at = ${now()}
        where workspace_id = ${workspaceId} and item_id = ${String(data.item_id)}`;
    }
    await trackCheck.run(again, context);
    expect(upstream.asked).toHaveLength(6);
    await setStatuses(db.sql, workspaceId, waiting, 'active');
    await trackCheck.run(again, context);
    expect(upstream.asked).toHaveLength(8);
  });
});
