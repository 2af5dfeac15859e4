import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { newId } from '../../../db/ids.ts';
import { checkLedger, moveCredits, readBalance } from '../../../db/money/ledger.ts';
import { itemKinds } from '../../../db/schema/metrics.ts';
import { createCheckRecorder, createClaims } from '../../../db/tracking/checks.ts';
import {
  addItem,
  deleteRemovedAttempts,
  dueItems,
  findItem,
  removeItem,
  setStatuses,
} from '../../../db/tracking/items.ts';
import { addList, moveItems } from '../../../db/tracking/lists.ts';
import { removeItems, undoRemoval } from '../../../db/tracking/removals.ts';
import { createStopReasons, releaseClaim } from '../../../db/tracking/waiting-checks.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { deleteWorkspace } from '../../../db/workspace-data/deletion.ts';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import { type CheckDeps, checkItem } from '../../../pipeline/tracking/check-item.ts';
import { metricsOf, metricValues, packQuality, unpackQuality } from '../../../pipeline/tracking/metrics.ts';
import { trackable } from '../../../pipeline/tracking/tracked-kinds.ts';
import { inventedId, inventedUpstream } from '../../server/invented-upstream.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';

const hourMs = 3_600_000;
const upstream = inventedUpstream();
const clock = { now: new Date('2026-11-20T10:00:00.000Z') };
const now = () => clock.now;
const never = new AbortController().signal;
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => {
  clock.now = new Date('2026-11-20T10:00:00.000Z');
  upstream.asked.length = 0;
  upstream.answer = null;
});
afterAll(async () => {
  expect((await checkLedger(db.sql)).mismatches).toEqual([]);
  await db.close();
});

async function workspace(credits: number, tier: 'air' | 'pro' = 'pro'): Promise<string> {
  const made = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'test', credits, tier }));
  return made.workspace_id;
}

async function item(workspaceId: string, handle: string): Promise<string> {
  const newItem = {
    platform: 'photo',
    kind: 'profile',
    url: `https://www.instagram.com/${handle}/`,
    identifier: handle,
  };
  const added = await addItem(db.sql, workspaceId, newItem, 200);
  if (added.outcome === 'full') throw new Error('full');
  return added.item_id;
}

function checker(inTurn?: CheckDeps['inTurn']) {
  const config = readSourcesConfig({});
  const sources = { fetch: upstream.fetch, config, now, breakers: createBreakers({ enabled: false }) };
  const deps: CheckDeps = {
    ...{ now, sources, claim: createClaims(db.pipelined), stopReason: createStopReasons(db.pipelined) },
    release: (claimed, attemptId) => releaseClaim(db.sql, claimed, attemptId),
    record: createCheckRecorder(db.pipelined),
    ...(inTurn && { inTurn }),
  };
  return (request: Omit<Parameters<typeof checkItem>[0], 'trigger'>) =>
    checkItem({ ...request, trigger: 'manual' }, deps, never);
}

const attempts = (itemId: string) =>
  db.sql`select outcome, credits from check_attempts where item_id = ${itemId} order by attempted_at, attempt_id`;
const seen = (itemId: string) => db.sql`select * from observations where item_id = ${itemId} order by observed_at`;

