import { html } from 'hono/html';
import type { BatchKind } from '../../../db/deliveries/batches.ts';
import type { SheetImport } from '../../../db/deliveries/sheet-imports.ts';
import { daySeconds } from '../../../db/durations.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { maxAges, schedules } from '../../../pipeline/sheets/import-settings.ts';
import { sourcedRoute } from '../../data/sourced-route.ts';
import { count, type Piece } from '../ui/components.ts';

const periodDays = 30;
const periodSeconds = periodDays * daySeconds;

const price = {
  profile: sourcedRoute('/v1/photo/profile').cost,
  posts: sourcedRoute('/v1/photo/posts').cost,
  videos: sourcedRoute('/v1/longvideo/channel/videos').cost,
  /** Credits for the videos of a YouTube channel whose ID must be looked up first. */
  found_videos: sourcedRoute('/v1/longvideo/channel/videos').cost + sourcedRoute('/v1/longvideo/channel').cost,
};

/** Maximum credits that one row of a sheet import costs. */
const maxPerRow: Readonly<Record<BatchKind, number>> = {
  profiles: price.profile,
  posts: sourcedRoute('/v1/photo/post').cost,
  latest_posts: price.found_videos,
};

/** Says what fetching profiles, posts and latest posts costs. */
export const fetchPrices = `${quantity(price.profile, 'credit')} for each profile or post that is fetched. Latest posts: ${quantity(price.posts, 'credit')} for each profile, ${price.videos} or ${price.found_videos} on YouTube.`;

/**
 * Returns how often a row can be fetched in 30 days: at most once in each run, and not while the cached answer is
 * younger than the maximum age. Returns null for an import without a schedule.
 */
function fetchesInPeriod(everySeconds: number | null, maxAgeSeconds: number): number | null {
  return everySeconds === null ? null : Math.ceil(periodSeconds / Math.max(everySeconds, maxAgeSeconds));
}

const scheduleNames = { hourly: 'every hour', six_hours: 'every 6 hours', daily: 'every day', weekly: 'every week' };

/** Returns the hint below the schedule of a sheet import: the price, and the maximum cost of one profile in 30 days. */
export function costHint(): Piece {
  const most = (schedule: string, age: string) => fetchesInPeriod(schedules[schedule] ?? null, maxAges[age] ?? 0);
  const each = Object.entries(scheduleNames).map(([schedule, name]) => `${count(most(schedule, 'new'))} ${name}`);
  return html`<p class="hint"><b>Cost:</b> ${fetchPrices} If you always get new data, one profile or post costs at most this many credits in ${periodDays} days: ${each.join(', ')}. With a maximum age of 1 day, it is at most ${count(most('hourly', '1d'))}; of 7 days, at most ${count(most('hourly', '7d'))}. Latest posts cost up to ${maxPerRow.latest_posts} times as much.</p>`;
}

/**
 * Returns a sentence with the maximum credits that an import spends in one run and in 30 days. `lines` is the number of
 * lines that the import's last run read. Returns null before the first run.
 */
export function costOfLines(item: SheetImport, lines: number | undefined): Piece {
  if (!lines) return null;
  const run = lines * maxPerRow[item.kind];
  const fetches = fetchesInPeriod(item.every_seconds, item.max_age_seconds);
  const period = fetches === null ? '' : `, and ${count(run * fetches)} in ${periodDays} days`;
  const cap = item.monthly_cap === null ? '' : ` Its monthly cap of ${count(item.monthly_cap)} credits applies, too.`;
  return `The last run read ${quantity(lines, 'line')}: that costs at most ${quantity(run, 'credit')} a run${period}.${cap}`;
}
