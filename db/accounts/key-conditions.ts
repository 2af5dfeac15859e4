import type { Fragment, Sql } from 'postgres';

/**
 * Returns the SQL condition that a row of `api_keys` belongs to an OAuth client (`connections`) or to a data link
 * (`data_links`). Such an API key is never shown.
 */
export function belongsTo(sql: Sql, owners: 'connections' | 'data_links'): Fragment {
  return sql`exists (
    select from ${sql(owners)} o where o.workspace_id = api_keys.workspace_id and o.key_id = api_keys.key_id)`;
}
