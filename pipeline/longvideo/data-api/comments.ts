import { hourMs } from '../../../db/durations.ts';
import type { SourceAnswer, SourceContext } from '../../collect/collect.ts';
import { blank, dig, timeToIso, toCount, toFreeText, toText } from '../../parse/values.ts';
import { type Comment, comment } from '../../records/shared.ts';
import { secureUrl } from '../media.ts';
import { officialPage, pageParams, pageRows } from '../pages.ts';
import type { LongvideoCommentRepliesParams, LongvideoCommentsParams } from '../params.ts';
import { type DataApi, dataApiAnswer } from './client.ts';

/** Milliseconds for which the signed URL of an image in a YouTube comment is valid. */
const imageLifetimeMs = 6 * hourMs;

/** Fetches one page of the top-level comments of a video from the YouTube Data API. */
export async function officialComments(
  api: DataApi,
  { id, order, limit, cursor }: LongvideoCommentsParams,
  context: SourceContext,
): Promise<SourceAnswer<Comment[]>> {
  const { rows, next, gaps } = await pageRows(cursor, limit, async (token) => {
    const page = { videoId: id, order, ...pageParams(limit, token) };
    return officialPage(
      await dataApiAnswer(
        api,
        {
          method: 'commentThreads.list',
          params: { part: ['snippet'], textFormat: 'plainText', ...page },
          customer_parameters: ['videoId', 'order'],
        },
        context,
      ),
      (thread) => threadOf(thread, id, context.now()),
      hasText,
    );
  });
  return { record: rows, next, ...gaps };
}

/**
 * Fetches one page of the replies to a top-level comment from the YouTube Data API. The API does not say to which video
 * these replies belong.
 */
export async function officialReplies(
  api: DataApi,
  { comment_id, limit, cursor }: LongvideoCommentRepliesParams,
  context: SourceContext,
): Promise<SourceAnswer<Comment[]>> {
  const { rows, next, gaps } = await pageRows(cursor, limit, async (token) => {
    const page = { parentId: comment_id, ...pageParams(limit, token) };
    return officialPage(
      await dataApiAnswer(
        api,
        {
          method: 'comments.list',
          params: { part: ['snippet'], textFormat: 'plainText', ...page },
          customer_parameters: ['parentId'],
        },
        context,
      ),
      (reply) => replyOf(reply, context.now()),
      hasText,
    );
  });
  return { record: rows, next, ...gaps };
}

const hasText = ({ text }: Comment) => text !== null;

function threadOf(thread: unknown, contentId: string, now: Date): Comment | undefined {
  const snippet = dig(thread, 'snippet');
  const top = dig(snippet, 'topLevelComment');
  const id = toText(dig(thread, 'id')) ?? toText(dig(top, 'id'));
  return id === null
    ? undefined
    : {
        ...commentOf(top, id, now),
        content_id: contentId,
        parent_comment_id: null,
        reply_count: toCount(dig(snippet, 'totalReplyCount')),
      };
}

function replyOf(reply: unknown, now: Date): Comment | undefined {
  const id = toText(dig(reply, 'id'));
  return id === null ? undefined : commentOf(reply, id, now);
}

/**
 * Converts a comment of the YouTube Data API to a record. Since 2023, the API sends the author's handle as the display
 * name.
 */
function commentOf(item: unknown, id: string, now: Date): Comment {
  const snippet = dig(item, 'snippet');
  const name = toText(dig(snippet, 'authorDisplayName'));
  return {
    ...blank(comment),
    ...imageFields(toText(dig(snippet, 'imageUrl')), now),
    id,
    content_id: toText(dig(snippet, 'videoId')),
    parent_comment_id: toText(dig(snippet, 'parentId')),
    text: toFreeText(dig(snippet, 'textOriginal')) ?? toFreeText(dig(snippet, 'textDisplay')),
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

function imageFields(imageUrl: string | null, now: Date): Partial<Comment> {
  if (imageUrl === null) return {};
  const imageUrlExpiresAt = new Date(now.getTime() + imageLifetimeMs).toISOString();
  return { image_url: imageUrl, image_url_retrieved_at: now.toISOString(), image_url_expires_at: imageUrlExpiresAt };
}
