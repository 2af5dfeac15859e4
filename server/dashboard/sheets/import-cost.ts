import { html } from 'hono/html';
import type { BatchKind } from '../../../db/deliveries/batches.ts';
import type { SheetImport } from '../../../db/deliveries/sheet-imports.ts';
import { maxAges, schedules } from '../../../pipeline/sheets/import-settings.ts';
import { count, type Piece } from '../ui/components.ts';

const periodDays = 30;
const periodSeconds = periodDays * 86_400;

/**
 * The most credits that one row of a sheet import costs: a profile, a post, or the latest posts of a YouTube channel
 * whose ID must be found first.
 */
const mostPerRow: Readonly<Record<BatchKind, number>> = { profiles: 1, posts: 1, latest_posts: 4 };

/** Says what fetching profiles, posts and latest posts costs. */
export const fetchPrices =
  '1 credit for each profile or post that is fetched. Latest posts: 2 credits for each profile, 3 or 4 on YouTube.';

/**
 * Returns how often a row can be fetched in 30 days: at most once in each run, and not while the cached answer is
 * younger than the maximum age. Returns null for an import without a schedule.
 */
function fetchesInPeriod(everySeconds: number | null, maxAgeSeconds: number): number | null {
  return everySeconds === null ? null : Math.ceil(periodSeconds / Math.max(everySeconds, maxAgeSeconds));
}

const scheduleNames = { hourly: 'every hour', six_hours: 'every 6 hours', daily: 'every day', weekly: 'every week' };

/** Returns the hint below the schedule of a sheet import: the price, and the most that one profile costs in 30 days. */
export function costHint(): Piece {
  const most = (schedule: string, age: string) => fetchesInPeriod(schedules[schedule] ?? null, maxAges[age] ?? 0);
  const each = Object.entries(scheduleNames).map(([schedule, name]) => `${count(most(schedule, 'new'))} ${name}`);
  return html`<p class="hint"><b>Cost:</b> ${fetchPrices} If you always get new data, one profile or post costs at most this many credits in ${periodDays} days: ${each.join(', ')}. With a maximum age of 1 day, it is at most ${count(most('hourly', '1d'))}; of 7 days, at most ${count(most('hourly', '7d'))}. Latest posts cost up to ${mostPerRow.latest_posts} times as much.</p>`;
}

/**
 * Returns a sentence with the most credits that an import spends in one run and in 30 days. `lines` is the number of
 * lines that its last run read. Returns null before the first run.
 */
export function costOfLines(item: SheetImport, lines: number | undefined): Piece {
  if (!lines) return null;
  const run = lines * mostPerRow[item.kind];
  const fetches = fetchesInPeriod(item.every_seconds, item.max_age_seconds);
  const period = fetches === null ? '' : `, and ${count(run * fetches)} in ${periodDays} days`;
  const cap = item.monthly_cap === null ? '' : ` Its monthly cap of ${count(item.monthly_cap)} credits applies, too.`;
  return `The last run read ${count(lines)} ${lines === 1 ? 'line' : 'lines'}: that costs at most ${count(run)} ${run === 1 ? 'credit' : 'credits'} a run${period}.${cap}`;
}
