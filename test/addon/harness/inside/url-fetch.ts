import type { WireReply, WireResult } from '../world.ts';
import { type Execution, modelled, requireMode } from './execution.ts';

const url_characters_max = 2_082;
const headers_max = 100;
const fetches_a_day_max = 20_000;
const known_options = new Set(['url', 'headers', 'muteHttpExceptions', 'followRedirects', 'timeoutSeconds']);

type FetchOptions = {
  url: string;
  headers?: Record<string, string>;
  muteHttpExceptions?: boolean;
  followRedirects?: boolean;
  timeoutSeconds?: number;
};

/** How long the answer took, in virtual ms: lets a test have slow answers without waiting. */
const took_header = 'x-harness-took-ms';

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
  const result: WireResult = JSON.parse(execution.fetchDoor(JSON.stringify(wire)));
  if ('error' in result) throw new Error(result.error);
  const took_ms = Math.max(0, ...result.replies.map((reply) => Number(reply.headers[took_header] ?? 0)));
  const patience_ms = Math.min(...wire.map(({ timeout_ms }) => timeout_ms));
  execution.world.now_ms += Math.min(took_ms, patience_ms);
  if (took_ms > patience_ms) throw new Error('Timeout');
  return result.replies.map((reply, index) => response(reply, requests[index]?.muteHttpExceptions === true));
}

function checkRequest({ world }: Execution, request: FetchOptions): void {
  for (const option of Object.keys(request)) {
    if (!known_options.has(option)) throw new Error(`The harness does not model the fetch option ${option}`);
  }
  if (request.url.length > url_characters_max) throw new Error('Limit Exceeded: URLFetch URL Length.');
  if (Object.keys(request.headers ?? {}).length > headers_max)
    throw new Error('Limit Exceeded: URLFetch Header Count.');
  if (!world.url_fetch_whitelist.some((prefix) => request.url.startsWith(prefix))) {
    throw new Error(`The URL is not on the urlFetchWhitelist: ${request.url}`);
  }
  world.url_fetches += 1;
  if (world.url_fetches > fetches_a_day_max) throw new Error('Service invoked too many times for one day: urlfetch.');
}

function response(reply: WireReply, muted: boolean) {
  if (reply.status >= 400 && !muted) throw new Error(`Request failed returned code ${reply.status}`);
  return modelled('HTTPResponse', {
    getResponseCode: () => reply.status,
    getContentText: () => reply.text,
    getAllHeaders: () => namedAnyhow(reply.headers),
  });
}

/** Header names come back in no dependable case: here in the one that nobody expects. */
function namedAnyhow(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}
