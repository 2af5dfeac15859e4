import type { Collector } from './collect/collect.ts';
import { microblogCommunity, microblogPost, microblogProfile, microblogUserPosts } from './microblog/collectors.ts';

/** Collectors that only the operator's command line uses. No public route uses them. */
export const operatorCollectors: readonly Collector<unknown, unknown>[] = [
  microblogProfile,
  microblogUserPosts,
  microblogPost,
  microblogCommunity,
];
