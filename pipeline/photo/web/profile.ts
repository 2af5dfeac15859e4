import type { Source, SourceContext, SourceCursor } from '../../collect/collect.ts';
import { partialAtEnd, type ReadRows } from '../../collect/source-rows.ts';
import { privateAccount, SourceError } from '../../errors.ts';
import { photoHandle } from '../../parse/identifiers.ts';
import {
  blank,
  dig,
  parseJson,
  parseJsonWithout,
  toCount,
  toFlag,
  toFreeText,
  toList,
  toSize,
  toText,
} from '../../parse/values.ts';
import { type PhotoItem, type PhotoProfile, photoProfile } from '../../records/photo.ts';
import { mediaVariants, toUrl } from '../media-variants.ts';
import type { PhotoPostsParams, PhotoProfileParams } from '../params.ts';
import { profileAddress } from '../post-code.ts';
import { type Graded, gradedList, identifiedRows } from '../rows.ts';
import { type KnownAuthor, nodeItem } from './node-item.ts';
import { blocked, messageRefusal, pageForJson, webRefusal } from './refusal.ts';

const name = 'instagram-web';

/**
 * The ID of Instagram's public web application, which the profile endpoint of the website requires. It is not a secret.
 */
const webAppId = '936619743392459';

export const webProfile: Source<PhotoProfileParams, PhotoProfile> = {
  name,
  credentials: null,
  reads: 'the profile data of the website: the profile and its newest 12 posts',
  async collect({ handle }, context) {
    return { record: profileOf(await webUser(handle, context, withoutPosts)) };
  },
};

const onlyNewest = 'Instagram shows only the newest posts of this account: the account has more.';

export const webPosts: Source<PhotoPostsParams, PhotoItem[]> = {
  name,
  credentials: null,
  not_exposed: ['paid_partnership'],
  async collect({ handle, limit, cursor }, context) {
    const user = await publicUser(handle, context);
    const { rows, unread } = timeline(user);
    const start = cursor === null ? 0 : afterAnchor(rows, cursor.at);
    const end = start + limit;
    const last = rows[end - 1];
    const ended = end >= rows.length || last === undefined;
    return {
      ...gradedList(rows.slice(start, end)),
      next: ended ? null : { anchor: last.record.platform_content_id },
      ...partialAtEnd(ended && hasMore(user, rows.length) ? onlyNewest : null, unread),
    };
  },
};

/** Returns an Instagram post when it is among its author's newest posts on the website, else null. */
export async function newestPost(
  shortcode: string,
  author: string,
  context: SourceContext,
): Promise<Graded<PhotoItem> | null> {
  const { rows } = timeline(await publicUser(author, context));
  return rows.find(({ record }) => record.id === shortcode) ?? null;
}

/**
 * Parses the website's answer about an account but skips the list of posts, which is the largest part of the answer.
 */
const withoutPosts = (body: Buffer) =>
  parseJsonWithout(body, ['data', 'user', 'edge_owner_to_timeline_media', 'edges']);

/**
 * Fetches an Instagram account from the website and returns `data.user` of the answer. Throws a SourceError when the
 * answer has no account that visitors can see.
 */
async function webUser(
  handle: string,
  context: SourceContext,
  parse: (body: Buffer) => unknown = parseJson,
): Promise<unknown> {
  const username = photoHandle.normalize(handle);
  const url = `https://www.instagram.com/api/v1/users/web_profile_info/?username=${username}`;
  const headers = {
    'x-ig-app-id': webAppId,
    accept: 'application/json',
    referer: `https://www.instagram.com/${username}/`,
  };
  const answer = await context.fetch({ url, headers }, context.signal);
  const refused = webRefusal(answer, context.now());
  if (refused) throw refused;
  if (/^\s*</.test(answer.body.toString('utf8', 0, 64))) throw pageForJson(answer);
  return userOf(parse(answer.body));
}

function userOf(body: unknown): unknown {
  const user = dig(body, 'data', 'user');
  if (user === null) throw new SourceError('RESOURCE_NOT_FOUND', { reason: `${name}: data.user is null` });
  const identified = (toText(dig(user, 'id')) ?? toText(dig(user, 'username'))) !== null;
  if (!identified) throw messageRefusal(body) ?? changed('an answer without data.user');
  if (toFlag(dig(user, 'country_block')) === true) {
    throw new SourceError('SOURCE_RESTRICTED', {
      about: 'resource',
      reason: `${name}: country_block`,
      message:
        'The platform does not show this account in the country where this server runs. Trying again does not help.',
    });
  }
  return user;
}

/**
 * Fetches an Instagram account like {@link webUser}. Throws SOURCE_RESTRICTED when the account is private, because then
 * only its followers see its posts.
 */
