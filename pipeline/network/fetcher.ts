import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { Agent, type Dispatcher, errors, request as undiciRequest } from 'undici';
import { SourceError } from '../errors.ts';
import { createGate, type Gate, type GateLimits } from './concurrency-limit.ts';
import type { Fetcher, UpstreamAnswer } from './exchange.ts';
import {
  createDoor,
  type DoorLimits,
  doorLimits,
  type Hop,
  tooLarge,
  upstreamHosts,
  withoutByteOrderMark,
} from './http-client.ts';
import { publicLookup } from './public-lookup.ts';

export type { Fetcher, UpstreamAnswer, UpstreamRequest } from './exchange.ts';

export interface FetcherOptions extends Partial<DoorLimits>, Partial<GateLimits> {
  hosts?: readonly string[];
  /** How connections are made; the default never connects to an address inside our own network. */
  dispatcher?: Dispatcher;
}

const connectTimeoutMs = 5_000;
const hostLimits: GateLimits = { in_flight: 8, waiting: 64 };
const politeHeaders = {
  'user-agent': 'Mozilla/5.0 (compatible; Tidemark/0.1; public data for spreadsheets)',
  'accept-language': 'en',
};

/** The fetcher of the real network: HTTPS to the allow-listed hosts only, few requests at once to each. */
export function createFetcher(options: FetcherOptions = {}): Fetcher {
  const limits = { ...doorLimits, ...hostLimits, ...options };
  const { hosts = upstreamHosts, dispatcher = publicAgent() } = options;
  const gates = new Map<string, Gate>();
  function gateOf(host: string): Gate {
    const gate = gates.get(host) ?? createGate(limits);
    gates.set(host, gate);
    return gate;
  }
  return createDoor(hosts, limits, (hop) => gateOf(hop.url.hostname)(hop.signal, () => exchange(hop, dispatcher)));
}

function publicAgent(): Dispatcher {
  return new Agent({ connect: { lookup: publicLookup, timeout: connectTimeoutMs } });
}

async function exchange(hop: Hop, dispatcher: Dispatcher): Promise<UpstreamAnswer> {
  try {
    const { statusCode, headers, body } = await undiciRequest(hop.url, {
      method: hop.method,
      headers: outgoing(hop),
      body: hop.body ?? null,
      signal: hop.signal,
      dispatcher,
    });
    const received = flat(headers);
    const raw = await collected(body, hop.max_bytes);
    const decoded = await decode(raw, received['content-encoding'] ?? '', hop.max_bytes);
    return { status: statusCode, url: hop.url.href, headers: received, body: withoutByteOrderMark(decoded) };
  } catch (cause) {
    throw hop.signal.aborted ? cause : meaning(cause, hop.url.hostname);
  }
}

function outgoing(hop: Hop): Record<string, string> {
  const type: Record<string, string> = hop.body === undefined ? {} : { 'content-type': 'application/json' };
  return { ...politeHeaders, ...type, ...hop.headers, 'accept-encoding': 'gzip, deflate, br' };
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name, value]) => name !== 'set-cookie' && value !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

async function collected(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const decoders: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  // Servers send "deflate" with and without its zlib header, whose low half byte is always 8.
  deflate: (body, options) => promisify(((body[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(body, options),
};

async function decode(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity' || body.length === 0) return body;
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (decoder === undefined) throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `unknown encoding ${name}` });
  try {
    return await decoder(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `the ${name} body is broken or too large`, cause });
  }
}

/** What a failure on the wire means; an invalid argument is a fault of ours and stays one. */
function meaning(cause: unknown, host: string): unknown {
  if (cause instanceof SourceError || cause instanceof errors.InvalidArgumentError) return cause;
  const late = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];
  const code = late.some((kind) => cause instanceof kind) ? 'SOURCE_TIMEOUT' : 'SOURCE_UNAVAILABLE';
  return new SourceError(code, { reason: `the connection to ${host} failed`, cause });
}
