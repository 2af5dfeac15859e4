import type { Sql } from 'postgres';

/** Sessions that ran out, and links that were never used in time. */
export interface ExpiredAccess {
  sessions: number;
  verifications: number;
}

/** Removes what can no longer let anybody in; how many of each. */
export async function removeExpiredAccess(sql: Sql, now: Date): Promise<ExpiredAccess> {
  const sessions = await sql`delete from auth_sessions where expires_at <= ${now}`;
  const verifications = await sql`delete from auth_verifications where expires_at <= ${now}`;
  return { sessions: sessions.count, verifications: verifications.count };
}
