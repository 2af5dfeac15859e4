import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import type { SourceContext } from '../../../pipeline/collect/collect.ts';
import { type Blame, type ErrorRow, errorTable, SourceError } from '../../../pipeline/errors.ts';
import type { Fetcher, UpstreamRequest } from '../../../pipeline/network/fetcher.ts';
import { createDoor, doorLimits, upstreamHosts } from '../../../pipeline/network/http-client.ts';

interface CannedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface Upstream {
  context: SourceContext;
  /** Every request that was sent, in order. */
  requests: UpstreamRequest[];
}

/** A context whose upstream is `fetch`, with every request written down. */
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

/** An upstream behind the real door that gives each request the first answer whose key its URL contains. */
export function upstream(answers: Record<string, CannedAnswer | string>): Upstream {
  const door = createDoor(upstreamHosts, doorLimits, async (hop) => {
    const url = hop.url.href;
    const found = Object.entries(answers).find(([part]) => url.includes(part));
    if (found === undefined) throw new Error(`no canned answer for ${url}`);
    const { status = 200, headers = {}, body = '' } = typeof found[1] === 'string' ? { body: found[1] } : found[1];
    return { status, url, headers, body: Buffer.from(body) };
  });
  return recordingCalls(door);
}

/** An invented answer from the folder beside this file. */
export function cutdown(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8'));
}

/** A page of the platform around a state, among scripts that are none of our business. */
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

/** The HTTP status that a refusal becomes and whose fault it is. */
export async function refusal(answer: Promise<unknown>): Promise<[ErrorRow['status'], Blame]> {
  const error = await answer.then(
    (value) => expect.fail(`answered ${JSON.stringify(value).slice(0, 200)}`),
    (cause: unknown) => cause,
  );
  if (!(error instanceof SourceError)) throw error;
  return [errorTable[error.code].status, error.about];
}
