import { z } from 'zod';
import type { Collector } from '../collect/collect.ts';
import {
  type MicroblogCommunity,
  type MicroblogPost,
  type MicroblogProfile,
  microblogCommunityRecord,
  microblogPostRecord,
  microblogProfileRecord,
} from '../records/microblog.ts';
import {
  type MicroblogCommunityParams,
  type MicroblogPostParams,
  type MicroblogProfileParams,
  type MicroblogUserPostsParams,
  microblogCommunityParams,
  microblogPostParams,
  microblogProfileParams,
  microblogUserPostsParams,
} from './params.ts';
import { xCommunitySource, xPostSource, xProfileSource, xUserPosts } from './x-api.ts';

export const microblogProfile: Collector<MicroblogProfileParams, MicroblogProfile> = {
  name: 'microblogProfile',
  params: microblogProfileParams,
  record: microblogProfileRecord,
  sources: [xProfileSource],
};

export const microblogUserPosts: Collector<MicroblogUserPostsParams, MicroblogPost[]> = {
  name: 'microblogUserPosts',
  params: microblogUserPostsParams,
  record: z.array(microblogPostRecord),
  sources: [xUserPosts],
};

export const microblogPost: Collector<MicroblogPostParams, MicroblogPost> = {
  name: 'microblogPost',
  params: microblogPostParams,
  record: microblogPostRecord,
  sources: [xPostSource],
};

export const microblogCommunity: Collector<MicroblogCommunityParams, MicroblogCommunity> = {
  name: 'microblogCommunity',
  params: microblogCommunityParams,
  record: microblogCommunityRecord,
  sources: [xCommunitySource],
};
