import type { SourceContext } from '../../collect/collect.ts';
import { dig, embeddedJson, toCount } from '../../parse/values.ts';
import { changed, fetchPage, scripts, withoutData } from '../page.ts';
import { site } from '../permalinks.ts';
import { passHttpStatus, passStatusCode } from '../refusals.ts';

/**
 * What an embed page says of the thing asked for; undefined when its state has no entry for it.
 * `kind` is the beginning of the path (`/embed/@`, `/embed/v2/`…): the rest of an entry's name may be written otherwise than asked.
 */
export async function embedEntry(kind: string, name: string, context: SourceContext): Promise<unknown> {
  const page = await fetchPage(`${site}${kind}${encodeURIComponent(name)}`, context);
  const entries = embeddedJson(page, scripts.frontity, ['source', 'data']);
  if (typeof entries !== 'object' || entries === null) throw withoutData(page);
  const entry = Object.entries(entries).find(([path]) => path.startsWith(kind))?.[1];
  if (dig(entry, 'isError') === true) refuse(entry);
  return entry;
}

/** The platform's own code says more than the HTTP status beside it. */
function refuse(entry: unknown): never {
  passStatusCode(dig(entry, 'errorCode'));
  const status = toCount(dig(entry, 'errorStatus') ?? dig(entry, 'code'));
  if (status !== null) passHttpStatus(status);
  throw changed('the embed reports an error without a code');
}
