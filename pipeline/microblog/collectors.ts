import { z } from 'zod';
import type { Collector } from '../collect/collect.ts';
import {
  microblogCommunity as communityRecord,
  type MicroblogCommunity,
  type MicroblogPost,
  type MicroblogProfile,
  microblogPost as postRecord,
  microblogProfile as profileRecord,
} from '../records/microblog.ts';
import {
  type CommunityParams,
  communityParams,
  type PostParams,
  type ProfileParams,
  postParams,
  profileParams,
  type UserPostsParams,
  userPostsParams,
} from './params.ts';
import { xCommunitySource, xPostSource, xProfileSource, xUserPosts } from './x-api.ts';

export const microblogProfile: Collector<ProfileParams, MicroblogProfile> = {
  name: 'microblogProfile',
  params: profileParams,
  record: profileRecord,
  sources: [xProfileSource],
};

export const microblogUserPosts: Collector<UserPostsParams, MicroblogPost[]> = {
  name: 'microblogUserPosts',
  params: userPostsParams,
  record: z.array(postRecord),
  sources: [xUserPosts],
};

export const microblogPost: Collector<PostParams, MicroblogPost> = {
  name: 'microblogPost',
  params: postParams,
  record: postRecord,
  sources: [xPostSource],
};

export const microblogCommunity: Collector<CommunityParams, MicroblogCommunity> = {
  name: 'microblogCommunity',
  params: communityParams,
  record: communityRecord,
  sources: [xCommunitySource],
};
