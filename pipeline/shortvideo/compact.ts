import type { CompactProfile, ShortvideoProfile } from '../records/shortvideo.ts';

/** The full profile in its compact form: exactly the keys `user` and `stats`, with all six and four of theirs. */
export function compactProfile(profile: ShortvideoProfile): CompactProfile {
  return {
    user: {
      id: profile.id,
      uniqueId: profile.username,
      nickname: profile.display_name,
      verified: profile.verified,
      region: profile.region,
      language: profile.language,
    },
    stats: {
      followerCount: profile.followers,
      followingCount: profile.following,
      heartCount: profile.likes,
      videoCount: profile.posts,
    },
  };
}
