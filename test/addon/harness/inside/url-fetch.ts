import type { WireReply, WireResult } from '../world.ts';
import { type Execution, modelled, requireMode } from './execution.ts';

const urlCharactersMax = 2_082;
const headersMax = 100;
const fetchesPerDayMax = 20_000;
const knownOptions = new Set(['url', 'headers', 'muteHttpExceptions', 'followRedirects', 'timeoutSeconds']);

type FetchOptions = {
  url: string;
  headers?: Record<string, string>;
  muteHttpExceptions?: boolean;
  followRedirects?: boolean;
  timeoutSeconds?: number;
};

/** How long the answer took, in virtual ms: lets a test have slow answers without waiting. */
const tookHeader = 'x-harness-took-ms';

export function urlFetchApp(execution: Execution) {
  return modelled('UrlFetchApp', { fetchAll: (requests: FetchOptions[]) => fetchAll(execution, requests) });
}

function fetchAll(execution: Execution, requests: FetchOptions[]) {
  requireMode(execution, 'UrlFetchApp.fetchAll', ['CUSTOM_FUNCTION', 'FULL']);
  for (const request of requests) checkRequest(execution, request);
  const wire = requests.map(({ url, headers = {}, timeoutSeconds = 360, followRedirects = true }) => ({
    url,
    headers,
    timeout_ms: timeoutSeconds * 1000,
    redirect: followRedirects ? 'follow' : 'manual',
  }));
  const result: WireResult = JSON.parse(execution.fetchJson(JSON.stringify(wire)));
  if ('error' in result) throw new Error(result.error);
  const tookMs = Math.max(0, ...result.replies.map((reply) => Number(reply.headers[tookHeader] ?? 0)));
  const patienceMs = Math.min(...wire.map(({ timeout_ms }) => timeout_ms));
  execution.world.now_ms += Math.min(tookMs, patienceMs);
  if (tookMs > patienceMs) throw new Error('Timeout');
  return result.replies.map((reply, index) => response(reply, requests[index]?.muteHttpExceptions === true));
}

function checkRequest({ world }: Execution, request: FetchOptions): void {
  for (const option of Object.keys(request)) {
    if (!knownOptions.has(option)) throw new Error(`The harness does not model the fetch option ${option}`);
  }
  if (request.url.length > urlCharactersMax) throw new Error('Limit Exceeded: URLFetch URL Length.');
  if (Object.keys(request.headers ?? {}).length > headersMax) throw new Error('Limit Exceeded: URLFetch Header Count.');
  if (!world.url_fetch_whitelist.some((prefix) => request.url.startsWith(prefix))) {
    throw new Error(`The URL is not on the urlFetchWhitelist: ${request.url}`);
  }
  world.url_fetches += 1;
  if (world.url_fetches > fetchesPerDayMax) throw new Error('Service invoked too many times for one day: urlfetch.');
}

function response(reply: WireReply, muted: boolean) {
  if (reply.status >= 400 && !muted) throw new Error(`Request failed returned code ${reply.status}`);
  return modelled('HTTPResponse', {
    getResponseCode: () => reply.status,
    getContentText: () => reply.text,
    getAllHeaders: () => namedAnyhow(reply.headers),
  });
}

/** Returns header names in an unusual case, because the platform does not normalize it. */
function namedAnyhow(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}
