import type { Sql } from 'postgres';
import { deleteOld } from '../delete-old.ts';
import { digestId } from '../ids.ts';

export interface Allowance {
  /** Maximum amount per time window, such as a number of sign-in attempts. */
  limit: number;
  window_seconds: number;
}

/** Maximum stored count, so that a count never overflows its column. */
const maxUsed = 2_000_000_000;

/**
 * Adds 1 (such as one sign-in attempt) or `amount` to the counter `name`. Returns null when the counter is within its
 * limit, otherwise the number of seconds to wait. Ignores a stored window that ends more than one window length after a
 * window that begins now, because the clock must have been set back. Smaller differences are allowed, because the
 * clocks of processes differ.
 */
export async function throttle(
  sql: Sql,
  name: string,
  allowance: Allowance,
  now: Date,
  amount = 1,
): Promise<number | null> {
  const windowMs = allowance.window_seconds * 1000;
  const [endsAt, latestEnd] = [new Date(now.getTime() + windowMs), new Date(now.getTime() + 2 * windowMs)];
  const isOver = sql`(throttles.ends_at <= ${now} or throttles.ends_at > ${latestEnd})`;
  const [row] = await sql<{ used: number; ends_at: Date }[]>`
    insert into throttles (bucket, ends_at, used) values (${digestId(name)}, ${endsAt}, ${amount})
    on conflict (bucket) do update set
      used = case when ${isOver} then excluded.used
        else least(throttles.used, ${maxUsed}) + excluded.used end,
      ends_at = case when ${isOver} then excluded.ends_at else throttles.ends_at end
    returning used, ends_at`;
  if (!row || row.used <= allowance.limit) return null;
  return Math.max(1, Math.ceil((row.ends_at.getTime() - now.getTime()) / 1000));
}

/**
 * Counts one attempt of a user in a workspace under `name`, for the workspace and for the user: a user can have many
 * workspaces. Returns null when both allow it, else the number of seconds to wait.
 */
export async function throttleMember(
  sql: Sql,
  name: string,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
  allowance: Allowance,
  now: Date,
): Promise<number | null> {
  return (
    (await throttle(sql, `${name} by ${user_id}`, allowance, now)) ??
    (await throttle(sql, `${name} ${workspace_id}`, allowance, now))
  );
}

/** Forgets the attempts that were counted under `name`. */
export async function forgetAttempts(sql: Sql, name: string): Promise<void> {
  await sql`delete from throttles where bucket = ${digestId(name)}`;
}

/** Deletes the attempt counters whose time window has ended. Returns the number of deleted counters. */
export function removeThrottles(sql: Sql, now: Date): Promise<number> {
  return deleteOld(sql, 'throttles', sql`ends_at <= ${now}`);
}
