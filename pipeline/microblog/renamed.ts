import { dig } from '../parse/values.ts';

/** Members that the API is renaming: the name of its published schema, and the one that answers still carry. */
const formerNames = {
  posts: 'tweets',
  referenced_posts: 'referenced_tweets',
  note_post: 'note_tweet',
  repost_count: 'retweet_count',
  post_count: 'tweet_count',
} as const;

/** A member of an answer under whichever of its two names is there. */
export function renamed(value: unknown, member: keyof typeof formerNames): unknown {
  return dig(value, member) ?? dig(value, formerNames[member]);
}
