import type { CompactProfile, ShortvideoProfile } from '../records/shortvideo.ts';

/**
 * Returns the compact form of a TikTok profile, with exactly the keys `user` (six fields) and `stats` (four fields).
 */
export function toCompactProfile(profile: ShortvideoProfile): CompactProfile {
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
