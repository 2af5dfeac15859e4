import { dig } from '../parse/values.ts';

/** Members that the API is renaming: the name in its published schema -> the name that answers still use. */
const formerNames = {
  posts: 'tweets',
  referenced_posts: 'referenced_tweets',
  note_post: 'note_tweet',
  repost_count: 'retweet_count',
  post_count: 'tweet_count',
} as const;

/** Returns a member of an answer under its new or its former name. */
export function renamed(value: unknown, member: keyof typeof formerNames): unknown {
  return dig(value, member) ?? dig(value, formerNames[member]);
}
