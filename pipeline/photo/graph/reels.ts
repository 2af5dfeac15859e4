import type { Source } from '../../collect/collect.ts';
import { maxLimit } from '../../collect/page.ts';
import { nextPosition, type Position, readPosition } from '../../collect/source-cursor.ts';
import { partialAtEnd, readRows, shortPage } from '../../collect/source-rows.ts';
import { dig, toText } from '../../parse/values.ts';
import type { PhotoItem } from '../../records/photo.ts';
import type { PhotoPostsParams } from '../params.ts';
import { codeOf } from '../post-code.ts';
import { type Graded, gradedList } from '../rows.ts';
import { createAccountReader, itemFieldsMissing, type MediaPage, mediaPage } from './account.ts';
import { graphItem } from './item.ts';
import { graphSource } from './request.ts';

/**
 * Limits of the search for reels in one request: the posts per page, and the number of pages. Reels must be searched,
 * because the Graph API lists all posts of an account together.
 */
const pageRows = 50;
const maxPages = 3;

/**
 * Collects the reels of an Instagram account. The answer is partial when the searched posts have fewer reels than
 * requested and the list continues.
 */
export const graphReels: Source<PhotoPostsParams, PhotoItem[]> = {
  ...graphSource,
  not_exposed: itemFieldsMissing,
  async collect({ handle, cursor, ...params }, context) {
    const limit = Math.min(params.limit, maxLimit);
    const readFields = createAccountReader(handle, context, ['media_product_type']);
    const reels: Graded<PhotoItem>[] = [];
    let unread: string | null = null;
    let position: Position | null = readPosition(cursor?.at ?? {});
    for (let pages = 0; pages < maxPages && position !== null && reels.length < limit; pages++) {
      const page: MediaPage = await mediaPage(readFields, pageRows, position.after);
      const known = readRows(graphSource.name, page.media, (media) => rowOf(media, page.account));
      unread ??= known.unread;
      const { taken, end } = reelsIn(known.rows, position.skip, limit - reels.length);
      reels.push(...taken);
      position = nextPosition(position, end, known.rows.length, page.after);
    }
    return { ...gradedList(reels), next: position, ...partialAtEnd(shortPage(reels.length, limit, position), unread) };
  },
};

/**
 * Returns at most `wanted` reels from a list of posts, ignoring the first `skip` posts. `end` is the index at which the
 * next page begins: the first reel that was not returned, or the end of the list.
 */
function reelsIn(rows: readonly Row[], skip: number, wanted: number): { taken: Graded<PhotoItem>[]; end: number } {
  const found = rows.flatMap(({ reel }, at) => (at >= skip && reel !== null ? [{ reel, at }] : []));
  const taken = found.slice(0, wanted).map(({ reel }) => reel);
  return { taken, end: found[wanted]?.at ?? rows.length };
}

const productTypes: ReadonlySet<string> = new Set(['AD', 'FEED', 'REELS', 'STORY']);

interface Row {
  /** Null for a post that is not a reel. */
  reel: Graded<PhotoItem> | null;
}

/**
 * Converts a post of the Graph API's list to a row. Returns null for a post without an ID, and for a video that may be
 * a reel, because its product type is unknown.
 */
function rowOf(media: unknown, account: unknown): Row | null {
  const product = toText(dig(media, 'media_product_type'))?.toUpperCase() ?? '';
  const isUnknownVideo = dig(media, 'media_type') === 'VIDEO' && !productTypes.has(product);
  if (codeOf(dig(media, 'permalink')) === null || isUnknownVideo) return null;
  return { reel: product === 'REELS' ? graphItem(media, account) : null };
}
