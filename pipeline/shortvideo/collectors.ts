import { z } from 'zod';
import type { Collector, Source } from '../collect/collect.ts';
import { type Comment, comment, type Hashtag, hashtag } from '../records/shared.ts';
import {
  type ShortvideoItem,
  type ShortvideoProfile,
  type Sound,
  shortvideoItem,
  shortvideoProfile as shortvideoProfileRecord,
  sound,
} from '../records/shortvideo.ts';
import { commentList, replyList } from './comments.ts';
import { creatorEmbed, creatorEmbedVideos } from './embed/creator.ts';
import { hashtagEmbed, hashtagEmbedVideos, soundEmbed, soundEmbedVideos } from './embed/lists.ts';
import { videoEmbed } from './embed/video.ts';
import { videoOembed } from './oembed.ts';
import * as params from './params.ts';
import { profilePage } from './profile-page.ts';
import { videoPage } from './video-page.ts';

const regionWarning = 'region had no effect: this source does not support countries';

/**
 * Returns a TikTok source that adds a warning when the request has a region, because no TikTok source can select a
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

export const shortvideoProfile: Collector<params.ProfileParams, ShortvideoProfile> = {
  name: 'shortvideoProfile',
  params: params.profileParams,
  record: shortvideoProfileRecord,
  sources: [withoutRegion(profilePage), withoutRegion(creatorEmbed)],
};

export const shortvideoVideos: Collector<params.VideosParams, ShortvideoItem[]> = {
  name: 'shortvideoVideos',
  params: params.videosParams,
  record: z.array(shortvideoItem),
  sources: [withoutRegion(creatorEmbedVideos)],
};

export const shortvideoVideo: Collector<params.VideoParams, ShortvideoItem> = {
  name: 'shortvideoVideo',
  params: params.videoParams,
  record: shortvideoItem,
  sources: [withoutRegion(videoPage), withoutRegion(videoEmbed), withoutRegion(videoOembed)],
};

export const shortvideoSound: Collector<params.SoundParams, Sound> = {
  name: 'shortvideoSound',
  params: params.soundParams,
  record: sound,
  sources: [withoutRegion(soundEmbed)],
};

export const shortvideoSoundVideos: Collector<params.SoundVideosParams, ShortvideoItem[]> = {
  name: 'shortvideoSoundVideos',
  params: params.soundVideosParams,
  record: z.array(shortvideoItem),
  sources: [withoutRegion(soundEmbedVideos)],
};

export const shortvideoHashtag: Collector<params.HashtagParams, Hashtag> = {
  name: 'shortvideoHashtag',
  params: params.hashtagParams,
  record: hashtag,
  sources: [withoutRegion(hashtagEmbed)],
};

export const shortvideoHashtagVideos: Collector<params.HashtagVideosParams, ShortvideoItem[]> = {
  name: 'shortvideoHashtagVideos',
  params: params.hashtagVideosParams,
  record: z.array(shortvideoItem),
  sources: [withoutRegion(hashtagEmbedVideos)],
};

export const shortvideoComments: Collector<params.CommentsParams, Comment[]> = {
  name: 'shortvideoComments',
  params: params.commentsParams,
  record: z.array(comment),
  sources: [withoutRegion(commentList)],
};

export const shortvideoCommentReplies: Collector<params.CommentRepliesParams, Comment[]> = {
  name: 'shortvideoCommentReplies',
  params: params.commentRepliesParams,
  record: z.array(comment),
  sources: [withoutRegion(replyList)],
};