async function publicUser(handle: string, context: SourceContext): Promise<unknown> {
  const user = await webUser(handle, context);
  if (toFlag(dig(user, 'is_private')) !== true) return user;
  throw privateAccount();
}

function profileOf(user: unknown): PhotoProfile {
  const { username, id, display_name, verified, avatar_url } = accountOf(user);
  const followers = toCount(dig(user, 'edge_followed_by', 'count'));
  const avatarKeys = ['profile_pic_url', 'profile_pic_url_hd'];
  return {
    ...blank(photoProfile),
    id,
    username,
    display_name,
    verified,
    avatar_url,
    bio: toFreeText(dig(user, 'biography')),
    profile_url: profileAddress(username),
    followers,
    following: toCount(dig(user, 'edge_follow', 'count')),
    posts: toCount(dig(user, 'edge_owner_to_timeline_media', 'count')),
    private: toFlag(dig(user, 'is_private')),
    avatar_variants: mediaVariants(
      avatarKeys.map((key) => ({ url: dig(user, key), asset_type: 'avatar', variant: key })),
    ),
    external_url: toUrl(dig(user, 'external_url')),
    account_type: accountType(user),
    category: categoryOf(user),
    follower_count_is_rounded: followers === null ? null : false,
    bio_links: bioLinks(user),
  };
}

function accountOf(user: unknown): KnownAuthor {
  return {
    id: toText(dig(user, 'id')),
    username: toText(dig(user, 'username')),
    display_name: toText(dig(user, 'full_name')),
    verified: toFlag(dig(user, 'is_verified')),
    avatar_url: toUrl(dig(user, 'profile_pic_url_hd')) ?? toUrl(dig(user, 'profile_pic_url')),
  };
}

function accountType(user: unknown): string | null {
  const business = toFlag(dig(user, 'is_business_account'));
  const professional = toFlag(dig(user, 'is_professional_account'));
  if (business === null || professional === null) return null;
  if (business) return 'business';
  return professional ? 'creator' : 'personal';
}

/** Returns the category of an Instagram account. Instagram sends the word `None` when no business category is set. */
function categoryOf(user: unknown): string | null {
  const business = toText(dig(user, 'business_category_name'));
  return (
    toText(dig(user, 'category_name')) ??
    (business === 'None' ? null : business) ??
    toText(dig(user, 'overall_category_name'))
  );
}

function bioLinks(user: unknown): PhotoProfile['bio_links'] {
  const links = toList(dig(user, 'bio_links'));
  return links?.map((link) => ({ url: toUrl(dig(link, 'url')), title: toText(dig(link, 'title')) })) ?? null;
}

/** Returns the newest posts of an Instagram account in the order of the website: pinned posts first. */
function timeline(user: unknown): ReadRows<Graded<PhotoItem>> {
  const edges = toList(dig(user, 'edge_owner_to_timeline_media', 'edges'));
  if (edges === null) throw changed('an account without its list of posts');
  const count = toCount(dig(user, 'edge_owner_to_timeline_media', 'count'));
  if (edges.length === 0 && count === null) throw changed('an empty list of posts without its count');
  if (edges.length === 0 && count !== 0) throw blocked(`the account has ${count} posts, and the list is empty`);
  const account = accountOf(user);
  const durations = videoDurations(user);
  return identifiedRows(name, edges, (edge) => {
    const row = nodeItem(dig(edge, 'node'), account);
    return withDuration(row, durations.get(row.record.platform_content_id ?? '') ?? null);
  });
}

/**
 * Maps the media IDs of an account's videos to durations in seconds, as Instagram's list of long videos states them.
 */
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
 * Returns the index after the post that the cursor names, which is where the next page begins. The list is fetched
 * again for each page, so the post can have moved. Throws INVALID_INPUT when it is no longer in the list.
 */
function afterAnchor(rows: readonly Graded<PhotoItem>[], at: SourceCursor): number {
  const found = rows.findIndex(({ record }) => record.platform_content_id === at.anchor);
  if (found !== -1) return found + 1;
  throw new SourceError('INVALID_INPUT', {
    message: 'The list has changed since this cursor was made: start again without cursor.',
  });
}

/** Returns true when the account has more posts than the website's answer contains. */
function hasMore(user: unknown, shown: number): boolean {
  const hasNextPage = toFlag(dig(user, 'edge_owner_to_timeline_media', 'page_info', 'has_next_page'));
  const count = toCount(dig(user, 'edge_owner_to_timeline_media', 'count'));
  return hasNextPage ?? (count !== null && count > shown);
}

function changed(reason: string): SourceError {
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `${name}: ${reason}` });
}
