import type { Source } from '../../collect/collect.ts';
import { partialBecause } from '../../collect/source-rows.ts';
import { responseChanged, SourceError } from '../../errors.ts';
import { unreadKeys } from '../../parse/bounded-json.ts';
import { photoHandleFormat } from '../../parse/identifiers.ts';
import { blank, dig, toCount, toFlag, toFreeText, toText, toUrl } from '../../parse/values.ts';
import { type PhotoProfile, photoProfileRecord } from '../../records/photo.ts';
import { toMediaVariants } from '../media-variants.ts';
import type { PhotoProfileParams } from '../params.ts';
import { profileAddress } from '../post-code.ts';
import type { Graded } from '../rows.ts';
import { membersNamed } from './page-json.ts';
import { type PageMeta, pageMeta, quotedText, writtenCount } from './page-meta.ts';
import { bioLinks, profileOf } from './profile.ts';
import { isMissingPage, isRestrictedPage, isShell, photoBlocked, webRefusal } from './refusal.ts';

const name = 'instagram-profile-page';
const onlySummary =
  'Instagram shows only a summary of this account: large counts may be rounded and some fields are null.';

const unread = unreadKeys(['polaris_ordered_timeline_connection', 'edges']);

/**
 * Collects an Instagram profile from its page: from the JSON data about the account, and from the meta tags for search
 * engines. This data source is tried last.
 */
export const photoProfilePage: Source<PhotoProfileParams, PhotoProfile> = {
  name,
  credentials: null,
  reads: 'the page of a profile: large counts may be rounded, some fields are null',
  not_exposed: ['id', 'bio', 'posts', 'verified', 'private', 'account_type', 'category', 'bio_links', 'external_url'],
  async collect({ handle }, context) {
    const username = photoHandleFormat.normalize(handle);
    const url = profileAddress(username) ?? '';
    // Requests Instagram's page in English, because its meta tags are parsed as English sentences.
    const headers = { accept: 'text/html', 'accept-language': 'en' };
    const answer = await context.fetch({ url, headers }, context.signal);
    const refused = webRefusal(answer, context.now());
    if (refused) throw refused;
    const shared = sharedUser(answer.body, username);
    if (shared !== undefined) return { record: profileOf(shared) };
    const meta = pageMeta(answer.body);
    const written = countsOf(meta.get('og:description') ?? meta.get('description') ?? '');
    const user = userIn(answer.body, username);
    const isOwn = usernameIn(meta) === username;
    const summary = isOwn ? summaryOf(meta, username, written) : summaryOf(new Map(), username, null);
    if (user !== undefined) return { ...withAccount(summary, user), ...partialBecause(onlySummary) };
    if (written === null) throw pageWithoutCounts(answer.body, meta.get('title') ?? '');
    if (!isOwn) throw changed('the page of another account');
    const record = { ...summary.record, id: accountIdIn(answer.body) };
    return { record, quality: summary.quality, ...partialBecause(onlySummary) };
  },
};

type WrittenCounts = Graded<Pick<PhotoProfile, 'followers' | 'following' | 'posts'>>;

/**
 * Matches a count in the description of an Instagram profile: digits, and a letter (K, M or B) when the count is
 * rounded.
 */
const number = String.raw`([\d.,]+)([KMB]?)`;
const countsPattern = new RegExp(`^${number} Followers?, ${number} Following, ${number} Posts?\\b`, 'i');

/**
 * Reads the counts from a sentence such as `1,234 Followers, 56 Following, 78 Posts - …`. Null for any other sentence.
 */
function countsOf(description: string): WrittenCounts | null {
  const match = countsPattern.exec(description);
  if (match === null) return null;
  const [, followers, followersLetter, following, followingLetter, posts, postsLetter] = match;
  const record = {
    followers: writtenCount(followers, followersLetter),
    following: writtenCount(following, followingLetter),
    posts: writtenCount(posts, postsLetter),
  };
  if (Object.values(record).includes(null)) return null;
  const letters = { followers: followersLetter, following: followingLetter, posts: postsLetter };
  const rounded = Object.entries(letters).flatMap(([field, letter]) => (letter ? [[field, 'rounded' as const]] : []));
  return { record, quality: Object.fromEntries(rounded) };
}

function summaryOf(meta: PageMeta, username: string, written: WrittenCounts | null): Graded<PhotoProfile> {
  const avatarUrl = toUrl(meta.get('og:image'));
  const record: PhotoProfile = {
    ...blank(photoProfileRecord),
    ...written?.record,
    username,
    display_name: nameIn(meta.get('og:title') ?? meta.get('title') ?? '', username),
    bio: toFreeText(quotedText(meta.get('description'))),
    profile_url: profileAddress(username),
    avatar_url: avatarUrl,
    avatar_variants: toMediaVariants([{ url: avatarUrl, asset_type: 'avatar', variant: 'og:image' }]),
    follower_count_is_rounded: written?.quality.followers === 'rounded',
  };
  return { record, quality: written?.quality ?? {} };
}

