import type { Source, SourceAnswer } from '../../collect/collect.ts';
import { partialBecause } from '../../collect/source-rows.ts';
import { SourceError } from '../../errors.ts';
import { photoHandleFormat } from '../../parse/identifiers.ts';
import { blank, toFreeText, toText } from '../../parse/values.ts';
import { type PhotoProfile, photoProfileRecord } from '../../records/photo.ts';
import { toMediaVariants, toUrl } from '../media-variants.ts';
import type { PhotoProfileParams } from '../params.ts';
import { profileAddress } from '../post-code.ts';
import { type PageMeta, pageMeta, quotedText, writtenCount } from './page-meta.ts';
import { isMissingPage, isShell, photoBlocked, webRefusal } from './refusal.ts';

const name = 'instagram-profile-page';
const onlyMeta =
  'Instagram shows only a summary of this account: large counts are rounded, and ID, links and category are null.';

/**
 * Collects an Instagram profile from the meta tags of its page, which are made for search engines. It is the last data
 * source that is tried for a profile.
 */
export const photoProfilePage: Source<PhotoProfileParams, PhotoProfile> = {
  name,
  credentials: null,
  reads: 'the meta tags of a profile page: large counts are rounded, most fields are null',
  not_exposed: ['id', 'bio', 'verified', 'private', 'account_type', 'category', 'bio_links', 'external_url'],
  async collect({ handle }, context) {
    const username = photoHandleFormat.normalize(handle);
    const url = profileAddress(username) ?? '';
    // Requests Instagram's page in English, because its meta tags are parsed as English sentences.
    const headers = { accept: 'text/html', 'accept-language': 'en' };
    const answer = await context.fetch({ url, headers }, context.signal);
    const refused = webRefusal(answer, context.now());
    if (refused) throw refused;
    const meta = pageMeta(answer.body);
    const counts = countsOf(meta.get('og:description') ?? meta.get('description') ?? '');
    if (counts === null) throw pageWithoutCounts(answer.body, meta.get('title') ?? '');
    if (usernameIn(meta) !== username) throw changed('the page of another account');
    return profileOf(meta, username, counts);
  },
};

interface WrittenCounts {
  record: { followers: number; following: number; posts: number };
  rounded: ReadonlySet<string>;
}

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
    followers: writtenCount(followers, followersLetter?.toUpperCase()),
    following: writtenCount(following, followingLetter?.toUpperCase()),
    posts: writtenCount(posts, postsLetter?.toUpperCase()),
  };
  if (record.followers === null || record.following === null || record.posts === null) return null;
  const letters = { followers: followersLetter, following: followingLetter, posts: postsLetter };
  const rounded = Object.entries(letters).flatMap(([field, letter]) => (letter ? [field] : []));
  return { record: record as WrittenCounts['record'], rounded: new Set(rounded) };
}

function profileOf(meta: PageMeta, username: string, counts: WrittenCounts): SourceAnswer<PhotoProfile> {
  const avatarUrl = toUrl(meta.get('og:image'));
  const record: PhotoProfile = {
    ...blank(photoProfileRecord),
    ...counts.record,
    username,
    display_name: toText(/^(.*?) \(@[\w.]+\)/s.exec(meta.get('og:title') ?? meta.get('title') ?? '')?.[1]),
    bio: toFreeText(quotedText(meta.get('description'))),
    profile_url: profileAddress(username),
    avatar_url: avatarUrl,
    avatar_variants: toMediaVariants([{ url: avatarUrl, asset_type: 'avatar', variant: 'og:image' }]),
    follower_count_is_rounded: counts.rounded.has('followers'),
  };
  const quality = Object.fromEntries([...counts.rounded].map((field) => [field, 'rounded' as const]));
  return { record, quality, ...partialBecause(onlyMeta) };
}

/** Returns the account name in the meta tags of a profile page: from the page's URL, or else from its title. */
function usernameIn(meta: PageMeta): string | null {
  const path = /^https:\/\/www\.instagram\.com\/([\w.]+)\/?(?:\?|$)/.exec(meta.get('og:url') ?? '')?.[1];
  const titled = /\(@([\w.]+)\)/.exec(meta.get('og:title') ?? meta.get('title') ?? '')?.[1];
  return (path ?? titled)?.toLowerCase() ?? null;
}

/**
 * Returns the error for an Instagram profile page without counts. If the title has an account name or asks to log in,
 * the page is a login page, which means that Instagram blocks this server.
 */
function pageWithoutCounts(page: Buffer, title: string): SourceError {
  if (isMissingPage(page, title)) {
    return new SourceError('RESOURCE_NOT_FOUND', { reason: `${name}: the page of a missing account` });
  }
  if (/^Restricted profile/i.test(title)) {
    const message = 'Instagram does not show this account to visitors.';
    return new SourceError('SOURCE_RESTRICTED', { about: 'resource', reason: `${name}: restricted profile`, message });
  }
  const named = /\(@[\w.]+\)|^Instagram$|\bLog ?in\b/i.test(title);
  return named || isShell(page) ? photoBlocked('a profile page without its counts') : changed('an unknown page');
}

function changed(reason: string): SourceError {
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `${name}: ${reason}` });
}
