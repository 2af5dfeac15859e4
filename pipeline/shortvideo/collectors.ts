import { z } from 'zod';
import type { Collector, Source } from '../collect/collect.ts';
import { type Comment, comment, type Hashtag, hashtag } from '../records/shared.ts';
import {
  type ShortvideoItem,
  type ShortvideoProfile,
  type Sound,
  shortvideoItem,
  shortvideoProfileRecord,
  sound,
} from '../records/shortvideo.ts';
import { commentList, replyList } from './comments.ts';
import { creatorEmbed, creatorEmbedVideos } from './embed/creator.ts';
import { hashtagEmbed, hashtagEmbedVideos, soundEmbed, soundEmbedVideos } from './embed/lists.ts';
import { videoEmbed } from './embed/video.ts';
import { videoOembed } from './oembed.ts';
import * as params from './params.ts';
import { shortvideoProfilePage } from './profile-page.ts';
import { videoPage } from './video-page.ts';

const regionWarning = 'region had no effect: this source does not support countries';

/**
 * Returns a TikTok source that adds a warning when the request names a region, because no TikTok source can select a
 * country.
 */
function withoutRegion<P extends { region: string | null }, R>(source: Source<P, R>): Source<P, R> {
  return {
    ...source,
    async collect(params, context) {
      const answer = await source.collect(params, context);
      return params.region === null ? answer : { ...answer, warnings: [...(answer.warnings ?? []), regionWarning] };
    },
  };
}

export const shortvideoProfile: Collector<params.ShortvideoProfileParams, ShortvideoProfile> = {
  name: 'shortvideoProfile',
  params: params.shortvideoProfileParams,
  record: shortvideoProfileRecord,
  sources: [withoutRegion(shortvideoProfilePage), withoutRegion(creatorEmbed)],
};

export const shortvideoVideos: Collector<params.ShortvideoVideosParams, ShortvideoItem[]> = {
  name: 'shortvideoVideos',
  params: params.shortvideoVideosParams,
  record: z.array(shortvideoItem),
  sources: [withoutRegion(creatorEmbedVideos)],
};

export const shortvideoVideo: Collector<params.ShortvideoVideoParams, ShortvideoItem> = {
  name: 'shortvideoVideo',
  params: params.shortvideoVideoParams,
  record: shortvideoItem,
  sources: [withoutRegion(videoPage), withoutRegion(videoEmbed), withoutRegion(videoOembed)],
};

export const shortvideoSound: Collector<params.ShortvideoSoundParams, Sound> = {
  name: 'shortvideoSound',
  params: params.shortvideoSoundParams,
  record: sound,
  sources: [withoutRegion(soundEmbed)],
};

export const shortvideoSoundVideos: Collector<params.ShortvideoSoundVideosParams, ShortvideoItem[]> = {
  name: 'shortvideoSoundVideos',
  params: params.shortvideoSoundVideosParams,
  record: z.array(shortvideoItem),
  sources: [withoutRegion(soundEmbedVideos)],
};

export const shortvideoHashtag: Collector<params.ShortvideoHashtagParams, Hashtag> = {
  name: 'shortvideoHashtag',
  params: params.shortvideoHashtagParams,
  record: hashtag,
  sources: [withoutRegion(hashtagEmbed)],
};

export const shortvideoHashtagVideos: Collector<params.ShortvideoHashtagVideosParams, ShortvideoItem[]> = {
  name: 'shortvideoHashtagVideos',
  params: params.shortvideoHashtagVideosParams,
  record: z.array(shortvideoItem),
  sources: [withoutRegion(hashtagEmbedVideos)],
};

export const shortvideoComments: Collector<params.ShortvideoCommentsParams, Comment[]> = {
  name: 'shortvideoComments',
  params: params.shortvideoCommentsParams,
  record: z.array(comment),
  sources: [withoutRegion(commentList)],
};

export const shortvideoCommentReplies: Collector<params.ShortvideoCommentRepliesParams, Comment[]> = {
  name: 'shortvideoCommentReplies',
  params: params.shortvideoCommentRepliesParams,
  record: z.array(comment),
  sources: [withoutRegion(replyList)],
};
