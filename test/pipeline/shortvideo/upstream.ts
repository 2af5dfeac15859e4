import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import type { SourceContext } from '../../../pipeline/collect/collect.ts';
import type { ErrorRow } from '../../../pipeline/errors/row.ts';
import { type Blame, errorTable, SourceError } from '../../../pipeline/errors.ts';
import type { Fetcher, UpstreamRequest } from '../../../pipeline/network/fetcher.ts';
import { createHttpClient, httpLimits, upstreamHosts } from '../../../pipeline/network/http-client.ts';

interface FixedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface Upstream {
  context: SourceContext;
  /** Every request that was sent to the fake TikTok, in order. */
  requests: UpstreamRequest[];
}

/** Returns a source context that uses `fetch` and records every request. */
export function recordingCalls(fetch: Fetcher): Upstream {
  const requests: UpstreamRequest[] = [];
  const config: SourceContext['config'] = {
    youtube_api_key: null,
    instagram_graph_token: null,
    instagram_graph_user_id: null,
    meta_adlibrary_token: null,
    x_bearer_token: null,
    keyless: () => true,
  };
  const counted: Fetcher = (request, signal) => {
    requests.push(request);
    return fetch(request, signal);
  };
  const now = () => new Date('2026-11-20T10:00:00.000Z');
  const breakers = createBreakers({ enabled: false });
  return { context: { fetch: counted, config, now, breakers, signal: new AbortController().signal }, requests };
}

/**
 * Returns a fake TikTok behind the real HTTP client. Each request gets the first answer whose key occurs in the
 * request's URL.
 */
export function upstream(answers: Record<string, FixedAnswer | string>): Upstream {
  const fetch = createHttpClient(upstreamHosts, httpLimits, async (hop) => {
    const url = hop.url.href;
    const found = Object.entries(answers).find(([part]) => url.includes(part));
    if (found === undefined) throw new Error(`no answer for ${url}`);
    const { status = 200, headers = {}, body = '' } = typeof found[1] === 'string' ? { body: found[1] } : found[1];
    return { status, url, headers, body: Buffer.from(body) };
  });
  return recordingCalls(fetch);
}

/** Reads an invented answer from the folder `fixtures`. */
export function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8'));
}

/** Returns a TikTok page with this state in one of its several scripts. */
export function pageWith(script: string, state: unknown): string {
  const json = typeof state === 'string' ? state : JSON.stringify(state);
  return `<!DOCTYPE html><html><head><script id="script-manager" type="application/json">{"imports":{}}</script></head>
<body><script id="${script}" type="application/json" nonce="AbC+/=">${json}</script><script>var a = {"b": 1};</script></body></html>`;
}

export function universalPage(scope: Record<string, unknown>): string {
  return pageWith('__UNIVERSAL_DATA_FOR_REHYDRATION__', {
    __DEFAULT_SCOPE__: { 'webapp.app-context': { language: 'en' }, ...scope, 'webapp.a-b': {} },
  });
}

export function frontityPage(state: unknown): string {
  return pageWith('__FRONTITY_CONNECT_STATE__', state);
}

/** Returns the HTTP status for an error, and who or what caused the error. */
export async function refusal(answer: Promise<unknown>): Promise<[ErrorRow['status'], Blame]> {
  const error = await answer.then(
    (value) => expect.fail(`answered ${JSON.stringify(value).slice(0, 200)}`),
    (cause: unknown) => cause,
  );
  if (!(error instanceof SourceError)) throw error;
  return [errorTable[error.code].status, error.about];
}
