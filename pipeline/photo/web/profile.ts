import type { Source } from '../../collect/collect.ts';
import { unreadKeys } from '../../parse/bounded-json.ts';
import { blank, dig, parseJson, toCount, toFlag, toFreeText, toList, toText, toUrl } from '../../parse/values.ts';
import { type PhotoProfile, photoProfileRecord } from '../../records/photo.ts';
import { toMediaVariants } from '../media-variants.ts';
import type { PhotoProfileParams } from '../params.ts';
import { profileAddress } from '../post-code.ts';
import { accountOf, fetchAccount, photoWebName, userOf } from './account.ts';

/**
 * The values of `edges`, the key of all lists of posts and related accounts, are not read. They are most of the answer.
 */
const unread = unreadKeys(['edges']);

export const webProfile: Source<PhotoProfileParams, PhotoProfile> = {
  name: photoWebName,
  credentials: null,
  reads: 'the profile data of the website: the profile and its newest 12 posts',
  async collect({ handle }, context) {
    return { record: profileOf(userOf(parseJson(await fetchAccount(handle, context), unread))) };
  },
};

/** Converts an account in the graph format of Instagram's website to a profile. */
export function profileOf(user: unknown): PhotoProfile {
  const { username, id, display_name, verified, avatar_url } = accountOf(user);
  const followers = toCount(dig(user, 'edge_followed_by', 'count'));
  const avatarKeys = ['profile_pic_url', 'profile_pic_url_hd'];
  return {
    ...blank(photoProfileRecord),
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
    avatar_variants: toMediaVariants(
      avatarKeys.map((key) => ({ url: dig(user, key), asset_type: 'avatar', variant: key })),
    ),
    external_url: toUrl(dig(user, 'external_url')),
    account_type: accountType(user),
    category: categoryOf(user),
    follower_count_is_rounded: followers === null ? null : false,
    bio_links: bioLinks(user),
  };
}

function accountType(user: unknown): string | null {
  const business = toFlag(dig(user, 'is_business_account'));
  const professional = toFlag(dig(user, 'is_professional_account'));
  if (business === null || professional === null) return null;
  if (business) return 'business';
  return professional ? 'creator' : 'personal';
}

/**
 * Returns the category of an Instagram account. Ignores the word `None`, which Instagram sends for a missing category,
 * alone or at the beginning of a list such as `None,Photographer`.
 */
function categoryOf(user: unknown): string | null {
  const keys = ['category_name', 'business_category_name', 'overall_category_name'];
  const names = keys.map((key) => toText(toText(dig(user, key))?.replace(/^None(?:,\s*|$)/, '')));
  return names.find((name) => name !== null) ?? null;
}

/** Returns the links that an Instagram account shows below its biography. */
export function bioLinks(user: unknown): PhotoProfile['bio_links'] {
  const links = toList(dig(user, 'bio_links'));
  return links?.map((link) => ({ url: toUrl(dig(link, 'url')), title: toText(dig(link, 'title')) })) ?? null;
}
