import type { z } from 'zod';
import type { QuotaLedger } from '../../db/requests/quota.ts';
import { SourceError } from '../errors.ts';
import type { Fetcher } from '../network/fetcher.ts';
import { dig } from '../parse/values.ts';
import type { BreakerRefusal, Breakers } from './breaker.ts';
import { startDeadline } from './deadline.ts';
import type { Quality } from './quality.ts';
import type { SourcesConfig } from './sources.ts';
import { validateRecord } from './validate-record.ts';

/** A position in the list of one source. Only that source understands it. It is encrypted before a customer receives it. */
export type SourceCursor = Record<string, string | number | boolean | null>;

export interface SourceAnswer<R> {
  /** One record. For a list, all rows of the page that the source returned, in its order; these may be more than `limit`. */
  record: R;
  quality?: Quality;
  /** True when the source returned less than the route promises. `warnings` say what is missing. */
  partial?: boolean;
  warnings?: string[];
  /** Only for lists: the position after the last row of `record`, null at the end of the list. */
  next?: SourceCursor | null;
  /** Only for lists: a warning for the page that includes the last row of `record`. Other pages do not show it. */
  at_end?: string;
}

export interface SourceContext {
  fetch: Fetcher;
  config: SourcesConfig;
  now: () => Date;
  /** Aborts at the deadline of this source. Pass it to every asynchronous call. */
  signal: AbortSignal;
  breakers: Breakers;
  /** Counts daily quotas for all processes together. Without it, each process counts only its own use. */
  quota?: QuotaLedger;
}

/** One way to get a record: builds the request, reads the answer, and returns the record or throws a {@link SourceError}. */
export interface Source<P, R> {
  /** The name of the source in `meta.source` and in the setting KEYLESS_SOURCES. */
  name: string;
  /**
   * Returns true when the operator has set the credentials of this source. Null for a keyless source, which needs no
   * credentials and is switched on by KEYLESS_SOURCES.
   */
  credentials: ((config: SourcesConfig) => boolean) | null;
  /**
   * Describes what the source reads on the platform, for docs/operating.md. When several keyless sources share a name, one of
   * them has it.
   */
  reads?: string;
  /** The name of its circuit breaker (default: `name`). Set it when this source has its own quota or can be blocked separately. */
  breaker?: string;
  /** Fields that this source never returns. They are null, and `quality` says `not_exposed`. */
  not_exposed?: readonly string[];
  collect(params: P, context: SourceContext): Promise<SourceAnswer<R>>;
}

/** A kind of record or list, with the schemas of its parameters and its record, and with its sources in order of preference. */
export interface Collector<P, R> {
  name: string;
  params: z.ZodType<P>;
  record: z.ZodType<R>;
  sources: readonly Source<P, R>[];
}

export interface CollectContext extends SourceContext {
  /**
   * Called for each source that fails, even if another source succeeds afterwards. It is for the log: `reason` and `cause` of
   * the error are not for customers.
   */
  refused?: (source: string, error: SourceError) => void;
  /** Called for each answer, with the name of its collector. It counts the fields that the source returned. */
  answered?: (collector: string, answer: Collected<unknown>) => void;
}

/** A collected record with its metadata. */
export interface Collected<R> {
  record: R;
  /** The name of the source that answered. */
  source: string;
  /** Time at which the source answered, as ISO 8601 in UTC. */
  retrieved_at: string;
  partial: boolean;
  quality: Quality;
  warnings: string[];
  /** The `cursor` parameter for the next page, null at the end of the list. */
  next: { source: string; at: SourceCursor } | null;
  /** See `at_end` of {@link SourceAnswer}. */
  at_end?: string;
}

export interface CollectLimits {
  /** Maximum time for all sources together. */
  total_ms: number;
  /** Maximum time for one source. It is shorter than `total_ms`, so that time remains for the next source. */
  source_ms: number;
}

/** Minimum milliseconds left to try another source. It is not 0, because a timer can fire this many milliseconds early. */
const leastMs = 2;

