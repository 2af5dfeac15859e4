import { dayMs, hourMs, weekMs } from '../durations.ts';
import { holdLock } from '../platform/lock.ts';
import { keyStores, network } from '../platform/platform.ts';
import { findImport, updateImport } from './saved.ts';
import type { SavedImport, Schedule } from './saved-import.ts';

const userProperty = 'import_user';
/** The hour of the day (UTC) at which an import with a weekly schedule is due. */
const weeklyHour = 5;
/**
 * Milliseconds by which a scheduled import may run early, because Google starts a trigger at any minute of its hour.
 */
const earlyMs = hourMs / 2;
/** A scheduled import that has not run this many milliseconds after its planned time counts as late. */
const lateMs = 3 * hourMs;

/**
 * Returns a random ID of this user, which is saved with the user's Google account. The e-mail address is not used,
 * because the add-on would need another permission to read it. The caller must hold the lock of the spreadsheet: the
 * first call creates the ID, and two first calls at the same time would create two.
 */
export function ownUserId(): string {
  const { user } = keyStores();
  const saved = user.getProperty(userProperty);
  if (saved !== null) return saved;
  const made = Math.floor(network.random() * 2 ** 52).toString(36);
  user.setProperty(userProperty, made);
  return made;
}

/** Returns true when this user set the schedule, so that it runs with this user's trigger and API key. */
export function isOwn(schedule: Schedule | null): boolean {
  return schedule !== null && schedule.by === keyStores().user.getProperty(userProperty);
}

/**
 * Returns the time, in Unix ms, at which a scheduled import runs next. The time is approximate, because Google chooses
 * the minute.
 */
export function nextRun({ every_hours, weekday, last_ms }: Schedule): number {
  if (every_hours < 168) return last_ms + every_hours * hourMs;
  const day = Math.floor(last_ms / dayMs) * dayMs;
  const days = Array.from({ length: 8 }, (_, index) => day + index * dayMs + weeklyHour * hourMs);
  return days.find((time) => time > last_ms + earlyMs && new Date(time).getUTCDay() === weekday) ?? last_ms + weekMs;
}

/**
 * Returns true when a scheduled import of this user is due, or will be due so soon that an early trigger may run it.
 */
export function isDue({ schedule }: SavedImport): boolean {
  return schedule !== null && isOwn(schedule) && network.now() >= nextRun(schedule) - earlyMs;
}

/**
 * Reserves a scheduled import for this execution of a trigger. Returns false when the import is no longer due: another
 * execution ran it, or a user deleted it or changed its schedule in the meantime.
 */
export function claimDue(id: string): boolean {
  return holdLock(() => {
    const saved = findImport(id);
    if (saved === null || saved.schedule === null || !isDue(saved)) return false;
    updateImport(id, { schedule: { ...saved.schedule, last_ms: network.now() } });
    return true;
  });
}

/** Returns a sentence for the user about a schedule that seems to have stopped; null when the schedule works. */
export function lateSentence({ schedule }: SavedImport): string | null {
  if (schedule === null || network.now() < nextRun(schedule) + lateMs) return null;
  const since = new Date(schedule.last_ms).toISOString().slice(0, 16).replace('T', ' ');
  const whose = isOwn(schedule)
    ? 'Perhaps Google needs your permission again, or your time for triggers is used up.'
    : 'The user who scheduled it may have left or lost access.';
  return `This import has not run on its schedule since ${since} UTC. ${whose} Choose “Schedule with my account” to start it again.`;
}
