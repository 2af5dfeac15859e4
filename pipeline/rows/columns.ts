// This file must not import anything, because `npm run docs` copies the file into the Google Sheets add-on.

/**
 * Column names of a row about a profile. All platforms have the same columns in the same order, so that users can
 * append rows to one sheet.
 */
export const profileColumns = [
  'url',
  'status',
  'platform',
  'account_id',
  'username',
  'display_name',
  'followers',
  'followers_quality',
  'following',
  'posts',
  'likes',
  'total_views',
  'verified',
  'private',
  'category',
  'country',
  'language',
  'bio',
  'external_url',
  'avatar_url',
  'created_at_platform',
  'profile_url',
  'retrieved_at',
  'cached',
  'credits_charged',
  'message',
] as const;

/**
 * Column names of a row about a post or video. All platforms have the same columns in the same order, so that users can
 * append rows to one sheet.
 */
export const postColumns = [
  'url',
  'status',
  'platform',
  'id',
  'permalink',
  'author',
  'author_id',
  'published_at',
  'title',
  'caption',
  'media_type',
  'views',
  'likes',
  'comments',
  'shares',
  'favorites',
  'counts_quality',
  'duration_seconds',
  'hashtags',
  'media_url',
  'retrieved_at',
  'cached',
  'credits_charged',
  'message',
] as const;