describe('a tracking check', () => {
  test('a successful tracking check costs 1 credit and stores the numbers with their quality', async () => {
    const workspaceId = await workspace(5);
    const itemId = await item(workspaceId, 'fresh');
    const checked = await checker()({ workspace_id: workspaceId, item_id: itemId });
    expect(checked).toMatchObject({ attempted: true, outcome: 'OK', credits: 1, balance: 4 });
    const [observation] = await seen(itemId);
    expect(observation).toMatchObject({ followers: 4321, following: 0, likes: null, source: 'instagram-web' });
    expect(unpackQuality(observation?.quality).followers).toBe('exact');
    expect((await findItem(db.sql, workspaceId, itemId))?.platform_id).toBe(inventedId('fresh'));
    expect([...(await attempts(itemId))]).toEqual([{ outcome: 'OK', credits: 1 }]);
  });

  test('a tracking check of an account with a NUL character in its name is recorded without this character', async () => {
    const workspaceId = await workspace(5);
    const itemId = await item(workspaceId, 'poisoned');
    const count = { count: 7 };
    const user = {
      ...{ id: inventedId('poisoned'), username: 'poisoned', full_name: 'Poi\0son', biography: '\0' },
      ...{ edge_followed_by: count, edge_follow: count, edge_owner_to_timeline_media: count },
    };
    upstream.answer = () => ({ status: 200, body: Buffer.from(JSON.stringify({ data: { user } })) });
    expect(await checker()({ workspace_id: workspaceId, item_id: itemId })).toMatchObject({
      outcome: 'OK',
      credits: 1,
    });
    expect(await findItem(db.sql, workspaceId, itemId)).toMatchObject({ name: expect.not.stringContaining('\0') });
  });

  test('a check whose result the database refuses fails alone, and other checks in the same statement are recorded', async () => {
    const [claim, record] = [createClaims(db.pipelined), createCheckRecorder(db.pipelined)];
    const names = ['first', 'poi\0son', 'last'];
    const results = names.map(async (name, index) => {
      const claimed = { workspace_id: await workspace(5), attempt_id: newId(now()) };
      const tracked = { ...claimed, item_id: await item(claimed.workspace_id, `tenant.${index}`) };
      expect((await claim({ ...tracked, now: now() })).claimed).not.toBeNull();
      const observation = {
        platform_id: '1',
        name,
        values: metricValues({ followers: 7 }),
        quality: 0,
        source: 'invented',
      };
      const outcome = { outcome: 'OK', duration_ms: 5, message: null, trigger: 'manual' as const, observation };
      return { ...tracked, ...outcome, charge_id: claimed.attempt_id, attempted_at: now() };
    });
    const recorded = await Promise.allSettled((await Promise.all(results)).map(record));
    expect(recorded).toMatchObject([
      { status: 'fulfilled', value: { outcome: 'OK', credits: 1, balance: 4 } },
      { status: 'rejected', reason: { code: '22021' } },
      { status: 'fulfilled', value: { outcome: 'OK', credits: 1, balance: 4 } },
    ]);
  });

  test('a failed tracking check is free, is recorded with its cause, and uses the 24 hours', async () => {
    const workspaceId = await workspace(5);
    const itemId = await item(workspaceId, 'failing');
    upstream.answer = () => ({ status: 404, body: Buffer.from('{}') });
    const check = checker();
    expect(await check({ workspace_id: workspaceId, item_id: itemId })).toMatchObject({
      outcome: 'RESOURCE_NOT_FOUND',
      credits: 0,
    });
    expect(await check({ workspace_id: workspaceId, item_id: itemId })).toMatchObject({
      attempted: false,
      reason: 'too_early',
    });
    expect(await readBalance(db.sql, workspaceId)).toBe(5);
    expect(await seen(itemId)).toHaveLength(0);
  });

  test('a tracking check is allowed once per item in 24 hours, even for concurrent requests', async () => {
    const workspaceId = await workspace(50);
    const itemId = await item(workspaceId, 'once');
    const [one, other] = [checker(), checker()];
    const all = Array.from({ length: 20 }, (_, turn) =>
      (turn % 2 ? one : other)({ workspace_id: workspaceId, item_id: itemId }),
    );
    const results = await Promise.all(all);
    expect(results.filter((result) => result.attempted)).toHaveLength(1);
    expect(upstream.asked).toHaveLength(1);
    clock.now = new Date(clock.now.getTime() + 24 * hourMs - 1);
    expect(await one({ workspace_id: workspaceId, item_id: itemId })).toMatchObject({
      attempted: false,
      reason: 'too_early',
      next_attempt_at: new Date('2026-11-21T10:00:00.000Z'),
    });
    clock.now = new Date(clock.now.getTime() + 1);
    expect(await one({ workspace_id: workspaceId, item_id: itemId })).toMatchObject({ attempted: true, outcome: 'OK' });
  });

  test('an interrupted tracking check resumes as the same attempt, and a finished one is not repeated', async () => {
    const workspaceId = await workspace(5);
    const itemId = await item(workspaceId, 'interrupted');
    const attemptId = newId();
    await createClaims(db.pipelined)({
      workspace_id: workspaceId,
      item_id: itemId,
      attempt_id: attemptId,
      now: clock.now,
    });
    const check = checker();
    expect(await check({ workspace_id: workspaceId, item_id: itemId, attempt_id: attemptId })).toMatchObject({
      outcome: 'OK',
      credits: 1,
    });
    expect(await check({ workspace_id: workspaceId, item_id: itemId, attempt_id: attemptId })).toMatchObject({
      attempted: false,
    });
    expect(await readBalance(db.sql, workspaceId)).toBe(4);
  });

  test('a tracking check of a handle that now belongs to another account is marked and adds no numbers', async () => {
    const workspaceId = await workspace(5);
    const itemId = await item(workspaceId, 'taken');
    const check = checker();
    await check({ workspace_id: workspaceId, item_id: itemId });
    await db.sql`update tracked_items set platform_id = '42' where item_id = ${itemId}`;
    clock.now = new Date(clock.now.getTime() + 24 * hourMs);
    expect(await check({ workspace_id: workspaceId, item_id: itemId })).toMatchObject({
      outcome: 'IDENTITY_CHANGED',
      credits: 0,
    });
    expect((await findItem(db.sql, workspaceId, itemId))?.identity_changed).toBe(true);
    expect(await seen(itemId)).toHaveLength(1);
  });

  test.each([
    ['no credits', 0, {}, 'no_credits'],
    ['a reached cap', 5, { monthly_cap: 0 }, 'cap_reached'],
    ['a paused workspace', 5, { paused: true }, 'workspace_paused'],
  ])(
    'a tracking check is not attempted with %s, and the 24 hours are not used',
    async (_, credits, settings, reason) => {
      const workspaceId = await workspace(credits);
      const itemId = await item(workspaceId, 'skipped');
      await db.sql`insert into work_settings ${db.sql({ workspace_id: workspaceId, ...settings })}`;
      expect(await checker()({ workspace_id: workspaceId, item_id: itemId })).toMatchObject({
        attempted: false,
        reason,
      });
      expect((await findItem(db.sql, workspaceId, itemId))?.last_attempt_at).toBeNull();
      expect(upstream.asked).toHaveLength(0);
    },
  );

  test('a tracking check counts against the monthly cap, which resets on the 1st (UTC)', async () => {
    const workspaceId = await workspace(10);
    await db.sql`insert into work_settings ${db.sql({ workspace_id: workspaceId, monthly_cap: 2 })}`;
    const items = await Promise.all(['cap.a', 'cap.b', 'cap.c'].map((handle) => item(workspaceId, handle)));
    const check = checker();
    const results = await Promise.all(items.map((itemId) => check({ workspace_id: workspaceId, item_id: itemId })));
    expect(results.filter((result) => result.attempted && result.outcome === 'OK')).toHaveLength(2);
    expect(await readBalance(db.sql, workspaceId)).toBe(8);
    clock.now = new Date('2026-12-01T00:00:00.000Z');
    const later = await item(workspaceId, 'cap.d');
    expect(await check({ workspace_id: workspaceId, item_id: later })).toMatchObject({ outcome: 'OK', credits: 1 });
  });

  test('tracking checks run only as often as the remaining credits allow', async () => {
    const workspaceId = await workspace(3);
    const items = await Promise.all(Array.from({ length: 8 }, (_, n) => item(workspaceId, `last${n}`)));
    const check = checker();
    const results = await Promise.all(items.map((itemId) => check({ workspace_id: workspaceId, item_id: itemId })));
    expect(results.filter((result) => result.attempted && result.outcome === 'OK')).toHaveLength(3);
    expect(await readBalance(db.sql, workspaceId)).toBe(0);
    const [row] = await db.sql`select count(*)::int as n from observations where workspace_id = ${workspaceId}`;
    expect(row?.n).toBe(3);
  });

  test('checks that two runs reserved with the same credits are not charged twice, and can be made on the same day', async () => {
    const workspaceId = await workspace(3);
    const items = await Promise.all(Array.from({ length: 6 }, (_, n) => item(workspaceId, `shared${n}`)));
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const runs = [checker(), checker()];
    const checks = items.map((itemId, n) => runs[n % 2]?.({ workspace_id: workspaceId, item_id: itemId }));
    await expect.poll(() => upstream.asked.length).toBe(6);
    resolve();
    upstream.hold = Promise.resolve();
    const outcomes = (await Promise.all(checks)).map((checked) => checked?.attempted && checked.outcome);
    expect(outcomes.toSorted()).toEqual([...Array(3).fill('OK'), ...Array(3).fill('SKIPPED_NO_CREDITS')]);
    expect(await readBalance(db.sql, workspaceId)).toBe(0);

    await moveCredits(db.sql, workspaceId, { kind: 'adjustment', credits: 3, reason: 'added by the test' });
    for (const [n, itemId] of items.entries()) {
      const again = await checker()({ workspace_id: workspaceId, item_id: itemId });
      expect(again).toMatchObject(outcomes[n] === 'OK' ? { reason: 'too_early' } : { outcome: 'OK', credits: 1 });
    }
  });

  test('a tracking check of an item that was removed during the check records and charges nothing', async () => {
    const workspaceId = await workspace(5);
    const itemId = await item(workspaceId, 'removed');
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const checked = checker()({ workspace_id: workspaceId, item_id: itemId });
    await expect.poll(() => upstream.asked.length).toBe(1);
    await removeItem(db.sql, workspaceId, itemId);
    resolve();
    upstream.hold = Promise.resolve();
    expect(await checked).toMatchObject({ outcome: 'NOT_RECORDED', credits: 0 });
    expect(await readBalance(db.sql, workspaceId)).toBe(5);
  });
});

