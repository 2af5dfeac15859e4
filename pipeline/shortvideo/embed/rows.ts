import type { SourceAnswer, SourceCursor } from '../../collect/collect.ts';
import type { Quality } from '../../collect/quality.ts';
import { partialBecause, type ReadRows, readRows } from '../../collect/source-rows.ts';
import { responseChanged } from '../../errors.ts';
import {
  blank,
  derivedHashtags,
  derivedMentions,
  dig,
  epochToIso,
  toFreeText,
  toList,
  toSize,
  toText,
  toUrl,
} from '../../parse/values.ts';
import { type ShortvideoItem, shortvideoItem } from '../../records/shortvideo.ts';
import { readCounts } from '../counts.ts';
import { imageVariants } from '../media.ts';
import { itemUrl } from '../permalinks.ts';

/** Video fields that the lists on TikTok's embed pages never or rarely have. */
export const notInRows = [
  'published_at',
  'likes',
  'comments',
  'shares',
  'favorites',
  'duration_seconds',
  'music',
  'region_code',
  'pinned',
  'subtitle_tracks',
  'effects',
  'stickers',
  'playlist_id',
] as const;

type Author = Pick<
  ShortvideoItem,
  'author' | 'author_id' | 'author_display_name' | 'author_verified' | 'author_avatar_url'
>;

export const unknownAuthor: Author = {
  author: null,
  author_id: null,
  author_display_name: null,
  author_verified: null,
  author_avatar_url: null,
};

/** One video of a list, with its `quality`: the fields whose value is inexact or missing, and why. */
export type Row = SourceAnswer<ShortvideoItem>;

/**
 * Returns the public videos in the `videoList` of a TikTok embed page, in the order of the page. `owner` is the account
 * to which the list belongs. A video may have another author.
 */
export function embedRows(entry: unknown, owner: Author): ReadRows<Row> {
  const list = toList(dig(entry, 'videoList'));
  if (list === null) throw responseChanged('the embed has no list of videos');
  const shown = list.filter((row) => dig(row, 'privateItem') !== true);
  return readRows('tiktok-embed', shown, (row) => rowAnswer(row, owner));
}

const shortRows = 'TikTok shows about ten videos without dates, likes, comments and shares.';

/**
 * Returns the videos as the answer for a list. The answer is always partial, because TikTok's embed page has only about
 * ten videos and lacks most counts.
 */
export function rowsAnswer({ rows, unread }: ReadRows<Row>, next: SourceCursor | null): SourceAnswer<ShortvideoItem[]> {
  const quality: Quality = {};
  for (const [i, row] of rows.entries()) {
    for (const [field, state] of Object.entries(row.quality ?? {})) quality[`${i}.${field}`] = state;
  }
  return { record: rows.map(({ record }) => record), quality, next, ...partialBecause(shortRows, unread) };
}

function rowAnswer(row: unknown, owner: Author): Row | null {
  const { counts, quality } = readCounts({ views: 'playCount' }, row);
  const id = toText(dig(row, 'id'));
  if (id === null) return null;
  const caption = toFreeText(dig(row, 'desc'));
  const authorName = toText(dig(row, 'authorUniqueId'));
  const author = authorName === null || authorName === owner.author ? owner : { ...unknownAuthor, author: authorName };
  const covers = ['coverUrl', 'originCoverUrl', 'dynamicCoverUrl'].map((variant) => ({
    variant,
    url: dig(row, variant),
  }));
  const record: ShortvideoItem = {
    ...blank(shortvideoItem),
    ...counts,
    ...author,
    id,
    caption,
    hashtags: derivedHashtags(caption),
    mentions: derivedMentions(caption, 'shortvideo'),
    published_at: epochToIso(dig(row, 'createTime')),
    permalink: author.author === null ? null : itemUrl(author.author, id, 'video'),
    width: toSize(dig(row, 'width')),
    height: toSize(dig(row, 'height')),
    media_url: toUrl(...covers.map(({ url }) => url)),
    media_assets: imageVariants(covers),
    video_url: toUrl(dig(row, 'playAddr')),
  };
  return { record, quality };
}
