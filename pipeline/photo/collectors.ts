import { z } from 'zod';
import type { Collector } from '../collect/collect.ts';
import {
  type PhotoChild,
  type PhotoItem,
  type PhotoProfile,
  photoChild,
  photoItem,
  photoProfileRecord,
} from '../records/photo.ts';
import { type Hashtag, hashtag } from '../records/shared.ts';
import { graphPost, graphPosts, graphProfileSource } from './graph/client.ts';
import { graphHashtag, graphHashtagPosts } from './graph/hashtag.ts';
import { graphReels } from './graph/reels.ts';
import {
  type PhotoHashtagParams,
  type PhotoHashtagPostsParams,
  type PhotoPostChildrenParams,
  type PhotoPostParams,
  type PhotoPostsParams,
  type PhotoProfileParams,
  photoHashtagParams,
  photoHashtagPostsParams,
  photoPostChildrenParams,
  photoPostParams,
  photoPostsParams,
  photoProfileParams,
} from './params.ts';
import { graphChildren, listedChildren, pageChildren } from './post-children.ts';
import { listedPost } from './web/newest-post.ts';
import { permalinkPost } from './web/permalink.ts';
import { webPosts } from './web/posts.ts';
import { webProfile } from './web/profile.ts';
import { photoProfilePage } from './web/profile-page.ts';

export const photoProfile: Collector<PhotoProfileParams, PhotoProfile> = {
  name: 'photoProfile',
  params: photoProfileParams,
  record: photoProfileRecord,
  sources: [graphProfileSource, webProfile, photoProfilePage],
};

export const photoPosts: Collector<PhotoPostsParams, PhotoItem[]> = {
  name: 'photoPosts',
  params: photoPostsParams,
  record: z.array(photoItem),
  sources: [graphPosts, webPosts],
};

/**
 * Lists the posts and reels of an Instagram account together, because the Graph API and the web profile list them
 * together.
 */
export const photoUserPosts: Collector<PhotoPostsParams, PhotoItem[]> = { ...photoPosts, name: 'photoUserPosts' };

export const photoPost: Collector<PhotoPostParams, PhotoItem> = {
  name: 'photoPost',
  params: photoPostParams,
  record: photoItem,
  sources: [graphPost, permalinkPost, listedPost],
};

/**
 * Lists the pictures and videos of an Instagram carousel post in order. The list is empty for a post that is not a
 * carousel.
 */
export const photoPostChildren: Collector<PhotoPostChildrenParams, PhotoChild[]> = {
  name: 'photoPostChildren',
  params: photoPostChildrenParams,
  record: z.array(photoChild),
  sources: [graphChildren, pageChildren, listedChildren],
};

/**
 * Lists the reels of an Instagram account. Only the Instagram Graph API has them, because no public page lists reels.
 */
export const photoReels: Collector<PhotoPostsParams, PhotoItem[]> = {
  name: 'photoReels',
  params: photoPostsParams,
  record: z.array(photoItem),
  sources: [graphReels],
};

export const photoUserReels: Collector<PhotoPostsParams, PhotoItem[]> = { ...photoReels, name: 'photoUserReels' };

/**
 * Collects an Instagram hashtag. The Graph API allows requests for 30 different hashtags in seven days, but does not
 * say how many of them remain.
 */
export const photoHashtag: Collector<PhotoHashtagParams, Hashtag> = {
  name: 'photoHashtag',
  params: photoHashtagParams,
  record: hashtag,
  sources: [graphHashtag],
};

export const photoHashtagPosts: Collector<PhotoHashtagPostsParams, PhotoItem[]> = {
  name: 'photoHashtagPosts',
  params: photoHashtagPostsParams,
  record: z.array(photoItem),
  sources: [graphHashtagPosts],
};
