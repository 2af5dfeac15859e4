import type { KeptAnswer } from '../../db/requests/responses.ts';
import type { Quality } from '../collect/quality.ts';
import { dig, toList } from '../parse/values.ts';
import type { Platform } from './profile-address.ts';
import type { Cell } from './profile-row.ts';

/** The columns of a post row, the same in the same order for every platform, so that a sheet can be appended to. */
export const postColumns = [
  'url',
  'status',
  'platform',
  'id',
  'permalink',
  'author',
  'author_id',
  'published_at',
  'title',
  'caption',
  'media_type',
  'views',
  'likes',
  'comments',
  'shares',
  'favorites',
  'counts_quality',
  'duration_seconds',
  'hashtags',
  'media_url',
  'retrieved_at',
  'cached',
  'credits_charged',
  'message',
] as const;
export type PostColumn = (typeof postColumns)[number];
export type PostRow = Record<PostColumn, Cell>;

const counts = ['views', 'likes', 'comments', 'shares', 'favorites'] as const;

/** Record fields that stand under another name in a sheet, the first one that says something. */
const renamed: Partial<Record<PostColumn, string[]>> = {
  author_id: ['author_id', 'channel_id'],
  caption: ['caption', 'description'],
};

type Item = Record<string, unknown>;

interface AnswerMeta {
  retrieved_at: string;
  quality: Quality;
  warnings: string[];
}

interface Paid {
  cached: boolean;
  credits_charged: number;
}

type Answer = Pick<KeptAnswer, 'body' | 'meta'> & Paid;

/** A row that nothing is known of but its address: every other cell is empty, and it cost nothing. */
export function blankPostRow(url: string, platform: Platform | null): PostRow {
  const blank = Object.fromEntries(postColumns.map((column) => [column, null])) as PostRow;
  return { ...blank, url, platform, cached: false, credits_charged: 0 };
}

/** The row of one post as its route keeps it. */
export function postRow(blank: PostRow, { body, meta, cached, credits_charged }: Answer): PostRow {
  const { item } = JSON.parse(body) as { item: Item };
  const { retrieved_at, quality, warnings } = JSON.parse(meta) as AnswerMeta;
  return { ...rowOf(blank, item, quality, warnings), retrieved_at, cached, credits_charged };
}

/** The rows of a list of posts as its route keeps it, one row a post. What the list cost stands in the first of them. */
export function postRows(blank: PostRow, { body, meta, cached, credits_charged }: Answer): PostRow[] {
  const { items } = JSON.parse(body) as { items: Item[] };
  const { retrieved_at, quality, warnings } = JSON.parse(meta) as AnswerMeta;
  const ofTheList = warnings.filter((text) => !/^\d+\./.test(text));
  return items.map((item, index) => {
    const own = ownOf(`${index}.`, quality, warnings);
    const said = index === 0 ? [...ofTheList, ...own.warnings] : own.warnings;
    const row = rowOf(blank, item, own.quality, said);
    return { ...row, retrieved_at, cached, credits_charged: index === 0 ? credits_charged : 0 };
  });
}

/** What is said of the row whose paths begin with `prefix`, in the words of one record. */
function ownOf(prefix: string, quality: Quality, warnings: readonly string[]) {
  const mine = Object.entries(quality).filter(([path]) => path.startsWith(prefix));
  return {
    quality: Object.fromEntries(mine.map(([path, state]) => [path.slice(prefix.length), state])) as Quality,
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

/** What the long-video platform has is a video; a short video may be a row of photos, which its record does not say. */
const mediaTypeOf = (platform: Cell) => (platform === 'longvideo' ? 'video' : null);

function hashtagsOf(item: Item): Cell {
  const names = toList(item.hashtags)?.map((hashtag) => dig(hashtag, 'name'));
  return names?.filter((name) => typeof name === 'string').join(', ') ?? null;
}

const words: Record<Quality[string], string> = { rounded: 'rounded', hidden: 'hidden', not_exposed: 'not exposed' };

/** `exact`, or what is not exact in words; null when there is no count that could be. */
function countsQuality(item: Item, quality: Quality): string | null {
  const inexact = counts.flatMap((count) => (quality[count] ? [`${count} ${words[quality[count]]}`] : []));
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
