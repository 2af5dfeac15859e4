import { hourMs } from '../../../db/durations.ts';
import type { QuotaLedger, QuotaUse } from '../../../db/requests/quota.ts';
import type { SourcesConfig } from '../../collect/sources.ts';
import { SourceError } from '../../errors.ts';
import { lazy } from '../../lazy.ts';

/**
 * The methods of the YouTube Data API that we call. `answers` is the expected `kind` of the answer. `bucket` is the
 * daily quota that a call uses, and `units` is the number of quota units for each call, including failed ones.
 */
export const dataApiMethods = {
  'videos.list': { answers: 'youtube#videoListResponse', bucket: 'general', units: 1 },
  'channels.list': { answers: 'youtube#channelListResponse', bucket: 'general', units: 1 },
  'playlists.list': { answers: 'youtube#playlistListResponse', bucket: 'general', units: 1 },
  'playlistItems.list': { answers: 'youtube#playlistItemListResponse', bucket: 'general', units: 1 },
  'commentThreads.list': { answers: 'youtube#commentThreadListResponse', bucket: 'general', units: 1 },
  'comments.list': { answers: 'youtube#commentListResponse', bucket: 'general', units: 1 },
  'videoCategories.list': { answers: 'youtube#videoCategoryListResponse', bucket: 'general', units: 1 },
  'search.list': { answers: 'youtube#searchListResponse', bucket: 'search', units: 1 },
} as const;
export type DataApiMethod = keyof typeof dataApiMethods;
type QuotaBucket = 'general' | 'search';

/**
 * Quota units per day that Google gives a new project, for each of the two daily quotas (buckets) of the YouTube Data
 * API.
 */
const defaultBudgets: Record<QuotaBucket, number> = { general: 10_000, search: 100 };

/** Returns the maximum number of YouTube Data API units per day, for each of the two daily quotas (buckets). */
export function dailyBudgets(config: SourcesConfig): Record<QuotaBucket, number> {
  return {
    general: config.youtube_daily_units ?? defaultBudgets.general,
    search: config.youtube_daily_searches ?? defaultBudgets.search,
  };
}

/**
 * Returns how a call of the YouTube Data API counts: its daily quota and its number of units, in the form that the
 * quota counter (ledger) expects.
 */
export function useOf(source: string, method: DataApiMethod, config: SourcesConfig, now: Date): QuotaUse {
  const { bucket, units } = dataApiMethods[method];
  return { source, bucket, day: quotaDay(now), budget: dailyBudgets(config)[bucket], method, units };
}

/**
 * Counts the quota units of a YouTube Data API call before it is sent. Throws SOURCE_CAPACITY when the call would
 * exceed the daily quota.
 */
export async function takeUnits(ledger: QuotaLedger, use: QuotaUse, now: Date): Promise<void> {
  if (!(await ledger.spend(use))) throw spentUntilReset(use, now);
}

/**
 * Records that the daily quota of a YouTube Data API call is used up, after the API said so. Returns the error to
 * throw.
 */
export async function spendBucket(ledger: QuotaLedger, use: QuotaUse, now: Date): Promise<SourceError> {
  await ledger.exhaust(use);
  return spentUntilReset(use, now);
}

/** Creates a counter of the used YouTube quota in memory, for processes without a database. */
export function createMemoryQuota(): QuotaLedger {
  const used = new Map<string, { day: string; units: number }>();
  const keyOf = ({ source, bucket }: { source: string; bucket: string }) => `${source} ${bucket}`;
  return {
    async spend({ units, budget, day, ...bucket }) {
      const before = used.get(keyOf(bucket));
      const after = units + (before?.day === day ? before.units : 0);
      if (after > budget) return false;
      used.set(keyOf(bucket), { day, units: after });
      return true;
    },
    async exhaust({ budget, day, ...bucket }) {
      used.set(keyOf(bucket), { day, units: budget });
    },
  };
}

const pacificDay = lazy(
  () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' }),
);

/** Returns the date in Pacific time (`YYYY-MM-DD`) to whose quota a YouTube Data API call at the time `now` counts. */
export function quotaDay(now: Date): string {
  return pacificDay().format(now);
}

/** Returns the next midnight in Pacific time, when Google resets the daily quotas of the YouTube Data API. */
export function quotaReset(now: Date): Date {
  const [year = 0, month = 1, day = 1] = quotaDay(now).split('-').map(Number);
  const midnightUtc = Date.UTC(year, month - 1, day + 1);
  const summer = new Date(midnightUtc + 7 * hourMs);
  return quotaDay(summer) === quotaDay(now) ? new Date(midnightUtc + 8 * hourMs) : summer;
}

function spentUntilReset({ bucket }: QuotaUse, now: Date): SourceError {
  return new SourceError('SOURCE_CAPACITY', {
    message: 'The daily YouTube quota of this server is used up: try again after midnight Pacific time.',
    reason: `the ${bucket} quota of the day is spent`,
    retry_after_seconds: Math.ceil((quotaReset(now).getTime() - now.getTime()) / 1000),
  });
}
