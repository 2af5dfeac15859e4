import { html } from 'hono/html';
import { dayMs, minuteMs } from '../../../db/durations.ts';
import type { Tier } from '../../../db/tier.ts';
import type { TrackedItem } from '../../../db/tracking/items.ts';
import type { MainMetric } from '../../../db/tracking/recent-history.ts';
import { causeLabels } from '../../../pipeline/report/notes.ts';
import { dayStart } from '../../../pipeline/report/period.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import type { Piece } from '../ui/components.ts';

const minutesPerHour = 60;
const hoursPerDay = 24;

/**
 * Returns the name of a tracked item on its platform. While the name is unknown, returns the handle or id with which
 * the item was added.
 */
export function itemName({ name, identifier }: { name: string | null; identifier: string }): string {
  return name ?? identifier;
}

/**
 * Returns the main metric of a tracked item, which lists show: followers of accounts, likes of Instagram posts, views
 * of videos.
 */
export function mainMetric({ platform, kind }: { platform: string; kind: string }): MainMetric {
  if (kind === 'profile' || kind === 'channel') return 'followers';
  return platform === 'photo' ? 'likes' : 'views';
}

const outcomeLabels: Readonly<Record<string, string>> = {
  OK: 'successful',
  INTERNAL: 'failed on our side',
  INVALID_INPUT: 'the platform does not accept this link',
  NOT_TRACKED: 'not tracked yet',
};

/** Returns a label for the outcome of a tracking check, in lower case. */
export function outcomeLabel(outcome: string): string {
  return outcomeLabels[outcome] ?? causeLabels[outcome] ?? outcome.toLowerCase().replaceAll('_', ' ');
}

/** Returns a waiting time as text such as "5 h 12 min". The minimum is "1 min". */
export function formatWait(waitMs: number): string {
  const minutes = Math.max(1, Math.ceil(waitMs / minuteMs));
  const hours = Math.floor(minutes / minutesPerHour);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % minutesPerHour} min`;
}

/** Returns the earliest time at which a tracked item can be checked again. Returns null when it can be checked now. */
export function nextFreeCheck({ last_attempt_at }: Pick<TrackedItem, 'last_attempt_at'>, now: Date): Date | null {
  if (last_attempt_at === null) return null;
  const freeAt = new Date(last_attempt_at.getTime() + hoursPerDay * minutesPerHour * minuteMs);
  return freeAt > now ? freeAt : null;
}

type Scheduled = Pick<TrackedItem, 'status' | 'last_attempt_at' | 'check_minute' | 'created_at'> & {
  retry_at: Date | null;
};

/**
 * Returns the time of the next automatic check of a tracked item. Returns null when the item is paused or the tier has
 * no automatic checks.
 */
export function nextCheck(item: Scheduled, tier: Tier, now: Date): Date | null {
  if (!tiers[tier].daily_checks || item.status === 'paused') return null;
  const due = item.last_attempt_at ? item.last_attempt_at.getTime() + dayMs : firstCheck(item, now);
  return new Date(Math.max(due, item.retry_at?.getTime() ?? 0, now.getTime()));
}

/**
 * Returns when the first check of a tracked item is due: on the day when the item was added, at its `check_minute` of
 * the day. A time in the past means that the check is due now.
 */
function firstCheck({ check_minute, created_at }: Scheduled, now: Date): number {
  return dayStart(Math.min(created_at.getTime(), now.getTime())) + check_minute * minuteMs;
}

type CountedLimit = 'tracked_items' | 'tracking_lists' | 'history_days';

/** Returns a sentence that lists the tiers whose limit of this kind is higher. */
export function upgradeText(tier: Tier, limit: CountedLimit, things: string): string {
  const own = tiers[tier];
  const more = Object.values(tiers).filter((other) => other[limit] > own[limit]);
  if (more.length === 0) return `${own[limit]} ${things} is the maximum.`;
  const named = own[limit] === 1 ? things.replace(/s$/, '') : things;
  const offers = more.map((other) => `${other.name} ${other[limit]}`);
  return `${own.name} has ${own[limit]} ${named}. Higher tiers: ${offers.join(', ')}.`;
}

/**
 * Returns the sentence of {@link upgradeText} with a link to the page that compares the tiers and says how to change
 * them.
 */
export function upgradeHint(tier: Tier, limit: CountedLimit, things: string): Piece {
  const compare = tier === 'ultra' ? null : html` <a href="/prices">Compare tiers</a>`;
  return html`${upgradeText(tier, limit, things)}${compare}`;
}
