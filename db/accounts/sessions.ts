import type { Sql } from 'postgres';

/** Ends the sessions of a user except one, or only the session `only`. Returns how many ended. */
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
