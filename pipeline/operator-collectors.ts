import type { Collector } from './collect/collect.ts';
import { microblogCommunity, microblogPost, microblogProfile, microblogUserPosts } from './microblog/collectors.ts';

/** Collectors for the operator's command line only: no public route uses them. */
export const operatorCollectors: readonly Collector<unknown, unknown>[] = [
  microblogProfile,
  microblogUserPosts,
  microblogPost,
  microblogCommunity,
];
