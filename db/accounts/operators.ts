import type { Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';

/** Makes the user with this email address an operator of the server; returns false when no user has this address. */
export async function addOperator(sql: Sql, email: string): Promise<boolean> {
  const rows = await sql`
    insert into operators (user_id) select id from auth_users where email = ${email.toLowerCase()}
    on conflict (user_id) do update set user_id = excluded.user_id returning user_id`;
  return rows.length === 1;
}

/** Ends the operator rights of the user with this email address. Returns false when the user was not an operator. */
export async function removeOperator(sql: Sql, email: string): Promise<boolean> {
  const { count } = await sql`
    delete from operators where user_id in (select id from auth_users where email = ${email.toLowerCase()})`;
  return count === 1;
}

/**
 * Returns the users who may open the pages for operators, sorted by email address. `since` is the time from which the
 * user has been an operator.
 */
export async function listOperators(sql: Sql): Promise<{ email: string; since: Date }[]> {
  return sql<{ email: string; since: Date }[]>`
    select u.email, o.created_at as since from operators o join auth_users u on u.id = o.user_id order by u.email`;
}

/** One row of the list of all workspaces that operators see on the Admin page. */
export interface AdminRow {
  workspace_id: string;
  name: string;
  tier: string;
  created_at: Date;
  balance: number;
  people: number;
  owner: string | null;
  tracked_items: number;
  /**
   * Number of API requests of the workspace in the last 30 days. `credits` is the number of credits charged for these
   * requests.
   */
  requests: number;
  credits: number;
  /** Time of the last request with an API key of the workspace; null when no key was ever used. */
  last_used_at: Date | null;
}

export const adminPageSize = 50;

/**
 * Returns one page of the workspaces whose name, id or member's email matches `search`, newest first. `total` is the
 * number of all matching workspaces.
 */
export async function searchWorkspaces(
  sql: Sql,
  { search, page, since }: { search: string; page: number; since: Date },
): Promise<{ rows: AdminRow[]; total: number }> {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  if (isDistributed(sql)) return searchNodes(sql, search, pattern, { page, since });
  const rows = await sql<(AdminRow & { total: number })[]>`
    with found as (
      select w.workspace_id, w.name, w.tier, w.created_at, count(*) over ()::int as total
      from workspaces w
      where ${search} = '' or w.name ilike ${pattern} or w.workspace_id::text = lower(${search}) or exists (
        select from members m join auth_users u on u.id = m.user_id
        where m.workspace_id = w.workspace_id and u.email ilike ${pattern})
      order by w.created_at desc, w.workspace_id
      limit ${adminPageSize} offset ${(page - 1) * adminPageSize}
    )
    select f.*, b.balance,
      (select count(*)::int from members m where m.workspace_id = f.workspace_id) as people,
      (select u.email from members m join auth_users u on u.id = m.user_id
        where m.workspace_id = f.workspace_id order by m.role <> 'owner', m.created_at limit 1) as owner,
      (select count(*)::int from tracked_items t where t.workspace_id = f.workspace_id) as tracked_items,
      (select max(k.last_used_at) from api_keys k where k.workspace_id = f.workspace_id) as last_used_at,
      coalesce(g.requests, 0)::int as requests, coalesce(g.credits, 0)::int as credits
    from found f join credit_balances b on b.workspace_id = f.workspace_id
    left join lateral (
      select sum(d.requests) as requests, sum(d.credits) as credits from usage d
      where d.workspace_id = f.workspace_id and d.day >= ${since}::date
    ) g on true
    order by f.created_at desc, f.workspace_id`;
  return { rows, total: rows[0]?.total ?? 0 };
}

// Searches workspaces in a distributed database (Citus). First finds the workspaces on all nodes, then reads the
// numbers of each workspace on its own node.
async function searchNodes(
  sql: Sql,
  search: string,
  pattern: string,
  { page, since }: { page: number; since: Date },
): Promise<{ rows: AdminRow[]; total: number }> {
  const people = await sql<{ workspace_id: string }[]>`
    select distinct m.workspace_id from members m join auth_users u on u.id = m.user_id where u.email ilike ${pattern}`;
  const found = await sql<{ workspace_id: string; total: number }[]>`
    select workspace_id, count(*) over ()::int as total from workspaces
    where ${search} = '' or name ilike ${pattern} or workspace_id::text = lower(${search})
      or workspace_id = any(${people.map(({ workspace_id }) => workspace_id)}::uuid[])
    order by created_at desc, workspace_id limit ${adminPageSize} offset ${(page - 1) * adminPageSize}`;
  const rows = await Promise.all(found.map(({ workspace_id }) => readAdminRow(sql, workspace_id, since)));
  return { rows: rows.filter((row) => row !== null), total: found[0]?.total ?? 0 };
}

async function readAdminRow(sql: Sql, id: string, since: Date): Promise<AdminRow | null> {
  const [row] = await sql<AdminRow[]>`
    select w.workspace_id, w.name, w.tier, w.created_at, b.balance,
      (select count(*)::int from members where workspace_id = ${id}) as people,
      (select u.email from members m join auth_users u on u.id = m.user_id
        where m.workspace_id = ${id} order by m.role <> 'owner', m.created_at limit 1) as owner,
      (select count(*)::int from tracked_items where workspace_id = ${id}) as tracked_items,
      (select max(last_used_at) from api_keys where workspace_id = ${id}) as last_used_at,
      (select coalesce(sum(requests), 0)::int from usage where workspace_id = ${id} and day >= ${since}::date) as requests,
      (select coalesce(sum(credits), 0)::int from usage where workspace_id = ${id} and day >= ${since}::date) as credits
    from workspaces w join credit_balances b on b.workspace_id = w.workspace_id where w.workspace_id = ${id}`;
  return row ?? null;
}
