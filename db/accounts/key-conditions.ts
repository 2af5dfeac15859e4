import type { Fragment, Sql } from 'postgres';

/**
 * Returns the SQL condition that an API key or a data link is valid at the time `now`: neither revoked nor expired.
 * `table` is the name or alias of its table.
 */
export function isValid(sql: Sql, table: string, now: Date): Fragment {
  const expiresAt = sql(`${table}.expires_at`);
  return sql`(${sql(`${table}.revoked_at`)} is null and (${expiresAt} is null or ${expiresAt} > ${now}))`;
}

/**
 * Returns the SQL condition that a row of `api_keys` belongs to an OAuth client (`connections`) or to a data link
 * (`data_links`). Such an API key is never shown.
 */
export function belongsTo(sql: Sql, owners: 'connections' | 'data_links'): Fragment {
  return sql`exists (
    select from ${sql(owners)} o where o.workspace_id = api_keys.workspace_id and o.key_id = api_keys.key_id)`;
}
