import type { Sql } from 'postgres';

export interface SessionRow {
  session_id: string;
  created_at: Date;
  /** The last use of the session, accurate to one hour, because it is stored at most once an hour. */
  last_used_at: Date;
  address: string | null;
  user_agent: string | null;
}

/** Returns the open sessions of a user, the most recently used first. */
export async function listSessions(sql: Sql, userId: string, now: Date): Promise<SessionRow[]> {
  return sql<SessionRow[]>`
    select id as session_id, created_at, updated_at as last_used_at, ip_address as address, user_agent
    from auth_sessions where user_id = ${userId} and expires_at > ${now} order by updated_at desc, id`;
}

/** Stores the current time as the last use of a session, at most once an hour. */
export async function touchSession(sql: Sql, sessionId: string, now: Date): Promise<void> {
  await sql`
    update auth_sessions set updated_at = ${now}
    where id = ${sessionId} and updated_at < ${now}::timestamptz - interval '1 hour'`;
}

/**
 * Ends sessions of a user: all except the session `except`, or only the session `only`. Returns how many were ended.
 */
export async function endSessions(
  sql: Sql,
  userId: string,
  which: { except: string } | { only: string },
): Promise<number> {
  const ended =
    'only' in which
      ? await sql`delete from auth_sessions where user_id = ${userId} and id = ${which.only}`
      : await sql`delete from auth_sessions where user_id = ${userId} and id <> ${which.except}`;
  return ended.count;
}
