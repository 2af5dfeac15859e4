import { LRUCache } from 'lru-cache';
import { minuteMs } from '../../db/durations.ts';
import { SourceError, type SourceErrorCode } from '../errors.ts';
import type { UpstreamAnswer } from '../network/fetcher.ts';
import { asksToWait, fewMinutesS, refusedMessage } from '../network/refused-answer.ts';
import { retryAfterSeconds } from '../network/retry-after.ts';
import { addressOn, decodedPath, wrappedIn } from '../parse/addresses.ts';
import { parsePhotoUrl, parseShortvideoUrl, type UrlResult } from '../parse/urls.ts';
import type { SourceContext } from './collect.ts';

/**
 * Follows a short link, such as https://vm.tiktok.com/abc/, and returns the URL to which the link redirects. Returns
 * the text unchanged when the text is not a short link, or when the link leads to no profile or post, so that the URL
 * parser refuses the text. Throws SourceError when the link cannot be followed now, or when its source is switched off.
 */
export type LinkResolver = (text: string) => Promise<string>;

interface ShareKind {
  hosts: readonly string[];
  /**
   * Matches the decoded URL path of a short link. The first group of the pattern is appended to `home` to build the
   * normalized URL.
   */
  path: RegExp;
  home: string;
  /**
   * Name of the data source (without credentials) to which these short links belong. The links are followed only while
   * the operator has this source switched on.
   */
  source: string;
  parse(url: string): UrlResult<unknown>;
}

const shortCode = /^([A-Za-z0-9-]{3,32})$/;
const shortvideo = { source: 'tiktok-web', parse: parseShortvideoUrl };
const shareKinds: readonly ShareKind[] = [
  { ...shortvideo, hosts: ['vm.tiktok.com'], path: shortCode, home: 'https://vm.tiktok.com/' },
  { ...shortvideo, hosts: ['vt.tiktok.com'], path: shortCode, home: 'https://vt.tiktok.com/' },
  {
    ...shortvideo,
    hosts: ['www.tiktok.com', 'tiktok.com', 'm.tiktok.com', 'lite.tiktok.com'],
    path: /^(t\/[A-Za-z0-9-]{3,32})$/,
    home: 'https://www.tiktok.com/',
  },
  {
    hosts: ['www.instagram.com', 'instagram.com', 'm.instagram.com'],
    path: /^(share\/(?:[a-z]{1,8}\/)?[A-Za-z0-9_-]{4,64})$/,
    home: 'https://www.instagram.com/',
    source: 'instagram-web',
    parse: parsePhotoUrl,
  },
];

interface ShortLink {
  kind: ShareKind;
  /** The normalized URL of the short link. */
  address: string;
}

/** Quick test for texts that may be short links. Only matching texts are parsed as URLs, which saves time. */
const possible = /v[mt]\.tiktok\.com|(?:\/|%2F)(?:t|share)(?:\/|%2F)/i;

/** Returns true for a short link of TikTok or Instagram, whose target is known only after its redirect is followed. */
export const isShortLink = (text: string) => shortLinkIn(text) !== null;

function shortLinkIn(text: string): ShortLink | null {
  if (!possible.test(text)) return null;
  for (const kind of shareKinds) {
    const url = addressOn(kind.hosts, text);
    const path = typeof url === 'string' ? null : decodedPath(url);
    const found = path === null ? null : kind.path.exec(path);
    if (found) return { kind, address: `${kind.home}${found[1]}/` };
  }
  return null;
}

const maxRemembered = 10_000;
/** Maximum milliseconds for following one short link, with all its redirects. */
const defaultTimeoutMs = 5_000;
const maxBodyBytes = 64 * 1024;
/** Milliseconds after which a short link that led to no profile or post may be tried again. */
const retryMs = 5 * minuteMs;

/**
 * Creates a function that follows the public redirects of short links. A target is accepted only if the platform's URL
 * parser accepts it. The target page is not fetched. Targets are cached permanently, because the target of a short link
 * never changes. Temporary errors are not cached.
 */
export function createLinkResolver(
  sources: Pick<SourceContext, 'fetch' | 'config' | 'now'>,
  timeoutMs: number = defaultTimeoutMs,
): LinkResolver {
  const targets = new LRUCache<string, { target: string | null }, ShareKind>({
    max: maxRemembered,
    ignoreFetchAbort: true,
    async fetchMethod(address, _, { options, context: kind }) {
      const target = await follow(address, kind, sources, timeoutMs);
      if (target === null) options.ttl = retryMs;
      return { target };
    },
  });
  return async (text) => {
    const link = shortLinkIn(text);
    if (link === null) return text;
    if (!sources.config.keyless(link.kind.source)) throw switchedOff();
    const known = await targets.fetch(link.address, { context: link.kind });
    return known?.target ?? text;
  };
}

