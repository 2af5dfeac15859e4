import type { Sql } from 'postgres';
import { allObservations, newestObservation } from '../observations/all-observations.ts';
import type { Observed } from '../observations/observed.ts';

/** The metric that lists of items show for a tracked item: its main metric. */
export type MainMetric = 'followers' | 'likes' | 'views';

/** The history of a tracked item's main metric, oldest first. A value is null when the source did not state it. */
export interface ItemSeries {
  item_id: string;
  /** Times of the observations, in milliseconds since 1970-01-01. */
  moments: number[];
  values: (number | null)[];
  /** The column `quality` of each observation: two bits for each metric, see `Observed`. */
  qualities: number[];
}

/**
 * Returns the history of the main metric of several tracked items since `from`, in one statement. Leaves out items
 * without an observation.
 */
export async function recentSeries(
  sql: Sql,
  workspaceId: string,
  items: readonly { item_id: string; metric: MainMetric }[],
  from: Date,
): Promise<ItemSeries[]> {
  if (items.length === 0) return [];
  const having = (metric: MainMetric) => items.filter((item) => item.metric === metric).map(({ item_id }) => item_id);
  return sql<ItemSeries[]>`
    select item_id,
      json_agg((date_part('epoch', observed_at) * 1000)::bigint order by observed_at) as moments,
      json_agg(case when item_id = any(${having('likes')}::uuid[]) then likes
        when item_id = any(${having('views')}::uuid[]) then views else followers end order by observed_at) as values,
      json_agg(quality order by observed_at) as qualities
    from ${allObservations(sql, sql`${from}::timestamptz`)} o
    where workspace_id = ${workspaceId} and item_id = any(${items.map(({ item_id }) => item_id)}::uuid[])
      and observed_at >= ${from}
    group by item_id`;
}

/** Returns the last observation (stored check result) of each of these items, unless it is older than `from`. */
export async function lastObservations(
  sql: Sql,
  workspaceId: string,
  itemIds: readonly string[],
  from: Date,
): Promise<Observed[]> {
  if (itemIds.length === 0) return [];
  const item = { workspace_id: sql`${workspaceId}::uuid`, item_id: sql`i.item_id`, since: sql`${from}::timestamptz` };
  return sql<Observed[]>`
    select i.item_id, o.* from unnest(${[...itemIds]}::uuid[]) as i (item_id)
    cross join lateral (${newestObservation(sql, item)}) o`;
}
