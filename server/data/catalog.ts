import { z } from 'zod';
import { adlibraryCompanyAds } from '../../pipeline/adlibrary/collectors.ts';
import type { AnyCollector } from '../../pipeline/collect/collect.ts';
import { longvideoChannelPlaylists, longvideoCommentReplies, longvideoComments, longvideoPlaylist, longvideoPlaylistItems, longvideoSearch, longvideoTranscript } from '../../pipeline/longvideo/collectors.ts';
import {
  photoHashtag,
  photoHashtagPosts,
  photoPostChildren,
  photoReels,
  photoUserPosts,
  photoUserReels,
} from '../../pipeline/photo/collectors.ts';
import { comment, playlist } from '../../pipeline/records/shared.ts';
import { shortvideoItem } from '../../pipeline/records/shortvideo.ts';
import { rowRoutes } from '../../pipeline/rows/row-routes.ts';
import {
  shortvideoCommentReplies,
  shortvideoComments,
  shortvideoHashtag,
  shortvideoHashtagVideos,
  shortvideoSound,
  shortvideoSoundVideos,
} from '../../pipeline/shortvideo/collectors.ts';
import * as p from './parameters.ts';
import type { Route } from './route.ts';

/**
 * Returns a collector (the module that fetches the data of a route) that has no sources, because no public source has
 * this data. A request with a production key gets the error SOURCE_UNAVAILABLE when the route is marked `unavailable`,
 * else SOURCE_NOT_CONFIGURED.
 */
function unsourced(name: string, record: z.ZodType): AnyCollector {
  return { name, params: z.record(z.string(), z.unknown()), record, sources: [] };
}

const list = (record: z.ZodType) => z.array(record);
const channel = { channel_id: p.channelId };

/**
 * Lists every route that returns platform data. Routing, validation, prices, OpenAPI, documentation and MCP tools are
 * made from this list. Routes that also fill spreadsheet rows take their path, cost and collector from `rowRoutes`,
 * because background batches use the same values without calling the API.
 */
