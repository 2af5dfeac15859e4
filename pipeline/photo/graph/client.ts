import type { Source } from '../../collect/collect.ts';
import { limitMax } from '../../collect/page.ts';
import { nextPlace, placeOf } from '../../collect/source-cursor.ts';
import { partialAtEnd, shortPage } from '../../collect/source-rows.ts';
import { SourceError } from '../../errors.ts';
import { dig } from '../../parse/values.ts';
import type { PhotoItem, PhotoProfile } from '../../records/photo.ts';
import type { PhotoPostParams, PhotoPostsParams, PhotoProfileParams } from '../params.ts';
import { codeOf } from '../post-code.ts';
import { gradedList, identifiedRows } from '../rows.ts';
import { accountAsker, itemFieldsMissing, type MediaPage, mediaPage } from './account.ts';
import { graphItem, graphProfile } from './item.ts';
import { graphChanged, graphSource } from './request.ts';

/** How far a known author's posts are searched for one of them. */
const searchPageRows = 50;
const searchPagesMax = 2;

const profileFields =
  'id,ig_id,username,name,biography,website,profile_picture_url,followers_count,follows_count,media_count';

export const graphProfileSource: Source<PhotoProfileParams, PhotoProfile> = {
  ...graphSource,
  not_exposed: ['verified', 'private', 'account_type', 'category', 'bio_links'],
  async collect({ handle }, context) {
    const account = await accountAsker(handle, context)(profileFields);
    const record = graphProfile(account);
    if (record.username === null) throw graphChanged('an account without its username');
    return { record };
  },
};

export const graphPosts: Source<PhotoPostsParams, PhotoItem[]> = {
  ...graphSource,
  not_exposed: itemFieldsMissing,
  async collect({ handle, cursor, ...params }, context) {
    const limit = Math.min(params.limit, limitMax);
    const place = placeOf(cursor?.at ?? {});
    const { account, media, after } = await mediaPage(accountAsker(handle, context), limit, place.after);
    const { rows, unread } = identifiedRows(graphSource.name, media, (one) => graphItem(one, account));
    const end = place.skip + limit;
    const given = rows.slice(place.skip, end);
    const next = nextPlace(place, end, rows.length, after);
    return { ...gradedList(given), next, ...partialAtEnd(shortPage(given.length, limit, next), unread) };
  },
};

/** The post found among the newest of its author; any older one is beyond this source. */
export const graphPost: Source<PhotoPostParams, PhotoItem> = {
  ...graphSource,
  not_exposed: itemFieldsMissing,
  async collect({ shortcode, author }, context) {
    if (author === null) throw beyondReach('finds a post only among those of a known account: send its full address');
    const ask = accountAsker(author, context);
    let after: string | null = null;
    for (let asked = 0; asked < searchPagesMax; asked++) {
      const page: MediaPage = await mediaPage(ask, searchPageRows, after);
      const found = page.media.find((media) => codeOf(dig(media, 'permalink')) === shortcode);
      if (found !== undefined) return graphItem(found, page.account);
      after = page.after;
      if (after === null) throw notAmongAll();
    }
    throw beyondReach(`reaches only the newest ${searchPagesMax * searchPageRows} posts of an account`);
  },
};

/** Speaks of us: the API leaves some posts of an account out, so that another source may still have it. */
function notAmongAll(): SourceError {
  const reason = `${graphSource.name}: not among the posts of the author`;
  return new SourceError('RESOURCE_NOT_FOUND', { about: 'us', reason });
}

function beyondReach(limit: string): SourceError {
  return new SourceError('SOURCE_NOT_CONFIGURED', {
    about: 'reach',
    message: `The source that is configured ${limit}.`,
  });
}
