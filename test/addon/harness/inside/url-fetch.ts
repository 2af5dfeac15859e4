import type { WireReply, WireResult } from '../world.ts';
import { type Execution, modelled, requireMode, requireScope } from './execution.ts';
import { googleTexts } from './google-texts.ts';

const maxUrlCharacters = 2_082;
const maxHeaders = 100;
const maxFetchesPerDay = 20_000;
const knownOptions = new Set(['url', 'headers', 'muteHttpExceptions', 'followRedirects', 'timeoutSeconds']);

type FetchOptions = {
  url: string;
  headers?: Record<string, string>;
  muteHttpExceptions?: boolean;
  followRedirects?: boolean;
  timeoutSeconds?: number;
};

/**
 * Response header with the virtual duration of a request in ms. With it, tests simulate slow answers without waiting.
 */
const tookHeader = 'x-harness-took-ms';

export function urlFetchApp(execution: Execution) {
  return modelled('UrlFetchApp', { fetchAll: (requests: FetchOptions[]) => fetchAll(execution, requests) });
}

function fetchAll(execution: Execution, requests: FetchOptions[]) {
  requireMode(execution, 'UrlFetchApp.fetchAll', ['CUSTOM_FUNCTION', 'FULL']);
  requireScope(execution, 'UrlFetchApp.fetchAll', 'script.external_request');
  for (const request of requests) checkRequest(execution, request);
  const wire = requests.map(({ url, headers = {}, followRedirects = true }) => ({
    url,
    headers,
    redirect: followRedirects ? 'follow' : 'manual',
  }));
  const result: WireResult = JSON.parse(execution.fetchJson(JSON.stringify(wire)));
  execution.pause('UrlFetchApp.fetchAll');
  if ('error' in result) throw new Error(result.error);
  const tookMs = Math.max(0, ...result.replies.map((reply) => Number(reply.headers[tookHeader] ?? 0)));
  const patienceMs = Math.min(...requests.map(({ timeoutSeconds = 360 }) => timeoutSeconds * 1000));
  if (tookMs > 0) execution.shared({ need: 'sleep', wait_ms: Math.min(tookMs, patienceMs) });
  if (tookMs > patienceMs) throw new Error(googleTexts.timeout(wire[0]?.url ?? ''));
  return result.replies.map((reply, index) => response(reply, requests[index]?.muteHttpExceptions === true));
}

function checkRequest({ world }: Execution, request: FetchOptions): void {
  for (const option of Object.keys(request)) {
    if (!knownOptions.has(option)) throw new Error(`The harness does not model the fetch option ${option}`);
  }
  if (request.url.length > maxUrlCharacters) throw new Error('Limit Exceeded: URLFetch URL Length.');
  if (Object.keys(request.headers ?? {}).length > maxHeaders) throw new Error('Limit Exceeded: URLFetch Header Count.');
  if (!world.url_fetch_whitelist.some((prefix) => request.url.startsWith(prefix))) {
    throw new Error(googleTexts.notInManifest(request.url));
  }
  const { admin_allowed_urls } = world;
  if (admin_allowed_urls !== null && !admin_allowed_urls.some((prefix) => request.url.startsWith(prefix))) {
    throw new Error(googleTexts.adminBlock(request.url));
  }
  world.url_fetches += 1;
  if (world.url_fetches > maxFetchesPerDay) throw new Error(googleTexts.dailyFetches);
}

function response(reply: WireReply, muted: boolean) {
  if (reply.status >= 400 && !muted) throw new Error(`Request failed returned code ${reply.status}`);
  return modelled('HTTPResponse', {
    getResponseCode: () => reply.status,
    getContentText: () => reply.text,
    getAllHeaders: () => namedAnyhow(reply.headers),
  });
}

/**
 * Returns the headers with upper-case names, so that the add-on must not rely on their case: Apps Script does not
 * normalize names.
 */
function namedAnyhow(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}
