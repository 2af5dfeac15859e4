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

/** A source's position in its own list. Opaque to other code, and encrypted before it leaves the service. */
export type SourceCursor = Record<string, string | number | boolean | null>;

export interface SourceAnswer<R> {
  /** One record; for a list collector, the rows of the source's page in source order (may be more than `limit`). */
  record: R;
  quality?: Quality;
  /** True when the source returned less than the route promises; `warnings` say why. */
  partial?: boolean;
  warnings?: string[];
  /** Lists only: the position after the last row of `record`, null at the end. */
  next?: SourceCursor | null;
  /** Lists only: a warning that applies only to a page that includes the last row of `record`. */
  at_end?: string;
}

export interface SourceContext {
  fetch: Fetcher;
  config: SourcesConfig;
  now: () => Date;
  /** Aborts at the request's deadline; pass it to everything that waits. */
  signal: AbortSignal;
  breakers: Breakers;
  /** Counts daily quotas over all processes; without it, each process counts its own use. */
  quota?: QuotaLedger;
}

/** One way to get a record: builds the request, reads the answer, returns the record or throws a {@link SourceError}. */
export interface Source<P, R> {
  /** The name in `meta.source` and in KEYLESS_SOURCES. */
  name: string;
  /** Returns true when the operator's credentials are set; null for a keyless source, which KEYLESS_SOURCES controls. */
  credentials: ((config: SourcesConfig) => boolean) | null;
  /** The part of the platform that sources of this name read, for docs/operating.md. One keyless source of each name has it. */
  reads?: string;
  /** The name of its circuit breaker, when it must not share that of `name` because it has its own quota or block. */
  breaker?: string;
  /** Fields that this source never returns: they are null and marked `not_exposed`. */
  not_exposed?: readonly string[];
  collect(params: P, context: SourceContext): Promise<SourceAnswer<R>>;
}

/** Describes one kind of record or list: schemas of its parameters and record, and its sources in order of preference. */
export interface Collector<P, R> {
  name: string;
  params: z.ZodType<P>;
  record: z.ZodType<R>;
  sources: readonly Source<P, R>[];
}

export interface CollectContext extends SourceContext {
  /** Called for each source that failed, also when a later one succeeded. For the log: the error has `reason` and `cause`. */
  refused?: (source: string, error: SourceError) => void;
}

/** A collected record with its metadata. */
export interface Collected<R> {
  record: R;
  /** The name of the source that answered. */
  source: string;
  /** Time of the answer, ISO 8601 in UTC. */
  retrieved_at: string;
  partial: boolean;
  quality: Quality;
  warnings: string[];
  /** The `cursor` parameter of the next page, null at the end. */
  next: { source: string; at: SourceCursor } | null;
  /** See {@link SourceAnswer}. */
  at_end?: string;
}

export interface CollectLimits {
  /** For all sources together. */
  total_ms: number;
  /** For each source, so that time is left for the next. */
  source_ms: number;
}

const collectLimits: CollectLimits = { total_ms: 25_000, source_ms: 12_000 };

/**
 * Collects one record or list from the first source that succeeds (docs/adr/0022). Skips sources that are not configured, switched
 * off or paused by their breaker. With a `cursor`, only the source that made it is used. After a failure (time-out, 5xx, throttle,
 * changed answer) the next source is tried; a final answer (missing, private, blocked, refused credentials) ends the search.
 * When all sources fail, throws the last failure; "not covered by this source" is thrown only when nothing else failed.
 * Rethrows errors other than SourceError unchanged.
 */
export async function collect<P, R>(
  collector: Collector<P, R>,
  params: P,
  context: CollectContext,
  limits: CollectLimits = collectLimits,
): Promise<Collected<R>> {
  const deadline = startDeadline(context.signal, limits.total_ms);
  const skipped: SkipReason[] = [];
  let last: SourceError | null = null;
  try {
    for (const source of sourcesFor(collector, params)) {
      if (last !== null && deadline.signal.aborted) break;
      const reason = skipReasonOf(source, context);
      if (reason !== null) {
        skipped.push(reason);
        if (typeof reason === 'object' && reason.block) break;
        continue;
      }
      const { signal, release } = startDeadline(deadline.signal, limits.source_ms);
      const answer = await collectFrom(collector, source, params, { ...context, signal }).finally(release);
      // When the caller disconnected, the result says nothing about the source.
      if (!context.signal.aborted)
        context.breakers.report(breakerOf(source), answer instanceof SourceError ? answer : null);
      if (!(answer instanceof SourceError)) return answer;
      context.refused?.(source.name, answer);
      if (answer.about !== 'us' && answer.about !== 'reach') throw answer;
      if (last === null || answer.about === 'us') last = answer;
    }
  } finally {
    deadline.release();
  }
  const isPaused = skipped.some((reason) => typeof reason === 'object');
  throw last === null || (last.about === 'reach' && isPaused) ? noSource(skipped) : last;
}

/** Returns the sources to try; with a cursor, only the source that made it can read it. */
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

/** Returns the error for a request without any usable source; its wait is that of the source that is available again first. */
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

/** Returns one sentence for each missing part. A warning about one row begins with its index (see post-row.ts). A partial answer has at least one. */
function warningsOf<R>(
  { partial, warnings = [], at_end }: SourceAnswer<R>,
  dropped: readonly string[],
  empty: readonly number[],
): string[] {
  const all = [
    ...warnings,
    ...dropped.map((path) => `${path} could not be read and is null.`),
    ...empty.map((row) => `${row}.id is of a row without its main fields: the source sent it in an unknown format.`),
    ...(at_end === undefined ? [] : [at_end]),
  ];
  return partial && all.length === 0 ? [fewerFields] : all;
}

/** Rejects when the signal aborts, so that a source that ignores the signal does not delay the answer. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () =>
      reject(new SourceError('SOURCE_TIMEOUT', { reason: 'the source exceeded its time limit', cause: signal.reason }));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
}

function notExposed(record: unknown, fields: readonly string[]): Quality {
  const rows = Array.isArray(record) ? [...record.entries()].map(([index, row]) => [`${index}.`, row]) : [['', record]];
  const paths = rows.flatMap(([prefix, row]) =>
    fields.filter((field) => dig(row, field) === null).map((field) => [`${prefix}${field}`, 'not_exposed']),
  );
  return Object.fromEntries(paths);
}
