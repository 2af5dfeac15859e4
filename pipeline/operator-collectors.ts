import type { AnyCollector } from './collect/collect.ts';
import { microblogCommunity, microblogPost, microblogProfile, microblogUserPosts } from './microblog/collectors.ts';

/**
 * The collectors (fetchers of one kind of record) for X that only the operator's command line uses, and no route of the
 * public API.
 */
export const operatorCollectors: readonly AnyCollector[] = [
  microblogProfile,
  microblogUserPosts,
  microblogPost,
  microblogCommunity,
];
