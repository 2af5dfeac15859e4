import type { Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { campaignObservations } from '../../../db/campaigns/reports.ts';
import { listedItems } from '../../../db/deliveries/sheet-targets.ts';
import { allObservations } from '../../../db/observations/all-observations.ts';
import { foldPastMonths } from '../../../db/observations/fold-months.ts';
import { ensureMonths, removeObservations } from '../../../db/observations/months.ts';
import type { Observed } from '../../../db/observations/observed.ts';
import { addItem, removeItem } from '../../../db/tracking/items.ts';
import { lastObservations, recentSeries } from '../../../db/tracking/recent-history.ts';
import { deleteRemovedItems, removeItems, undoRemoval } from '../../../db/tracking/removals.ts';
import { itemObservations, listObservations } from '../../../db/tracking/tracked-history.ts';
import { itemDependents } from '../../../db/tracking/tracked-pages.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { readRowCounts } from '../../../db/workspace-data/counts.ts';
import { deleteWorkspace, readHoldings } from '../../../db/workspace-data/deletion.ts';
import { exportPages } from '../../../db/workspace-data/export.ts';
import { exportParts } from '../../../db/workspace-data/export-parts.ts';
import { createCampaign } from '../../../pipeline/campaigns/campaigns.ts';
import { countLockWaits } from '../../setup/lock-waits.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';

const dayMs = 86_400_000;
const now = new Date('2026-11-20T10:00:00.000Z');
const never = new AbortController().signal;
const ago = (days: number) => new Date(now.getTime() - days * dayMs);
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  await db.sql`delete from observations`;
  await db.sql`delete from observation_months`;
});
afterAll(() => db.close());

interface Tracked {
  workspace_id: string;
  item_ids: string[];
}

/** Creates a workspace with tracked items. */
async function track(items: number): Promise<Tracked> {
  const made = { name: 'months', credits: 0, tier: 'ultra' } as const;
  const { workspace_id } = await inTransaction(db.sql, (tx) => createWorkspace(tx, made));
  const itemIds: string[] = [];
  for (let n = 0; n < items; n += 1) {
    const url = `https://www.instagram.com/p${n}/`;
    const added = await addItem(
      db.sql,
      workspace_id,
      { platform: 'photo', kind: 'profile', url, identifier: `p${n}` },
      200,
    );
    if (added.outcome === 'full') throw new Error('full');
    itemIds.push(added.item_id);
  }
  return { workspace_id, item_ids: itemIds.sort() };
}

/**
 * Stores one observation a day since `days` days ago. Likes are known only on every third day, views only in the first
 * hundred days, and comments never.
 */
async function observe(sql: Sql, { workspace_id, item_ids }: Tracked, days: number): Promise<void> {
  await sql`
    insert into observations (workspace_id, item_id, observed_at, followers, likes, views, quality, source)
    select ${workspace_id}, item_id, ${now}::timestamptz - day * interval '24 hours' - n * interval '1 second',
      1000 * n - day, case when day % 3 = 0 then day end, case when day > ${days - 100} then day * n end, day % 4,
      case when day % 2 = 0 then 'invented-web' else 'invented-api' end
    from unnest(${item_ids}::uuid[]) with ordinality as i (item_id, n), generate_series(0, ${days}::int) day`;
}

const folded = async () => {
  const [row] = await db.sql<{ months: number; observations: number }[]>`
    select count(*)::int as months, coalesce(sum(cardinality(observed_at)), 0)::int as observations from observation_months`;
  return row;
};

