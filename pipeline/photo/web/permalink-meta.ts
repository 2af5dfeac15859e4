import { notExposed } from '../../collect/quality.ts';
import { blank, derivedHashtags, derivedMentions, toFreeText, toText, toUrl } from '../../parse/values.ts';
import { type PhotoItem, photoItem } from '../../records/photo.ts';
import { toMediaVariants } from '../media-variants.ts';
import { addressParts, codeToId, postAddress } from '../post-code.ts';
import type { Graded } from '../rows.ts';
import { nameBeforeQuote, type PageMeta, quotedText, writtenCount } from './page-meta.ts';

/**
 * Converts the English meta tags of an Instagram post's page to a record. The meta tags have few fields, and their
 * counts may be rounded.
 */
export function metaItem(meta: PageMeta, code: string): Graded<PhotoItem> {
  const caption = toFreeText(quotedText(meta.get('og:title')));
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
    mentions: derivedMentions(caption, 'photo'),
    media_type: path === 'reel' || path === 'tv' ? 'video' : null,
    media_url: image,
    media_assets: toMediaVariants([{ url: image, asset_type: 'image', variant: 'og:image' }]),
  };
  return { record, quality: { ...notExposed(record, fieldsWithoutMeta(record)), ...quality } };
}

/**
 * Returns the names of the post fields to mark as `not_exposed` where the meta tags do not have them. Includes
 * `children` (the pictures and videos of a carousel) only when the post may be a carousel.
 */
function fieldsWithoutMeta(record: PhotoItem): (keyof PhotoItem)[] {
  const fields = Object.keys(photoItem.shape) as (keyof PhotoItem)[];
  return fields.filter((field) => field !== 'children' || record.media_type === null);
}

/**
 * Returns the author of a post. Not every page has the tag `twitter:title`, so that the name is also read from
 * `og:title`, and the handle from the description.
 */
function authorOf(meta: PageMeta) {
  const title = meta.get('twitter:title') ?? '';
  const [, displayName, handle] = /^(.*) \(@([A-Za-z0-9._]+)\) /s.exec(title) ?? [];
  return {
    author: addressParts(meta.get('og:url'))?.author ?? handle ?? writtenHandle(meta.get('og:description') ?? ''),
    author_id: toText(meta.get('instapp:owner_user_id')),
    author_display_name: toText(displayName) ?? toText(nameBeforeQuote(meta.get('og:title'))),
  };
}

/**
 * Returns the handle in a description such as `3 likes, 1 comment - paper.kite on June 1, 2026: …`. Until about 2022,
 * it was `Name (@paper.kite) on Instagram: …` or `@paper.kite on Instagram: …`.
 */
function writtenHandle(description: string): string | null {
  const sentence = description.slice(countsPattern.exec(description)?.[0].length ?? 0);
  const [, handle, named] = handlePattern.exec(sentence) ?? [];
  return handle ?? named ?? null;
}

const handlePattern = /^(?:@?([\w.]+)|[^“]*?\(@([\w.]+)\)) on (?:Instagram: ["“]|[A-Z][a-z]+ \d{1,2}, \d{4}\b)/;
const countsPattern = /^(?:([\d.,]+)([KMB]?) likes?)?(?:, )?(?:([\d.,]+)([KMB]?) comments?)? [-–] /i;

/**
 * Reads likes and comments from a sentence such as `13M likes, 57K comments - ...`. A number with a letter is marked as
 * rounded. If only the likes are missing, they are marked as hidden by the account. Returns no counts for any other
 * sentence.
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
