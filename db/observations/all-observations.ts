import type { Fragment, Sql } from 'postgres';
import { metricColumns } from '../metric-columns.ts';
import { metrics } from '../schema/metrics.ts';

/**
 * Returns a subquery with the observations of all months: the rows of `observations` and the elements of
 * `observation_months` as rows. `since` is an SQL expression for a time: months that end before it are not read. It does
 * not filter observations within a month; the query around it must do that. Null reads all months.
 *
 * `weekly_until` leaves out observations of `observation_months` before this time that are followed by another one in the
 * same week (Monday to Sunday, UTC) and month. Reports need only the last one of a week, and the others take most of the time.
 */
export function allObservations(
  sql: Sql,
  since: Fragment | null,
  { weekly_until }: { weekly_until?: Date } = {},
): Fragment {
  const columns = sql`${metricColumns(sql)}, quality, source`;
  const next = sql`m.observed_at[o.position + 1]`;
  const weekly =
    weekly_until === undefined
      ? sql`true`
      : sql`(o.observed_at >= ${weekly_until} or ${next} is null or date_trunc('week', ${next}, 'UTC') > o.observed_at)`;
  return sql`(
    select workspace_id, item_id, observed_at, ${columns} from observations
    union all
    select m.workspace_id, m.item_id, o.observed_at, ${elements(sql)} from observation_months m ${opened(sql)}
    where ${since === null ? sql`true` : overlaps(sql, since)} and ${weekly})`;
}

/**
 * Returns a query for the newest observation of one item since a time. The arguments are SQL expressions. It reads at most
 * one month of `observation_months`, while a query of {@link allObservations} reads all months of the item.
 */
export function newestObservation(sql: Sql, item: Record<'workspace_id' | 'item_id' | 'since', Fragment>): Fragment {
  const { workspace_id, item_id, since } = item;
  const columns = sql`observed_at, ${metricColumns(sql)}, quality, source`;
  return sql`
    select ${columns} from (
      (select ${columns} from observations
        where workspace_id = ${workspace_id} and item_id = ${item_id} and observed_at >= ${since}
        order by observed_at desc limit 1)
      union all
      select o.observed_at, ${elements(sql)} from (
        select * from observation_months m
        where m.workspace_id = ${workspace_id} and m.item_id = ${item_id} and ${overlaps(sql, since)}
        order by m.month desc limit 1) m ${opened(sql)}
    ) newest
    where observed_at >= ${since} order by observed_at desc limit 1`;
}

/** Joins each row `m` of `observation_months` with its times `o` and their positions in its arrays. */
function opened(sql: Sql): Fragment {
  return sql`cross join lateral unnest(m.observed_at) with ordinality as o (observed_at, position)`;
}

/** Returns the columns of the observation at a position. They are only computed for rows that remain after all conditions. */
function elements(sql: Sql): Fragment {
  return sql.unsafe([...metrics, 'quality', 'source'].map((name) => `m.${name}[o.position] as ${name}`).join(', '));
}

function overlaps(sql: Sql, since: Fragment): Fragment {
  return sql`m.month >= date_trunc('month', ${since} at time zone 'UTC')::date`;
}
