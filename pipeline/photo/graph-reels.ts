import type { Source } from '../collect.ts';
import { limit_max } from '../page.ts';
import { dig, toText } from '../parse.ts';
import { nextPlace, type Place, placeOf } from '../place.ts';
import type { PhotoItem } from '../records/photo.ts';
import { accountAsker, itemFieldsMissing, type MediaPage, mediaPage } from './graph-account.ts';
import { graphItem } from './graph-item.ts';
import { graphChanged, graphSource } from './graph-request.ts';
import type { PhotoPostsParams } from './params.ts';
import { type Graded, gradedList } from './rows.ts';

/** How far one request looks for reels among an account's posts, which the API lists together. */
const page_rows = 50;
const pages_max = 3;

/** The reels of an account; partial when there are fewer than asked for among the posts that one request looks at. */
export const graphReels: Source<PhotoPostsParams, PhotoItem[]> = {
  ...graphSource,
  not_exposed: itemFieldsMissing,
  async collect({ handle, cursor, ...params }, context) {
    const limit = Math.min(params.limit, limit_max);
    const ask = accountAsker(handle, context, ['media_product_type']);
    const reels: Graded<PhotoItem>[] = [];
    let place: Place | null = placeOf(cursor?.at ?? {});
    for (let asked = 0; asked < pages_max && place !== null && reels.length < limit; asked++) {
      const page: MediaPage = await mediaPage(ask, page_rows, place.after);
      const { taken, end } = reelsIn(page, place.skip, limit - reels.length);
      reels.push(...taken);
      place = nextPlace(place, end, page.media.length, page.after);
    }
    return { ...gradedList(reels), next: place, partial: place !== null && reels.length < limit };
  },
};

/** At most `wanted` reels of a page behind its first `skip` rows; `end` counts the rows that were passed for them. */
function reelsIn(page: MediaPage, skip: number, wanted: number): { taken: Graded<PhotoItem>[]; end: number } {
  const found = page.media.flatMap((media, at) => (at >= skip && isReel(media) ? [{ media, at }] : []));
  const next = found[wanted];
  const taken = found.slice(0, wanted).map(({ media }) => graphItem(media, page.account));
  return { taken, end: next?.at ?? page.media.length };
}

/** A video that does not say what it was published as could be one: to leave it out would be a guess. */
function isReel(media: unknown): boolean {
  const product = toText(dig(media, 'media_product_type'));
  if (product === null && dig(media, 'media_type') === 'VIDEO') throw graphChanged('a video without its product type');
  return product?.toUpperCase() === 'REELS';
}
