import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { responseChanged, SourceError } from '../errors.ts';
import { dig } from '../parse/values.ts';
import { createAgent, loadUndici } from './agent.ts';
import { type ConcurrencyLimit, type ConcurrencyOptions, createConcurrencyLimit } from './concurrency-limit.ts';
import type { Fetcher, UpstreamAnswer } from './exchange.ts';
import {
  AnswerTooLargeError,
  createHttpClient,
  type Hop,
  type HttpLimits,
  httpLimits,
  pictureHosts,
  upstreamHosts,
  withoutByteOrderMark,
} from './http-client.ts';
import { publicLookup } from './public-lookup.ts';

export type { Fetcher, UpstreamAnswer, UpstreamRequest } from './exchange.ts';

export interface FetcherOptions extends Partial<HttpLimits>, Partial<ConcurrencyOptions> {
  hosts?: readonly string[];
  /** The `undici` connection pool. The default pool never connects to a private IP address. */
  dispatcher?: Dispatcher;
}

const defaultHostLimits: ConcurrencyOptions = { in_flight: 8, waiting: 64 };
const politeHeaders = {
  'user-agent': 'Mozilla/5.0 (compatible; Tidemark/0.1; public data for spreadsheets)',
  'accept-language': 'en',
};

/**
 * Creates the HTTP client that sends requests to the platforms over the network. The client sends HTTPS requests to
 * allowed hosts only, and limits the number of simultaneous requests to each host.
 */
export function createFetcher(options: FetcherOptions = {}): Fetcher {
  const limits = { ...httpLimits, ...defaultHostLimits, ...options };
  const { hosts = [...upstreamHosts, ...pictureHosts], dispatcher } = options;
  const agent = dispatcher ? async () => dispatcher : createAgent(publicLookup);
  const hostLimits = new Map<string, ConcurrencyLimit>();
  function limitOf(host: string): ConcurrencyLimit {
    const limit = hostLimits.get(host) ?? createConcurrencyLimit(limits);
    hostLimits.set(host, limit);
    return limit;
  }
  return createHttpClient(hosts, limits, (hop) => limitOf(hop.url.hostname)(hop.signal, () => exchange(hop, agent)));
}

async function exchange(hop: Hop, agent: () => Promise<Dispatcher>): Promise<UpstreamAnswer> {
  const [{ request }, dispatcher] = await Promise.all([loadUndici(), agent()]);
  try {
    const { statusCode, headers, body } = await request(hop.url, {
      method: hop.method,
      headers: requestHeaders(hop),
      body: hop.body ?? null,
      signal: hop.signal,
      dispatcher,
    });
    const received = flattenHeaders(headers);
    const raw = await readBody(body, hop.max_bytes);
    const decoded = await decode(raw, received['content-encoding'] ?? '', hop.max_bytes);
    return { status: statusCode, url: hop.url.href, headers: received, body: withoutByteOrderMark(decoded) };
  } catch (cause) {
    throw hop.signal.aborted ? cause : toSourceError(cause, hop.url.hostname);
  }
}

function requestHeaders(hop: Hop): Record<string, string> {
  const type: Record<string, string> = hop.body === undefined ? {} : { 'content-type': 'application/json' };
  return { ...politeHeaders, ...type, ...hop.headers, 'accept-encoding': 'gzip, deflate, br' };
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name, value]) => name !== 'set-cookie' && value !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new AnswerTooLargeError(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const decoders: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  // Some servers send "deflate" without the zlib header. The low four bits of the first byte are 8 only if the header
  // is present.
  deflate: (body, options) => promisify(((body[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(body, options),
};

async function decode(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity' || body.length === 0) return body;
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (decoder === undefined) throw responseChanged(`unknown encoding ${name}`);
  try {
    return await decoder(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (dig(cause, 'code') === 'ERR_BUFFER_TOO_LARGE') throw new AnswerTooLargeError(maxBytes);
    throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `the ${name} body is broken`, cause });
  }
}

const timeouts: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/**
 * Converts a network error to a SourceError. Returns an invalid-argument error unchanged, because it is a bug in our
 * code.
 */
function toSourceError(cause: unknown, host: string): unknown {
  const undiciCode = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (cause instanceof SourceError || undiciCode === 'UND_ERR_INVALID_ARG') return cause;
  const code = timeouts.has(undiciCode) ? 'SOURCE_TIMEOUT' : 'SOURCE_UNAVAILABLE';
  return new SourceError(code, { reason: `the connection to ${host} failed`, cause });
}
