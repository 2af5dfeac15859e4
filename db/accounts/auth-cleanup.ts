import type { Sql } from 'postgres';

/** The number of expired sessions and the number of expired sign-in links that were deleted. */
interface ExpiredAccess {
  sessions: number;
  verifications: number;
}

/** Deletes expired sessions and sign-in links. Returns how many of each were deleted. */
export async function removeExpiredAccess(sql: Sql, now: Date): Promise<ExpiredAccess> {
  const sessions = await sql`delete from auth_sessions where expires_at <= ${now}`;
  const verifications = await sql`delete from auth_verifications where expires_at <= ${now}`;
  return { sessions: sessions.count, verifications: verifications.count };
}
