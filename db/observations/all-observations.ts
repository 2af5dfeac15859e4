import type { Fragment, Sql } from 'postgres';
import { monthOf } from '../calendar.ts';
import { metrics } from '../schema/metrics.ts';
import { metricColumns } from './metric-columns.ts';

/**
 * Returns a subquery with the observations of all months: the rows of `observations`, and the array elements of
 * `observation_months` as rows. `since` is an SQL expression for a time, or null for all months. Months that end before
 * this time are not read. Within a month, the subquery does not filter by time; the outer query must do so.
 *
 * `weekly_until`: before this time, `observation_months` contributes only the observations that reports need, because
 * reading all of them would take most of the time. Reports need the last observation of each week (Monday to Sunday,
 * UTC) and month. They also need an observation when the next one lacks one of its metrics, so that the last known
 * value of each metric in a week is included.
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
      : sql`(o.observed_at >= ${weekly_until} or ${next} is null or date_trunc('week', ${next}, 'UTC') > o.observed_at
          or (gaps.exist and ${isLastBeforeGap(sql)}))`;
  const gaps =
    weekly_until === undefined ? sql`` : sql`cross join lateral (select ${hasGaps(sql)} as exist offset 0) gaps`;
  return sql`(
    select workspace_id, item_id, observed_at, ${columns} from observations
    union all
    select m.workspace_id, m.item_id, o.observed_at, ${elements(sql)} from observation_months m ${gaps} ${opened(sql)}
    where ${since === null ? sql`true` : overlaps(sql, since)} and ${weekly})`;
}

/**
 * Returns the SQL condition that a row of `observation_months` has a metric that only some of its observations know.
 * Most rows have no such metric. The condition is in a subquery with `offset 0`, so that it is computed once per row
 * and not once per observation.
 */
function hasGaps(sql: Sql): Fragment {
  const conditions = metrics.map((name) => `array_position(m.${name}, null) is not null`);
  return sql.unsafe(conditions.join(' or '));
}

/** Returns the SQL condition that an observation has a metric that the next observation of its month lacks. */
function isLastBeforeGap(sql: Sql): Fragment {
  const conditions = metrics.map((name) => `(m.${name}[o.position] is not null and m.${name}[o.position + 1] is null)`);
  return sql.unsafe(`(${conditions.join(' or ')})`);
}

/**
 * Returns a query for the newest observation of one item since a time. The arguments are SQL expressions. Reads at most
 * one month of `observation_months`, while a query of {@link allObservations} would read all months of the item.
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

/** The position of an observation in a list that is sorted by item and time. */
export interface ObservationPosition {
  item_id: string;
  observed_at: Date;
}

/**
 * Returns a query for the next `limit` observations of a workspace after a position, sorted by item and time. A null
 * position means the beginning of the list. Reads both tables in the order of their primary keys, so that every page
 * takes the same time. A query of {@link allObservations} would read the whole rest of the list for each page.
 */
export function nextObservations(
  sql: Sql,
  workspaceId: string,
  { after, limit }: { after: ObservationPosition | null; limit: number },
): Fragment {
  const columns = sql`item_id, observed_at, ${metricColumns(sql)}, quality, source`;
  const isAfter = (position: Fragment) =>
    after === null ? sql`true` : sql`${position} > (${after.item_id}::uuid, ${after.observed_at}::timestamptz)`;
  const inMonth =
    after === null
      ? sql`true`
      : sql`(m.item_id, m.month) >= (${after.item_id}::uuid, ${monthOf(after.observed_at)}::date)`;
  return sql`
    select ${columns} from (
      (select ${columns} from observations
        where workspace_id = ${workspaceId} and ${isAfter(sql`(item_id, observed_at)`)}
        order by item_id, observed_at limit ${limit})
      union all
      (select m.item_id, o.observed_at, ${elements(sql)} from observation_months m ${opened(sql)}
        where m.workspace_id = ${workspaceId} and ${inMonth} and ${isAfter(sql`(m.item_id, o.observed_at)`)}
        order by m.item_id, m.month, o.observed_at limit ${limit})
    ) next
    order by item_id, observed_at limit ${limit}`;
}

/**
 * Returns the join that turns each row `m` of `observation_months` into one row `o` per observation, with its time and
 * its position in the arrays.
 */
function opened(sql: Sql): Fragment {
  return sql`cross join lateral unnest(m.observed_at) with ordinality as o (observed_at, position)`;
}

/**
 * Returns the columns of the observation at `o.position`. PostgreSQL computes them only for rows that meet all
 * conditions.
 */
function elements(sql: Sql): Fragment {
  return sql.unsafe([...metrics, 'quality', 'source'].map((name) => `m.${name}[o.position] as ${name}`).join(', '));
}

function overlaps(sql: Sql, since: Fragment): Fragment {
  return sql`m.month >= date_trunc('month', ${since} at time zone 'UTC')::date`;
}
