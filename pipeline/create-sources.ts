import type { Sql } from 'postgres';
import { createFieldCountWriter } from '../db/requests/field-counts.ts';
import { createQuotaLedger, type QuotaLedger } from '../db/requests/quota.ts';
import { systemErrorCode } from '../db/start-error.ts';
import { createBreakers } from './collect/breaker.ts';
import type { CollectContext } from './collect/collect.ts';
import { fieldCountsOf } from './collect/count-fields.ts';
import type { SourcesConfig } from './collect/sources.ts';
import { ConfigError } from './config.ts';
import { createFetcher } from './network/fetcher.ts';
import { createRecordedFetcher } from './network/recorded-fetcher.ts';
import type { JobLog } from './queue/job.ts';

interface SourcesStart {
  sources: SourcesConfig;
  /**
   * Path of a manifest file that lists recorded answers of platforms (Instagram, ...). If set, the process returns
   * these recordings and does not call the platforms. Null: the process calls the platforms.
   */
  recordings: string | null;
}

/**
 * Creates the objects that all requests to platforms (Instagram, ...) share: the HTTP fetcher, and the circuit breakers
 * that pause requests after repeated failures. Throws ConfigError when UPSTREAM_REPLAY is not the path of a manifest
 * file.
 */
export function createSources(config: SourcesStart, now: () => Date): Omit<CollectContext, 'signal'> {
  const { recordings } = config;
  return {
    fetch: recordings === null ? createFetcher() : openRecordings(recordings),
    config: config.sources,
    now,
    breakers: createBreakers({ now, enabled: recordings === null }),
  };
}

/**
 * Opens the counters of the daily request quotas that a platform allows, such as the units of the YouTube API. All
 * processes share these counters in the database. Recorded answers are counted under a different name, and a recorded
 * "quota exceeded" answer does not use up the real quota.
 */
export function openQuota(config: SourcesStart, sql: Sql): QuotaLedger {
  const ledger = createQuotaLedger(sql);
  if (config.recordings === null) return ledger;
  return {
    spend: (use) => ledger.spend({ ...use, source: quotaSource(config, use.source) }),
    exhaust: async () => undefined,
  };
}

/**
 * Opens the counters that record how often each platform's answers contained each field, for the documentation. All
 * processes add to the same counters in the database. Recorded answers are not counted. Pass the returned `hook` to
 * `collect` as a part of its context.
 */
export function openFieldCounts(
  config: SourcesStart,
  sql: Sql,
  { now, log }: { now: () => Date; log: JobLog },
): { hook: Pick<CollectContext, 'answered'>; close(): Promise<void> } {
  if (config.recordings !== null) return { hook: {}, close: async () => undefined };
  const onError = (error: unknown) => log.error({ err: error }, 'the field counters could not be written');
  const writer = createFieldCountWriter(sql, { now, on_error: onError });
  const answered: CollectContext['answered'] = (collector, answer) => writer.add(fieldCountsOf(collector, answer));
  return { hook: { answered }, close: writer.close };
}

/**
 * Returns the name under which requests to a source (one page or API of a platform) count toward its daily quota.
 * Recorded answers get a different name, so that they do not use up the real quota.
 */
export function quotaSource({ recordings }: SourcesStart, source: string): string {
  return recordings === null ? source : `${source} (replay)`;
}

function openRecordings(manifest: string) {
  try {
    return createRecordedFetcher(manifest);
  } catch (error) {
    const problem = systemErrorCode(error) === 'ENOENT' ? 'does not exist' : 'is not a manifest';
    const message = `UPSTREAM_REPLAY must be the path of a manifest of recorded answers: ${manifest} ${problem}.`;
    throw new ConfigError(message, { cause: error });
  }
}
