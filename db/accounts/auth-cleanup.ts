import type { Sql } from 'postgres';

/** Numbers of removed sessions and sign-in links. */
export interface ExpiredAccess {
  sessions: number;
  verifications: number;
}

/** Removes expired sessions and sign-in links; returns the number of each. */
export async function removeExpiredAccess(sql: Sql, now: Date): Promise<ExpiredAccess> {
  const sessions = await sql`delete from auth_sessions where expires_at <= ${now}`;
  const verifications = await sql`delete from auth_verifications where expires_at <= ${now}`;
  return { sessions: sessions.count, verifications: verifications.count };
}
