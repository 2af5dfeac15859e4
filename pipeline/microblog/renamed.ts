import { dig } from '../parse/values.ts';

/**
 * Maps the new name of an X API field to its old name. The new names are in the API's published schema, but its answers
 * still use the old ones.
 */
const formerNames = {
  posts: 'tweets',
  referenced_posts: 'referenced_tweets',
  note_post: 'note_tweet',
  repost_count: 'retweet_count',
  post_count: 'tweet_count',
} as const;

/** Returns the value of an X API field under its new name, or else under its old name. */
export function renamed(value: unknown, member: keyof typeof formerNames): unknown {
  return dig(value, member) ?? dig(value, formerNames[member]);
}
