import type { Fragment, Sql } from 'postgres';
import { creditsUsed } from '../calendar.ts';
import { inWorkspace } from '../distribution/one-workspace.ts';

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

/**
 * Returns the SQL expression for the credits that an API key has spent of its monthly cap in the UTC month of `now`. A
 * rotated key shares its cap with the old key, whose row has the count. `table` is the name or alias of its table. With
 * `workspace`, a cluster reads only the node of this workspace.
 */
export function capCreditsUsed(
  sql: Sql,
  table: 'api_keys' | 'k',
  { now, workspace }: { now: Date; workspace: string | null },
): Fragment {
  const shared = sql`
    select ${creditsUsed(sql, 'c', now)} from api_keys c
    where c.workspace_id = ${sql(table)}.workspace_id and c.key_id = ${sql(table)}.cap_key_id${inWorkspace(sql, 'c', workspace)}`;
  return sql`case when ${sql(table)}.cap_key_id is null then ${creditsUsed(sql, table, now)} else (${shared}) end`;
}
