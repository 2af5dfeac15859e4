import type { Fragment, Sql } from 'postgres';
import { dayOf } from '../calendar.ts';
import { inPortions } from '../delete-old.ts';
import { isDistributed } from '../distribution/distributed.ts';
import { clockDifferenceMs, dayMs, hourMs } from '../durations.ts';

/**
 * A stored time that delays later work while it is in the future. `at` is the time of the event that the row describes.
 * `until` is a time that was computed from `at`, such as the end of a session.
 */
interface FutureTime {
  table: string;
  at: string;
  until?: string;
  /** Milliseconds by which `at` may be in the future. Default: one hour. */
  ahead_ms?: number;
}

/** Longest time in milliseconds by which a failed message is postponed, see `mailDelaysS`. */
const longestPostponementMs = dayMs;

// A tracked item whose check has a time in the future counts as checked now, so that its next check is 24 hours from
// now: the real time of the check is not known, but it was not later than now. For the same reason, answers for an
// Idempotency-Key count as stored now.
const futureTimes: readonly FutureTime[] = [
  { table: 'tracked_items', at: 'last_attempt_at' },
  { table: 'tracked_items', at: 'retry_at', ahead_ms: clockDifferenceMs + hourMs },
  { table: 'removed_attempts', at: 'last_attempt_at' },
  { table: 'removed_items', at: 'removed_at' },
  { table: 'item_pictures', at: 'kept_at' },
  { table: 'alerts', at: 'attempted_at' },
  { table: 'notifications', at: 'created_at', until: 'next_at' },
  { table: 'notifications', at: 'next_at', ahead_ms: clockDifferenceMs + longestPostponementMs },
  { table: 'webhook_deliveries', at: 'created_at' },
  { table: 'sheet_targets', at: 'last_pushed_at' },
  { table: 'sheet_import_runs', at: 'started_at' },
  { table: 'replays', at: 'created_at' },
  { table: 'buffered_pages', at: 'created_at' },
  { table: 'invitations', at: 'created_at', until: 'expires_at' },
  { table: 'auth_sessions', at: 'updated_at', until: 'expires_at' },
  { table: 'auth_verifications', at: 'created_at', until: 'expires_at' },
  { table: 'oauth_access_tokens', at: 'created_at', until: 'expires_at' },
  { table: 'oauth_refresh_tokens', at: 'created_at', until: 'expires_at' },
];

/** Rows that were written while a clock was ahead, and how they are corrected. */
interface Correction {
  table: string;
  isWrong: Fragment;
  /** The new values. Null: the rows are deleted. */
  change: Fragment | null;
}

/** Returns the number of rows by table that {@link correctFutureTimes} would correct. Leaves out tables without any. */
export function countFutureTimes(sql: Sql, now: Date): Promise<Record<string, number>> {
  return byTable(correctionsOf(sql, now), async ({ table, isWrong }) => {
    const [row] = await sql<{ rows: number }[]>`select count(*)::int as rows from ${sql(table)} where ${isWrong}`;
    return row?.rows ?? 0;
  });
}

/**
 * Corrects stored times in the future, which exist after the clock of a server was ahead and was set back. Otherwise,
 * checks, messages and imports would wait until the clock shows these times again, and sessions would live longer.
 * Campaigns that ended too early continue, and reports of weeks that are not over are deleted.
 *
 * Call this only when the clock is known to be right: a clock that is behind makes all stored times seem to be in the
 * future. Returns the number of corrected rows by table.
 */
export function correctFutureTimes(sql: Sql, now: Date): Promise<Record<string, number>> {
  return byTable(correctionsOf(sql, now), async ({ table, isWrong, change }) => {
    const action = change === null ? sql`delete from ${sql(table)}` : sql`update ${sql(table)} set ${change}`;
    if (isDistributed(sql)) return (await sql`${action} where ${isWrong}`).count;
    return inPortions(
      (limit) => sql`
        ${action} where ctid = any(array(
          select ctid from ${sql(table)} where ${isWrong} limit ${limit} for no key update skip locked))`,
    );
  });
}

async function byTable(corrections: Correction[], rowsOf: (of: Correction) => Promise<number>) {
  const counts: Record<string, number> = {};
  for (const correction of corrections) {
    const rows = await rowsOf(correction);
    if (rows > 0) counts[correction.table] = (counts[correction.table] ?? 0) + rows;
  }
  return counts;
}

// The imports come before their runs, because the times of the runs show which imports ran in the future.
function correctionsOf(sql: Sql, now: Date): Correction[] {
  const latest = new Date(now.getTime() + clockDifferenceMs);
  const isAfterToday = sql`status = 'ended' and ends_on > ${dayOf(now.getTime())}`;
  return [
    nextRuns(sql, now, latest),
    ...futureTimes.map((time) => correctionOf(sql, time, now)),
    { table: 'campaigns', isWrong: isAfterToday, change: sql`status = 'active'` },
    { table: 'reports', isWrong: sql`period_end > ${latest}`, change: null },
  ];
}

// Converts times to UTC and back, because Citus refuses functions whose result depends on the time zone.
function correctionOf(sql: Sql, { table, at, until, ahead_ms }: FutureTime, now: Date): Correction {
  const latest = new Date(now.getTime() + (ahead_ms ?? clockDifferenceMs));
  const movesUntil =
    until === undefined
      ? sql``
      : sql`${sql(until)} = (${sql(until)} at time zone 'UTC' - (${sql(at)} at time zone 'UTC'
          - ${now}::timestamptz at time zone 'UTC')) at time zone 'UTC',`;
  const change = sql`${movesUntil} ${sql(at)} = ${now}`;
  return { table, isWrong: sql`${sql(at)} > ${latest}::timestamptz`, change };
}

/**
 * Moves the next run of sheet imports that ran while the clock was ahead to the first time of their schedule after now.
 * Imports whose next run a user has set to a later time did not run in the future, and are left as they are.
 */
function nextRuns(sql: Sql, now: Date, latest: Date): Correction {
  return {
    table: 'sheet_imports',
    isWrong: sql`extract(epoch from next_run_at - ${now}::timestamptz) > every_seconds and exists (
      select from sheet_import_runs r where r.workspace_id = sheet_imports.workspace_id
        and r.import_id = sheet_imports.import_id and r.trigger = 'schedule' and r.started_at > ${latest})`,
    change: sql`next_run_at = ((next_run_at at time zone 'UTC') - every_seconds * interval '1 second'
      * ceil(extract(epoch from next_run_at - ${now}::timestamptz) / every_seconds - 1)) at time zone 'UTC'`,
  };
}
