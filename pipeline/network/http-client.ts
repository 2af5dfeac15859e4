import { SourceError } from '../errors.ts';
import type { Fetcher, UpstreamAnswer, UpstreamRequest } from './exchange.ts';

/** The only hosts that are ever asked. Media hosts are passed on to customers, never fetched. */
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

export interface DoorLimits {
  timeout_ms: number;
  /** Of a decompressed body. */
  max_bytes: number;
}

export const doorLimits: DoorLimits = { timeout_ms: 10_000, max_bytes: 5 * 1024 * 1024 };

/** One hop as it goes out: parsed address, limits filled in. */
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
/** What is meant for the first host and is not carried to where it sends us. */
const privateHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie']);

/**
 * What the live and the replaying fetcher have in common: the allow-list, the deadline and the redirects that a request allows.
 * An address off the list is a fault of ours and throws a plain Error; a deadline throws SOURCE_TIMEOUT.
 */
export function createDoor(
  hosts: readonly string[],
  limits: DoorLimits,
  ask: (hop: Hop) => Promise<UpstreamAnswer>,
): Fetcher {
  return async (request, signal) => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(request.timeout_ms ?? limits.timeout_ms)]);
    let hop = firstHop(request, request.max_bytes ?? limits.max_bytes, deadline);
    if (!allowed(hosts, hop.url)) throw new Error(`not an address that may be fetched: ${hop.url.origin}`);
    for (let hops = 0; ; hops++) {
      const answer = await inTime(ask, hop);
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

function allowed(hosts: readonly string[], url: URL): boolean {
  const plain = url.username === '' && url.password === '' && url.port === '';
  return url.protocol === 'https:' && plain && hosts.includes(url.hostname);
}

async function inTime(ask: (hop: Hop) => Promise<UpstreamAnswer>, hop: Hop): Promise<UpstreamAnswer> {
  try {
    hop.signal.throwIfAborted();
    return await ask(hop);
  } catch (cause) {
    if (!hop.signal.aborted || cause instanceof SourceError) throw cause;
    throw new SourceError('SOURCE_TIMEOUT', { reason: `no answer of ${hop.url.hostname} in time`, cause });
  }
}

/** Where an answer redirects to, when that may be fetched at all. */
function redirectTarget(hosts: readonly string[], answer: UpstreamAnswer): URL | null {
  const location = answer.headers.location;
  if (location === undefined || !redirectStatuses.has(answer.status)) return null;
  const target = URL.parse(location, answer.url);
  return target !== null && allowed(hosts, target) ? target : null;
}

/** Only 307 and 308 repeat a POST; the others go on with a GET, as browsers do. */
function nextHop(hop: Hop, url: URL, status: number): Hop {
  const repeat = hop.method === 'GET' || status === 307 || status === 308;
  const kept = Object.entries(hop.headers).filter(
    ([name]) => !privateHeaders.has(name) && (repeat || name !== 'content-type'),
  );
  const headers = Object.fromEntries(kept);
  return repeat ? { ...hop, url, headers } : { ...hop, url, headers, method: 'GET', body: undefined };
}

/** Throws SOURCE_RESPONSE_CHANGED: no page of these sources is this large. */
export function tooLarge(maxBytes: number): never {
  throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `the body is over ${maxBytes} bytes` });
}

export function withoutByteOrderMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}
