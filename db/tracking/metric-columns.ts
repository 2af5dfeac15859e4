import type { Fragment, Sql } from 'postgres';
import { metrics } from '../schema/metrics.ts';

/** Returns the columns of all metrics, separated by commas. */
export function metricColumns(sql: Sql): Fragment {
  return sql`${sql.unsafe(metrics.join(', '))}`;
}
