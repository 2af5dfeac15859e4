import type { SourceAnswer, SourceContext } from '../collect.ts';
import { blank, dig, timeToIso, toCount, toText } from '../parse.ts';
import { type Comment, comment } from '../records/shared.ts';
import { type DataApi, dataApiAnswer } from './data-api.ts';
import { secureUrl } from './media.ts';
import { officialPage, pageParams, pageRows } from './pages.ts';
import type { CommentRepliesParams, CommentsParams } from './params.ts';

/** How long the source's signed address of an attached image lives. */
const image_lifetime_ms = 6 * 3_600_000;

/** One page of the top-level comments of a video. */
export async function officialComments(
  api: DataApi,
  { id, order, limit, cursor }: CommentsParams,
  context: SourceContext,
): Promise<SourceAnswer<Comment[]>> {
  const { rows, next } = await pageRows(cursor, limit, async (token) => {
    const page = { videoId: id, order, ...pageParams(limit, token) };
    return officialPage(
      await dataApiAnswer(
        api,
        {
          method: 'commentThreads.list',
          send: (youtube) => youtube.commentThreads.list({ part: ['snippet'], textFormat: 'plainText', ...page }),
          customer_parameters: ['videoId', 'order'],
        },
        context,
      ),
    );
  });
  return { record: rows.map((thread) => threadOf(thread, context.now())), next };
}

/** One page of the replies to a top-level comment. The source does not say which video they belong to. */
export async function officialReplies(
  api: DataApi,
  { comment_id, limit, cursor }: CommentRepliesParams,
  context: SourceContext,
): Promise<SourceAnswer<Comment[]>> {
  const { rows, next } = await pageRows(cursor, limit, async (token) => {
    const page = { parentId: comment_id, ...pageParams(limit, token) };
    return officialPage(
      await dataApiAnswer(
        api,
        {
          method: 'comments.list',
          send: (youtube) => youtube.comments.list({ part: ['snippet'], textFormat: 'plainText', ...page }),
          customer_parameters: ['parentId'],
        },
        context,
      ),
    );
  });
  return { record: rows.map((reply) => commentOf(reply, context.now())), next };
}

function threadOf(thread: unknown, now: Date): Comment {
  const snippet = dig(thread, 'snippet');
  return {
    ...commentOf(dig(snippet, 'topLevelComment'), now),
    id: toText(dig(thread, 'id')),
    parent_comment_id: null,
    reply_count: toCount(dig(snippet, 'totalReplyCount')),
  };
}

/** Since 2023 the source's display name is the handle. */
function commentOf(item: unknown, now: Date): Comment {
  const snippet = dig(item, 'snippet');
  const name = toText(dig(snippet, 'authorDisplayName'));
  return {
    ...blank(comment),
    ...imageFields(toText(dig(snippet, 'imageUrl')), now),
    id: toText(dig(item, 'id')),
    content_id: toText(dig(snippet, 'videoId')),
    parent_comment_id: toText(dig(snippet, 'parentId')),
    text: toText(dig(snippet, 'textOriginal')) ?? toText(dig(snippet, 'textDisplay')),
    likes: toCount(dig(snippet, 'likeCount')),
    author_id: toText(dig(snippet, 'authorChannelId', 'value')),
    author_username: name?.startsWith('@') ? name.slice(1) : null,
    author_display_name: name,
    author_avatar_url: secureUrl(dig(snippet, 'authorProfileImageUrl')),
    author_profile_url: secureUrl(dig(snippet, 'authorChannelUrl')),
    published_at: timeToIso(dig(snippet, 'publishedAt')),
    updated_at: timeToIso(dig(snippet, 'updatedAt')),
  };
}

function imageFields(image_url: string | null, now: Date): Partial<Comment> {
  if (image_url === null) return {};
  const image_url_expires_at = new Date(now.getTime() + image_lifetime_ms).toISOString();
  return { image_url, image_url_retrieved_at: now.toISOString(), image_url_expires_at };
}
