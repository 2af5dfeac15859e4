import type { z } from 'zod';
import type { QuotaLedger } from '../../db/requests/quota.ts';
import { SourceError } from '../errors.ts';
import type { Fetcher } from '../network/fetcher.ts';
import { dig } from '../parse/values.ts';
import type { BreakerRefusal, Breakers } from './breaker.ts';
import { startDeadline } from './deadline.ts';
import type { Quality } from './quality.ts';
import type { SourcesConfig } from './sources.ts';
import { fitRecord } from './validate-record.ts';

/** Where a source goes on in its own list; opaque to everyone else, sealed before it leaves the service. */
export type SourceCursor = Record<string, string | number | boolean | null>;

export interface SourceAnswer<R> {
  /** One record, or for a list collector the rows of the source's page in source order (may be more than `limit`). */
  record: R;
  quality?: Quality;
  /** True when the source gave less than the route promises; `warnings` say why ({@link partialBecause} of `rows.ts`). */
  partial?: boolean;
  warnings?: string[];
  /** Lists only: where the source goes on after the last row of `record`, null at the end. */
  next?: SourceCursor | null;
  /** Lists only: why the answer is partial, when that is true of the end of `record` alone. One sentence, told as a warning. */
  at_end?: string;
}

export interface SourceContext {
  fetch: Fetcher;
  config: SourcesConfig;
  now: () => Date;
  /** Ends with the request's deadline; pass it on to everything that waits. */
  signal: AbortSignal;
  breakers: Breakers;
  /** Where daily quotas are counted over all processes; without it this process counts for itself. */
  quota?: QuotaLedger;
}

/** One way to get a record: builds the request, reads the answer, returns the record or throws a {@link SourceError}. */
export interface Source<P, R> {
  /** The name in `meta.source` and in KEYLESS_SOURCES. */
  name: string;
  /** Whether it needs the operator's credentials; keyless sources are switched by KEYLESS_SOURCES. */
  credentials: ((config: SourcesConfig) => boolean) | null;
  /** What its circuit breaker is kept under when it must not share the one of `name`: a surface with a quota or wall of its own. */
  breaker?: string;
  /** Fields of the record that this surface never gives: they are null and marked `not_exposed`. */
  not_exposed?: readonly string[];
  collect(params: P, context: SourceContext): Promise<SourceAnswer<R>>;
}

/** What can be collected: parameters and record as schemas, sources in order of preference. */
export interface Collector<P, R> {
  name: string;
  params: z.ZodType<P>;
  record: z.ZodType<R>;
  sources: readonly Source<P, R>[];
}

export interface CollectContext extends SourceContext {
  /** Told of each refusal, also of those that a later source made good: the log's, with `reason` and `cause`. */
  refused?: (source: string, error: SourceError) => void;
}

/** A record and what is to be said of it. */
export interface Collected<R> {
  record: R;
  /** The name of the source that answered. */
  source: string;
  /** When it answered, ISO 8601 in UTC. */
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
  /** Over all sources. */
  total_ms: number;
  /** For one source, so that there is time left for the next. */
  source_ms: number;
}

const collectLimits: CollectLimits = { total_ms: 25_000, source_ms: 12_000 };

/**
 * Collects one record or list: the only place that decides whether another source is asked (docs/adr/0022). Sources are asked in
 * order, without those that are not configured, switched off or paused by their breaker; when the parameters carry a `cursor`,
 * only the source that made it. A failure (time-out, 5xx, throttle, changed answer) asks the next source. A verdict ends the
 * search: missing, private, withheld, a login wall, refused credentials. When all fail, throws the last failure; that the
 * resource is beyond a source's reach counts only when nothing else failed. Errors that are no SourceError pass untouched.
 */
