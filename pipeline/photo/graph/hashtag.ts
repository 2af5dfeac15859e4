import type { Source, SourceContext, SourceCursor } from '../../collect/collect.ts';
import { isPageToken, notOfThisList } from '../../collect/source-cursor.ts';
import { partialBecause } from '../../collect/source-rows.ts';
import { SourceError } from '../../errors.ts';
import { shortvideoTag } from '../../parse/identifiers.ts';
import { blank, dig, toList, toText } from '../../parse/values.ts';
import type { PhotoItem } from '../../records/photo.ts';
import { type Hashtag, hashtag } from '../../records/shared.ts';
import type { PhotoHashtagParams, PhotoHashtagPostsParams } from '../params.ts';
import { hashtagAddress } from '../post-code.ts';
import { gradedList, identifiedRows } from '../rows.ts';
import { itemFieldsMissing } from './account.ts';
import { graphItem } from './item.ts';
import { graphAsker, graphChanged, graphSource, nextCursor, ownId } from './request.ts';

/** The most that the API gives at once. */
const pageRows = 50;
/** Where a list ends that upstream never ends: its cursor may repeat. */
const rowsMax = 500;

const mediaFields =
  'id,caption,media_type,media_url,permalink,like_count,comments_count,children{id,media_type,media_url,permalink}';

const onlyExists = 'The source says that this hashtag exists, and gives its ID and name only.';
const onlyPopular = 'The source gives the most popular posts of a hashtag, not all of them.';

/** That a hashtag exists, with its id and name: the API says nothing more of it. */
export const graphHashtag: Source<PhotoHashtagParams, Hashtag> = {
  ...graphSource,
  not_exposed: ['name', 'description', 'content_count', 'views', 'cover_url', 'permalink'],
  async collect({ tag }, context) {
    const { id, name } = await hashtagNode(tag, context);
    return { record: { ...blank(hashtag), id, name, permalink: hashtagAddress(name) }, ...partialBecause(onlyExists) };
  },
};

/** The most popular posts of a hashtag, a whole upstream page of them, which may be more than `limit`. */
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
    const place = cursor === null ? await firstPlace(tag, context) : placeOf(cursor.at);
    const { media, after } = await topMedia(place, context);
    const last = toText(dig(media.at(-1), 'id'));
    const isRepeated = last !== null && last === place.last;
    const { rows, unread } = identifiedRows(graphSource.name, isRepeated ? [] : media, (one) => graphItem(one, null));
    const seen = place.seen + rows.length;
    const ended = after === null || rows.length === 0 || seen >= rowsMax;
    return {
      ...gradedList(rows),
      next: ended ? null : { ...place, after, seen, last },
      ...partialBecause(onlyPopular, unread),
    };
  },
};

/** The node of a hashtag: the API looks for exactly this name. */
async function hashtagNode(tag: string, context: SourceContext): Promise<{ id: string; name: string | null }> {
  const wanted = shortvideoTag.normalize(tag);
  const query = { user_id: ownId(context), q: wanted };
  const ask = graphAsker(context, (fields) => ({ path: 'ig_hashtag_search', query: { ...query, fields } }));
  const found = toList(dig(await ask('id,name'), 'data'));
  if (found?.length === 0) throw new SourceError('RESOURCE_NOT_FOUND', { reason: 'the search found no hashtag' });
  const id = toText(dig(found, 0, 'id'));
  const name = toText(dig(found, 0, 'name'));
  if (!isNodeId(id)) throw graphChanged('a hashtag without its id');
  if (name !== null && shortvideoTag.normalize(name) !== wanted) throw graphChanged('another hashtag');
  return { id, name };
}

/** Where a list goes on: `last` is the row before, so that a cursor that leads back to its own page is noticed. */
type Place = { hashtag_id: string; after: string | null; seen: number; last: string | null };

async function firstPlace(tag: string, context: SourceContext): Promise<Place> {
  return { hashtag_id: (await hashtagNode(tag, context)).id, after: null, seen: 0, last: null };
}

function placeOf({ hashtag_id, after, seen, last }: SourceCursor): Place {
  const counted = typeof seen === 'number' && Number.isSafeInteger(seen) && seen > 0;
  const named = last === null || typeof last === 'string';
  const goesOn = typeof after === 'string' && isPageToken(after);
  if (counted && named && goesOn && isNodeId(hashtag_id)) return { hashtag_id, after, seen, last };
  throw notOfThisList();
}

function isNodeId(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,30}$/.test(value);
}

async function topMedia({ hashtag_id, after }: Place, context: SourceContext) {
  const query = { user_id: ownId(context), limit: String(pageRows), ...(after === null ? {} : { after }) };
  const ask = graphAsker(context, (fields) => ({ path: `${hashtag_id}/top_media`, query: { ...query, fields } }));
  const body = await ask(mediaFields);
  const media = toList(dig(body, 'data'));
  if (media === null) throw graphChanged('a hashtag without its list of media');
  return { media, after: nextCursor(body) };
}
