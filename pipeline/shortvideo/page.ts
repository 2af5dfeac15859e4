import type { SourceContext } from '../collect/collect.ts';
import { SourceError } from '../errors.ts';
import { embeddedJson } from '../parse/values.ts';
import { blocked, throwOnHttpError } from './refusals.ts';

/** The script tags with the data of the platform's pages, newest first. */
export const scripts = {
  universal: 'id="__UNIVERSAL_DATA_FOR_REHYDRATION__"',
  sigi: 'id="SIGI_STATE"',
  next: 'id="__NEXT_DATA__"',
  frontity: 'id="__FRONTITY_CONNECT_STATE__"',
} as const;

/**
 * Fetches a public page. Throws the error for its HTTP status; a redirect is an error unless `follow` allows it.
 * A 400 is no error here, because the state in its body has the exact reason.
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
 * Returns one member of the universal data; undefined when it does not exist or is not an object. Finds it by its quoted name and
 * parses only its bytes; the search cannot match inside a JSON string, because quotes are escaped there.
 */
export function universalData(page: Buffer, key: string): unknown {
  const script = page.indexOf(scripts.universal);
  return script === -1 ? undefined : embeddedJson(page.subarray(script), `"${key}":`);
}

const challengeMarks = ['_wafchallengeid', 'SlardarWAF', 'tiktok-verify-page'];

/** Returns the error for a page without the expected data: a challenge, a page served without data (both are blocks), or an unknown page. */
export function withoutData(page: Buffer): SourceError {
  if (challengeMarks.some((mark) => page.includes(mark))) {
    return blocked('a challenge instead of the page');
  }
  const script = Math.max(...Object.values(scripts).map((mark) => page.indexOf(mark)));
  if (script === -1) return changed('no known script in the page');
  return page.includes('</script>', script) ? servedWithoutData() : changed('the page is incomplete');
}

export function servedWithoutData(): SourceError {
  return blocked('the page was served without its data');
}

export function changed(reason: string): SourceError {
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
}
