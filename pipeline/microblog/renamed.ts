import { dig } from '../parse/values.ts';

/** Fields that the API is renaming. Maps the name in its published schema to the name that its answers still use. */
const formerNames = {
  posts: 'tweets',
  referenced_posts: 'referenced_tweets',
  note_post: 'note_tweet',
  repost_count: 'retweet_count',
  post_count: 'tweet_count',
} as const;

/** Returns a field of an answer, by its new name or else by its former name. */
export function renamed(value: unknown, member: keyof typeof formerNames): unknown {
  return dig(value, member) ?? dig(value, formerNames[member]);
}
