import type { z } from 'zod';
import type { QuotaLedger } from '../../db/requests/quota.ts';
import { SourceError } from '../errors.ts';
import type { Fetcher } from '../network/fetcher.ts';
import { dig } from '../parse/values.ts';
import type { BreakerRefusal, Breakers } from './breaker.ts';
import { startDeadline } from './deadline.ts';
import { notExposed, type Quality } from './quality.ts';
import type { SourcesConfig } from './sources.ts';
import { validateRecord, withoutRows } from './validate-record.ts';

/**
 * A position in a list that a data source returns in pages. Only the source that created the position can read it.
 * Customers receive positions only in encrypted form.
 */
export type SourceCursor = Record<string, string | number | boolean | null>;

export interface SourceAnswer<R> {
  /**
   * One record. For a list: all rows of the page that the source sent, in the same order. A page can have more rows
   * than the requested `limit`.
   */
  record: R;
  quality?: Quality;
  /** True when the source sent less data than the API route documents. `warnings` says what is missing. */
  partial?: boolean;
  warnings?: string[];
  /** Position after the last row in `record`, null at the end of the list. Only answers with a list have this field. */
  next?: SourceCursor | null;
  /**
   * A warning that says why the list ends with the last row of `record`, such as that the platform sends no more rows.
   * Shown only in the API response that contains that last row. Only answers with a list have this field.
   */
  at_end?: string;
}

export interface SourceContext {
  fetch: Fetcher;
  config: SourcesConfig;
  now: () => Date;
  /** Aborts when the time limit for this data source is over. Pass the signal to every asynchronous call. */
  signal: AbortSignal;
  breakers: Breakers;
  /**
   * Counts the use of daily API quotas, such as YouTube's, for all processes together. When it is missing, each process
   * counts only its own requests.
   */
  quota?: QuotaLedger;
}

/**
 * A data source: one way to get a record, such as Instagram's website. It sends requests to the platform, reads the
 * answers, and returns the record or throws a {@link SourceError}.
 */
export interface Source<P, R> {
  /** Name of the source, as in the response field `meta.source` and in the setting KEYLESS_SOURCES. */
  name: string;
  /**
   * Returns true when the server's operator has set the credentials of this source. Null for a keyless source, which
   * needs no credentials and is switched on by the setting KEYLESS_SOURCES.
   */
  credentials: ((config: SourcesConfig) => boolean) | null;
  /**
   * Says which pages or data of the platform the source reads. docs/operating.md shows this text. When several keyless
   * sources have the same name, only one of them has this text.
   */
  reads?: string;
  /**
   * Name of the circuit breaker that pauses this source after failures (default: `name`). Set this field when the
   * source has its own quota, or when the platform can block the source separately.
   */
  breaker?: string;
  /**
   * Record fields that this source never has. In its records, these fields are null and marked as `not_exposed` in
   * `quality`.
   */
  not_exposed?: readonly string[];
  collect(params: P, context: SourceContext): Promise<SourceAnswer<R>>;
}

/**
 * Describes one kind of record or list: the schemas of its parameters and of its result, and the data sources that can
 * provide it, in order of preference.
 */
export interface Collector<P, R> {
  name: string;
  params: z.ZodType<P>;
  record: z.ZodType<R>;
  sources: readonly Source<P, R>[];
}

/** A collector of any kind of record, for code that handles all of them. */
export type AnyCollector = Collector<unknown, unknown>;

export interface CollectContext extends SourceContext {
  /**
   * Called for each source that fails, even if another source succeeds afterwards. Use it only for the log, because
   * `reason` and `cause` of the error must not be shown to customers.
   */
  refused?: (source: string, error: SourceError) => void;
  /**
   * Called with each successful result and the name of its collector (the kind of record or list). Used to count how
   * often sources fill each field.
   */
  answered?: (collector: string, answer: Collected<unknown>) => void;
}

/** A record that a data source returned, with its metadata. */
export interface Collected<R> {
  record: R;
  /** The name of the data source of the record. */
  source: string;
  /** Time at which the data source answered, as ISO 8601 in UTC. */
  retrieved_at: string;
  partial: boolean;
  quality: Quality;
  warnings: string[];
  /**
   * Value for the `cursor` parameter of the request for the next page; null at the end of the list. `source` created
   * the position `at`.
   */
  next: { source: string; at: SourceCursor } | null;
  /** A warning that is shown only in the response with the last row of `record`, see {@link SourceAnswer}. */
  at_end?: string;
}

interface CollectLimits {
  /** Maximum milliseconds to collect one record or list, for all tried data sources together. */
  total_ms: number;
  /**
   * Maximum milliseconds for one data source. The value is less than `total_ms`, so that time remains for the next
   * source.
   */
  source_ms: number;
}

/**
 * Minimum remaining time in milliseconds for trying another source. The value is not 0, because a timer can fire this
 * many milliseconds early.
 */
const minAttemptMs = 2;

const collectLimits: CollectLimits = { total_ms: 25_000, source_ms: 12_000 };

/**
 * Collects one record or list: tries the data sources in order and returns the result of the first successful source
 * (docs/adr/0022). Skips sources that are not configured, switched off or paused. Tries the next source after a failure
 * on our side (time-out, 5xx, throttle, unknown format) or when a source does not cover the request. Stops at a final
 * error (missing, private, blocked, refused credentials). When all sources fail, throws the last failure on our side.
 * Throws "not covered by this source" only if there was no such failure.
 */
