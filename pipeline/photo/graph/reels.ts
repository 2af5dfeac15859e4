import type { Source } from '../../collect/collect.ts';
import { limitMax } from '../../collect/page.ts';
import { nextPlace, type Place, placeOf } from '../../collect/source-cursor.ts';
import { partialAtEnd, readRows, shortPage } from '../../collect/source-rows.ts';
import { dig, toText } from '../../parse/values.ts';
import type { PhotoItem } from '../../records/photo.ts';
import type { PhotoPostsParams } from '../params.ts';
import { codeOf } from '../post-code.ts';
import { type Graded, gradedList } from '../rows.ts';
import { accountAsker, itemFieldsMissing, type MediaPage, mediaPage } from './account.ts';
import { graphItem } from './item.ts';
import { graphSource } from './request.ts';

/** How far one request looks for reels among an account's posts, which the API lists together. */
const pageRows = 50;
const pagesMax = 3;

/** The reels of an account; partial when there are fewer than asked for among the posts that one request looks at. */
export const graphReels: Source<PhotoPostsParams, PhotoItem[]> = {
  ...graphSource,
  not_exposed: itemFieldsMissing,
  async collect({ handle, cursor, ...params }, context) {
    const limit = Math.min(params.limit, limitMax);
    const ask = accountAsker(handle, context, ['media_product_type']);
    const reels: Graded<PhotoItem>[] = [];
    let unread: string | null = null;
    let place: Place | null = placeOf(cursor?.at ?? {});
    for (let asked = 0; asked < pagesMax && place !== null && reels.length < limit; asked++) {
      const page: MediaPage = await mediaPage(ask, pageRows, place.after);
      const known = readRows(graphSource.name, page.media, rowOf);
      unread ??= known.unread;
      const { taken, end } = reelsIn(known.rows, place.skip, limit - reels.length);
      reels.push(...taken.map(({ media }) => graphItem(media, page.account)));
      place = nextPlace(place, end, known.rows.length, page.after);
    }
    return { ...gradedList(reels), next: place, ...partialAtEnd(shortPage(reels.length, limit, place), unread) };
  },
};

interface Row {
  media: unknown;
  isReel: boolean;
}

/** Returns at most `wanted` reels behind the first `skip` rows; `end` counts the rows that were passed for them. */
function reelsIn(rows: readonly Row[], skip: number, wanted: number): { taken: Row[]; end: number } {
  const found = rows.flatMap((row, at) => (at >= skip && row.isReel ? [{ row, at }] : []));
  const taken = found.slice(0, wanted).map(({ row }) => row);
  return { taken, end: found[wanted]?.at ?? rows.length };
}

const productTypes: ReadonlySet<string> = new Set(['AD', 'FEED', 'REELS', 'STORY']);

/** Null for a post without its ID, and for a video that does not say in a known word what it was published as. */
function rowOf(media: unknown): Row | null {
  const product = toText(dig(media, 'media_product_type'))?.toUpperCase() ?? '';
  const isUnknownVideo = dig(media, 'media_type') === 'VIDEO' && !productTypes.has(product);
  if (codeOf(dig(media, 'permalink')) === null || isUnknownVideo) return null;
  return { media, isReel: product === 'REELS' };
}
