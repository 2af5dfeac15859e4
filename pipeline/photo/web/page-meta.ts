import { decodeText, toCount, unescapeHtml } from '../../parse/values.ts';

/**
 * Number of bytes at the beginning of an Instagram page that are searched for meta tags. The rest of the page has only
 * scripts.
 */
const headMaxBytes = 262_144;

const tagPattern = /<(meta|link)((?:\s+[\w:.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*)\s*\/?>/g;
/**
 * Matches an attribute of a tag. A match can begin only at the start of a name: otherwise, a long name without a value
 * would take quadratic time.
 */
const attributePattern = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * The meta tags of an HTML page: maps the `property` or `name` of each tag to its content. Also has `canonical` and
 * `title`. If a name occurs twice, the first tag is used.
 */
export type PageMeta = ReadonlyMap<string, string>;

/** Reads the meta tags at the beginning of an HTML page. Returns an empty map when the page has none. */
export function pageMeta(page: Buffer): PageMeta {
  const head = decodeText(page, headMaxBytes);
  const meta = new Map<string, string>();
  for (const [, , attributes] of head.matchAll(tagPattern)) {
    const tag = attributesOf(attributes ?? '');
    const key = tag.get('property') ?? tag.get('name') ?? tag.get('rel');
    const value = tag.get('content') ?? tag.get('href');
    if (key !== undefined && value !== undefined && !meta.has(key)) meta.set(key, value);
  }
  const title = /<title[^<>]*>([^<]*)</.exec(head)?.[1];
  return title === undefined ? meta : meta.set('title', unescapeHtml(title).trim());
}

function attributesOf(tag: string): Map<string, string> {
  return new Map(
    Array.from(tag.matchAll(attributePattern), ([, key, a, b]) => [key ?? '', unescapeHtml(a ?? b ?? '')]),
  );
}

/** Instagram wrote curly quotation marks until about 2022. */
const beforeQuote = / on Instagram: (?=["“])/;
const quote = /^(?:"(.*)"|“(.*)”)$/s;

/** Returns the quoted text at the end of a page title such as `Name on Instagram: "text"`. Null for any other title. */
export function quotedText(sentence: string | undefined): string | null {
  const found = beforeQuote.exec(sentence ?? '');
  if (found === null) return null;
  const [, straight, curly] = quote.exec(found.input.slice(found.index + found[0].length)) ?? [];
  return straight ?? curly ?? null;
}

/** Returns the name before ` on Instagram: "` in a page title; undefined for any other title. */
export function nameBeforeQuote(sentence: string | undefined): string | undefined {
  const found = beforeQuote.exec(sentence ?? '');
  return found?.input.slice(0, found.index);
}

const factors: Record<string, number> = { '': 1, K: 1e3, M: 1e6, B: 1e9 };

/**
 * Returns the count that Instagram writes as digits and an optional letter, such as `1,234`, or `12.5` and `K`. With a
 * letter, the count is marked as rounded.
 */
export function writtenCount(digits: string | undefined, letter: string | undefined): number | null {
  const number = Number(digits?.replaceAll(',', '') ?? Number.NaN);
  return toCount(Math.round(number * (factors[letter?.toUpperCase() ?? ''] ?? Number.NaN)));
}
