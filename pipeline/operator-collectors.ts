import type { Collector } from './collect/collect.ts';
import { microblogCommunity, microblogPost, microblogProfile, microblogUserPosts } from './microblog/collectors.ts';

/** What the operator can collect from the command line and no public route serves, whatever is configured. */
export const operatorCollectors: readonly Collector<unknown, unknown>[] = [
  microblogProfile,
  microblogUserPosts,
  microblogPost,
  microblogCommunity,
];
