import { blank, dig, toFlag, toFreeText, toText } from '../parse/values.ts';
import { type ShortvideoProfile, shortvideoProfileRecord } from '../records/shortvideo.ts';
import { avatarVariants } from './media.ts';
import { profileUrl } from './permalinks.ts';

/**
 * Returns a TikTok profile with the fields that every page of an account has. All other fields, such as counts, are
 * null. `user` is the account in the JSON of the page, and `avatarKeys` are the keys of its pictures, in order of
 * preference.
 */
export function sharedProfile(user: unknown, avatarKeys: readonly string[]): ShortvideoProfile {
  const username = toText(dig(user, 'uniqueId'));
  const avatars = avatarVariants(user, avatarKeys);
  return {
    ...blank(shortvideoProfileRecord),
    id: toText(dig(user, 'id')),
    username,
    display_name: toText(dig(user, 'nickname')),
    bio: toFreeText(dig(user, 'signature')),
    profile_url: username === null ? null : profileUrl(username),
    verified: toFlag(dig(user, 'verified')),
    private: toFlag(dig(user, 'privateAccount') ?? dig(user, 'secret')),
    avatar_url: avatars?.[0]?.url ?? null,
    avatar_variants: avatars,
  };
}