const notInSandbox =
  'Development keys do not follow short links. Open the link in a browser and use the full link that the browser shows.';

/**
 * Refuses short links with INVALID_INPUT, for the requests of development keys, which never use the network. Returns
 * any other text unchanged.
 */
export const sandboxLinks: LinkResolver = async (text) => {
  if (isShortLink(text)) throw new SourceError('INVALID_INPUT', { message: notInSandbox });
  return text;
};

function switchedOff(): SourceError {
  const message =
    'The administrator of this server has switched off following this short link. Open it in a browser and use the full link that the browser shows.';
  return new SourceError('SOURCE_UNAVAILABLE', { message, retryable: false });
}

/** Returns the target of a short link, or null when it leads to no profile or post. Throws only temporary errors. */
async function follow(
  url: string,
  kind: ShareKind,
  sources: Pick<SourceContext, 'fetch' | 'now'>,
  timeoutMs: number,
): Promise<string | null> {
  const follow = (target: URL) => wrappedIn(target) === null && isShortLink(target.href);
  const request = { url, timeout_ms: timeoutMs, max_bytes: maxBodyBytes, follow };
  try {
    const answer = await sources.fetch(request, new AbortController().signal);
    throwIfTemporary(answer, sources.now());
    return targetOf(answer, kind);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (!error.retryable) return null;
    throw notNow(error.code, error.message, error.retry_after_seconds, error);
  }
}

/** Throws the error of an answer with which the platform limits our requests or fails. */
function throwIfTemporary(answer: UpstreamAnswer, now: Date): void {
  const { status } = answer;
  const wait = retryAfterSeconds(answer, now);
  const reason = `HTTP ${status}`;
  if (status >= 500) throw new SourceError('SOURCE_UNAVAILABLE', { reason, ...waiting(wait) });
  if (status === 429) throw new SourceError('SOURCE_CAPACITY', { reason, ...waiting(wait) });
  if (asksToWait(refusedMessage(answer)))
    throw new SourceError('SOURCE_CAPACITY', { reason, ...waiting(wait ?? fewMinutesS) });
}

function notNow(code: SourceErrorCode, why: string, wait: number | null = null, cause?: SourceError): SourceError {
  const message = `This short link could not be followed now. ${why}`;
  return new SourceError(code, { message, cause, ...waiting(wait) });
}

const waiting = (seconds: number | null) => (seconds === null ? {} : { retry_after_seconds: seconds });

function targetOf({ status, headers, url }: UpstreamAnswer, { parse }: ShareKind): string | null {
  const location = status >= 300 && status < 400 ? headers.location : undefined;
  const target = location === undefined ? null : URL.parse(location, url);
  return target !== null && wrappedIn(target) === null && parse(target.href).ok ? target.href : null;
}

const maxConcurrent = 8;
const defaultListMs = 10_000;
const tooMany = 'The list has too many short links for the time of one request: try again, or use fewer.';

/** The errors of the short links that could not be followed now. The key is the text of the link. */
export type LinkFailures = ReadonlyMap<string, SourceError>;

export const noLinkFailures: LinkFailures = new Map();

export interface ResolvedLinks {
  /** The texts with each short link replaced by the URL to which it redirects. A failed short link stays unchanged. */
  texts: string[];
  failures: LinkFailures;
}

/**
 * Follows the short links in a list. After `listMs` milliseconds (default: 10 seconds), the links that were not yet
 * followed fail with SOURCE_TIMEOUT.
 */
export async function resolveAll(
  texts: readonly string[],
  resolve: LinkResolver,
  listMs: number = defaultListMs,
): Promise<ResolvedLinks> {
  const resolved = [...texts];
  const failures = new Map<string, SourceError>();
  const until = performance.now() + listMs;
  const links = [...texts.entries()].filter(([, text]) => isShortLink(text)).values();
  const worker = async () => {
    for (const [index, text] of links) {
      try {
        if (performance.now() >= until) throw notNow('SOURCE_TIMEOUT', tooMany);
        resolved[index] = await resolve(text);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        failures.set(text, error);
      }
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, worker));
  return { texts: resolved, failures };
}