/** Returns the ID of the account to which a profile page belongs, from the settings inside the page. */
function accountIdIn(page: Buffer): string | null {
  const marker = '"page_id":"profilePage_';
  const at = page.indexOf(marker);
  if (at === -1) return null;
  const start = at + marker.length;
  return /^\d+(?=")/.exec(page.toString('latin1', start, start + 32))?.[0] ?? null;
}

/** Returns the name before the handle in a page title, such as `Name (@handle) • Instagram photos and videos`. */
function nameIn(title: string, username: string): string | null {
  const end = title.search(new RegExp(` \\(@${username.replaceAll('.', '\\.')}\\)`, 'i'));
  return end === -1 ? null : toText(title.slice(0, end));
}

/**
 * Returns the JSON data with exact counts about an account from its page. Skips copies of the account without counts.
 * Undefined when the page has no such data.
 */
function userIn(page: Buffer, username: string): unknown {
  return membersNamed(page, 'xig_user_by_username', unread).find(
    (user) =>
      toText(dig(user, 'username'))?.toLowerCase() === username && toCount(dig(user, 'follower_count')) !== null,
  );
}

/**
 * Returns the JSON data about an account in the graph format, which was used on profile pages until 2021. Undefined
 * when the page has none.
 */
function sharedUser(page: Buffer, username: string): unknown {
  const users = membersNamed(page, 'graphql', unread).map((graph) => dig(graph, 'user'));
  return users.find(
    (user) =>
      toText(dig(user, 'username'))?.toLowerCase() === username && dig(user, 'edge_followed_by', 'count') !== undefined,
  );
}

/** Returns the profile completed with the JSON data about its account, which is more exact than the meta tags. */
function withAccount({ record: summary, quality }: Graded<PhotoProfile>, user: unknown): Graded<PhotoProfile> {
  const avatar = { url: dig(user, 'profile_pic_url'), asset_type: 'avatar', variant: 'profile_pic_url' } as const;
  const counts = {
    followers: toCount(dig(user, 'follower_count')),
    following: toCount(dig(user, 'following_count')),
    posts: toCount(dig(user, 'all_media_count')),
  };
  const written = Object.entries(quality).filter(([field]) => counts[field as keyof typeof counts] === null);
  const record: PhotoProfile = {
    ...summary,
    id: toText(dig(user, 'pk')),
    display_name: toText(dig(user, 'full_name')),
    bio: toFreeText(dig(user, 'biography')) ?? summary.bio,
    verified: toFlag(dig(user, 'is_verified')),
    private: toFlag(dig(user, 'is_private')),
    avatar_url: summary.avatar_url ?? toUrl(avatar.url),
    avatar_variants: summary.avatar_variants ?? toMediaVariants([avatar]),
    followers: counts.followers,
    following: counts.following ?? summary.following,
    posts: counts.posts ?? summary.posts,
    external_url: toUrl(dig(user, 'external_url')),
    follower_count_is_rounded: false,
    bio_links: bioLinks(user),
  };
  return { record, quality: Object.fromEntries(written) };
}

/** Returns the account name in the meta tags of a profile page: from the page's URL, or else from its title. */
function usernameIn(meta: PageMeta): string | null {
  const path = /^https:\/\/www\.instagram\.com\/([\w.]+)\/?(?:\?|$)/.exec(meta.get('og:url') ?? '')?.[1];
  const titled = /\(@([\w.]+)\)/.exec(meta.get('og:title') ?? meta.get('title') ?? '')?.[1];
  return (path ?? titled)?.toLowerCase() ?? null;
}

/**
 * Returns the error for an Instagram profile page without counts. If the title has an account name or asks to log in,
 * the page is a login page, and the error says that Instagram blocks this server.
 */
function pageWithoutCounts(page: Buffer, title: string): SourceError {
  if (isRestrictedPage(page, title)) {
    const message = 'Instagram does not show this account to visitors.';
    return new SourceError('SOURCE_RESTRICTED', { about: 'resource', reason: `${name}: restricted profile`, message });
  }
  if (isMissingPage(page, title)) {
    return new SourceError('RESOURCE_NOT_FOUND', { reason: `${name}: the page of a missing account` });
  }
  const named = /\(@[\w.]+\)|^Instagram$|\bLog ?in\b/i.test(title);
  return named || isShell(page) ? photoBlocked('a profile page without its counts') : changed('an unknown page');
}

function changed(reason: string): SourceError {
  return responseChanged(`${name}: ${reason}`);
}
