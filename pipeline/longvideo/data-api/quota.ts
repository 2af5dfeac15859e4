import type { QuotaLedger, QuotaUse } from '../../../db/requests/quota.ts';
import type { SourcesConfig } from '../../collect/sources.ts';
import { SourceError } from '../../errors.ts';

/** The methods we call. Units are what one call costs in its bucket; a failed call costs the same. */
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
export type QuotaBucket = 'general' | 'search';

/** What the source gives a new project for a day. */
const newProject: Record<QuotaBucket, number> = { general: 10_000, search: 100 };

/** The units that may be used of each bucket in a day. */
export function dailyBudgets(config: SourcesConfig): Record<QuotaBucket, number> {
  return {
    general: config.youtube_daily_units ?? newProject.general,
    search: config.youtube_daily_searches ?? newProject.search,
  };
}

/** What one call of a method uses, as the ledger takes it. */
export function useOf(source: string, method: DataApiMethod, config: SourcesConfig, now: Date): QuotaUse {
  const { bucket, units } = dataApiMethods[method];
  return { source, bucket, day: quotaDay(now), budget: dailyBudgets(config)[bucket], method, units };
}

/** Counts a call that is about to be made. Throws SOURCE_CAPACITY when it would go over the budget of its day. */
export async function takeUnits(ledger: QuotaLedger, use: QuotaUse, now: Date): Promise<void> {
  if (!(await ledger.spend(use))) throw spentUntilReset(use, now);
}

/** Remembers the source's word that the bucket of this call is spent, and returns the error that says so. */
export async function spendBucket(ledger: QuotaLedger, use: QuotaUse, now: Date): Promise<SourceError> {
  await ledger.exhaust(use);
  return spentUntilReset(use, now);
}

/** Counts in this process alone, for want of a database. */
export function createMemoryQuota(): QuotaLedger {
  const used = new Map<string, { day: string; units: number }>();
  const keyOf = ({ source, bucket }: { source: string; bucket: string }) => `${source} ${bucket}`;
  return {
    async spend({ units, budget, day, ...place }) {
      const before = used.get(keyOf(place));
      const after = units + (before?.day === day ? before.units : 0);
      if (after > budget) return false;
      used.set(keyOf(place), { day, units: after });
      return true;
    },
    async exhaust({ budget, day, ...place }) {
      used.set(keyOf(place), { day, units: budget });
    },
  };
}

const hourMs = 3_600_000;
const pacificDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });

/** The Pacific day (`YYYY-MM-DD`) that a call at this moment is counted for. */
export function quotaDay(now: Date): string {
  return pacificDay.format(now);
}

/** The next midnight in Pacific time, when the source fills its buckets again. */
export function quotaReset(now: Date): Date {
  const [year = 0, month = 1, day = 1] = quotaDay(now).split('-').map(Number);
  const midnightUtc = Date.UTC(year, month - 1, day + 1);
  const summer = new Date(midnightUtc + 7 * hourMs);
  return quotaDay(summer) === quotaDay(now) ? new Date(midnightUtc + 8 * hourMs) : summer;
}

function spentUntilReset({ bucket }: QuotaUse, now: Date): SourceError {
  return new SourceError('SOURCE_CAPACITY', {
    message: 'The daily quota of the official source is spent: it is filled again at midnight Pacific time.',
    reason: `the ${bucket} quota of the day is spent`,
    retry_after_seconds: Math.ceil((quotaReset(now).getTime() - now.getTime()) / 1000),
  });
}
