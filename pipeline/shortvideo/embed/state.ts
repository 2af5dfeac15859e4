import type { SourceContext } from '../../collect/collect.ts';
import { dig, embeddedJson, toCount } from '../../parse/values.ts';
import { changed, fetchPage, scripts, withoutData } from '../page.ts';
import { site } from '../permalinks.ts';
import { throwOnHttpStatus, throwOnStatusCode } from '../refusals.ts';

/**
 * Returns the entry for a name in the state of an embed page; undefined without one. `kind` is the beginning of the path
 * (`/embed/@`, `/embed/v2/`…): the rest of an entry's path may be spelled differently than `name`.
 */
export async function embedEntry(kind: string, name: string, context: SourceContext): Promise<unknown> {
  return (await embedState(kind, name, context)).entry;
}

/** Returns the same entry as {@link embedEntry}, and whether the state has no entries at all. */
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

/** Throws the error of an entry. The platform's own code is more precise than the HTTP status next to it. */
function throwEntryError(entry: unknown): never {
  throwOnStatusCode(dig(entry, 'errorCode'));
  const status = toCount(dig(entry, 'errorStatus') ?? dig(entry, 'code'));
  if (status !== null) throwOnHttpStatus(status);
  throw changed('the embed reports an error without a code');
}
