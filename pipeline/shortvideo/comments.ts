import type { Source, SourceAnswer, SourceContext, SourceCursor } from '../collect/collect.ts';
import { maxLimit } from '../collect/page.ts';
import { partialAtEnd, partialBecause, readRows, shortPage } from '../collect/source-rows.ts';
import { responseChanged, SourceError } from '../errors.ts';
import {
  blank,
  dig,
  epochToIso,
  firstCharacter,
  parseJson,
  toCount,
  toFreeText,
  toList,
  toText,
  toUrl,
} from '../parse/values.ts';
import { type Comment, comment } from '../records/shared.ts';
import { expiryOf } from './media.ts';
import { withoutData } from './page.ts';
import type { ShortvideoCommentRepliesParams, ShortvideoCommentsParams } from './params.ts';
import { lookupUrl, profileUrl, site } from './permalinks.ts';
import { throwOnHttpError, throwOnStatusCode } from './refusals.ts';

const name = 'tiktok-comments';

const notInComments = ['updated_at'] as const;

/** Collects the top-level comments of a TikTok video from the endpoint that TikTok's video page uses. */
export const commentList: Source<ShortvideoCommentsParams, Comment[]> = {
  name,
  credentials: null,
  reads: 'the comment lists that a video page loads',
  not_exposed: notInComments,
  collect({ id, limit, cursor }, context) {
    return commentPage(
      { path: '/api/comment/list/', ids: { aweme_id: id }, video_id: id, comment_id: null, limit, cursor },
      context,
    );
  },
};

/** Collects the replies to a top-level comment of a TikTok video. */
export const replyList: Source<ShortvideoCommentRepliesParams, Comment[]> = {
  name,
  credentials: null,
  not_exposed: ['reply_count', ...notInComments],
  collect({ comment_id, video_id, limit, cursor }, context) {
    const ids = { item_id: video_id, comment_id };
    return commentPage({ path: '/api/comment/list/reply/', ids, video_id, comment_id, limit, cursor }, context);
  },
};

interface ListRequest {
  path: string;
  ids: Record<string, string>;
  video_id: string;
  /** The comment whose replies are requested; null for top-level comments. */
  comment_id: string | null;
  limit: number;
  cursor: { at: SourceCursor } | null;
}

/** The ID of TikTok's public web application, which is part of the URL of every comment list. */
const webApp = '1988';

async function commentPage(request: ListRequest, context: SourceContext): Promise<SourceAnswer<Comment[]>> {
  const { path, ids, video_id, comment_id, cursor } = request;
  const limit = Math.min(request.limit, maxLimit);
  const offset = cursor === null ? 0 : toCount(cursor.at.offset);
  if (offset === null) throw new SourceError('INVALID_INPUT', { reason: 'a cursor without an offset' });
  const query = new URLSearchParams({ ...ids, count: String(limit), cursor: String(offset), aid: webApp });
  const headers = { accept: 'application/json', referer: lookupUrl(video_id) };
  const answer = await context.fetch({ url: `${site}${path}?${query}`, headers }, context.signal);
  throwOnHttpError(answer, context.now());
  return pageAnswer(listBody(answer.body), { offset, limit, now: context.now(), video_id, comment_id });
}

/**
 * Parses a comment list of TikTok. Throws SOURCE_CAPACITY for an empty body, which means that TikTok throttles us.
 * Throws an error for HTML instead of JSON, which is a challenge (captcha) or an unknown page.
 */
function listBody(body: Buffer): unknown {
  const first = firstCharacter(body);
  if (first === '') throw new SourceError('SOURCE_CAPACITY', { reason: 'an empty body' });
  if (first === '<') throw withoutData(body);
  const list = parseJson(body);
  throwOnStatusCode(dig(list, 'status_code'));
  return list;
}

interface PageRequest extends Pick<ListRequest, 'video_id' | 'comment_id' | 'limit'> {
  offset: number;
  now: Date;
}

/**
 * Returns at most `limit` comments of a TikTok list, without duplicates. TikTok may send fewer comments than requested,
 * so only `has_more` says whether the list ends. If TikTok sends more comments, the next page begins after the last
 * returned one.
 */
function pageAnswer(list: unknown, request: PageRequest): SourceAnswer<Comment[]> {
  const { offset, limit } = request;
  const sent = dig(list, 'comments') === null ? [] : toList(dig(list, 'comments'));
  if (sent === null) throw responseChanged('the answer has no list of comments');
  const { rows, unread } = readRows(name, [...sent.entries()], ([index, row]) => {
    const record = commentRecord(row, request);
    return record.id === null ? null : { id: record.id, index, record };
  });
  const kept = new Map<string, Comment>();
  const rest = rows.find(({ id, record }) => {
    if (kept.size === limit) return true;
    kept.set(id, record);
    return false;
  });
  const record = [...kept.values()];
  if (rest !== undefined) return { record, next: { offset: offset + rest.index }, ...partialBecause(unread) };
  const hasMore = toCount(dig(list, 'has_more')) === 1 || dig(list, 'has_more') === true;
  const next = hasMore ? nextOffset(list, offset) : null;
  if (hasMore && next === null && record.length === 0) throw responseChanged('the list has more rows but no cursor');
  const atEnd = hasMore && next === null ? noCursor : shortPage(record.length, limit, next);
  return { record, next, ...partialAtEnd(atEnd, unread) };
}

const noCursor = 'TikTok has more comments, but did not say where the list continues.';

function nextOffset(list: unknown, offset: number): SourceCursor | null {
  const next = toCount(dig(list, 'cursor'));
  return next === null || next <= offset ? null : { offset: next };
}

function commentRecord(row: unknown, { video_id, comment_id, now }: PageRequest): Comment {
  const user = dig(row, 'user');
  const username = toText(dig(user, 'unique_id'));
  const parent = toText(dig(row, 'reply_id'));
  return {
    ...blank(comment),
    ...imageFields(dig(row, 'image_list', 0), now),
    id: toText(dig(row, 'cid')),
    content_id: toText(dig(row, 'aweme_id')) ?? video_id,
    parent_comment_id: (parent === '0' ? null : parent) ?? comment_id,
    text: toFreeText(dig(row, 'text')),
    likes: toCount(dig(row, 'digg_count')),
    reply_count: toCount(dig(row, 'reply_comment_total')),
    author_id: toText(dig(user, 'uid')),
    author_username: username,
    author_display_name: toText(dig(user, 'nickname')),
    author_avatar_url: toUrl(...avatarKeys.map((key) => dig(user, key, 'url_list', 0))),
    author_profile_url: username === null ? null : profileUrl(username),
    published_at: epochToIso(dig(row, 'create_time')),
  };
}

const avatarKeys = ['avatar_thumb', 'avatar_medium', 'avatar_larger'];

/**
 * Returns the fields of the picture in a TikTok comment, in its original size. The expiry time comes from the picture's
 * URL.
 */
function imageFields(image: unknown, now: Date): Partial<Comment> {
  const imageUrl = toUrl(dig(image, 'origin_url', 'url_list', 0), dig(image, 'crop_url', 'url_list', 0));
  if (imageUrl === null) return {};
  const expiresAt = expiryOf(imageUrl);
  return { image_url: imageUrl, image_url_retrieved_at: now.toISOString(), image_url_expires_at: expiresAt };
}
