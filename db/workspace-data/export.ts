import type { Sql } from 'postgres';
import { nextObservations, type ObservationPosition } from '../observations/all-observations.ts';
import type { ExportPart } from './export-parts.ts';

export type ExportRecord = Record<string, unknown>;

const usualPageSize = 1_000;

/** Returns a workspace with its balance, settings and members, for its export; null when it does not exist. */
export async function exportWorkspace(sql: Sql, workspaceId: string): Promise<ExportRecord | null> {
  const [row] = await sql<ExportRecord[]>`
    select w.workspace_id, w.name, w.email, w.tier, w.created_at, b.balance, coalesce(s.paused, false) as paused,
      s.monthly_cap, s.cap_month, coalesce(s.cap_used, 0) as cap_used, s.low_balance_alert, s.low_balance_mailed_at,
      array(select json_build_object('name', u.name, 'email', u.email, 'role', m.role, 'since', m.created_at)
        from members m join auth_users u on u.id = m.user_id
        where m.workspace_id = w.workspace_id order by m.created_at) as members
    from workspaces w
    join credit_balances b on b.workspace_id = w.workspace_id
    left join work_settings s on s.workspace_id = w.workspace_id
    where w.workspace_id = ${workspaceId}`;
  return row ?? null;
}

/**
 * Returns the records of one kind in pages, sorted by their key, for the export of a workspace. No database connection
 * is in use while the client receives a page.
 */
export async function* exportPages(sql: Sql, workspaceId: string, part: ExportPart): AsyncGenerator<ExportRecord[]> {
  const { page_size = usualPageSize } = part;
  let last: ExportRecord | undefined;
  do {
    const page = await pageAfter(sql, workspaceId, { ...part, page_size }, last);
    if (page.length > 0) yield page;
    last = page.length < page_size ? undefined : page.at(-1);
  } while (last !== undefined);
}

function pageAfter(sql: Sql, workspaceId: string, part: Required<ExportPart>, last: ExportRecord | undefined) {
  const { table, fields, key, page_size } = part;
  if (table === 'observations') {
    const after = (last ?? null) as (ExportRecord & ObservationPosition) | null;
    return sql<ExportRecord[]>`${nextObservations(sql, workspaceId, { after, limit: page_size })}`;
  }
  const values = key.map((name, index) =>
    index === 0 ? sql`${last?.[name] as string}` : sql`, ${last?.[name] as string}`,
  );
  const afterLast = last === undefined ? sql`` : sql`and (${sql([...key])}) > (${values})`;
  return sql<ExportRecord[]>`
    select ${sql([...fields])} from ${sql(table)}
    where workspace_id = ${workspaceId} ${afterLast} order by ${sql([...key])} limit ${page_size}`;
}
