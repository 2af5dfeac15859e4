import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { rawJson } from '../parse/json.ts';
import { dig } from '../parse/values.ts';
import type { Fetcher, UpstreamAnswer } from './fetcher.ts';
import {
  AnswerTooLargeError,
  createHttpClient,
  type Hop,
  httpLimits,
  upstreamHosts,
  withoutByteOrderMark,
} from './http-client.ts';

const maxCachedBytes = 64 * 1024 * 1024;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/**
 * Conditions that a request must meet to get a recorded answer. Each key is a URL parameter or a path in the JSON body.
 * Each value is the required value or a list of allowed values; null means that the parameter must be absent.
 */
const conditions = z.record(z.string(), z.union([scalar, z.array(scalar)]));
const exchangeShape = z.object({
  method: z.enum(['GET', 'POST']),
  url: z.string(),
  match: z.enum(['exact', 'prefix', 'pattern']),
  query: conditions.default({}),
  body: conditions.default({}),
  status: z.int(),
  headers: z.record(z.string(), z.string()).default({}),
  file: z.string().optional(),
  text: z.string().optional(),
  unwrap: z.string().optional(),
  delay_ms: z.number().default(0),
});
const manifestShape = z.object({ exchanges: z.array(exchangeShape) });
type Exchange = z.infer<typeof exchangeShape> & { matchesUrl: (href: string) => boolean };

/**
 * Error for a request without a matching recorded answer. The cause is an incomplete recording or a bug in our code,
 * never the platform.
 */
export class NoRecordingError extends Error {
  override readonly name = 'NoRecordingError';
}

/**
 * Creates an HTTP client that never uses the network, but answers with the recordings that a manifest file lists.
 * Throws immediately when the manifest cannot be read. When no recorded answer matches, the client throws
 * {@link NoRecordingError}, which names the method, URL and body without secrets.
 */
export function createRecordedFetcher(manifestPath: string): Fetcher {
  const exchanges = manifestShape.parse(JSON.parse(readFileSync(manifestPath, 'utf8'))).exchanges.map(compile);
  const bodies = new LRUCache<Exchange, Buffer>({
    maxSize: maxCachedBytes,
    sizeCalculation: (body) => body.length + 1,
  });
  const folder = dirname(manifestPath);

  async function bodyOf(exchange: Exchange): Promise<Buffer> {
    const cached = bodies.get(exchange);
    if (cached !== undefined) return cached;
    const body = await readBody(folder, exchange);
    bodies.set(exchange, body);
    return body;
  }

  return createHttpClient(upstreamHosts, httpLimits, async (hop): Promise<UpstreamAnswer> => {
    const exchange = findExchange(exchanges, hop);
    if (exchange.delay_ms > 0) await delay(exchange.delay_ms, undefined, { signal: hop.signal });
    const body = await bodyOf(exchange);
    if (body.length > hop.max_bytes) throw new AnswerTooLargeError(hop.max_bytes);
    return { status: exchange.status, url: hop.url.href, headers: exchange.headers, body };
  });
}

function compile(exchange: z.infer<typeof exchangeShape>): Exchange {
  const { url, match } = exchange;
  const pattern = match === 'pattern' ? new RegExp(url) : null;
  const matchesUrl = (href: string) => pattern?.test(href) ?? (match === 'exact' ? href === url : href.startsWith(url));
  const headers = Object.entries(exchange.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...exchange, headers: Object.fromEntries(headers), matchesUrl };
}

function findExchange(exchanges: readonly Exchange[], hop: Hop): Exchange {
  const sent = jsonOf(hop.body);
  const match = exchanges.find(
    (exchange) =>
      exchange.method === hop.method &&
      Object.entries(exchange.query).every(([name, value]) => allows(value, hop.url.searchParams.get(name))) &&
      Object.entries(exchange.body).every(([path, value]) => allows(value, dig(sent, ...path.split('.')))) &&
      exchange.matchesUrl(hop.url.href),
  );
  if (match !== undefined) return match;
  const { method, url, body = '(no body)' } = hop;
  throw new NoRecordingError(
    `no recorded answer matches ${method} ${withoutSecrets(url.href)} ${withoutSecrets(body)}`,
  );
}

/** Names of URL parameters, form fields and JSON fields whose values are secrets, separated by `|`. */
const secretNames = 'access_token|key|appsecret_proof|authorization';
const secretParameter = new RegExp(`(?<=(?:^|[?&#])(?:${secretNames})=)[^&#\\s]+`, 'gi');
const secretMember = new RegExp(`(?<="(?:${secretNames})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+`, 'gi');

/** Removes secrets from the text of a request, because the text is logged and shown to operators. */
function withoutSecrets(text: string): string {
  return text.replace(secretParameter, '…').replace(secretMember, '…');
}

function jsonOf(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    // A request body that is not JSON has no fields, so it matches only recorded answers without conditions on the
    // body.
    return undefined;
  }
}

function allows(value: z.infer<typeof conditions>[string], sent: unknown): boolean {
  const found = sent ?? null;
  return Array.isArray(value) ? value.some((one) => one === found) : value === found;
}

async function readBody(folder: string, { file, text, unwrap }: Exchange): Promise<Buffer> {
  const whole = file === undefined ? Buffer.from(text ?? '') : await readFile(join(folder, file));
  const body = withoutByteOrderMark(whole);
  if (unwrap === undefined) return body;
  const part = rawJson(body, unwrap.split('.'));
  if (part === undefined)
    throw new Error(
      `The recording ${file ?? 'with a text'} has no value at ${unwrap}. Correct "unwrap" in the manifest.`,
    );
  return Buffer.from(part);
}
