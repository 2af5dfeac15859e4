import type { Sql } from 'postgres';
import { allObservations } from '../observations/all-observations.ts';
import { metricColumns } from '../observations/metric-columns.ts';
import type { Observed } from '../observations/observed.ts';
import type { TrackedItem } from './items.ts';

/**
 * Returns at most `limit` observations (stored check results) of these items since `from`, oldest first. The ids are
 * passed as one array, so that PostgreSQL searches the index of each month only once.
 */
export async function itemObservations(
  sql: Sql,
  workspaceId: string,
  itemIds: readonly string[],
  from: Date,
  limit: number,
): Promise<Observed[]> {
  return sql<Observed[]>`
    select item_id, observed_at, ${metricColumns(sql)}, quality, source
    from ${allObservations(sql, sql`${from}::timestamptz`)} o
    where workspace_id = ${workspaceId} and item_id = any(${[...itemIds]}::uuid[]) and observed_at >= ${from}
    order by observed_at, item_id
    limit ${limit}`;
}

/** An observation (stored check result) with the name and address of its tracked item. */
interface ItemObservation extends Observed, Pick<TrackedItem, 'platform' | 'kind' | 'name' | 'url'> {}

/**
 * Returns the newest observations (stored check results) of a list's items since `from`, at most `limit` in total,
 * oldest first. If `listId` is null, includes all items of the workspace.
 */
export async function listObservations(
  sql: Sql,
  workspaceId: string,
  listId: string | null,
  { from, limit }: { from: Date; limit: number },
): Promise<ItemObservation[]> {
  const rows = await sql<ItemObservation[]>`
    select i.platform, i.kind, i.name, i.url, o.item_id, o.observed_at, ${metricColumns(sql)}, o.quality, o.source
    from ${allObservations(sql, sql`${from}::timestamptz`)} o
    join tracked_items i on i.workspace_id = o.workspace_id and i.item_id = o.item_id
    where o.workspace_id = ${workspaceId} and o.observed_at >= ${from}
      and (${listId}::uuid is null or i.list_id = ${listId}::uuid)
    order by o.observed_at desc, o.item_id desc
    limit ${limit}`;
  return rows.reverse();
}
