import type { CampaignItem, MissedCheck } from '../../db/campaigns/reports.ts';
import { dayMs } from '../../db/durations.ts';
import type { Observed } from '../../db/observations/observed.ts';
import { dayStart, type Window } from './period.ts';
import { isInside } from './values.ts';

/**
 * Consecutive days (UTC) on which no numbers of an item were observed, all for the same cause. Times are Unix ms, and
 * the end `to` is exclusive.
 */
export interface Gap {
  from: number;
  to: number;
  /**
   * Why no numbers were observed: the outcome of the day's last check, `NOT_TRACKED` before the item was added, or
   * `NOT_CHECKED` when there was no check.
   */
  cause: string;
}

export interface Presence {
  /** Number of days on which the item should have been checked. Days before the item was added do not count. */
  expected: number;
  /** Number of days on which numbers of the item were observed at least once. */
  observed: number;
  gaps: Gap[];
}

/**
 * Returns how many days of the period have observed numbers of an item, and the gaps (days without numbers). Ignores
 * today until it has an observation, because today's check may still come.
 */
export function presenceOf(
  item: Pick<CampaignItem, 'created_at'>,
  observations: readonly Observed[],
  missed: readonly MissedCheck[],
  window: Window,
  now: number,
): Presence {
  const observedDays = new Set(
    observations.filter((row) => isInside(row, window)).map((row) => dayStart(row.observed_at.getTime())),
  );
  const outcomes = new Map(missed.map(({ attempted_at, outcome }) => [dayStart(attempted_at.getTime()), outcome]));
  const trackedFrom = dayStart(item.created_at.getTime());
  const presence: Presence = { expected: 0, observed: 0, gaps: [] };
  for (let day = dayStart(window.from); day < window.to; day += dayMs) {
    if (observedDays.has(day)) {
      presence.expected += 1;
      presence.observed += 1;
    } else if (day + dayMs <= now) {
      const untracked = day < trackedFrom;
      if (!untracked) presence.expected += 1;
      addDay(presence.gaps, day, untracked ? 'NOT_TRACKED' : (outcomes.get(day) ?? 'NOT_CHECKED'));
    }
  }
  return presence;
}

function addDay(gaps: Gap[], day: number, cause: string): void {
  const last = gaps.at(-1);
  if (last?.to === day && last.cause === cause) last.to = day + dayMs;
  else gaps.push({ from: day, to: day + dayMs, cause });
}
