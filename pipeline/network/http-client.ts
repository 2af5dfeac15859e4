import { SourceError } from '../errors.ts';
import { traced } from '../telemetry/trace.ts';
import type { Fetcher, UpstreamAnswer, UpstreamRequest } from './exchange.ts';

/** The only hosts from which platform data is fetched. Pictures are fetched from {@link pictureHosts}. */
export const upstreamHosts: readonly string[] = [
  'graph.facebook.com',
  'www.instagram.com',
  'open.tiktokapis.com',
  'www.tiktok.com',
  'vm.tiktok.com',
  'vt.tiktok.com',
  'www.googleapis.com',
  'youtube.googleapis.com',
  'www.youtube.com',
  'api.x.com',
];

/**
 * The hosts from which pictures of the platforms are fetched. A name that begins with a dot matches all its subdomains.
 */
export const pictureHosts: readonly string[] = [
  '.cdninstagram.com',
  '.fbcdn.net',
  '.tiktokcdn.com',
  '.tiktokcdn-us.com',
  '.tiktokcdn-eu.com',
  '.ibyteimg.com',
  '.muscdn.com',
  '.ytimg.com',
  '.ggpht.com',
  'yt3.googleusercontent.com',
  'pbs.twimg.com',
];

export interface HttpLimits {
  timeout_ms: number;
  /** Maximum size of a decompressed response body, in bytes. */
  max_bytes: number;
}

export const httpLimits: HttpLimits = { timeout_ms: 10_000, max_bytes: 5 * 1024 * 1024 };

/** One request in a chain of redirects. */
export interface Hop {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
  max_bytes: number;
  signal: AbortSignal;
}

const maxHops = 3;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/**
 * Request headers that contain secrets. Only the first request of a chain has these headers; they are removed after a
 * redirect.
 */
const privateHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie']);

/**
 * Creates an HTTP client around `send`, which sends one request over the network or finds a recorded answer. The client
 * checks the allowed hosts, follows redirects and enforces the time limit. Throws a plain Error for a host that is not
 * allowed, and SOURCE_TIMEOUT when the time is over.
 */
export function createHttpClient(
  hosts: readonly string[],
  limits: HttpLimits,
  send: (hop: Hop) => Promise<UpstreamAnswer>,
): Fetcher {
  return async (request, signal) => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(request.timeout_ms ?? limits.timeout_ms)]);
    let hop = firstHop(request, request.max_bytes ?? limits.max_bytes, deadline);
    if (!allowed(hosts, hop.url))
      throw new Error(`The origin ${hop.url.origin} may not be fetched. Add its host to upstreamHosts.`);
    for (let hops = 0; ; hops++) {
      const answer = await sendInTime(send, hop);
      const target = hops < maxHops ? redirectTarget(hosts, answer) : null;
      if (target === null || !request.follow?.(target)) return answer;
      hop = nextHop(hop, target, answer.status);
    }
  };
}

function firstHop(request: UpstreamRequest, maxBytes: number, signal: AbortSignal): Hop {
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method: request.method ?? 'GET',
    url: new URL(request.url),
    headers: Object.fromEntries(headers),
    body: request.body,
    max_bytes: maxBytes,
    signal,
  };
}

/** Returns true for an https URL whose host is in the list, if the URL has no port and no credentials. */
export function allowed(hosts: readonly string[], url: URL): boolean {
  const plain = url.username === '' && url.password === '' && url.port === '';
  const { hostname } = url;
  const known = hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host));
  return url.protocol === 'https:' && plain && known;
}

async function sendInTime(send: (hop: Hop) => Promise<UpstreamAnswer>, hop: Hop): Promise<UpstreamAnswer> {
  try {
    hop.signal.throwIfAborted();
    // The trace contains only the host name, because the URL path names the requested person or post.
    const { method, url } = hop;
    const attributes = { 'http.request.method': method, 'server.address': url.hostname };
    return await traced({ name: `${method} ${url.hostname}`, kind: 'client', attributes }, async (span) => {
      const answer = await send(hop);
      span.setAttribute('http.response.status_code', answer.status);
      return answer;
    });
  } catch (cause) {
    if (!hop.signal.aborted || cause instanceof SourceError) throw cause;
    throw new SourceError('SOURCE_TIMEOUT', { reason: `no answer from ${hop.url.hostname} in time`, cause });
  }
}

/** Returns the redirect target of an HTTP answer when its host is allowed, else null. */
function redirectTarget(hosts: readonly string[], answer: UpstreamAnswer): URL | null {
  const location = answer.headers.location;
  if (location === undefined || !redirectStatuses.has(answer.status)) return null;
  const target = URL.parse(location, answer.url);
  return target !== null && allowed(hosts, target) ? target : null;
}

/**
 * Returns the next request after a redirect. A POST is repeated only for the statuses 307 and 308. After other
 * statuses, the next request is a GET, as in browsers.
 */
function nextHop(hop: Hop, url: URL, status: number): Hop {
  const repeat = hop.method === 'GET' || status === 307 || status === 308;
  const kept = Object.entries(hop.headers).filter(
    ([name]) => !privateHeaders.has(name) && (repeat || name !== 'content-type'),
  );
  const headers = Object.fromEntries(kept);
  return repeat ? { ...hop, url, headers } : { ...hop, url, headers, method: 'GET', body: undefined };
}

/**
 * Error SOURCE_RESPONSE_CHANGED for a response body above the size limit. No page that we read is normally that large.
 */
export class AnswerTooLargeError extends SourceError {
  constructor(maxBytes: number) {
    super('SOURCE_RESPONSE_CHANGED', { reason: `the body is over ${maxBytes} bytes` });
  }
}

export function withoutByteOrderMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}
