import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { QuotaLedger } from '../../../db/requests/quota.ts';
import { type Breakers, createBreakers } from '../../../pipeline/collect/breaker.ts';
import type { Collector, Source, SourceContext } from '../../../pipeline/collect/collect.ts';
import type { ErrorRow } from '../../../pipeline/errors/row.ts';
import { type Blame, errorTable, SourceError } from '../../../pipeline/errors.ts';
import * as collectors from '../../../pipeline/longvideo/collectors.ts';
import { type Surfaces, surfacesOfService } from '../../../pipeline/longvideo/surfaces.ts';
import { createWeb } from '../../../pipeline/longvideo/web/innertube.ts';
import type { Fetcher, UpstreamRequest } from '../../../pipeline/network/fetcher.ts';
import { createHttpClient, httpLimits, upstreamHosts } from '../../../pipeline/network/http-client.ts';
import { recordedFetcher, recordedFolder, recordedManifest } from '../../recorded.ts';

export const key = 'invented-key-7e1b';
/** One session with YouTube's website for all tests, because opening one takes ten milliseconds. */
const web = createWeb();

interface Setting {
  key?: string | null;
  keyless?: boolean;
  signal?: AbortSignal;
  now?: () => Date;
  /** Daily quota units of YouTube's official API, by quota bucket. */
  budgets?: { general?: number; search?: number };
  /** Names of the keyless sources that are turned off. */
  off?: readonly string[];
  breakers?: Breakers;
  quota?: QuotaLedger;
  surfaces?: Partial<Surfaces>;
}

export interface Upstream {
  collectors: typeof collectors;
  surfaces: Surfaces;
  context: SourceContext;
  requests: UpstreamRequest[];
  /** Quota units that were counted, by API method. */
  units: Record<string, number>;
  /**
   * Returns the number of requests to an endpoint, such as `videos` or `channels` of the official API, or `player` or
   * `next` of the website.
   */
  requestCount: (endpoint: string) => number;
}

/** Creates YouTube collectors over this fetcher and records every request. */
export function over(fetch: Fetcher, setting: Setting = {}): Upstream {
  const requests: UpstreamRequest[] = [];
  const units: Record<string, number> = {};
  const context: SourceContext = {
    breakers: setting.breakers ?? createBreakers({ enabled: false }),
    ...(setting.quota && { quota: setting.quota }),
    fetch: (request, signal) => {
      requests.push(request);
      return fetch(request, signal);
    },
    config: {
      youtube_api_key: setting.key === undefined ? key : setting.key,
      instagram_graph_token: null,
      instagram_graph_user_id: null,
      meta_adlibrary_token: null,
      x_bearer_token: null,
      youtube_daily_units: setting.budgets?.general ?? 10_000,
      youtube_daily_searches: setting.budgets?.search ?? 100,
      keyless: (name) => (setting.keyless ?? true) && setting.off?.includes(name) !== true,
    },
    now: setting.now ?? (() => new Date('2026-11-20T10:00:00.000Z')),
    signal: setting.signal ?? new AbortController().signal,
  };
  const requestCount = (endpoint: string) => requests.filter((request) => endpointOf(request.url) === endpoint).length;
  const surfaces = surfacesOfService(context);
  const api = { quota: counting(surfaces.api.quota, units), retry_delay_ms: 0 };
  Object.assign(surfaces, { web, api, ...setting.surfaces });
  return { collectors, surfaces, context, requests, units, requestCount };
}

/** Wraps a quota ledger so that the units it counts are also added to `units`, by API method. */
function counting(ledger: QuotaLedger, units: Record<string, number>): QuotaLedger {
  return {
    ...ledger,
    async spend(use) {
      const counted = await ledger.spend(use);
      if (counted) units[use.method] = (units[use.method] ?? 0) + use.units;
      return counted;
    },
  };
}

interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** The body of the answer. An object is sent as JSON. */
  body: string | object;
}
type Fake = FakeAnswer | ((request: UpstreamRequest, signal: AbortSignal) => Promise<FakeAnswer> | FakeAnswer);

