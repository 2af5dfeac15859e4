import type { Sql } from 'postgres';
import type { Observed } from '../campaigns/reports.ts';
import { metricColumns } from '../metric-columns.ts';

/**
 * Returns at most `limit` observations of these items since `from`, oldest first. The ids are sent as one array, so that
 * PostgreSQL searches the index of each month once.
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
    from observations
    where workspace_id = ${workspaceId} and item_id = any(${[...itemIds]}::uuid[]) and observed_at >= ${from}
    order by observed_at, item_id
    limit ${limit}`;
}