const collectLimits: CollectLimits = { total_ms: 25_000, source_ms: 12_000 };

/**
 * Collects one record or list from the first source that succeeds (docs/adr/0022). Skips sources that are not configured,
 * switched off or paused by their circuit breaker. With a `cursor`, uses only the source that created the cursor. When a source
 * fails (time-out, 5xx, throttle, changed answer), tries the next source. When the answer is final (missing, private, blocked,
 * refused credentials), stops. When all sources fail, throws the last error; throws "not covered by this source" only if there
 * was no other error. Throws errors other than SourceError unchanged.
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
    if (last !== null && (context.signal.aborted || leftMs < leastMs)) break;
    const reason = skipReasonOf(source, context);
    if (reason !== null) {
      skipped.push(reason);
      if (typeof reason === 'object' && reason.block) break;
      continue;
    }
    const { signal, release } = startDeadline(context.signal, Math.min(limits.source_ms, leftMs));
    const answer = await collectFrom(collector, source, params, { ...context, signal }).finally(release);
    // If the caller has aborted the request, the result says nothing about the source.
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
 * Returns the sources to try. If the request has a cursor, returns only the source that created it, because no other source can
 * read it.
 */
function sourcesFor<P, R>(collector: Collector<P, R>, params: P): readonly Source<P, R>[] {
  const maker = dig(params, 'cursor', 'source');
  if (maker === undefined) return collector.sources;
  const own = collector.sources.filter(({ name }) => name === maker);
  if (own.length > 0) return own;
  const message = 'The source of this cursor no longer serves this list: start again without cursor.';
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
  'The operator of this server has switched off this data: do not try again. Stored answers and samples still work.';

/**
 * Returns the error for a request when every source was skipped. If sources are paused, its waiting time is the shortest of
 * their pauses.
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
    const answer = await Promise.race([aborted(context.signal), source.collect(params, context)]);
    const retrievedAt = context.now().toISOString();
    const { record, dropped, empty } = validateRecord(schema, answer.record, answer.quality);
    const partial = answer.partial === true || dropped.length > 0 || empty.length > 0;
    return {
      record,
      source: source.name,
      retrieved_at: retrievedAt,
      partial,
      quality: { ...notExposed(record, source.not_exposed ?? []), ...answer.quality },
      warnings: warningsOf(answer, dropped, empty),
      next: answer.next ? { source: source.name, at: answer.next } : null,
      ...(answer.at_end === undefined ? {} : { at_end: answer.at_end }),
    };
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}

const fewerFields = 'This source has fewer fields than the route: meta.quality lists the missing ones.';

/**
 * Returns one sentence for each missing part. A warning about one row of a list begins with the row's index (see post-row.ts).
 * A partial answer always has a warning.
 */
function warningsOf<R>(
  { partial, warnings = [], at_end }: SourceAnswer<R>,
  dropped: readonly string[],
  empty: readonly number[],
): string[] {
  const all = [
    ...warnings,
    ...dropped.map((path) => `${path} could not be read and is null.`),
    ...empty.map(
      (row) => `${row}.id belongs to a row without its main fields: the source sent this row in an unknown format.`,
    ),
    ...(at_end === undefined ? [] : [at_end]),
  ];
  return partial && all.length === 0 ? [fewerFields] : all;
}

/** Rejects when the signal aborts. A source that ignores the signal therefore cannot delay the answer. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () =>
      reject(new SourceError('SOURCE_TIMEOUT', { reason: 'the source exceeded its time limit', cause: signal.reason }));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
}

function notExposed(record: unknown, fields: readonly string[]): Quality {
  const quality: Quality = {};
  if (fields.length === 0) return quality;
  const rows: readonly unknown[] = Array.isArray(record) ? record : [record];
  for (const [index, row] of rows.entries()) {
    const prefix = Array.isArray(record) ? `${index}.` : '';
    for (const field of fields) if (dig(row, field) === null) quality[prefix + field] = 'not_exposed';
  }
  return quality;
}
