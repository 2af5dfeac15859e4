import { dig, toCount, toFlag, toFreeText, toText } from '../parse/values.ts';
import type { MicroblogProfile } from '../records/microblog.ts';
import type { MediaVariant } from '../records/shared.ts';
import { renamed } from './renamed.ts';
import { withFullLinks } from './x-text.ts';

/** Converts a user of the X API to a profile record. */
export function xProfile(user: unknown): MicroblogProfile {
  const username = toText(dig(user, 'username'));
  const bio = toFreeText(dig(user, 'description'));
  const metrics = dig(user, 'public_metrics');
  const avatarUrl = toText(dig(user, 'profile_image_url'));
  return {
    id: toText(dig(user, 'id')),
    username,
    display_name: toText(dig(user, 'name')),
    bio: bio === null ? null : withFullLinks(bio, dig(user, 'entities', 'description')),
    profile_url: username === null ? null : `https://x.com/${username}`,
    followers: toCount(dig(metrics, 'followers_count')),
    following: toCount(dig(metrics, 'following_count')),
    posts: toCount(renamed(metrics, 'post_count')),
    verified: toFlag(dig(user, 'verified')),
    private: toFlag(dig(user, 'protected')),
    avatar_url: avatarUrl,
    avatar_variants: avatarVariants(avatarUrl),
    external_url: toText(dig(user, 'entities', 'url', 'urls', 0, 'expanded_url')) ?? toText(dig(user, 'url')),
  };
}

/**
 * Returns the profile picture of an X account in two sizes. The API sends only the URL of the small picture, from which
 * the URL of the larger picture is derived.
 */
function avatarVariants(avatarUrl: string | null): MediaVariant[] | null {
  if (avatarUrl === null) return null;
  const larger = avatarUrl.replace(/_normal(?=\.\w+$)/, '_400x400');
  if (larger === avatarUrl) return [avatar(avatarUrl, null, null)];
  return [avatar(avatarUrl, 'normal', 48), avatar(larger, '400x400', 400)];
}

function avatar(url: string, variant: string | null, pixels: number | null): MediaVariant {
  return { url, width: pixels, height: pixels, asset_type: 'avatar', variant, expires_at: null };
}
