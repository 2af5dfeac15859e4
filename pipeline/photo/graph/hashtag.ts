import type { Source, SourceContext, SourceCursor } from '../../collect/collect.ts';
import { foreignCursor, isPageToken } from '../../collect/source-cursor.ts';
import { partialBecause } from '../../collect/source-rows.ts';
import { SourceError } from '../../errors.ts';
import { shortvideoTagFormat } from '../../parse/identifiers.ts';
import { blank, dig, toList, toText } from '../../parse/values.ts';
import type { PhotoItem } from '../../records/photo.ts';
import { type Hashtag, hashtag } from '../../records/shared.ts';
import type { PhotoHashtagParams, PhotoHashtagPostsParams } from '../params.ts';
import { hashtagAddress } from '../post-code.ts';
import { gradedList, identifiedRows } from '../rows.ts';
import { itemFieldsMissing } from './account.ts';
import { graphItem } from './item.ts';
import { createGraphReader, graphChanged, graphSource, nextCursor, ownId } from './request.ts';

/** Maximum number of posts that the Graph API returns in one page of a hashtag. */
const pageRows = 50;
/**
 * Maximum number of posts that are returned of one hashtag. Without this limit, the list may never end, because the
 * Graph API may return the same cursor again.
 */
const maxRows = 500;

const mediaFields =
  'id,caption,media_type,media_url,permalink,like_count,comments_count,children{id,media_type,media_url,permalink}';

const onlyIdAndName = 'Instagram has only the ID and the name of this hashtag.';
const onlyPopular = 'Instagram lists the most popular posts of a hashtag, not all of them.';

/** Collects the ID and name of an Instagram hashtag. The Graph API has no other fields of a hashtag. */
export const graphHashtag: Source<PhotoHashtagParams, Hashtag> = {
  ...graphSource,
  not_exposed: ['name', 'description', 'content_count', 'views', 'cover_url', 'permalink'],
  async collect({ tag }, context) {
    const { id, name } = await hashtagNode(tag, context);
    return {
      record: { ...blank(hashtag), id, name, permalink: hashtagAddress(name) },
      ...partialBecause(onlyIdAndName),
    };
  },
};

/**
 * Collects a whole page of the most popular posts of an Instagram hashtag. The page may have more posts than the
 * requested `limit`.
 */
export const graphHashtagPosts: Source<PhotoHashtagPostsParams, PhotoItem[]> = {
  ...graphSource,
  not_exposed: [
    ...itemFieldsMissing,
    'author',
    'author_id',
    'author_display_name',
    'author_avatar_url',
    'published_at',
    'views',
  ],
  async collect({ tag, cursor }, context) {
    const position = cursor === null ? await firstPosition(tag, context) : readHashtagPosition(cursor.at);
    const { media, after } = await topMedia(position, context);
    const last = toText(dig(media.at(-1), 'id'));
    const isRepeated = last !== null && last === position.last;
    const { rows, unread } = identifiedRows(graphSource.name, isRepeated ? [] : media, (one) => graphItem(one, null));
    const seen = position.seen + rows.length;
    const ended = after === null || rows.length === 0 || seen >= maxRows;
    return {
      ...gradedList(rows),
      next: ended ? null : { ...position, after, seen, last },
      ...partialBecause(onlyPopular, unread),
    };
  },
};

/** Looks up the ID and name of a hashtag. The Graph API finds only hashtags with exactly this name. */
async function hashtagNode(tag: string, context: SourceContext): Promise<{ id: string; name: string | null }> {
  const wanted = shortvideoTagFormat.normalize(tag);
  const query = { user_id: ownId(context), q: wanted };
  const readFields = createGraphReader(context, (fields) => ({
    path: 'ig_hashtag_search',
    query: { ...query, fields },
  }));
  const found = toList(dig(await readFields('id,name'), 'data'));
  if (found?.length === 0) throw new SourceError('RESOURCE_NOT_FOUND', { reason: 'the search found no hashtag' });
  const id = toText(dig(found, 0, 'id'));
  const name = toText(dig(found, 0, 'name'));
  if (!isNodeId(id)) throw graphChanged('a hashtag without its id');
  if (name !== null && shortvideoTagFormat.normalize(name) !== wanted) throw graphChanged('another hashtag');
  return { id, name };
}

/**
 * A position in the list of a hashtag's posts. `seen` is the number of posts before this position, and `last` is the ID
 * of the last one. If the next page ends with the same ID, the Graph API has sent the same page again, and the list is
 * treated as complete.
 */
type HashtagPosition = { hashtag_id: string; after: string | null; seen: number; last: string | null };

async function firstPosition(tag: string, context: SourceContext): Promise<HashtagPosition> {
  return { hashtag_id: (await hashtagNode(tag, context)).id, after: null, seen: 0, last: null };
}

function readHashtagPosition({ hashtag_id, after, seen, last }: SourceCursor): HashtagPosition {
  const counted = typeof seen === 'number' && Number.isSafeInteger(seen) && seen > 0;
  const named = last === null || typeof last === 'string';
  const hasMore = typeof after === 'string' && isPageToken(after);
  if (counted && named && hasMore && isNodeId(hashtag_id)) return { hashtag_id, after, seen, last };
  throw foreignCursor();
}

function isNodeId(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,30}$/.test(value);
}

async function topMedia({ hashtag_id, after }: HashtagPosition, context: SourceContext) {
  const query = { user_id: ownId(context), limit: String(pageRows), ...(after === null ? {} : { after }) };
  const readFields = createGraphReader(context, (fields) => ({
    path: `${hashtag_id}/top_media`,
    query: { ...query, fields },
  }));
  const body = await readFields(mediaFields);
  const media = toList(dig(body, 'data'));
  if (media === null) throw graphChanged('a hashtag without its list of media');
  return { media, after: nextCursor(body) };
}
