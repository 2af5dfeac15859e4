import { dig, timeToIso, toCount, toFreeText, toList, toText } from '../parse/values.ts';
import type { MicroblogPost } from '../records/microblog.ts';
import { renamed } from './renamed.ts';
import { firstDurationSeconds, mediaAssets, previewUrl } from './x-media.ts';
import { postHashtags, postMentions, postText } from './x-text.ts';
import { xProfile } from './x-user.ts';

/**
 * Users, posts and media files that an X API answer contains in addition to the requested posts. Users and posts are
 * stored by ID, media files by media key.
 */
export interface Included {
  users: ReadonlyMap<string, unknown>;
  posts: ReadonlyMap<string, unknown>;
  media: ReadonlyMap<string, unknown>;
}

/** Reads `includes` of an X API answer. Missing kinds of objects become empty maps. */
export function includedIn(body: unknown): Included {
  const includes = dig(body, 'includes');
  return {
    users: byKey(dig(includes, 'users'), 'id'),
    posts: byKey(renamed(includes, 'posts'), 'id'),
    media: byKey(dig(includes, 'media'), 'media_key'),
  };
}

function byKey(list: unknown, key: string): Map<string, unknown> {
  return new Map((toList(list) ?? []).map((row) => [toText(dig(row, key)) ?? '', row]));
}

/**
 * Converts a post of the X API to a record. `cut` is true for a repost whose text is shortened, because the answer does
 * not contain the original post.
 */
export function xPost(post: unknown, included: Included): { record: MicroblogPost; cut: boolean } {
  const references = referencesOf(post);
  const original = references.repost_of === null ? undefined : included.posts.get(references.repost_of);
  const id = toText(dig(post, 'id'));
  const author = authorOf(post, included);
  const record = {
    id,
    ...author,
    ...references,
    ...writtenIn(original ?? post, included),
    ...countsOf(dig(post, 'public_metrics')),
    published_at: timeToIso(dig(post, 'created_at')),
    permalink: id === null ? null : `https://x.com/${author.author ?? 'i'}/status/${id}`,
  };
  return { record, cut: references.repost_of !== null && original === undefined };
}

const kindOfReference: Record<string, 'repost_of' | 'quote_of' | 'reply_to'> = {
  retweeted: 'repost_of',
  reposted: 'repost_of',
  quoted: 'quote_of',
  replied_to: 'reply_to',
};

function referencesOf(post: unknown): Pick<MicroblogPost, 'repost_of' | 'quote_of' | 'reply_to'> {
  const references = { repost_of: null, quote_of: null, reply_to: null };
  for (const reference of toList(renamed(post, 'referenced_posts')) ?? []) {
    const type = toText(dig(reference, 'type')) ?? '';
    const kind = Object.hasOwn(kindOfReference, type) ? kindOfReference[type] : undefined;
    if (kind !== undefined) Object.assign(references, { [kind]: toText(dig(reference, 'id')) });
  }
  return references;
}

/**
 * Returns the text and the attachments of a post. If the post is long, the X API sends its full text and entities
 * (links, hashtags, mentions) in `note_post`.
 */
function writtenIn(post: unknown, { media }: Included) {
  const note = renamed(post, 'note_post');
  const noteText = toText(dig(note, 'text'));
  const text = noteText ?? toFreeText(dig(post, 'text'));
  const entities = noteText === null ? dig(post, 'entities') : dig(note, 'entities');
  const keys = toList(dig(post, 'attachments', 'media_keys')) ?? [];
  const attachments = keys.map((key) => media.get(toText(key) ?? '')).filter((one) => one !== undefined);
  return {
    text: postText(text, entities),
    hashtags: postHashtags(text, entities),
    mentions: postMentions(text, entities),
    media_url: previewUrl(attachments),
    media_assets: mediaAssets(attachments),
    duration_seconds: firstDurationSeconds(attachments),
  };
}

/**
 * Returns the counts of a post, such as views and likes. `shares` is the sum of reposts and quotes; null when one of
 * the two counts is missing.
 */
function countsOf(metrics: unknown) {
  const reposts = toCount(renamed(metrics, 'repost_count'));
  const quotes = toCount(dig(metrics, 'quote_count'));
  return {
    views: toCount(dig(metrics, 'impression_count')),
    likes: toCount(dig(metrics, 'like_count')),
    comments: toCount(dig(metrics, 'reply_count')),
    shares: reposts === null || quotes === null ? null : reposts + quotes,
  };
}

function authorOf(post: unknown, { users }: Included) {
  const authorId = toText(dig(post, 'author_id'));
  const { username, display_name, verified, avatar_url } = xProfile(users.get(authorId ?? ''));
  return {
    author: username,
    author_id: authorId,
    author_display_name: display_name,
    author_verified: verified,
    author_avatar_url: avatar_url,
  };
}
