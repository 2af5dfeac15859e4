import type { SourceContext } from '../collect/collect.ts';
import { SourceError } from '../errors.ts';
import { embeddedJson } from '../parse/values.ts';
import { passHttpAnswer, walled } from './refusals.ts';

/** The script tags in which the platform's pages have carried their data, newest first. */
export const scripts = {
  universal: 'id="__UNIVERSAL_DATA_FOR_REHYDRATION__"',
  sigi: 'id="SIGI_STATE"',
  next: 'id="__NEXT_DATA__"',
  frontity: 'id="__FRONTITY_CONNECT_STATE__"',
} as const;

/**
 * The bytes of a public page. Redirects are refusals unless `follow` allows them.
 * Throws what the HTTP status means; a 400 passes, because the state in its body says more.
 */
export async function fetchPage(
  url: string,
  context: SourceContext,
  follow?: (target: URL) => boolean,
): Promise<Buffer> {
  const headers = { accept: 'text/html' };
  const answer = await context.fetch({ url, headers, ...(follow !== undefined && { follow }) }, context.signal);
  passHttpAnswer(answer, context.now());
  return answer.body;
}

/**
 * One member of the universal data, undefined when it is not there or is no object. Only its own bytes are parsed, and it is
 * searched by name, not by walking the members before it: inside a JSON string the quotes of that name would be escaped.
 */
export function universalData(page: Buffer, key: string): unknown {
  const script = page.indexOf(scripts.universal);
  return script === -1 ? undefined : embeddedJson(page.subarray(script), `"${key}":`);
}

const wallMarks = ['_wafchallengeid', 'SlardarWAF', 'tiktok-verify-page'];

/** Why a page has none of the data looked for: a wall or a page served without data (both restrict us), or a page of another kind. */
export function withoutData(page: Buffer): SourceError {
  if (wallMarks.some((mark) => page.includes(mark))) {
    return walled('a challenge instead of the page');
  }
  const script = Math.max(...Object.values(scripts).map((mark) => page.indexOf(mark)));
  if (script === -1) return changed('no known script in the page');
  return page.includes('</script>', script) ? servedWithoutData() : changed('the page is cut');
}

export function servedWithoutData(): SourceError {
  return walled('the page was served without its data');
}

export function changed(reason: string): SourceError {
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
}