export async function collect<P, R>(
  collector: Collector<P, R>,
  params: P,
  context: CollectContext,
  limits: CollectLimits = collectLimits,
): Promise<Collected<R>> {
  const endsAt = performance.now() + limits.total_ms;
  const skipped: SkipReason[] = [];
  let last: SourceError | null = null;
  for (const source of sourcesFor(collector, params)) {
    const leftMs = endsAt - performance.now();
    if (last !== null && (context.signal.aborted || leftMs < minAttemptMs)) break;
    const reason = skipReasonOf(source, context);
    if (reason !== null) {
      skipped.push(reason);
      if (typeof reason === 'object' && reason.block) break;
      continue;
    }
    const { signal, release } = startDeadline(context.signal, Math.min(limits.source_ms, leftMs));
    const answer = await collectFrom(collector, source, params, { ...context, signal }).finally(release);
    // Does not report an aborted request to the circuit breaker, because it says nothing about the health of the
    // source.
    if (!context.signal.aborted)
      context.breakers.report(breakerOf(source), answer instanceof SourceError ? answer : null);
    if (!(answer instanceof SourceError)) {
      context.answered?.(collector.name, answer);
      return answer;
    }
    context.refused?.(source.name, answer);
    if (answer.about !== 'us' && answer.about !== 'reach') throw answer;
    if (last === null || answer.about === 'us') last = answer;
  }
  const isPaused = skipped.some((reason) => typeof reason === 'object');
  throw last === null || (last.about === 'reach' && isPaused) ? noSource(skipped) : last;
}

/**
 * Returns the data sources to try, in order. For a request with a cursor, this is only the source that created the
 * cursor, because no other source can read it.
 */
function sourcesFor<P, R>(collector: Collector<P, R>, params: P): readonly Source<P, R>[] {
  const maker = dig(params, 'cursor', 'source');
  if (maker === undefined) return collector.sources;
  const own = collector.sources.filter(({ name }) => name === maker);
  if (own.length > 0) return own;
  const message = 'This list can no longer be continued from this cursor: start again without cursor.';
  throw new SourceError('INVALID_INPUT', { message });
}

const breakerOf = (source: { name: string; breaker?: string }) => source.breaker ?? source.name;

type SkipReason = 'not configured' | 'switched off' | BreakerRefusal;

function skipReasonOf(
  source: Pick<Source<never, unknown>, 'name' | 'breaker' | 'credentials'>,
  context: CollectContext,
): SkipReason | null {
  if (source.credentials !== null) {
    if (!source.credentials(context.config)) return 'not configured';
  } else if (!context.config.keyless(source.name)) {
    return 'switched off';
  }
  return context.breakers.refusal(breakerOf(source));
}

const switchedOff =
  'The operator of this server has switched off this data: do not try again. Cached answers and samples still work.';

/**
 * Returns the error for a request whose data sources were skipped (paused, switched off or not configured). If sources
 * are paused, `retry_after_seconds` of the error is the shortest of their pauses.
 */
function noSource(skipped: readonly SkipReason[]): SourceError {
  const paused = skipped.filter((reason) => typeof reason === 'object');
  if (paused.some(({ block }) => block))
    return new SourceError('SOURCE_RESTRICTED', { about: 'block', reason: 'paused after a block' });
  const first = paused.toSorted((a, b) => a.retry_after_seconds - b.retry_after_seconds)[0];
  if (first !== undefined) return new SourceError(first.code, { retry_after_seconds: first.retry_after_seconds });
  if (!skipped.includes('switched off')) return new SourceError('SOURCE_NOT_CONFIGURED', { retryable: false });
  return new SourceError('SOURCE_UNAVAILABLE', { retryable: false, message: switchedOff });
}

async function collectFrom<P, R>(
  { record: schema }: Collector<P, R>,
  source: Source<P, R>,
  params: P,
  context: SourceContext,
): Promise<Collected<R> | SourceError> {
  try {
    const sent = await Promise.race([aborted(context.signal), source.collect(params, context)]);
    const retrievedAt = context.now().toISOString();
    const { record, dropped, empty, left_out } = validateRecord(schema, sent.record, sent.quality);
    const answer = left_out ? { ...sent, ...withoutRows(sent, left_out) } : sent;
    const partial = answer.partial === true || dropped.length > 0 || empty.length > 0;
    return {
      record,
      source: source.name,
      retrieved_at: retrievedAt,
      partial,
      quality: Object.assign(notExposed<unknown>(record, source.not_exposed ?? []), answer.quality),
      warnings: warningsOf(answer, dropped, empty),
      next: answer.next ? { source: source.name, at: answer.next } : null,
      ...(answer.at_end === undefined ? {} : { at_end: answer.at_end }),
    };
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}

/** This warning is also shown in spreadsheet cells and CSV rows, which do not have `meta.quality`. */
const fewerFields = 'This source has fewer fields than the route: the missing values are empty (null).';

/**
 * Returns one warning sentence for each part of the data that is missing. A warning about one row of a list begins with
 * the index of the row (see row-indexes.ts). A partial answer always has at least one warning.
 */
function warningsOf<R>(
  { partial, warnings = [], at_end }: SourceAnswer<R>,
  dropped: readonly string[],
  empty: readonly number[],
): string[] {
  // A warning about a row is no reason for the whole list, because answers with only other rows do not have it.
  const needsReason = partial === true && warnings.length === 0 && at_end === undefined;
  return [
    ...(needsReason ? [fewerFields] : warnings),
    ...dropped.map((path) => `${path} could not be read and is null.`),
    ...empty.map(
      (row) => `${row}.id belongs to a row without its main fields: the source sent this row in an unknown format.`,
    ),
    ...(at_end === undefined ? [] : [at_end]),
  ];
}

/**
 * Returns a promise that rejects with SOURCE_TIMEOUT when the signal aborts. The promise ends the wait for a data
 * source that ignores the signal.
 */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () =>
      reject(new SourceError('SOURCE_TIMEOUT', { reason: 'the source exceeded its time limit', cause: signal.reason }));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
}
