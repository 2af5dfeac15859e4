import type { Sql } from 'postgres';
import { type Allowance, throttleMember } from '../../../db/accounts/throttle.ts';

/**
 * Limits the imports and pushes that users start by hand, because all workspaces share the requests that Google allows
 * to the service account: 60 reads and 60 writes a minute.
 */
const startsByHand: Allowance = { limit: 20, window_seconds: 600 };

/**
 * Counts an import or push that a user starts by hand. Returns one sentence for the user after too many of them, else
 * null.
 */
export async function tooManyStarts(
  { db, now }: { db: { sql: Sql }; now: () => Date },
  visitor: { workspace_id: string; user_id: string },
): Promise<string | null> {
  const wait = await throttleMember(db.sql, 'sheet starts', visitor, startsByHand, now());
  if (wait === null) return null;
  return `You can start imports, and writing to Google Sheets, ${startsByHand.limit} times by hand in 10 minutes. Try again in ${Math.ceil(wait / 60)} min.`;
}