export async function collect<P, R>(
  collector: Collector<P, R>,
  params: P,
  context: CollectContext,
  limits: CollectLimits = collectLimits,
): Promise<Collected<R>> {
  const deadline = startDeadline(context.signal, limits.total_ms);
  const passed: Passed[] = [];
  let last: SourceError | null = null;
  try {
    for (const source of sourcesFor(collector, params)) {
      if (last !== null && deadline.signal.aborted) break;
      const reason = whyPassed(source, context);
      if (reason !== null) {
        passed.push(reason);
        if (typeof reason === 'object' && reason.wall) break;
        continue;
      }
      const { signal, release } = startDeadline(deadline.signal, limits.source_ms);
      const answer = await asked(collector, source, params, { ...context, signal }).finally(release);
      // A caller that hung up says nothing about the source.
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
  const isPaused = passed.some((reason) => typeof reason === 'object');
  throw last === null || (last.about === 'reach' && isPaused) ? noSource(passed) : last;
}

/** A cursor of one source means nothing to another. */
function sourcesFor<P, R>(collector: Collector<P, R>, params: P): readonly Source<P, R>[] {
  const maker = dig(params, 'cursor', 'source');
  if (maker === undefined) return collector.sources;
  const own = collector.sources.filter(({ name }) => name === maker);
  if (own.length > 0) return own;
  const message = 'The source of this cursor no longer serves this list: start again without cursor.';
  throw new SourceError('INVALID_INPUT', { message });
}

const breakerOf = (source: { name: string; breaker?: string }) => source.breaker ?? source.name;

type Passed = 'not configured' | 'switched off' | BreakerRefusal;

function whyPassed(
  source: Pick<Source<never, unknown>, 'name' | 'breaker' | 'credentials'>,
  context: CollectContext,
): Passed | null {
  if (source.credentials !== null) {
    if (!source.credentials(context.config)) return 'not configured';
  } else if (!context.config.keyless(source.name)) {
    return 'switched off';
  }
  return context.breakers.refusal(breakerOf(source));
}

/** No source could even be asked: the one that is back first says when. */
function noSource(passed: readonly Passed[]): SourceError {
  const paused = passed.filter((reason) => typeof reason === 'object');
  if (paused.some(({ wall }) => wall))
    return new SourceError('SOURCE_RESTRICTED', { about: 'wall', reason: 'paused by a wall' });
  const first = paused.toSorted((a, b) => a.retry_after_seconds - b.retry_after_seconds)[0];
  if (first !== undefined) return new SourceError(first.code, { retry_after_seconds: first.retry_after_seconds });
  const code = passed.includes('switched off') ? 'SOURCE_UNAVAILABLE' : 'SOURCE_NOT_CONFIGURED';
  return new SourceError(code, { retryable: false });
}

async function asked<P, R>(
  { record: schema }: Collector<P, R>,
  source: Source<P, R>,
  params: P,
  context: SourceContext,
): Promise<Collected<R> | SourceError> {
  try {
    const answer = await Promise.race([aborted(context.signal), source.collect(params, context)]);
    const retrievedAt = context.now().toISOString();
    const { record, lost, hollow } = fitRecord(schema, answer.record, answer.quality);
    const partial = answer.partial === true || lost.length > 0 || hollow.length > 0;
    return {
      record,
      source: source.name,
      retrieved_at: retrievedAt,
      partial,
      quality: { ...notExposed(record, source.not_exposed ?? []), ...answer.quality },
      warnings: warningsOf(answer, lost, hollow),
      next: answer.next ? { source: source.name, at: answer.next } : null,
      ...(answer.at_end === undefined ? {} : { at_end: answer.at_end }),
    };
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}

const fewerFields =
  'This source gives fewer fields than the route has: see meta.quality for those that it does not have.';

/** Returns one sentence for each thing that is missing. An answer that is partial always has at least one. */
function warningsOf<R>(
  { partial, warnings = [], at_end }: SourceAnswer<R>,
  lost: readonly string[],
  hollow: readonly number[],
): string[] {
  const all = [
    ...warnings,
    ...lost.map((path) => `${path} could not be read and is null.`),
    ...hollow.map((row) => `${row}.id is all that could be read: the source sent this row in an unknown form.`),
    ...(at_end === undefined ? [] : [at_end]),
  ];
  return partial && all.length === 0 ? [fewerFields] : all;
}

/** Fails when the signal does, so that a source that does not listen to it holds nobody up. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () =>
      reject(new SourceError('SOURCE_TIMEOUT', { reason: 'the source was out of time', cause: signal.reason }));
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
