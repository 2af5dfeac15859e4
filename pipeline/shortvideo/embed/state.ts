import type { SourceContext } from '../../collect/collect.ts';
import { responseChanged, SourceError } from '../../errors.ts';
import { dig, embeddedJson, toCount } from '../../parse/values.ts';
import { fetchPage, scripts, withoutData } from '../page.ts';
import { site } from '../permalinks.ts';
import { throwOnHttpStatus, throwOnStatusCode } from '../refusals.ts';

/**
 * Fetches a TikTok embed page and returns its data object; undefined when the page has none. `kind` is the beginning of
 * the path (`/embed/@`, `/embed/v2/`…). The page stores the data object under a path that must also begin with `kind`,
 * but may spell `name` differently.
 */
export async function embedEntry(kind: string, name: string, context: SourceContext): Promise<unknown> {
  return (await embedState(kind, name, context)).entry;
}

/**
 * Fetches a TikTok embed page and returns its data object, as {@link embedEntry} does. `empty` is true when the page
 * has no data objects at all.
 */
export async function embedState(
  kind: string,
  name: string,
  context: SourceContext,
): Promise<{ entry: unknown; empty: boolean }> {
  const page = await fetchPage(`${site}${kind}${encodeURIComponent(name)}`, context);
  const entries = embeddedJson(page, scripts.frontity, ['source', 'data']);
  if (typeof entries !== 'object' || entries === null) throw withoutData(page);
  const entry = Object.entries(entries).find(([path]) => path.startsWith(kind))?.[1];
  if (dig(entry, 'isError') === true) throwEntryError(entry);
  return { entry, empty: Object.keys(entries).length === 0 };
}

const notPublic = 'TikTok shows nothing public under this name or ID: it does not exist, or it is private.';

/**
 * Throws the error that the data of a TikTok embed page reports. Prefers TikTok's own error code, because it is more
 * precise than the HTTP status in the same data. Status 400 alone means that the account or video is missing or
 * private.
 */
function throwEntryError(entry: unknown): never {
  throwOnStatusCode(dig(entry, 'errorCode'));
  const status = toCount(dig(entry, 'errorStatus') ?? dig(entry, 'code'));
  if (status === 400) throw new SourceError('RESOURCE_NOT_FOUND', { message: notPublic, reason: 'an embed with 400' });
  if (status !== null) throwOnHttpStatus(status);
  throw responseChanged('the embed reports an error without a code');
}
