import type { Fragment, Sql } from 'postgres';
import { metrics } from '../schema/metrics.ts';

/** Returns the SQL column names of all metrics (followers, likes, …), separated by commas. */
export function metricColumns(sql: Sql): Fragment {
  return sql`${sql.unsafe(metrics.join(', '))}`;
}
