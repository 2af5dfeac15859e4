import type { Sql } from 'postgres';

interface Connections {
  /** Number of connections that the role of this process may open, including those in use. */
  accepted: number;
  /** The setting that limits this number. */
  limit: string;
  /** Number of other connections that count toward this limit now. */
  in_use: number;
}

/**
 * Returns a warning when a PostgreSQL server that Tidemark does not manage accepts too few connections for one more
 * process, otherwise null. `needed` is the maximum number of connections of a process. A connection pooler hides its
 * own limit, so behind it, the result is about the server.
 *
 * `is_starting`: the process of `sql` is a server or pipeline. Otherwise, connections of Tidemark are not counted,
 * because they are a part of what the running processes need.
 */
export async function connectionsWarning(
  sql: Sql,
  needed: number,
  { is_starting }: { is_starting: boolean },
): Promise<string | null> {
  const { accepted, limit, in_use } = await readConnections(sql, is_starting);
  const toRaise = `set ${limit} to at least ${needed} for each server and pipeline, and a few more for other programs`;
  const consequence = `under load, requests get 503 and jobs fail with "too many connections"`;
  if (accepted < needed)
    return `A Tidemark process opens up to ${needed} database connections, but this PostgreSQL server accepts only ${accepted} (${limit}): ${consequence}. So ${toRaise}.`;
  if (accepted - in_use < needed)
    return `A Tidemark process opens up to ${needed} database connections. This PostgreSQL server accepts ${accepted} (${limit}), and ${in_use} are in use by others: ${consequence}. Close other connections, start fewer processes, or ${toRaise}.`;
  return null;
}

/**
 * Reads the lowest limit of connections for the role of `sql`: of the server, of the role, or of the database. On a
 * Citus cluster, this is the coordinator. Leaves out the connection of `sql`, and other connections of Tidemark unless
 * `countsOwn` is true.
 */
async function readConnections(sql: Sql, countsOwn: boolean): Promise<Connections> {
  const [row] = await sql<Connections[]>`
    with role as (
      select r.rolsuper, r.rolconnlimit, d.datconnlimit, r.oid as role_id, d.oid as database_id,
        current_setting('max_connections')::int - case when r.rolsuper then 0 else
          current_setting('superuser_reserved_connections')::int
          + coalesce(current_setting('reserved_connections', true)::int, 0) end as of_server
      from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()
    ), others as (
      -- The workers of autovacuum have no role, and do not count toward these limits.
      select usesysid, datid from pg_stat_activity
      where usesysid is not null and datid is not null and pid <> pg_backend_pid()
        and (${countsOwn} or application_name !~ '^tidemark-')
    )
    select accepted, "limit", in_use from (
      select of_server as accepted, 'max_connections' as "limit", (select count(*) from others)::int as in_use from role
      union all select rolconnlimit, 'CONNECTION LIMIT of the role', (
          select count(*) from others where usesysid = role_id)::int from role where rolconnlimit >= 0 and not rolsuper
      union all select datconnlimit, 'CONNECTION LIMIT of the database', (
          select count(*) from others where datid = database_id)::int from role where datconnlimit >= 0 and not rolsuper
    ) l order by accepted - in_use limit 1`;
  if (!row) throw new Error('The database server returned no limit of connections.');
  return row;
}
