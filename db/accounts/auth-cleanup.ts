import type { Sql } from 'postgres';
import { deleteOld } from '../delete-old.ts';

/** The numbers of expired sessions and expired sign-in links that were deleted. */
interface ExpiredAccess {
  sessions: number;
  verifications: number;
}

/** Deletes expired sessions and sign-in links. Returns how many of each were deleted. */
export async function removeExpiredAccess(sql: Sql, now: Date): Promise<ExpiredAccess> {
  return {
    sessions: await deleteOld(sql, 'auth_sessions', sql`expires_at <= ${now}`),
    verifications: await deleteOld(sql, 'auth_verifications', sql`expires_at <= ${now}`),
  };
}
