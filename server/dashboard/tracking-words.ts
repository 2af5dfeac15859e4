import { html } from 'hono/html';
import type { Tier } from '../../db/admission.ts';
import type { Metric } from '../../db/checks.ts';
import type { TrackedItem } from '../../db/tracking.ts';
import { causeWords } from '../../pipeline/report-notes.ts';
import { day_ms, dayStart } from '../../pipeline/report-period.ts';
import { tiers } from '../../pipeline/tiers.ts';
import type { Piece } from './ui.ts';

const minute_ms = 60_000;
const minutes_an_hour = 60;
const hours_a_day = 24;

const kindNames: Readonly<Record<string, string>> = {
  'photo profile': 'Photo profile',
  'photo post': 'Photo post',
  'shortvideo profile': 'Short-video profile',
  'shortvideo video': 'Short video',
  'longvideo channel': 'Long-video channel (preview)',
  'longvideo video': 'Long video',
};

/** What an item is, as people say it. */
export function kindName({ platform, kind }: { platform: string; kind: string }): string {
  return kindNames[`${platform} ${kind}`] ?? `${platform} ${kind}`;
}

/** The name of an item: what the platform calls it, else what it was added by. */
export function itemName({ name, identifier }: { name: string | null; identifier: string }): string {
  return name ?? identifier;
}

/** The one number that a list shows of an item: followers of accounts, likes of photo posts, views of videos. */
export function mainMetric({ platform, kind }: { platform: string; kind: string }): Metric {
  if (kind === 'profile' || kind === 'channel') return 'followers';
  return platform === 'photo' ? 'likes' : 'views';
}

/** `total_views` as "Total views". */
export function metricName(metric: Metric): string {
  return `${metric[0]?.toUpperCase()}${metric.slice(1).replaceAll('_', ' ')}`;
}

const otherOutcomes: Readonly<Record<string, string>> = {
  OK: 'observed',
  INTERNAL: 'an error of ours, which was noted',
  INVALID_INPUT: 'the source does not take this address',
  NOT_TRACKED: 'not tracked yet',
};

/** What came of a check, in words without a capital. */
export function outcomeWords(outcome: string): string {
  return otherOutcomes[outcome] ?? causeWords[outcome] ?? outcome.toLowerCase().replaceAll('_', ' ');
}

/** A time to wait as "5 h 12 min", never less than a minute. */
export function waitWords(wait_ms: number): string {
  const minutes = Math.max(1, Math.ceil(wait_ms / minute_ms));
  const hours = Math.floor(minutes / minutes_an_hour);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % minutes_an_hour} min`;
}

/** From when on an item may be attempted again; null when it may be now. */
export function freeAt({ last_attempt_at }: Pick<TrackedItem, 'last_attempt_at'>, now: Date): Date | null {
  if (last_attempt_at === null) return null;
  const free_at = new Date(last_attempt_at.getTime() + hours_a_day * minutes_an_hour * minute_ms);
  return free_at > now ? free_at : null;
}

type Scheduled = Pick<TrackedItem, 'status' | 'last_attempt_at' | 'check_minute'> & { retry_at: Date | null };

/** When the schedule checks an item next; null when nobody but a person does. */
export function nextCheck(item: Scheduled, tier: Tier, now: Date): Date | null {
  if (!tiers[tier].daily_checks || item.status === 'paused') return null;
  const due = item.last_attempt_at ? item.last_attempt_at.getTime() + day_ms : firstCheck(item.check_minute, now);
  return new Date(Math.max(due, item.retry_at?.getTime() ?? 0, now.getTime()));
}

/** The item's minute of this day: one that has passed is made up at once. */
function firstCheck(check_minute: number, now: Date): number {
  return dayStart(now.getTime()) + check_minute * minute_ms;
}

type CountedLimit = 'tracked_items' | 'tracking_lists' | 'history_days';

/** Which packs have more of something, as a sentence; what to say instead where none has. */
export function whatRaises(tier: Tier, limit: CountedLimit, things: string): string {
  const own = tiers[tier];
  const more = Object.values(tiers).filter((other) => other[limit] > own[limit]);
  if (more.length === 0) return `No tier has more than ${own[limit]} ${things}.`;
  const named = own[limit] === 1 ? things.replace(/s$/, '') : things;
  const offers = more.map((other) => `${other.name} ${other[limit]}`);
  return `${own.name} has ${own[limit]} ${named}; with a pack: ${offers.join(', ')}.`;
}

/** The same with the way to the packs, where there is one to buy. */
export function raiseHint(tier: Tier, limit: CountedLimit, things: string): Piece {
  const packs = tier === 'ultra' ? null : html` <a href="/dashboard/credits">Packs</a>`;
  return html`${whatRaises(tier, limit, things)}${packs}`;
}
