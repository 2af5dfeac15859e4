import { dig } from '../parse/values.ts';

/**
 * Fields that the X API is renaming. Maps the new name, from the published schema of the API, to the old name, which
 * its answers still use.
 */
const formerNames = {
  posts: 'tweets',
  referenced_posts: 'referenced_tweets',
  note_post: 'note_tweet',
  repost_count: 'retweet_count',
  post_count: 'tweet_count',
} as const;

/** Returns a field of an X API answer, by its new name or else by its old name. */
export function renamed(value: unknown, member: keyof typeof formerNames): unknown {
  return dig(value, member) ?? dig(value, formerNames[member]);
}
