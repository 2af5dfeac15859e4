import type { SourceContext } from '../collect/collect.ts';
import { SourceError } from '../errors.ts';
import { embeddedJson } from '../parse/values.ts';
import { blocked, throwOnHttpError } from './refusals.ts';

/** The script tags that contain the data of the platform's pages, newest format first. */
export const scripts = {
  universal: 'id="__UNIVERSAL_DATA_FOR_REHYDRATION__"',
  sigi: 'id="SIGI_STATE"',
  next: 'id="__NEXT_DATA__"',
  frontity: 'id="__FRONTITY_CONNECT_STATE__"',
} as const;

/**
 * Fetches a public page. Throws the error for its HTTP status. A redirect is an error unless `follow` allows it. Status 400 is
 * not an error here, because the data in such a page contains the exact reason.
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
 * Returns one member of the page's data (`__UNIVERSAL_DATA_FOR_REHYDRATION__`). Undefined when the page has no such member or
 * when it is not an object. Searches for the quoted key and parses only the value after it. The search cannot match inside a
 * JSON string, because quotes are escaped there.
 */
export function universalData(page: Buffer, key: string): unknown {
  const script = page.indexOf(scripts.universal);
  return script === -1 ? undefined : embeddedJson(page.subarray(script), `"${key}":`);
}

const challengeMarks = ['_wafchallengeid', 'SlardarWAF', 'tiktok-verify-page'];

/**
 * Returns the error for a page without the expected data. A challenge and a page without any data are blocks; any other page is
 * an unknown format.
 */
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
