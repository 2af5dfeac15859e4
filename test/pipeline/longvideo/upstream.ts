import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { QuotaLedger } from '../../../db/requests/quota.ts';
import { type Breakers, createBreakers } from '../../../pipeline/collect/breaker.ts';
import type { Collector, Source, SourceContext } from '../../../pipeline/collect/collect.ts';
import { type Blame, type ErrorRow, errorTable, SourceError } from '../../../pipeline/errors.ts';
import { createLongvideoCollectors, type LongvideoCollectors } from '../../../pipeline/longvideo/collectors.ts';
import { createSurfaces, type Surfaces } from '../../../pipeline/longvideo/surfaces.ts';
import type { Fetcher, UpstreamRequest } from '../../../pipeline/network/fetcher.ts';
import { createHttpClient, httpLimits, upstreamHosts } from '../../../pipeline/network/http-client.ts';
import { createReplayFetcher } from '../../../pipeline/network/replay.ts';
import { recordedFolder, recordedManifest } from '../../recorded.ts';

export const key = 'invented-key-7e1b';

interface Setting {
  key?: string | null;
  keyless?: boolean;
  signal?: AbortSignal;
  now?: () => Date;
  /** Of the official source, by bucket. */
  budgets?: { general?: number; search?: number };
  /** The keyless sources that are switched off. */
  off?: readonly string[];
  breakers?: Breakers;
  quota?: QuotaLedger;
  surfaces?: Partial<Surfaces>;
}

export interface Upstream {
  collectors: LongvideoCollectors;
  surfaces: Surfaces;
  context: SourceContext;
  requests: UpstreamRequest[];
  /** The units that were counted, by method. */
  units: Record<string, number>;
  /** How often an endpoint was asked: `videos`, `channels`, … of the official source, `player`, `next`, … of the web. */
  asked: (endpoint: string) => number;
}

/** Collectors of their own over one upstream, with every request written down. */
export function over(fetch: Fetcher, setting: Setting = {}): Upstream {
  const requests: UpstreamRequest[] = [];
  const base = createSurfaces();
  const units: Record<string, number> = {};
  const surfaces = { ...base, api: { quota: watched(base.api.quota, units), retry_delay_ms: 0 }, ...setting.surfaces };
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
  const asked = (endpoint: string) => requests.filter((request) => endpointOf(request.url) === endpoint).length;
  return { collectors: createLongvideoCollectors(surfaces), surfaces, context, requests, units, asked };
}

/** The same ledger, with what it counts written down. */
function watched(ledger: QuotaLedger, units: Record<string, number>): QuotaLedger {
  return {
    ...ledger,
    async spend(use) {
      const counted = await ledger.spend(use);
      if (counted) units[use.method] = (units[use.method] ?? 0) + use.units;
      return counted;
    },
  };
}

interface CannedAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body: string | object;
}
type Canned = CannedAnswer | ((request: UpstreamRequest, signal: AbortSignal) => Promise<CannedAnswer> | CannedAnswer);

/** An upstream of invented answers by endpoint; of several answers each serves once and the last one stays. */
export function invented(answers: Record<string, Canned | Canned[]>, setting?: Setting): Upstream {
  const served = new Map<string, number>();
  const door = createHttpClient(upstreamHosts, httpLimits, async (hop) => {
    const endpoint = endpointOf(hop.url.href);
    const choices = [answers[endpoint] ?? []].flat();
    const turn = served.get(endpoint) ?? 0;
    served.set(endpoint, turn + 1);
    const choice = choices[Math.min(turn, choices.length - 1)];
    if (choice === undefined) throw new Error(`no invented answer of ${endpoint}`);
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
  return over(door, setting);
}

function endpointOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}

/** The recorded upstream. */
export function recorded(setting?: Setting): Upstream {
  return over(createReplayFetcher(recordedManifest), setting);
}

export interface Exchange {
  url: string;
  query?: Record<string, string | string[] | null>;
  body?: Record<string, string | string[] | null>;
  file?: string;
  text?: string;
}

/** The exchanges whose address ends in this endpoint; none without the recordings. */
export function exchangesOf(endpoint: string): Exchange[] {
  if (!existsSync(recordedManifest)) return [];
  const { exchanges }: { exchanges: Exchange[] } = JSON.parse(readFileSync(recordedManifest, 'utf8'));
  return exchanges.filter(({ url }) => new RegExp(`/${endpoint}(?:\\\\|\\(|$)`).test(url));
}

/** The recorded body of an exchange as plain JSON. */
export function bodyOf(exchange: Exchange | undefined): unknown {
  if (exchange?.text !== undefined) return JSON.parse(exchange.text);
  return JSON.parse(readFileSync(join(recordedFolder, exchange?.file ?? 'missing'), 'utf8'));
}

/** The value under a dotted path of plain JSON, undefined where it breaks off. */
export function at(json: unknown, path: string): unknown {
  if (path === '') return json;
  return path.split('.').reduce<unknown>((value, name) => Object(value)[name], json);
}

/** An instant as our records write it. */
export function instant(time: unknown): string {
  return new Date(String(time)).toISOString();
}

/** The source of a collector by its name. */
export function sourceOf<P, R>(collector: Collector<P, R>, name: string): Source<P, R> {
  return collector.sources.find((source) => source.name === name) ?? expect.fail(`no source ${name}`);
}

/** An invented answer from the folder beside this file. */
export function cutdown(name: string): object {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8'));
}

/** The cut-down with the member under a dotted path replaced. */
export function changed(body: object, path: string, value: unknown): { body: object } {
  const copy = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  Object.assign(Object(at(copy, names.join('.'))), { [last]: value });
  return { body: copy };
}

/** The refusal that a collect ends with; no part of it may hold the operator's key. */
export async function refusalOf(collected: Promise<unknown>): Promise<SourceError> {
  const error = await collected.then(
    (answer) => expect.fail(`answered ${JSON.stringify(answer).slice(0, 200)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SourceError)) throw error;
  expect([error.message, error.reason, String(error.cause), error.stack].join('\n')).not.toContain(key);
  return error;
}

/** The HTTP status that a refusal becomes and whom it is about. */
export async function refusal(collected: Promise<unknown>): Promise<[ErrorRow['status'], Blame]> {
  const error = await refusalOf(collected);
  return [errorTable[error.code].status, error.about];
}
