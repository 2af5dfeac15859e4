import type { Sql } from 'postgres';

/** The one metric of an item that lists show. */
export type MainMetric = 'followers' | 'likes' | 'views';

/** The last value of an item on each UTC day that has an observation, oldest first. A value is null when the source did not state it. */
export interface DailySeries {
  item_id: string;
  /** Times of the observations in milliseconds. */
  moments: number[];
  values: (number | null)[];
}

/** Returns the daily values of items since `from`, in one statement for all items. Items without an observation are left out. */
export async function dailySeries(
  sql: Sql,
  workspaceId: string,
  items: readonly { item_id: string; metric: MainMetric }[],
  from: Date,
): Promise<DailySeries[]> {
  if (items.length === 0) return [];
  return sql<DailySeries[]>`
    select item_id,
      json_agg(floor(extract(epoch from observed_at) * 1000)::bigint order by observed_at) as moments,
      json_agg(value order by observed_at) as values
    from (
      select distinct on (m.item_id, date_trunc('day', o.observed_at, 'UTC')) m.item_id, o.observed_at,
        case m.metric when 'followers' then o.followers when 'likes' then o.likes else o.views end as value
      from unnest(${items.map(({ item_id }) => item_id)}::uuid[], ${items.map(({ metric }) => metric)}::text[])
        as m(item_id, metric)
      join observations o on o.workspace_id = ${workspaceId} and o.item_id = m.item_id and o.observed_at >= ${from}
      order by m.item_id, date_trunc('day', o.observed_at, 'UTC'), o.observed_at desc
    ) daily
    group by item_id`;
}
