import type { CampaignItem, MissedCheck, Observed } from '../../db/campaigns/reports.ts';
import { dayMs, dayStart, type Window } from './period.ts';
import { isInside } from './values.ts';

/** Days (UTC) without an observation, Unix ms, `to` exclusive. */
export interface Gap {
  from: number;
  to: number;
  /** The outcome of the last attempt of these days; `NOT_TRACKED` before the item was added, `NOT_CHECKED` when nothing was attempted. */
  cause: string;
}

export interface Presence {
  /** Days on which an observation could have been made. */
  expected: number;
  /** Days on which one was. */
  observed: number;
  gaps: Gap[];
}

/** Which days of the window an item was observed on. The day that still runs counts only once it is observed. */
export function presenceOf(
  item: Pick<CampaignItem, 'created_at'>,
  observations: readonly Observed[],
  missed: readonly MissedCheck[],
  window: Window,
  now: number,
): Presence {
  const seen = new Set(
    observations.filter((one) => isInside(one, window)).map((one) => dayStart(one.observed_at.getTime())),
  );
  const outcomes = new Map(missed.map(({ attempted_at, outcome }) => [dayStart(attempted_at.getTime()), outcome]));
  const trackedFrom = dayStart(item.created_at.getTime());
  const presence: Presence = { expected: 0, observed: 0, gaps: [] };
  for (let day = dayStart(window.from); day < window.to; day += dayMs) {
    if (seen.has(day)) {
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