describe('a tracked item that is removed and added again', () => {
  async function checkedAndRemoved(handle: string): Promise<string> {
    const workspaceId = await workspace(5);
    const itemId = await item(workspaceId, handle);
    expect(await checker()({ workspace_id: workspaceId, item_id: itemId })).toMatchObject({ outcome: 'OK' });
    expect(await removeItem(db.sql, workspaceId, itemId)).toBe(true);
    return workspaceId;
  }

  test('an item that is removed and added again gets no second attempt within 24 hours, even after several removals', async () => {
    const workspaceId = await checkedAndRemoved('again');
    for (let times = 0; times < 3; times += 1) {
      const itemId = await item(workspaceId, 'again');
      expect(await checker()({ workspace_id: workspaceId, item_id: itemId })).toMatchObject({
        attempted: false,
        reason: 'too_early',
        next_attempt_at: new Date('2026-11-21T10:00:00.000Z'),
      });
      await removeItem(db.sql, workspaceId, itemId);
    }
    expect([upstream.asked.length, await readBalance(db.sql, workspaceId)]).toEqual([1, 4]);
    clock.now = new Date(clock.now.getTime() + 24 * hourMs);
    const itemId = await item(workspaceId, 'again');
    expect(await checker()({ workspace_id: workspaceId, item_id: itemId })).toMatchObject({
      outcome: 'OK',
      credits: 1,
    });
  });

  test('an item gets no second attempt when removals, additions and checks race', async () => {
    const workspaceId = await workspace(50);
    const check = checker();
    let itemId = await item(workspaceId, 'raced');
    for (let turn = 0; turn < 10; turn += 1) {
      await Promise.all([
        check({ workspace_id: workspaceId, item_id: itemId }),
        removeItem(db.sql, workspaceId, itemId),
      ]);
      itemId = await item(workspaceId, 'raced');
    }
    await check({ workspace_id: workspaceId, item_id: itemId });
    expect(upstream.asked).toHaveLength(1);
  });

  describe('while its check waits for its turn', () => {
    /** Starts a check that waits for its turn. Calling `end` gives it its turn two seconds later. */
    async function waitingCheck(workspaceId: string, itemId: string) {
      const [reserved, turn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const check = checker(async (_, ask) => {
        reserved.resolve();
        await turn.promise;
        return ask();
      });
      const checked = check({ workspace_id: workspaceId, item_id: itemId });
      await reserved.promise;
      return () => {
        clock.now = new Date(clock.now.getTime() + 2_000);
        turn.resolve();
        return checked;
      };
    }
    const isRemoved = { attempted: false, reason: 'unknown' };
    const isChecked = { outcome: 'OK', credits: 1 };

    test('an item can be checked at once when it is added again after its waiting check ended', async () => {
      const workspaceId = await workspace(5);
      const itemId = await item(workspaceId, 'waited');
      const end = await waitingCheck(workspaceId, itemId);
      await removeItem(db.sql, workspaceId, itemId);
      expect(await end()).toMatchObject(isRemoved);
      const again = await item(workspaceId, 'waited');
      expect(await checker()({ workspace_id: workspaceId, item_id: again })).toMatchObject(isChecked);
    });

    test('an item can be checked at once when it was added again before its waiting check ended', async () => {
      const workspaceId = await workspace(5);
      const itemId = await item(workspaceId, 'quick');
      const end = await waitingCheck(workspaceId, itemId);
      await removeItem(db.sql, workspaceId, itemId);
      const again = await item(workspaceId, 'quick');
      expect(await end()).toMatchObject(isRemoved);
      expect(await checker()({ workspace_id: workspaceId, item_id: again })).toMatchObject(isChecked);
      expect(upstream.asked).toHaveLength(1);
    });

    test('an item whose removal is undone is checked as if it had not been removed', async () => {
      const workspaceId = await workspace(5);
      const itemId = await item(workspaceId, 'undone');
      const end = await waitingCheck(workspaceId, itemId);
      const removalId = await removeItems(db.sql, workspaceId, [itemId], clock.now);
      await undoRemoval(db.sql, workspaceId, String(removalId), { limit: 10, now: clock.now });
      expect(await end()).toMatchObject(isChecked);
      const again = await checker()({ workspace_id: workspaceId, item_id: itemId });
      expect(again).toMatchObject({ attempted: false, reason: 'too_early' });
    });
  });

  test('a removed item leaves only the time of its attempt, per workspace, for 24 hours or until the workspace is deleted', async () => {
    const workspaceId = await checkedAndRemoved('forgotten');
    const other = await workspace(5);
    const theirs = await item(other, 'forgotten');
    expect(await checker()({ workspace_id: other, item_id: theirs })).toMatchObject({ outcome: 'OK' });

    const kept = () => db.sql`select * from removed_attempts where workspace_id = ${workspaceId}`;
    expect(Object.keys((await kept())[0] ?? {})).toEqual([
      'workspace_id',
      'platform',
      'kind',
      'identifier',
      'last_attempt_at',
    ]);
    await deleteRemovedAttempts(db.sql, new Date(clock.now.getTime() + 24 * hourMs - 1));
    expect(await kept()).toHaveLength(1);
    await deleteRemovedAttempts(db.sql, new Date(clock.now.getTime() + 24 * hourMs));
    expect(await kept()).toHaveLength(0);

    const deleted = await checkedAndRemoved('deleted');
    expect(await deleteWorkspace(db.sql, deleted)).toBe(true);
    expect(await db.sql`select from removed_attempts where workspace_id = ${deleted}`).toHaveLength(0);
  });
});

describe('tracked items and lists', () => {
  test('tracked items are saved up to the limit of the tier, even by concurrent requests, and a repeated item is reported as known', async () => {
    const workspaceId = await workspace(1);
    const newItem = (n: number) => ({ platform: 'photo', kind: 'profile', url: `u${n}`, identifier: `n${n}` });
    const added = await Promise.all(Array.from({ length: 12 }, (_, n) => addItem(db.sql, workspaceId, newItem(n), 10)));
    expect(added.filter(({ outcome }) => outcome === 'added')).toHaveLength(10);
    const again = await addItem(
      db.sql,
      workspaceId,
      newItem(added.findIndex(({ outcome }) => outcome === 'added')),
      10,
    );
    expect(again.outcome).toBe('known');
  });

  test('tracked items and lists of another workspace are not found', async () => {
    const [mine, other] = [await workspace(1), await workspace(1)];
    const itemId = await item(mine, 'mine');
    const listId = await addList(db.sql, other, 'theirs', 1);
    expect(await findItem(db.sql, other, itemId)).toBeNull();
    expect(await setStatuses(db.sql, other, [itemId], 'paused')).toBe(0);
    expect(await moveItems(db.sql, mine, [itemId], listId)).toBe(0);
    expect(await removeItem(db.sql, other, itemId)).toBe(false);
  });

  test('tracking lists can be created up to the limit of the tier', async () => {
    const workspaceId = await workspace(1);
    const lists = await Promise.all(Array.from({ length: 3 }, (_, n) => addList(db.sql, workspaceId, `l${n}`, 1)));
    expect(lists.filter((list) => list !== null)).toHaveLength(1);
  });
});

describe('a tracked item that is due', () => {
  const due = async (at: string) =>
    (await dueItems(db.sql, new Date(at), new Date(at), ['pro'])).map(({ item_id }) => item_id);

  test('a tracked item is first due at its minute of the day, then 24 hours after its last attempt', async () => {
    const workspaceId = await workspace(5);
    const itemId = await item(workspaceId, 'due');
    await db.sql`
      update tracked_items set check_minute = 600, created_at = '2026-11-20T03:00:00Z' where item_id = ${itemId}`;
    expect(await due('2026-11-20T09:59:59Z')).not.toContain(itemId);
    expect(await due('2026-11-20T10:00:00Z')).toContain(itemId);
    await checker()({ workspace_id: workspaceId, item_id: itemId });
    expect(await due('2026-11-21T09:59:59Z')).not.toContain(itemId);
    expect(await due('2026-11-25T03:00:00Z')).toContain(itemId);
  });

  test('a first check that was missed because the service was not running is due when it runs again', async () => {
    const itemId = await item(await workspace(5), 'missed');
    await db.sql`
      update tracked_items set check_minute = 1360, created_at = '2026-11-20T03:00:00Z' where item_id = ${itemId}`;
    expect(await due('2026-11-20T22:39:59Z')).not.toContain(itemId);
    expect(await due('2026-11-23T00:30:00Z')).toContain(itemId);
  });

  test('a due item is not paused and has a tier with daily checks', async () => {
    const [pro, air] = [await workspace(5), await workspace(5, 'air')];
    const [paused, manual] = [await item(pro, 'paused'), await item(air, 'manual')];
    await setStatuses(db.sql, pro, [paused], 'paused');
    const found = await due('2026-11-20T23:59:59Z');
    expect(found).not.toContain(paused);
    expect(found).not.toContain(manual);
  });
});

test('every kind of item that can be tracked has metrics', () => {
  for (const name of itemKinds) {
    const [platform = '', kind = ''] = name.split(' ');
    expect([platform, kind, metricsOf(platform, kind, [])[0]]).not.toContain(undefined);
  }
});

test('the quality of an observation is packed into two bits per metric', () => {
  const bits = packQuality({ followers: 'rounded', likes: 'hidden', total_views: 'not_exposed' });
  expect(unpackQuality(bits)).toMatchObject({
    followers: 'rounded',
    following: 'exact',
    likes: 'hidden',
    total_views: 'not_exposed',
  });
});

test.each([
  ['https://www.instagram.com/some.one/', 'photo', 'profile', 'some.one'],
  ['https://www.instagram.com/p/CExample123/', 'photo', 'post', 'CExample123'],
  ['https://www.tiktok.com/@Some.One', 'shortvideo', 'profile', 'some.one'],
  ['https://www.tiktok.com/@a/video/7200000000000000001', 'shortvideo', 'video', '7200000000000000001'],
  ['https://www.youtube.com/@someone', 'longvideo', 'channel', '@someone'],
  ['https://youtu.be/example0001', 'longvideo', 'video', 'example0001'],
])('%s can be tracked as %s %s', (url, platform, kind, identifier) => {
  expect(trackable(url)).toEqual({ ok: true, item: { platform, kind, identifier } });
});

test.each([
  'https://example.com/x',
  'nonsense',
  'https://www.tiktok.com/tag/sea',
  'https://www.youtube.com/playlist?list=PLexample0000',
])('%s cannot be tracked, and the message says what to use instead', (url) => {
  const result = trackable(url);
  expect(result.ok).toBe(false);
  if (!result.ok) expect(result.message).toMatch(/use /);
});
