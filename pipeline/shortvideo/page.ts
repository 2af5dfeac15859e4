import type { SourceContext } from '../collect/collect.ts';
import { responseChanged, type SourceError } from '../errors.ts';
import { embeddedJson } from '../parse/values.ts';
import { shortvideoBlocked, throwOnHttpError } from './refusals.ts';

/** Texts that identify the script tags with the data in TikTok's pages. */
export const scripts = {
  universal: 'id="__UNIVERSAL_DATA_FOR_REHYDRATION__"',
  sigi: 'id="SIGI_STATE"',
  next: 'id="__NEXT_DATA__"',
  frontity: 'id="__FRONTITY_CONNECT_STATE__"',
  share: 'id="api-data"',
} as const;

/**
 * Fetches a public page of TikTok. Throws the error for the HTTP status, and for a redirect that `follow` does not
 * allow. Does not throw for status 400, because the data in such a page contains the exact reason.
 */
export async function fetchPage(
  url: string,
  context: SourceContext,
  follow?: (target: URL) => boolean,
): Promise<Buffer> {
  const headers = { accept: 'text/html' };
  const answer = await context.fetch({ url, headers, ...(follow !== undefined && { follow }) }, context.signal);
  throwOnHttpError(answer, context.now());
  return answer.body;
}

/**
 * Returns the value of one key in the data of a TikTok page (`__UNIVERSAL_DATA_FOR_REHYDRATION__`). Undefined when the
 * key is missing or its value is not an object. Searches for the quoted key and parses only the value after it. The key
 * cannot be found inside a JSON string, because quotes are escaped there.
 */
export function universalData(page: Buffer, key: string): unknown {
  const script = page.indexOf(scripts.universal);
  return script === -1 ? undefined : embeddedJson(page.subarray(script), `"${key}":`);
}

const challengeMarks = ['_wafchallengeid', 'SlardarWAF', 'tiktok-verify-page'];

/**
 * Returns the error for a TikTok page without the expected data. A challenge (captcha) or a page without any data means
 * that TikTok blocks this server. Any other page has an unknown format.
 */
export function withoutData(page: Buffer): SourceError {
  if (challengeMarks.some((mark) => page.includes(mark))) {
    return shortvideoBlocked('a challenge instead of the page');
  }
  const script = Math.max(...Object.values(scripts).map((mark) => page.indexOf(mark)));
  if (script === -1) return responseChanged('no known script in the page');
  return page.includes('</script>', script) ? servedWithoutData() : responseChanged('the page is incomplete');
}

/** Returns the error for a TikTok page without data, which means that TikTok blocks this server. */
export function servedWithoutData(): SourceError {
  return shortvideoBlocked('the page was served without its data');
}
