import { z } from 'zod';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import {
  type CollectContext,
  type Collector,
  collect,
  type Source,
  type SourceAnswer,
} from '../../../pipeline/collect/collect.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import { SourceError, type SourceErrorCode } from '../../../pipeline/errors.ts';
import { coreFields } from '../../../pipeline/records/core.ts';

/** The schema of an invented kind of record, for tests of collectors. */
export const shape = z
  .strictObject({
    id: z.string().nullable(),
    username: z.string().nullable(),
    followers: z.int().nonnegative().nullable(),
    links: z.array(z.strictObject({ url: z.string() })).nullable(),
  })
  .register(coreFields, { fields: ['followers', 'links'] });
export type Invented = z.infer<typeof shape>;
export const record: Invented = { id: '1', username: 'tidepool', followers: 12, links: null };
export type Params = { handle: string; cursor?: { source: string; at: Record<string, string> } | null };
export type Keyless = Source<Params, Invented>;

const now = () => new Date('2026-11-20T10:00:00Z');
export function contextWith(changes: Partial<CollectContext> = {}, env: Record<string, string> = {}): CollectContext {
  return {
    fetch: () => Promise.reject(new Error('these sources ask nobody')),
    config: readSourcesConfig(env),
    now,
    signal: new AbortController().signal,
    breakers: createBreakers({ now }),
    ...changes,
  };
}

export const source = (name: string, answer: SourceAnswer<unknown> | Error, more: Partial<Keyless> = {}): Keyless => ({
  name,
  credentials: null,
  collect: async () => {
    if (answer instanceof Error) throw answer;
    return answer as SourceAnswer<Invented>;
  },
  ...more,
});
export const official = (answer: SourceAnswer<unknown> | Error) =>
  source('youtube-data', answer, { credentials: (config) => config.youtube_api_key !== null });
export const collectorOf = (...sources: Keyless[]): Collector<Params, Invented> => ({
  name: 'invented',
  params: z.custom<Params>(),
  record: shape,
  sources,
});
export const ask = (sources: Keyless[], context = contextWith(), params: Params = { handle: 'tidepool' }) =>
  collect(collectorOf(...sources), params, context);
export const refusal = (code: SourceErrorCode, options = {}) => new SourceError(code, options);
export const never = (name: string) => source(name, new Error('this source must not be used'));
