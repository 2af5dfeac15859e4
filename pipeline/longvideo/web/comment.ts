import { blank, dig, toCount, toList, toText } from '../../parse/values.ts';
import { type Comment, comment } from '../../records/shared.ts';
import { type Amount, exactly, noAmount, shownAmount } from '../amounts.ts';
import { secureUrl } from '../media.ts';
import { nodeFreeText, nodeText } from './text.ts';

/** A comment from YouTube's website, and the names of the fields whose count is rounded. */
export interface ShownComment {
  record: Comment;
  rounded: string[];
}

interface Author {
  name: string | null;
  id: string | null;
  avatar: unknown;
}

/**
 * Creates a function that reads a comment thread on a page of YouTube's website, in its current or previous format. In
 * the current format, a thread contains only a key, and the comment is elsewhere on the page. The function returns
 * undefined when the comment has no ID or no text.
 */
export function commentReader(page: unknown, contentId: string): (entry: unknown) => ShownComment | undefined {
  const mutations = toList(dig(page, 'frameworkUpdates', 'entityBatchUpdate', 'mutations')) ?? [];
  const entities = new Map(
    mutations.map((mutation) => [dig(mutation, 'entityKey'), dig(mutation, 'payload', 'commentEntityPayload')]),
  );
  return (entry) => {
    const thread = dig(entry, 'commentThreadRenderer');
    const key = dig(thread, 'commentViewModel', 'commentViewModel', 'commentKey');
    const entity = key === undefined ? undefined : entities.get(key);
    const renderer = dig(thread, 'comment', 'commentRenderer');
    const shown = entity === undefined ? rendererComment(renderer, contentId) : entityComment(entity, contentId);
    return shown.record.id === null || shown.record.text === null ? undefined : shown;
  };
}

function entityComment(entity: unknown, contentId: string): ShownComment {
  const author = {
    name: toText(dig(entity, 'author', 'displayName')),
    id: toText(dig(entity, 'author', 'channelId')),
    avatar: dig(entity, 'author', 'avatarThumbnailUrl'),
  };
  return shownComment(
    {
      id: toText(dig(entity, 'properties', 'commentId')),
      content_id: contentId,
      text: nodeFreeText(dig(entity, 'properties', 'content')),
      ...authorFields(author),
    },
    toolbarAmount(entity, 'likeCountNotliked'),
    toolbarAmount(entity, 'replyCount'),
  );
}

/**
 * Reads a comment in the previous format of YouTube's website. That format omits counts of 0, so a missing count
 * becomes null.
 */
function rendererComment(renderer: unknown, contentId: string): ShownComment {
  const avatars = toList(dig(renderer, 'authorThumbnail', 'thumbnails')) ?? [];
  const author = {
    name: nodeText(dig(renderer, 'authorText')),
    id: toText(dig(renderer, 'authorEndpoint', 'browseEndpoint', 'browseId')),
    avatar: dig(avatars.at(-1), 'url'),
  };
  return shownComment(
    {
      id: toText(dig(renderer, 'commentId')),
      content_id: contentId,
      text: nodeFreeText(dig(renderer, 'contentText')),
      ...authorFields(author),
    },
    shownAmount(nodeText(dig(renderer, 'voteCount'))),
    exactly(toCount(dig(renderer, 'replyCount'))),
  );
}

function shownComment(fields: Partial<Comment>, likes: Amount, replies: Amount): ShownComment {
  const rounded = [likes.rounded ? 'likes' : '', replies.rounded ? 'reply_count' : ''].filter((field) => field !== '');
  return { record: { ...blank(comment), ...fields, likes: likes.count, reply_count: replies.count }, rounded };
}

/**
 * Returns the author fields of a comment. In the current format of YouTube's website, the name is the author's handle;
 * in the previous format, the name is freely chosen.
 */
function authorFields({ name, id, avatar }: Author): Partial<Comment> {
  const username = name?.startsWith('@') ? name.slice(1) : null;
  return {
    author_id: id,
    author_username: username,
    author_display_name: username === null ? name : null,
    author_avatar_url: secureUrl(avatar),
    author_profile_url:
      username === null ? id && `https://www.youtube.com/channel/${id}` : `https://www.youtube.com/@${username}`,
  };
}

/** Reads the number of likes or replies that YouTube shows below a comment. An empty text means 0. */
function toolbarAmount(entity: unknown, name: string): Amount {
  const shown = dig(entity, 'toolbar', name);
  if (shown === undefined) return noAmount;
  return typeof shown === 'string' && shown.trim() === '' ? { count: 0, rounded: false } : shownAmount(shown);
}