describe('moving observations of past months', () => {
  test('moving observations of past months does not change what reports, pages, sheets, links, exports and counts read', async () => {
    const tracked = await track(3);
    await observe(db.sql, tracked, 400);
    const { workspace_id, item_ids } = tracked;
    const owner = { workspace_id, tier: 'ultra', now } as const;
    const campaign = await createCampaign(db.sql, owner, {
      name: 'c',
      starts_on: '2025-11-20',
      ends_on: null,
      item_ids,
    });
    const byTime = (rows: readonly Observed[]) =>
      rows.toSorted((a, b) => a.observed_at.getTime() - b.observed_at.getTime() || a.item_id.localeCompare(b.item_id));
    const part = exportParts.find(({ name }) => name === 'observations');
    if (!part) throw new Error('the export has no observations');
    const read = async () => ({
      report: byTime(
        await campaignObservations(db.sql, workspace_id, campaign, { from: ago(365), to: now, all_from: ago(14) }),
      ),
      series: await recentSeries(
        db.sql,
        workspace_id,
        item_ids.map((itemId, n) => ({ item_id: itemId, metric: n === 0 ? 'likes' : 'followers' })),
        ago(200),
      ),
      last: byTime(await lastObservations(db.sql, workspace_id, item_ids, ago(365))),
      item: await itemObservations(db.sql, workspace_id, item_ids, ago(365), 10_000),
      link: await listObservations(db.sql, workspace_id, null, { from: ago(365), limit: 700 }),
      sheet: await listedItems(db.sql, workspace_id, null, ago(365)),
      dependents: await itemDependents(db.sql, workspace_id, item_ids[0] ?? ''),
      holdings: await readHoldings(db.sql, workspace_id, now),
      counts: await readRowCounts(db.sql),
      exported: (await Array.fromAsync(exportPages(db.sql, workspace_id, part))).flat(),
      in_small_pages: (await Array.fromAsync(exportPages(db.sql, workspace_id, { ...part, page_size: 7 }))).flat(),
    });
    const before = await read();
    expect(before.exported).toHaveLength(3 * 401);
    expect(before.in_small_pages).toEqual(before.exported);
    expect(await foldPastMonths(db.sql, now, never)).toBe(3 * (401 - 51));
    expect(await folded()).toEqual({ months: 3 * 12, observations: 3 * 350 });
    expect(await read()).toEqual(before);
    expect(await foldPastMonths(db.sql, now, never)).toBe(0);
  });

  test('reports have the last known count of each metric in a past week, before and after observations are moved', async () => {
    const { workspace_id, item_ids } = await track(1);
    const owner = { workspace_id, tier: 'ultra', now } as const;
    const made = { name: 'c', starts_on: '2026-01-01', ends_on: null, item_ids };
    const campaign = await createCampaign(db.sql, owner, made);
    const day = (date: string, counts: object) => ({
      ...{ workspace_id, item_id: item_ids[0], observed_at: `${date}T10:00:00Z`, source: 'invented' },
      ...{ followers: null, likes: null, views: null, ...counts },
    });
    await db.sql`insert into observations ${db.sql([
      day('2026-06-29', { followers: 1, likes: 1, views: 1 }),
      day('2026-06-30', { followers: 2, likes: 2 }),
      day('2026-07-01', { likes: 3 }),
      day('2026-07-02', { followers: 4 }),
      day('2026-07-03', {}),
      day('2026-07-06', { followers: 5 }),
      day('2026-07-07', { followers: 6 }),
    ])}`;
    const read = async () => {
      const span = { from: ago(365), to: now, all_from: ago(14) };
      const rows = await campaignObservations(db.sql, workspace_id, campaign, span);
      return rows.map(({ observed_at }) => observed_at.toISOString().slice(0, 10)).sort();
    };
    const kept = ['2026-06-29', '2026-07-01', '2026-07-02', '2026-07-03', '2026-07-07'];
    expect(await read()).toEqual(kept);
    expect(await foldPastMonths(db.sql, now, never)).toBe(7);
    expect(await read()).toEqual(kept);
  });

  test('the last observation of an item that was last checked months ago is still found after the observation was moved', async () => {
    const tracked = await track(2);
    await observe(db.sql, tracked, 200);
    const [paused = '', active = ''] = tracked.item_ids;
    await db.sql`delete from observations where item_id = ${paused} and observed_at > ${ago(100)}`;
    const read = () => lastObservations(db.sql, tracked.workspace_id, [paused, active], ago(150));
    const before = await read();
    expect(before.map(({ observed_at }) => observed_at.getTime())).toEqual([
      ago(100).getTime() - 1000,
      now.getTime() - 2000,
    ]);
    await foldPastMonths(db.sql, now, never);
    expect(await read()).toEqual(before);
    expect(await lastObservations(db.sql, tracked.workspace_id, [paused], ago(100))).toEqual([]);
  });

  test('late observations of a moved month are added to it, even of a metric that was unknown until then', async () => {
    const tracked = await track(1);
    await observe(db.sql, tracked, 90);
    const read = () => itemObservations(db.sql, tracked.workspace_id, tracked.item_ids, ago(365), 1_000);
    await foldPastMonths(db.sql, now, never);
    const late = { workspace_id: tracked.workspace_id, item_id: tracked.item_ids[0] ?? '', source: 'late', quality: 0 };
    await db.sql`insert into observations ${db.sql({ ...late, observed_at: ago(70), comments: 7, followers: null })}`;
    const before = await read();
    expect(await foldPastMonths(db.sql, now, never)).toBe(1);
    expect(await read()).toEqual(before);
    const [times] = await db.sql<{ sorted: boolean }[]>`
      select observed_at = (select array_agg(t order by t) from unnest(observed_at) t) as sorted
      from observation_months where month = '2026-09-01'`;
    expect(times?.sorted).toBe(true);
    expect(before.filter(({ comments }) => comments !== null)).toMatchObject([
      { comments: 7, followers: null, likes: null },
    ]);
  });

  test('the partitions of moved months are dropped, and those of the current and the previous month are kept', async () => {
    const tracked = await track(1);
    for (const days of [61, 0]) await ensureMonths(db.sql, ago(days));
    await observe(db.sql, tracked, 60);
    await foldPastMonths(db.sql, now, never);
    const partitions = await db.sql<{ name: string }[]>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'observations'::regclass order by 1`;
    const months = ['2026_10', '2026_11', '2026_12', '2027_01', 'default'];
    expect(partitions.map(({ name }) => name)).toEqual(months.map((month) => `observations_${month}`));
  });

  test('moving observations does not cause a deadlock with a query that has locked the table but not yet its partitions', async () => {
    const tracked = await track(1);
    for (const days of [61, 0]) await ensureMonths(db.sql, ago(days));
    await observe(db.sql, tracked, 60);
    const { folding } = await inTransaction(db.sql, async (tx) => {
      await tx`lock table only observations in access share mode`;
      const started = foldPastMonths(db.background, now, never);
      await expect.poll(() => countLockWaits(db.sql)).toBe(1);
      expect((await tx`select count(*)::int as n from ${allObservations(tx, null)} o`)[0]?.n).toBe(61);
      return { folding: started };
    });
    await folding;
    expect(await db.sql`select to_regclass('observations_2026_09') as partition`).toEqual([{ partition: null }]);
  });

  test('an empty partition is left to the next run while a long statement uses the table', async () => {
    const tracked = await track(1);
    for (const days of [61, 0]) await ensureMonths(db.sql, ago(days));
    await observe(db.sql, tracked, 60);
    const partition = () => db.sql`select to_regclass('observations_2026_09') is not null as exists`;
    await inTransaction(db.sql, async (tx) => {
      await tx`lock table only observations in access share mode`;
      expect(await foldPastMonths(db.background, now, never)).toBe(10);
    });
    expect(await partition()).toEqual([{ exists: true }]);
    await foldPastMonths(db.sql, now, never);
    expect(await partition()).toEqual([{ exists: false }]);
  });

  test('moving observations continues in the next run after it was stopped', async () => {
    const tracked = await track(30);
    await observe(db.sql, tracked, 60);
    const all = await readRowCounts(db.sql);
    expect(await foldPastMonths(db.sql, now, AbortSignal.abort())).toBe(0);
    expect(await foldPastMonths(db.sql, now, never)).toBe(30 * 10);
    expect(await readRowCounts(db.sql)).toEqual(all);
  });
});

describe('moved observations', () => {
  test('observations are read exactly once while they are moved', async () => {
    const tracked = await track(60);
    await observe(db.sql, tracked, 120);
    const counts: number[] = [];
    let isMoving = true;
    const reader = (async () => {
      while (isMoving) counts.push((await readRowCounts(db.sql)).observations);
    })();
    await foldPastMonths(db.background, now, never);
    isMoving = false;
    await reader;
    expect(new Set(counts)).toEqual(new Set([60 * 121]));
  });

  test('observations of an item that is removed while they are moved are deleted with it', async () => {
    const tracked = await track(1);
    await observe(db.sql, tracked, 90);
    const { workspace_id, item_ids } = tracked;
    const { removed } = await inTransaction(db.background, async (tx) => {
      await foldPastMonths(tx, now, never);
      const waiting = removeItem(db.sql, workspace_id, item_ids[0] ?? '');
      await expect.poll(() => countLockWaits(db.sql)).toBe(1);
      return { removed: waiting };
    });
    expect(await removed).toBe(true);
    expect(await db.sql`select from observation_months`).toHaveLength(0);
    expect(await db.sql`select from observations`).toHaveLength(0);
  });

  test('moved observations come back with a restored item, and are deleted when its removal can no longer be undone', async () => {
    const tracked = await track(2);
    await observe(db.sql, tracked, 90);
    await foldPastMonths(db.sql, now, never);
    const before = await folded();
    const { workspace_id, item_ids } = tracked;
    const undone = await removeItems(db.sql, workspace_id, item_ids, now);
    await undoRemoval(db.sql, workspace_id, undone ?? '', { limit: 200, now });
    expect(await folded()).toEqual(before);
    await removeItems(db.sql, workspace_id, item_ids, now);
    await deleteRemovedItems(db.sql, new Date(now.getTime() + dayMs));
    expect(await folded()).toEqual({ months: 0, observations: 0 });
  });

  test('observations of a removed item are not moved until the item is restored', async () => {
    const tracked = await track(1);
    await observe(db.sql, tracked, 90);
    const removal = await removeItems(db.sql, tracked.workspace_id, tracked.item_ids, now);
    expect(await foldPastMonths(db.sql, now, never)).toBe(0);
    await undoRemoval(db.sql, tracked.workspace_id, removal ?? '', { limit: 200, now });
    expect(await foldPastMonths(db.sql, now, never)).toBe(40);
  });

  test('moved observations are deleted with their workspace', async () => {
    const [one, other] = [await track(1), await track(1)];
    for (const tracked of [one, other]) await observe(db.sql, tracked, 90);
    await foldPastMonths(db.sql, now, never);
    await deleteWorkspace(db.sql, one.workspace_id);
    expect(await db.sql`select distinct workspace_id from observation_months`).toEqual([
      { workspace_id: other.workspace_id },
    ]);
  });

  test('moved observations are deleted once their whole month is older than the longest history', async () => {
    const tracked = await track(1);
    await observe(db.sql, tracked, 400);
    await foldPastMonths(db.sql, now, never);
    await removeObservations(db.sql, ago(365));
    const [first] = await db.sql<{ month: string }[]>`select min(month)::text as month from observation_months`;
    expect(first?.month).toBe('2025-11-01');
  });
});
