import { blank, derivedHashtags, derivedMentions, toCount, toText, unescapeHtml } from '../parse.ts';
import { type PhotoItem, photoItem } from '../records/photo.ts';
import { mediaVariants, toUrl } from './media-variants.ts';
import { addressParts, codeToId, postAddress } from './post-code.ts';
import { type Graded, notExposed } from './rows.ts';

/** Meta tags stand before this much of a page; the rest is scripts. */
const head_max_bytes = 262_144;

const tagPattern = /<(meta|link)((?:\s+[\w:.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*)\s*\/?>/g;
const attributePattern = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The meta tags of a page by `property` or `name`, the canonical link as `canonical`, the title as `title`; the first of a name counts. */
export type PageMeta = ReadonlyMap<string, string>;

export function pageMeta(page: Buffer): PageMeta {
  const head = page.toString('utf8', 0, head_max_bytes);
  const meta = new Map<string, string>();
  for (const [, , attributes] of head.matchAll(tagPattern)) {
    const tag = attributesOf(attributes ?? '');
    const key = tag.get('property') ?? tag.get('name') ?? tag.get('rel');
    const value = tag.get('content') ?? tag.get('href');
    if (key !== undefined && value !== undefined && !meta.has(key)) meta.set(key, value);
  }
  const title = /<title[^>]*>([^<]*)</.exec(head)?.[1];
  return title === undefined ? meta : meta.set('title', unescapeHtml(title).trim());
}

function attributesOf(tag: string): Map<string, string> {
  return new Map(
    Array.from(tag.matchAll(attributePattern), ([, key, a, b]) => [key ?? '', unescapeHtml(a ?? b ?? '')]),
  );
}

/** What the meta tags of a post's page say of it: few fields, counts shortened by the source. The sentences are English. */
export function metaItem(meta: PageMeta, code: string): Graded<PhotoItem> {
  const caption = captionOf(meta);
  const image = toUrl(meta.get('og:image'));
  const path = addressParts(meta.get('canonical'))?.kind ?? addressParts(meta.get('og:url'))?.kind;
  const { record: counts, quality } = countsOf(meta.get('og:description') ?? '');
  const record: PhotoItem = {
    ...blank(photoItem),
    ...authorOf(meta),
    ...counts,
    id: code,
    platform_content_id: codeToId(code),
    permalink: postAddress(code, path === 'reel' ? 'reel' : 'p'),
    caption,
    hashtags: derivedHashtags(caption),
    mentions: derivedMentions(caption),
    media_type: path === 'reel' || path === 'tv' ? 'video' : null,
    media_url: image,
    media_assets: mediaVariants([{ url: image, asset_type: 'image', variant: 'og:image' }]),
  };
  return { record, quality: { ...notExposed(record, fieldsWithoutMeta(record)), ...quality } };
}

/** Every field that is null: what a post has not (children of a video) is no gap. */
function fieldsWithoutMeta(record: PhotoItem): (keyof PhotoItem)[] {
  const fields = Object.keys(photoItem.shape) as (keyof PhotoItem)[];
  return fields.filter((field) => field !== 'children' || record.media_type === null);
}

function authorOf(meta: PageMeta) {
  const title = meta.get('twitter:title') ?? '';
  const [, display_name, handle] = /^(.*) \(@([A-Za-z0-9._]+)\) /s.exec(title) ?? [];
  return {
    author: addressParts(meta.get('og:url'))?.author ?? handle ?? null,
    author_id: toText(meta.get('instapp:owner_user_id')),
    author_display_name: toText(display_name),
  };
}

function captionOf(meta: PageMeta): string | null {
  return toText(/ on Instagram: "(.*)"$/s.exec(meta.get('og:title') ?? '')?.[1]);
}

const countsPattern = /^(?:([\d.,]+)([KMB]?) likes?)?(?:, )?(?:([\d.,]+)([KMB]?) comments?)? - /;
const factors: Record<string, number> = { '': 1, K: 1e3, M: 1e6, B: 1e9 };

/**
 * Reads `13M likes, 57K comments - ...`: a number with a letter is rounded, and likes are left out of the sentence when the
 * account hides them. Any other sentence says nothing.
 */
function countsOf(description: string): Graded<Pick<PhotoItem, 'likes' | 'comments'>> {
  const [, likes, likesLetter, comments, commentsLetter] = countsPattern.exec(description) ?? [];
  const hidden = likes === undefined && comments !== undefined;
  return {
    record: { likes: writtenCount(likes, likesLetter), comments: writtenCount(comments, commentsLetter) },
    quality: {
      ...(likesLetter ? { likes: 'rounded' } : {}),
      ...(hidden ? { likes: 'hidden' } : {}),
      ...(commentsLetter ? { comments: 'rounded' } : {}),
    },
  };
}

function writtenCount(digits: string | undefined, letter: string | undefined): number | null {
  const number = Number(digits?.replaceAll(',', '') ?? Number.NaN);
  return toCount(Math.round(number * (factors[letter ?? ''] ?? Number.NaN)));
}
