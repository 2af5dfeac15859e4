import type { Source, SourceContext, SourceCursor } from '../../collect/collect.ts';
import { partialAtEnd, readRows } from '../../collect/source-rows.ts';
import { privateAccount, SourceError } from '../../errors.ts';
import { unreadKeys } from '../../parse/bounded-json.ts';
import { dig, parseJson, toCount, toFlag, toList, toSize, toText } from '../../parse/values.ts';
import type { PhotoItem } from '../../records/photo.ts';
import type { PhotoPostsParams } from '../params.ts';
import { type Graded, gradedList } from '../rows.ts';
import { accountChanged, accountOf, fetchAccount, photoWebName, userOf } from './account.ts';
import { nodeItem } from './node-item.ts';
import { photoBlocked } from './refusal.ts';

const onlyNewest = 'Instagram shows only the newest posts of this account: the account has more.';

export const webPosts: Source<PhotoPostsParams, PhotoItem[]> = {
  name: photoWebName,
  credentials: null,
  not_exposed: ['paid_partnership'],
  async collect({ handle, limit, cursor }, context) {
    const { posts, unread, hasMore, itemOf } = await newestPosts(handle, context);
    const items = readRows(photoWebName, posts, (post) => ({ id: idOf(post), ...itemOf(post) }));
    const start = cursor === null ? 0 : afterAnchor(items.rows, cursor.at);
    const end = start + limit;
    const last = items.rows[end - 1];
    const ended = end >= items.rows.length || last === undefined;
    return {
      ...gradedList(items.rows.slice(start, end)),
      next: ended ? null : { anchor: last.id },
      ...partialAtEnd(ended && hasMore ? onlyNewest : null, unread, items.unread),
    };
  },
};

/** Returns an Instagram post when it is among its author's newest posts on the website, else null. */
export async function newestPost(
  shortcode: string,
  author: string,
  context: SourceContext,
): Promise<Graded<PhotoItem> | null> {
  const { posts, itemOf } = await newestPosts(author, context);
  const post = posts.find((one) => dig(one, 'shortcode') === shortcode);
  return post === undefined ? null : itemOf(post);
}

const unreadOfPosts = ['media_preview', 'thumbnail_src', 'thumbnail_tall_src', 'tracking_token'];

/**
 * Keys in the answer whose values no code reads. In the list of long videos (`edge_felix_video_timeline`), only the
 * durations are needed.
 */
const unreadKeysOfAccount = unreadKeys(['edge_related_profiles', ...unreadOfPosts], {
  edge_felix_video_timeline: unreadKeys([
    ...unreadOfPosts,
    ...['dash_info', 'display_url', 'edge_media_to_caption', 'thumbnail_resources', 'video_url'],
  ]),
});

interface NewestPosts {
  /** The posts in the order of the website, pinned posts first. */
  posts: unknown[];
  /** A warning about posts without IDs, which are left out; otherwise null. */
  unread: string | null;
  /** True when the account has more posts than the website's answer contains. */
  hasMore: boolean;
  /** Converts a post of the answer to a record. */
  itemOf: (post: unknown) => Graded<PhotoItem>;
}

/**
 * Fetches the newest posts of an Instagram account. Throws SOURCE_RESTRICTED when the account is private, because then
 * only its followers see its posts.
 */
async function newestPosts(handle: string, context: SourceContext): Promise<NewestPosts> {
  const user = userOf(parseJson(await fetchAccount(handle, context), unreadKeysOfAccount));
  if (toFlag(dig(user, 'is_private')) === true) throw privateAccount();
  const list = dig(user, 'edge_owner_to_timeline_media');
  const edges = toList(dig(list, 'edges'));
  if (edges === null) throw accountChanged('an account without its list of posts');
  const count = toCount(dig(list, 'count'));
  if (edges.length === 0 && count === null) throw accountChanged('an empty list of posts without its count');
  if (edges.length === 0 && count !== 0) throw photoBlocked(`the account has ${count} posts, and the list is empty`);
  const { rows, unread } = readRows(photoWebName, edges, (edge) => {
    const post = dig(edge, 'node');
    return idOf(post) === null || toText(dig(post, 'shortcode')) === null ? null : { post };
  });
  const account = accountOf(user);
  const durations = videoDurations(user);
  return {
    posts: rows.map(({ post }) => post),
    unread,
    hasMore: toFlag(dig(list, 'page_info', 'has_next_page')) ?? (count !== null && count > edges.length),
    itemOf: (post) => withDuration(nodeItem(post, account), durations.get(idOf(post) ?? '') ?? null),
  };
}

function idOf(post: unknown): string | null {
  return toText(dig(post, 'id'));
}

/** Maps the media IDs of an account's videos to durations in seconds, from Instagram's list of long videos. */
function videoDurations(user: unknown): Map<string, number> {
  const edges = toList(dig(user, 'edge_felix_video_timeline', 'edges')) ?? [];
  const known = edges.flatMap((edge) => {
    const id = toText(dig(edge, 'node', 'id'));
    const seconds = toSize(dig(edge, 'node', 'video_duration'));
    return id === null || seconds === null ? [] : [[id, seconds] as const];
  });
  return new Map(known);
}

function withDuration({ record, quality }: Graded<PhotoItem>, seconds: number | null): Graded<PhotoItem> {
  if (seconds === null) return { record, quality };
  const { duration_seconds: _, ...rest } = quality;
  return { record: { ...record, duration_seconds: seconds }, quality: rest };
}

/**
 * Returns the index after the post that the cursor names, where the next page begins. Must search for the post, because
 * the list is fetched again for each page and may have changed. Throws INVALID_INPUT when the post is no longer in the
 * list.
 */
function afterAnchor(rows: readonly { id: string | null }[], at: SourceCursor): number {
  const found = rows.findIndex(({ id }) => id === at.anchor);
  if (found !== -1) return found + 1;
  throw new SourceError('INVALID_INPUT', {
    message: 'The list has changed since this cursor was made: start again without cursor.',
  });
}
