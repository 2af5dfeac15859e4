import type { Quality } from '../collect/quality.ts';
import { isAboutRow } from '../collect/row-indexes.ts';
import { dataIn, metaIn } from '../collect/stored-answer.ts';
import { dig, toList } from '../parse/values.ts';
import { postColumns } from './columns.ts';
import type { Platform } from './profile-address.ts';
import type { Cell, RowSource } from './profile-row.ts';

type PostColumn = (typeof postColumns)[number];
export type PostRow = Record<PostColumn, Cell>;

const counts = ['views', 'likes', 'comments', 'shares', 'favorites'] as const;

/**
 * Maps a column to the record fields that can fill it, for columns whose name is not the name of the field. The first
 * field with a value is used.
 */
const renamed: Partial<Record<PostColumn, string[]>> = {
  author_id: ['author_id', 'channel_id'],
  caption: ['caption', 'description'],
};

type Item = Record<string, unknown>;

/** Returns a row about a post in which only the URL and the platform are filled, with a cost of 0 credits. */
export function blankPostRow(url: string, platform: Platform | null): PostRow {
  const blank = Object.fromEntries(postColumns.map((column) => [column, null])) as PostRow;
  return { ...blank, url, platform, cached: false, credits_charged: 0 };
}

/** Returns the filled row for an answer that contains one post. */
export function postRow(blank: PostRow, { metering, ...read }: RowSource): PostRow {
  const { item } = dataIn(read) as { item: Item };
  const { retrieved_at, quality, warnings } = metaIn(read);
  return {
    ...rowOf(blank, item, quality, warnings),
    retrieved_at,
    cached: metering.cached,
    credits_charged: metering.credits_charged,
  };
}

/**
 * Returns one row per post for an answer that contains a list of posts. The first row shows the credits for the whole
 * list, and the other rows show 0.
 */
export function postRows(blank: PostRow, { metering, ...read }: RowSource): PostRow[] {
  const { items } = dataIn(read) as { items: Item[] };
  const { retrieved_at, quality, warnings } = metaIn(read);
  const { cached, credits_charged } = metering;
  const listWarnings = warnings.filter((text) => !isAboutRow(text));
  return items.map((item, index) => {
    const own = metaOfRow(`${index}.`, quality, warnings);
    const messages = index === 0 ? [...listWarnings, ...own.warnings] : own.warnings;
    const row = rowOf(blank, item, own.quality, messages);
    return { ...row, retrieved_at, cached, credits_charged: index === 0 ? credits_charged : 0 };
  });
}

/**
 * Selects the quality labels and the warnings that belong to one row of a list. Their paths begin with the row index
 * (`prefix`), which is removed from the result.
 */
function metaOfRow(prefix: string, quality: Quality, warnings: readonly string[]) {
  const ownQuality = Object.entries(quality).filter(([path]) => path.startsWith(prefix));
  return {
    quality: Object.fromEntries(ownQuality.map(([path, state]) => [path.slice(prefix.length), state])) as Quality,
    warnings: warnings.filter((text) => text.startsWith(prefix)).map((text) => text.slice(prefix.length)),
  };
}

function rowOf(blank: PostRow, item: Item, quality: Quality, warnings: readonly string[]): PostRow {
  const row = { ...blank };
  for (const column of postColumns) row[column] = cellOf(item, column) ?? row[column];
  return {
    ...row,
    status: 'OK',
    media_type: row.media_type ?? mediaTypeOf(blank.platform),
    hashtags: hashtagsOf(item),
    counts_quality: countsQuality(item, quality),
    message: warnings.length > 0 ? warnings.join('; ') : null,
  };
}

/**
 * Returns the media type of a post whose record does not state one: 'video' for YouTube, otherwise null. A TikTok post
 * may be a video or a photo carousel.
 */
const mediaTypeOf = (platform: Cell) => (platform === 'longvideo' ? 'video' : null);

function hashtagsOf(item: Item): Cell {
  const names = toList(item.hashtags)?.map((hashtag) => dig(hashtag, 'name'));
  return names?.filter((name) => typeof name === 'string').join(', ') ?? null;
}

const qualityLabels: Record<Quality[string], string> = {
  rounded: 'rounded',
  hidden: 'hidden',
  not_exposed: 'not exposed',
};

/**
 * Returns `exact` when all counts of a post are exact. Otherwise lists the counts that are not exact, such as
 * `likes hidden`. Returns null when the post has no count.
 */
function countsQuality(item: Item, quality: Quality): string | null {
  const inexact = counts.flatMap((count) => (quality[count] ? [`${count} ${qualityLabels[quality[count]]}`] : []));
  if (inexact.length > 0) return inexact.join('; ');
  return counts.some((count) => typeof item[count] === 'number') ? 'exact' : null;
}

function cellOf(item: Item, column: PostColumn): Cell {
  for (const field of renamed[column] ?? [column]) {
    const value = item[field];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  }
  return null;
}