export const catalog: readonly Route[] = [
  { ...rowRoutes.profiles.photo, availability: 'available', identifiers: { handle: p.photoHandle, url: p.photoProfileUrl }, container: 'profile', summary: 'Instagram profile' },
  { ...rowRoutes.latest_posts.photo, availability: 'available', identifiers: { handle: p.photoHandle }, container: 'items', summary: 'Posts of an Instagram profile' },
  { ...rowRoutes.posts.photo, availability: 'available', identifiers: { id: p.photoPostId, url: p.photoPostUrl }, container: 'item', summary: 'Instagram post' },
  { ...rowRoutes.profiles.shortvideo, availability: 'available', identifiers: { handle: p.shortvideoHandle, url: p.shortvideoProfileUrl }, optional: { format: p.profileFormat }, container: 'profile', compact: true, summary: 'TikTok profile' },
  { ...rowRoutes.latest_posts.shortvideo, availability: 'available', identifiers: { handle: p.shortvideoHandle }, container: 'items', summary: 'The latest videos of a TikTok profile, about ten' },
  { ...rowRoutes.posts.shortvideo, availability: 'available', identifiers: { id: p.shortvideoId }, container: 'item', summary: 'TikTok video; some videos return fewer details' },
  { ...rowRoutes.posts.longvideo, availability: 'available', identifiers: { id: p.longvideoId, url: p.longvideoUrl }, container: 'item', summary: 'YouTube video' },
  { path: '/v1/longvideo/transcript', cost: 4, availability: 'available', identifiers: { id: p.longvideoId }, container: 'transcript', collector: longvideoTranscript, summary: 'Transcript of a YouTube video' },
  { ...rowRoutes.profiles.longvideo, availability: 'preview', identifiers: { handle: p.channelHandle, url: p.channelUrl, channelId: p.channelId, channel_id: p.channelId }, container: 'profile', summary: 'YouTube channel' },
  { ...rowRoutes.latest_posts.longvideo, availability: 'preview', identifiers: channel, container: 'items', summary: 'Videos of a YouTube channel' },
  { path: '/v1/longvideo/channel/playlists', cost: 1, availability: 'preview', identifiers: channel, container: 'items', collector: longvideoChannelPlaylists, summary: 'Playlists of a YouTube channel' },
  { path: '/v1/longvideo/playlist', cost: 1, availability: 'preview', identifiers: { playlist_id: p.playlistId }, container: 'playlist', collector: longvideoPlaylist, summary: 'YouTube playlist' },
  { path: '/v1/longvideo/playlist/items', cost: 1, availability: 'preview', identifiers: { playlist_id: p.playlistId }, container: 'items', collector: longvideoPlaylistItems, summary: 'Videos of a YouTube playlist' },
  { path: '/v1/longvideo/comments', cost: 1, availability: 'preview', identifiers: { id: p.longvideoId }, optional: { order: p.commentOrder }, container: 'items', collector: longvideoComments, summary: 'Top-level comments of a YouTube video' },
  { path: '/v1/longvideo/comment/replies', cost: 1, availability: 'preview', identifiers: { comment_id: p.longvideoCommentId }, container: 'items', collector: longvideoCommentReplies, summary: 'Replies to a YouTube comment' },
  { path: '/v1/longvideo/search', cost: 10, availability: 'preview', identifiers: { q: p.searchQuery, query: p.searchQuery }, optional: { type: p.searchType, order: p.searchOrder, region_code: p.region, language: p.language }, container: 'items', collector: longvideoSearch, summary: 'YouTube search for videos, channels and playlists' },
  { path: '/v1/photo/reels', cost: 2, availability: 'unavailable', identifiers: { handle: p.photoHandle }, container: 'items', collector: photoReels, summary: 'Reels of an Instagram profile' },
  { path: '/v1/photo/post/children', cost: 1, availability: 'preview', identifiers: { id: p.photoPostId }, container: 'items', collector: photoPostChildren, buffered: true, summary: 'Items of an Instagram carousel, in order; a cursor expires after ten minutes' },
  { path: '/v1/photo/comments', cost: 2, availability: 'unavailable', identifiers: { id: p.photoPostId }, container: 'items', collector: unsourced('photo comments', list(comment)), summary: 'Comments of an Instagram post' },
  { path: '/v1/photo/hashtag', cost: 1, availability: 'unavailable', identifiers: { tag: p.tag, hashtag: p.tag }, container: 'hashtag', collector: photoHashtag, summary: 'Instagram hashtag' },
  { path: '/v1/photo/hashtag/posts', cost: 2, availability: 'unavailable', identifiers: { tag: p.tag }, container: 'items', collector: photoHashtagPosts, buffered: true, summary: "Posts of an Instagram hashtag; may cover only some of the hashtag's posts" },
  { path: '/v1/shortvideo/pinned', cost: 2, availability: 'unavailable', identifiers: { handle: p.shortvideoHandle }, container: 'items', collector: unsourced('shortvideo pinned', list(shortvideoItem)), summary: 'Pinned videos of a TikTok profile' },
  { path: '/v1/shortvideo/music', cost: 1, availability: 'preview', identifiers: { id: p.soundId }, container: 'sound', collector: shortvideoSound, summary: 'TikTok sound' },
  { path: '/v1/shortvideo/music/videos', cost: 2, availability: 'preview', identifiers: { id: p.soundId }, container: 'items', collector: shortvideoSoundVideos, buffered: true, summary: 'TikTok videos that use a sound' },
  { path: '/v1/shortvideo/hashtag', cost: 1, availability: 'preview', identifiers: { tag: p.tag, hashtag: p.tag }, container: 'hashtag', collector: shortvideoHashtag, summary: 'TikTok hashtag' },
  { path: '/v1/shortvideo/hashtag/videos', cost: 2, availability: 'preview', identifiers: { tag: p.tag }, container: 'items', collector: shortvideoHashtagVideos, buffered: true, summary: 'Videos of a TikTok hashtag' },
  { path: '/v1/shortvideo/playlist', cost: 1, availability: 'preview', identifiers: { id: p.shortvideoPlaylistId }, container: 'playlist', collector: unsourced('shortvideo playlist', playlist), summary: 'TikTok playlist; no source yet' },
  { path: '/v1/shortvideo/playlist/videos', cost: 2, availability: 'preview', identifiers: { id: p.shortvideoPlaylistId }, container: 'items', collector: unsourced('shortvideo playlist videos', list(shortvideoItem)), buffered: true, summary: 'Videos of a TikTok playlist; no source yet' },
  { path: '/v1/shortvideo/comments', cost: 2, availability: 'preview', identifiers: { id: p.shortvideoId }, container: 'items', collector: shortvideoComments, summary: 'Comments of a TikTok video' },
  { path: '/v1/shortvideo/comment/replies', cost: 2, availability: 'preview', identifiers: { comment_id: p.shortvideoCommentId }, required: { video_id: p.commentedVideoId }, container: 'items', collector: shortvideoCommentReplies, summary: 'Replies to a TikTok comment' },
  { path: '/v2/photo/user/posts', cost: 2, availability: 'preview', identifiers: { handle: p.photoHandle }, container: 'items', collector: photoUserPosts, summary: 'Posts of an Instagram profile, including reels' },
  { path: '/v1/photo/user/reels', cost: 2, availability: 'unavailable', identifiers: { handle: p.photoHandle }, container: 'items', collector: photoUserReels, summary: 'Reels of an Instagram profile' },
  { path: '/v2/photo/post/comments', cost: 2, availability: 'unavailable', identifiers: { url: p.photoPostUrl }, container: 'items', collector: unsourced('photo post comments', list(comment)), summary: 'Comments of an Instagram post, by URL' },
  { path: '/v1/photo/user/highlights', cost: 1, availability: 'planned', identifiers: { handle: p.photoHandle }, summary: 'Covers of Instagram story highlights' },
  { path: '/v1/photo/user/highlight/detail', cost: 1, availability: 'planned', identifiers: { id: p.photoPostId }, summary: 'Items of an Instagram story highlight' },
  { path: '/v2/photo/media/transcript', cost: 4, availability: 'planned', identifiers: { url: p.photoPostUrl }, summary: 'Transcript of an Instagram reel or video' },
  { path: '/v2/photo/reels/search', cost: 3, availability: 'planned', identifiers: { query: p.searchQuery }, summary: 'Instagram search for reels' },
  { path: '/v1/photo/basic/profile', cost: 1, availability: 'planned', identifiers: { userId: p.numericUserId }, summary: 'Instagram profile by numeric account id' },
  { path: '/v1/photo/user/embed', cost: 1, availability: 'planned', identifiers: { handle: p.photoHandle }, summary: 'Embed code of an Instagram profile' },
  { path: '/v1/adlibrary/company/ads', cost: 2, availability: 'preview', identifiers: { companyName: p.companyName, pageId: p.pageId }, optional: { country: p.country, status: p.adStatus, media_type: p.mediaType, language: p.language, start_date: p.day, end_date: p.day }, container: 'items', collector: adlibraryCompanyAds, operators_only: true, summary: 'Ads of a company in the Meta Ad Library; no live data' },
  { path: '/v1/microblog/profile', cost: 1, availability: 'planned', identifiers: { handle: p.microblogHandle }, summary: 'X profile' },
  { path: '/v1/microblog/user/posts', cost: 2, availability: 'planned', identifiers: { handle: p.microblogHandle }, summary: 'Posts of an X profile' },
  { path: '/v1/microblog/post', cost: 1, availability: 'planned', identifiers: { id: p.microblogId, url: p.microblogUrl }, summary: 'X post' },
  { path: '/v1/microblog/post/transcript', cost: 4, availability: 'planned', identifiers: { id: p.microblogId, url: p.microblogUrl }, summary: 'Transcript of an X video' },
  { path: '/v1/microblog/community', cost: 1, availability: 'planned', identifiers: { id: p.microblogId }, summary: 'X community' },
  { path: '/v1/microblog/community/posts', cost: 2, availability: 'planned', identifiers: { id: p.microblogId }, summary: 'Posts of an X community' },
];
