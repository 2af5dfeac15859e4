import type { Source, SourceAnswer } from '../collect/collect.ts';
import { responseChanged } from '../errors.ts';
import { shortvideoHandleFormat } from '../parse/identifiers.ts';
import { dig, embeddedJson, toCount, toText, toUrl } from '../parse/values.ts';
import type { ShortvideoProfile } from '../records/shortvideo.ts';
import { readCounts } from './counts.ts';
import { avatarKeys } from './media.ts';
import { fetchPage, scripts, universalData, withoutData } from './page.ts';
import type { ShortvideoProfileParams } from './params.ts';
import { profileUrl } from './permalinks.ts';
import { sharedProfile } from './profile-fields.ts';
import { throwOnStatusCode } from './refusals.ts';

/** TikTok's status code for a private account. The profile page still shows the account itself to everyone. */
const privateCode = 10222;

/** Collects a TikTok profile from its public page. The page has all profile fields, but no videos. */
export const shortvideoProfilePage: Source<ShortvideoProfileParams, ShortvideoProfile> = {
  name: 'tiktok-web',
  credentials: null,
  reads: 'the pages of profiles and videos',
  not_exposed: ['region'],
  async collect(params, context) {
    const handle = shortvideoHandleFormat.normalize(params.handle);
    const page = await fetchPage(profileUrl(handle), context);
    const detail = userDetail(page) ?? sigiDetail(page, handle);
    if (detail === undefined) throw withoutData(page);
    const isOwn = toText(dig(detail.user, 'uniqueId'))?.toLowerCase() === handle;
    const isPrivate = isOwn && toCount(detail.status_code) === privateCode;
    if (!isPrivate) throwOnStatusCode(detail.status_code);
    if (!isOwn) throw responseChanged('the profile page shows another account or none');
    return isPrivate ? withoutZeroPosts(profileAnswer(detail)) : profileAnswer(detail);
  },
};

interface UserDetail {
  status_code: unknown;
  user: unknown;
  stats: unknown;
  exact_stats: unknown;
}

function userDetail(page: Buffer): UserDetail | undefined {
  const detail = universalData(page, 'webapp.user-detail') ?? embeddedJson(page, scripts.next, ['props', 'pageProps']);
  if (detail === undefined) return undefined;
  const info = dig(detail, 'userInfo');
  return {
    status_code: dig(detail, 'statusCode'),
    user: dig(info, 'user'),
    stats: dig(info, 'stats'),
    exact_stats: dig(info, 'statsV2'),
  };
}

/**
 * Reads a profile page in TikTok's format of 2021 to 2023. The page has accounts and counts in two maps, whose keys are
 * handles in their original spelling.
 */
function sigiDetail(page: Buffer, handle: string): UserDetail | undefined {
  const module = embeddedJson(page, scripts.sigi, ['UserModule']);
  const statusCode = embeddedJson(page, scripts.sigi, ['UserPage', 'statusCode']);
  if (module === undefined && statusCode === undefined) return undefined;
  const written = Object.keys(dig(module, 'users') ?? {}).find((key) => key.toLowerCase() === handle) ?? handle;
  return {
    status_code: statusCode,
    user: dig(module, 'users', written),
    stats: dig(module, 'stats', written),
    exact_stats: undefined,
  };
}

const countKeys = {
  followers: 'followerCount',
  following: 'followingCount',
  posts: 'videoCount',
  likes: 'heartCount',
} as const;

function profileAnswer({ user, stats, exact_stats }: UserDetail): SourceAnswer<ShortvideoProfile> {
  const { counts, quality } = readCounts(countKeys, stats, exact_stats);
  const record: ShortvideoProfile = {
    ...sharedProfile(user, avatarKeys),
    ...counts,
    external_url: withScheme(toText(dig(user, 'bioLink', 'link'))),
    region: toText(dig(user, 'region')),
    language: toText(dig(user, 'language')),
  };
  return { record, quality };
}

/** Marks the number of posts of a private account as hidden when it is 0, because TikTok usually shows visitors 0. */
function withoutZeroPosts(answer: SourceAnswer<ShortvideoProfile>): SourceAnswer<ShortvideoProfile> {
  if (answer.record.posts) return answer;
  return { record: { ...answer.record, posts: null }, quality: { ...answer.quality, posts: 'hidden' } };
}

/** Matches a link that begins with a scheme, such as `mailto:`. A host that is followed by a port contains a dot. */
const startsWithScheme = /^\s*[a-z+-]+:/i;

/**
 * Adds `https://` to the link in a profile when the account wrote the link without a scheme. Returns null for a link
 * that is not a web address.
 */
function withScheme(link: string | null): string | null {
  if (link === null || startsWithScheme.test(link)) return toUrl(link);
  return toUrl(link) ?? toUrl(`https://${link.trim()}`);
}
