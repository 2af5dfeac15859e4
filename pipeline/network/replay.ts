import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { rawJson } from '../parse/json.ts';
import { dig } from '../parse/values.ts';
import type { Fetcher, UpstreamAnswer } from './fetcher.ts';
import { createDoor, doorLimits, type Hop, tooLarge, upstreamHosts, withoutByteOrderMark } from './http-client.ts';

const maxCachedBytes = 64 * 1024 * 1024;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** Parameter or member -> the value it must have; a list is "one of these", null is "absent". */
const wanted = z.record(z.string(), z.union([scalar, z.array(scalar)]));
const exchangeShape = z.object({
  method: z.enum(['GET', 'POST']),
  url: z.string(),
  match: z.enum(['exact', 'prefix', 'pattern']),
  query: wanted.default({}),
  body: wanted.default({}),
  status: z.int(),
  headers: z.record(z.string(), z.string()).default({}),
  file: z.string().optional(),
  text: z.string().optional(),
  unwrap: z.string().optional(),
  delay_ms: z.number().default(0),
});
const manifestShape = z.object({ exchanges: z.array(exchangeShape) });
type Exchange = z.infer<typeof exchangeShape> & { fitsUrl: (href: string) => boolean };

/** No recording answers a request: a fault of the recordings or of ours, never an answer of a source. */
export class ReplayMiss extends Error {
  override readonly name = 'ReplayMiss';
}

/**
 * A fetcher that answers from a manifest of recorded answers and never from the network, under the same rules as the live one.
 * Throws {@link ReplayMiss} naming method, URL and body, but no secret, when nothing fits, and at once when the manifest cannot be read.
 */
export function createReplayFetcher(manifestPath: string): Fetcher {
  const exchanges = manifestShape.parse(JSON.parse(readFileSync(manifestPath, 'utf8'))).exchanges.map(compiled);
  const bodies = new LRUCache<Exchange, Buffer>({
    maxSize: maxCachedBytes,
    sizeCalculation: (body) => body.length + 1,
  });
  const folder = dirname(manifestPath);

  async function bodyOf(exchange: Exchange): Promise<Buffer> {
    const kept = bodies.get(exchange);
    if (kept !== undefined) return kept;
    const body = await readBody(folder, exchange);
    bodies.set(exchange, body);
    return body;
  }

  return createDoor(upstreamHosts, doorLimits, async (hop): Promise<UpstreamAnswer> => {
    const exchange = firstFit(exchanges, hop);
    if (exchange.delay_ms > 0) await delay(exchange.delay_ms, undefined, { signal: hop.signal });
    const body = await bodyOf(exchange);
    if (body.length > hop.max_bytes) tooLarge(hop.max_bytes);
    return { status: exchange.status, url: hop.url.href, headers: exchange.headers, body };
  });
}

function compiled(exchange: z.infer<typeof exchangeShape>): Exchange {
  const { url, match } = exchange;
  const pattern = match === 'pattern' ? new RegExp(url) : null;
  const fitsUrl = (href: string) => pattern?.test(href) ?? (match === 'exact' ? href === url : href.startsWith(url));
  const headers = Object.entries(exchange.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...exchange, headers: Object.fromEntries(headers), fitsUrl };
}

function firstFit(exchanges: readonly Exchange[], hop: Hop): Exchange {
  const sent = jsonOf(hop.body);
  const fitting = exchanges.find(
    (exchange) =>
      exchange.method === hop.method &&
      Object.entries(exchange.query).every(([name, value]) => allows(value, hop.url.searchParams.get(name))) &&
      Object.entries(exchange.body).every(([path, value]) => allows(value, dig(sent, ...path.split('.')))) &&
      exchange.fitsUrl(hop.url.href),
  );
  if (fitting !== undefined) return fitting;
  const { method, url, body = '(no body)' } = hop;
  throw new ReplayMiss(`no recorded answer fits ${method} ${withoutSecrets(url.href)} ${withoutSecrets(body)}`);
}

/** Names whose values are credentials, as parameters of an address or a form and as members of a JSON body. */
const secretNames = 'access_token|key|appsecret_proof|authorization';
const secretParameter = new RegExp(`(?<=(?:^|[?&#])(?:${secretNames})=)[^&#\\s]+`, 'gi');
const secretMember = new RegExp(`(?<="(?:${secretNames})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+`, 'gi');

/** The miss is logged and shown to operators: no credential may be read there, even one that was only meant for a replay. */
function withoutSecrets(text: string): string {
  return text.replace(secretParameter, '…').replace(secretMember, '…');
}

function jsonOf(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    // A body that is no JSON has no members: only exchanges that ask for none can answer it.
    return undefined;
  }
}

function allows(value: z.infer<typeof wanted>[string], sent: unknown): boolean {
  const found = sent ?? null;
  return Array.isArray(value) ? value.some((one) => one === found) : value === found;
}

async function readBody(folder: string, { file, text, unwrap }: Exchange): Promise<Buffer> {
  const whole = file === undefined ? Buffer.from(text ?? '') : await readFile(join(folder, file));
  const body = withoutByteOrderMark(whole);
  if (unwrap === undefined) return body;
  const part = rawJson(body, unwrap.split('.'));
  if (part === undefined) throw new Error(`${file ?? 'the text'} has no ${unwrap} to unwrap`);
  return Buffer.from(part);
}