/**
 * Creates an upstream with invented answers by endpoint. Several answers for one endpoint are used in order, and the
 * last one repeats.
 */
export function invented(answers: Record<string, Fake | Fake[]>, setting?: Setting): Upstream {
  const served = new Map<string, number>();
  const httpClient = createHttpClient(upstreamHosts, httpLimits, async (hop) => {
    const endpoint = endpointOf(hop.url.href);
    const choices = [answers[endpoint] ?? []].flat();
    const turn = served.get(endpoint) ?? 0;
    served.set(endpoint, turn + 1);
    const choice = choices[Math.min(turn, choices.length - 1)];
    if (choice === undefined) throw new Error(`no invented answer for ${endpoint}`);
    const request: UpstreamRequest = { method: hop.method, url: hop.url.href, headers: hop.headers };
    if (hop.body !== undefined) request.body = hop.body;
    const {
      status = 200,
      headers = {},
      body,
    } = typeof choice === 'function' ? await choice(request, hop.signal) : choice;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { status, url: hop.url.href, headers, body: Buffer.from(text) };
  });
  return over(httpClient, setting);
}

function endpointOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}

/** Creates an upstream that gives the recorded answers. */
export function recorded(setting?: Setting): Upstream {
  return over(recordedFetcher(), setting);
}

export interface Exchange {
  url: string;
  query?: Record<string, string | string[] | null>;
  body?: Record<string, string | string[] | null>;
  file?: string;
  text?: string;
}

/** Returns the recorded exchanges whose URL ends with this endpoint; empty when the recordings are not installed. */
export function exchangesOf(endpoint: string): Exchange[] {
  if (!existsSync(recordedManifest)) return [];
  const { exchanges }: { exchanges: Exchange[] } = JSON.parse(readFileSync(recordedManifest, 'utf8'));
  return exchanges.filter(({ url }) => new RegExp(`/${endpoint}(?:\\\\|\\(|$)`).test(url));
}

/** Returns the recorded body of an exchange as plain JSON. */
export function bodyOf(exchange: Exchange | undefined): unknown {
  if (exchange?.text !== undefined) return JSON.parse(exchange.text);
  return JSON.parse(readFileSync(join(recordedFolder, exchange?.file ?? 'missing'), 'utf8'));
}

/** Returns the value at a dotted path of plain JSON; undefined when the path does not exist. */
export function at(json: unknown, path: string): unknown {
  if (path === '') return json;
  return path.split('.').reduce<unknown>((value, name) => Object(value)[name], json);
}

/** Converts a time in YouTube's format to the format of our records (ISO 8601 in UTC). */
export function instant(time: unknown): string {
  return new Date(String(time)).toISOString();
}

/** Returns the source of a collector that has this name. */
export function sourceOf<P, R>(collector: Collector<P, R>, name: string): Source<P, R> {
  return collector.sources.find((source) => source.name === name) ?? expect.fail(`no source ${name}`);
}

/** Reads an invented answer from the folder `fixtures`. */
export function readFixture(name: string): object {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8'));
}

/** Returns a copy of a JSON body with another value at a dotted path. */
export function changed(body: object, path: string, value: unknown): { body: object } {
  const copy = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  Object.assign(Object(at(copy, names.join('.'))), { [last]: value });
  return { body: copy };
}

/**
 * Returns the SourceError of a collect call, which must fail. Fails the test when the error contains the operator's
 * key.
 */
export async function refusalOf(collected: Promise<unknown>): Promise<SourceError> {
  const error = await collected.then(
    (answer) => expect.fail(`answered ${JSON.stringify(answer).slice(0, 200)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SourceError)) throw error;
  expect([error.message, error.reason, String(error.cause), error.stack].join('\n')).not.toContain(key);
  return error;
}

/** Returns the HTTP status for the error of a collect call, which must fail, and who or what caused the error. */
export async function refusal(collected: Promise<unknown>): Promise<[ErrorRow['status'], Blame]> {
  const error = await refusalOf(collected);
  return [errorTable[error.code].status, error.about];
}
