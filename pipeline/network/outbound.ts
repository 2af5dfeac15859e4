import { isIP } from 'node:net';
import type { Dispatcher } from 'undici';
import { createAgent, loadUndici } from './agent.ts';
import { isPublicAddress, publicLookup } from './public-lookup.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** A POST request to a URL that a customer has configured, such as the URL of a webhook. */
interface OutboundPost {
  url: string;
  headers: Record<string, string>;
  /** JSON text of the request body. */
  body: string;
}

export interface OutboundAnswer {
  /** HTTP status that the customer's server returned; null when there was no answer. */
  status: number | null;
  /** One line to show to the customer: the beginning of the answer's body, or the reason why there was no answer. */
  message: string;
  retry_after_seconds: number | null;
}

/**
 * Sends a POST request to a customer's URL. Returns a network error as an answer with status null instead of throwing
 * it.
 */
export type Outbound = (post: OutboundPost) => Promise<OutboundAnswer>;

/** Rules that decide which URLs a customer may configure. */
export interface AddressRules {
  https_only: boolean;
  /** Allows private IP addresses and all ports, for a webhook receiver on the developer's machine. */
  private_addresses: boolean;
}

export const publicAddresses: AddressRules = { https_only: true, private_addresses: false };

interface OutboundOptions {
  rules?: AddressRules;
  now?: () => Date;
  timeout_ms?: number;
  /** The `undici` connection pool. The default pool refuses private IP addresses unless `rules` allows them. */
  dispatcher?: Dispatcher;
}

const answerTimeoutMs = 15_000;
const maxAnswerBytes = 4 * 1024;
const maxMessageLength = 300;
const maxUrlLength = 2_000;
const openPorts: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443']);

/** Matches host names without a dot, and host names under top-level domains that are reserved for private networks. */
const localNames = /^[^.]*\.?$|\.(?:localhost|local|internal|intranet|lan|home\.arpa|test|invalid|onion)\.?$/i;

/**
 * Returns one sentence that tells the customer why a configured URL is not allowed; null when the URL is allowed. If
 * the URL has a host name, the IP address is checked later, when connecting.
 */
export function refusedAddress(address: string, rules: AddressRules): string | null {
  // Refuses a URL with a backslash, a space or a control character, because programs disagree about the host of such a
  // URL.
  const url =
    address.length <= maxUrlLength && /^[\x21-\x5b\x5d-\x7e\xa0-\u{10ffff}]+$/u.test(address)
      ? URL.parse(address)
      : null;
  if (url === null) return 'Use a complete URL of at most 2,000 characters, without spaces and backslashes.';
  if (url.protocol !== 'https:' && (rules.https_only || url.protocol !== 'http:')) return 'Use an https:// URL.';
  if (url.username !== '' || url.password !== '') return 'Use a URL without user name and password.';
  if (rules.private_addresses) return null;
  if (!openPorts.has(url.port)) return 'Use port 443, 8443, 80 or 8080.';
  return isPublicHost(url.hostname) ? null : 'Use the URL of a host on the public internet.';
}

/**
 * Returns true when the host of a URL is a public IP address, or a name that is not reserved for private networks. Does
 * not resolve the name.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  return family === 0 ? !localNames.test(host) : isPublicAddress(host, family);
}

/**
 * Creates the HTTP client for webhooks, which sends one POST request per webhook, follows no redirects and reads at
 * most 4 kB of the answer.
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { rules = publicAddresses, now = () => new Date(), timeout_ms = answerTimeoutMs } = options;
  const { dispatcher } = options;
  // `publicLookup` refuses host names that have only private IP addresses. For a URL that contains an IP address, it is
  // not called, because `refusedAddress` has already checked the address.
  const agent = dispatcher ? async () => dispatcher : createAgent(rules.private_addresses ? undefined : publicLookup);
  return async (post) => {
    const refused = refusedAddress(post.url, rules);
    if (refused !== null) return noAnswer(refused);
    const signal = AbortSignal.timeout(timeout_ms);
    try {
      return await exchange(post, signal, await agent(), now);
    } catch (error) {
      return noAnswer(signal.aborted ? `No answer within ${timeout_ms / 1_000} seconds.` : reasonOf(error));
    }
  };
}

async function exchange(
  { url, headers, body }: OutboundPost,
  signal: AbortSignal,
  dispatcher: Dispatcher,
  now: () => Date,
): Promise<OutboundAnswer> {
  const { request } = await loadUndici();
  const answer = await request(url, {
    method: 'POST',
    headers: { 'user-agent': 'Tidemark-Webhooks/0.1', 'content-type': 'application/json', ...headers },
    body,
    signal,
    dispatcher,
    reset: true,
  });
  const retryAfter = String(answer.headers['retry-after'] ?? '');
  return {
    status: answer.statusCode,
    message: await readBeginning(answer.body),
    retry_after_seconds: retryAfterSeconds({ headers: { 'retry-after': retryAfter } }, now()),
  };
}

/**
 * Reads the beginning of a response body. A lost connection is not an error here, because the HTTP status has already
 * arrived.
 */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxAnswerBytes) break;
    }
  } catch {
    chunks.push(Buffer.from(' [connection lost]'));
  }
  return oneLine(Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString());
}

/**
 * Returns the beginning of a text as one line. Removes control characters, because they would break the log and
 * PostgreSQL refuses NUL.
 */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, maxMessageLength);
}

function noAnswer(message: string): OutboundAnswer {
  return { status: null, message: oneLine(message), retry_after_seconds: null };
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  const message = error instanceof Error ? error.message : String(error);
  return `No connection: ${typeof code === 'string' && !message.includes(code) ? `${code} ` : ''}${message}`;
}
