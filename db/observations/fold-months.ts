import type { Fragment, Sql } from 'postgres';
import { metrics } from '../schema/metrics.ts';
import { partitionsBefore } from './months.ts';
import { withTableLock } from './table-lock.ts';

/**
 * Number of items whose observations one statement moves. The number is small, because the first run may find a year of
 * observations per item.
 */
const itemsAtOnce = 25;

/**
 * Moves the observations of past months into `observation_months`, where they take about a fifth of the space, and
 * drops the partitions that become empty. The current and the previous month stay as rows. Stops between two statements
 * when `signal` aborts; the next call continues. Returns the number of moved observations.
 */
export async function foldPastMonths(sql: Sql, now: Date, signal: AbortSignal): Promise<number> {
  const before = firstKept(now);
  const workspaces = await sql<{ workspace_id: string }[]>`
    select distinct workspace_id from observations where observed_at < ${before}`;
  let folded = 0;
  for (const { workspace_id } of workspaces) {
    let last: FoldedItems | undefined = { observations: 0, last_id: null };
    do {
      if (signal.aborted) return folded;
      last = await foldItems(sql, workspace_id, { after: last.last_id, before });
      folded += last?.observations ?? 0;
    } while (last);
  }
  await dropEmptyMonths(sql, before);
  return folded;
}

/** Returns the start of the month (UTC) before the current one. */
function firstKept(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
}

interface FoldedItems {
  observations: number;
  last_id: string | null;
}

/**
 * Moves the observations of the next few items of a workspace from rows to arrays, in one statement, so that every
 * query sees each observation exactly once. Locks the items, so that they cannot be removed in the meantime. Leaves out
 * removed items that can still be restored. Returns undefined after the last item.
 */
async function foldItems(
  sql: Sql,
  workspaceId: string,
  { after, before }: { after: string | null; before: Date },
): Promise<FoldedItems | undefined> {
  const columns = ['observed_at', ...metrics, 'quality', 'source'];
  const [row] = await sql<(FoldedItems & { items: number })[]>`
    with items as materialized (
      select item_id from tracked_items
      where workspace_id = ${workspaceId} and (${after}::uuid is null or item_id > ${after}::uuid)
      order by item_id limit ${itemsAtOnce} for no key update
    ), moved as (
      delete from observations
      where workspace_id = ${workspaceId} and observed_at < ${before} and item_id = any(array(select item_id from items))
      returning *
    ), stored as (
      insert into observation_months as m (workspace_id, item_id, month, ${sql(columns)})
      select ${workspaceId}::uuid, item_id, date_trunc('month', observed_at at time zone 'UTC')::date, ${arrays(sql)}
      from moved group by 2, 3
      on conflict (workspace_id, item_id, month) do update set ${merged(sql)}
    )
    select (select count(*)::int from moved) as observations, count(*)::int as items,
      (select item_id from items order by item_id desc limit 1) as last_id
    from items`;
  return row && row.items > 0 ? row : undefined;
}

/**
 * Returns the SQL expressions that collect the columns of a month into arrays. The array of a metric without any value
 * is null.
 */
function arrays(sql: Sql): Fragment {
  const array = (column: string) => `array_agg(${column} order by observed_at)`;
  const metricArrays = metrics.map((metric) => `case when count(${metric}) > 0 then ${array(metric)} end`);
  return sql.unsafe([array('observed_at'), ...metricArrays, array('quality'), array('source')].join(', '));
}

/**
 * Returns the SQL assignments that add the observations of an inserted row to the stored row of the same month. The
 * arrays stay sorted by time. The array of a metric stays null when neither row has a value of the metric.
 */
function merged(sql: Sql): Fragment {
  const both = (column: string) => `m.${column} || excluded.${column}`;
  const sorted = (values: string) =>
    `(select array_agg(value order by time) from unnest(${both('observed_at')}, ${values}) as u (time, value))`;
  const whole = (row: string, metric: string) =>
    `coalesce(${row}.${metric}, array_fill(null::bigint, array[cardinality(${row}.observed_at)]))`;
  const metricArrays = metrics.map(
    (metric) => `${metric} = case when num_nonnulls(m.${metric}, excluded.${metric}) > 0
      then ${sorted(`${whole('m', metric)} || ${whole('excluded', metric)}`)} end`,
  );
  const others = ['observed_at', 'quality', 'source'].map((column) => `${column} = ${sorted(both(column))}`);
  return sql.unsafe([...others, ...metricArrays].join(', '));
}

/** Drops the partitions of months before `before` that have no rows. */
async function dropEmptyMonths(sql: Sql, before: Date): Promise<void> {
  for (const name of await partitionsBefore(sql, before)) {
    if (!(await dropWhenEmpty(sql, name))) return;
  }
}

/**
 * Drops a partition if it has no rows. When a long statement uses the table, returns false and leaves the partition to
 * the next run.
 */
async function dropWhenEmpty(sql: Sql, partition: string): Promise<boolean> {
  const [row] = await sql`select from ${sql(partition)} limit 1`;
  if (row) return true;
  return withTableLock(sql, 'access exclusive', async (tx) => {
    const [late] = await tx`select from ${tx(partition)} limit 1`;
    if (!late) await tx`drop table ${tx(partition)}`;
  });
}
