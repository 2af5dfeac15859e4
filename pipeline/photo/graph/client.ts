import type { Source } from '../../collect/collect.ts';
import { maxLimit } from '../../collect/page.ts';
import { nextPosition, readPosition } from '../../collect/source-cursor.ts';
import { partialAtEnd, shortPage } from '../../collect/source-rows.ts';
import { SourceError } from '../../errors.ts';
import { dig } from '../../parse/values.ts';
import type { PhotoItem, PhotoProfile } from '../../records/photo.ts';
import type { PhotoPostParams, PhotoPostsParams, PhotoProfileParams } from '../params.ts';
import { codeOf } from '../post-code.ts';
import { gradedList, identifiedRows } from '../rows.ts';
import { createAccountReader, itemFieldsMissing, type MediaPage, mediaPage } from './account.ts';
import { graphItem, graphProfile } from './item.ts';
import { graphChanged, graphSource } from './request.ts';

/**
 * Posts per page in the search for one post in its author's list of posts. `maxSearchPages` is the maximum number of
 * pages.
 */
const searchPageRows = 50;
const maxSearchPages = 2;

const profileFields =
  'id,ig_id,username,name,biography,website,profile_picture_url,followers_count,follows_count,media_count';

export const graphProfileSource: Source<PhotoProfileParams, PhotoProfile> = {
  ...graphSource,
  not_exposed: ['verified', 'private', 'account_type', 'category', 'bio_links'],
  async collect({ handle }, context) {
    const account = await createAccountReader(handle, context)(profileFields);
    const record = graphProfile(account);
    if (record.username === null) throw graphChanged('an account without its username');
    return { record };
  },
};

export const graphPosts: Source<PhotoPostsParams, PhotoItem[]> = {
  ...graphSource,
  not_exposed: itemFieldsMissing,
  async collect({ handle, cursor, ...params }, context) {
    const limit = Math.min(params.limit, maxLimit);
    const position = readPosition(cursor?.at ?? {});
    const { account, media, after } = await mediaPage(createAccountReader(handle, context), limit, position.after);
    const { rows, unread } = identifiedRows(graphSource.name, media, (one) => graphItem(one, account));
    const end = position.skip + limit;
    const page = rows.slice(position.skip, end);
    const next = nextPosition(position, end, rows.length, after);
    return { ...gradedList(page), next, ...partialAtEnd(shortPage(page.length, limit, next), unread) };
  },
};

/** Finds an Instagram post in the Graph API's list of its author's newest posts. Older posts cannot be found. */
export const graphPost: Source<PhotoPostParams, PhotoItem> = {
  ...graphSource,
  not_exposed: itemFieldsMissing,
  async collect({ shortcode, author }, context) {
    if (author === null) throw notCovered('finds a post only through its account: use the full URL of the post');
    const readFields = createAccountReader(author, context);
    let after: string | null = null;
    for (let pages = 0; pages < maxSearchPages; pages++) {
      const page: MediaPage = await mediaPage(readFields, searchPageRows, after);
      const found = page.media.find((media) => codeOf(dig(media, 'permalink')) === shortcode);
      if (found !== undefined) return graphItem(found, page.account);
      after = page.after;
      if (after === null) throw notListed();
    }
    throw notCovered(`finds only the newest ${maxSearchPages * searchPageRows} posts of an account`);
  },
};

/**
 * Returns the error for a post that is missing in the complete list of its author's posts. Another data source is then
 * tried (`about: 'us'`), because the Graph API omits some posts.
 */
function notListed(): SourceError {
  const reason = `${graphSource.name}: not among the posts of the author`;
  return new SourceError('RESOURCE_NOT_FOUND', { about: 'us', reason });
}

function notCovered(limit: string): SourceError {
  return new SourceError('SOURCE_NOT_CONFIGURED', {
    about: 'reach',
    message: `The official API of Instagram ${limit}.`,
  });
}
