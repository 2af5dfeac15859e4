import type { Quality } from '../../pipeline/collect/quality.ts';
import { ads } from './samples/adlibrary.ts';
import {
  longvideoChannelSample,
  longvideoCommentsSample,
  longvideoPlaylistEntriesSample,
  longvideoPlaylistSample,
  longvideoPlaylistsSample,
  longvideoRepliesSample,
  longvideoSearchResultsSample,
} from './samples/longvideo.ts';
import { longvideoItemsSample, longvideoTranscriptSample, longvideoVideoSample } from './samples/longvideo-video.ts';
import {
  photoChildrenSample,
  photoCommentsSample,
  photoHashtagSample,
  photoItemsSample,
  photoPostSample,
  photoProfileSample,
  photoReelsSample,
  photoTagItemsSample,
} from './samples/photo.ts';
import {
  shortvideoCommentsSample,
  shortvideoHashtagSample,
  shortvideoItemsSample,
  shortvideoPinnedSample,
  shortvideoPlaylistSample,
  shortvideoProfileSample,
  shortvideoRepliesSample,
  shortvideoSoundSample,
  shortvideoVideoSample,
} from './samples/shortvideo.ts';

export type SampleRecord = Readonly<Record<string, unknown>>;

/**
 * The sandbox answer of a route: one record, or all rows of a list in the order of the source. `quality` states which
 * numbers of the answer are not exact.
 */
export type RouteSample =
  | { record: SampleRecord; quality: Quality }
  | { rows: readonly SampleRecord[]; quality: Quality };

function one(record: SampleRecord, quality: Quality = {}): RouteSample {
  return { record, quality };
}

function list(rows: readonly SampleRecord[], quality: Quality = {}): RouteSample {
  return { rows, quality };
}

const posts = list(photoItemsSample, { '2.likes': 'hidden' });
const reels = list(photoReelsSample, { '2.likes': 'hidden' });

/** The sample of every route that is not planned, by path. Samples are constants and do not depend on the request. */
export const samples: Readonly<Record<string, RouteSample>> = {
  '/v1/photo/profile': one(photoProfileSample),
  '/v1/photo/posts': posts,
  '/v1/photo/post': one(photoPostSample),
  '/v1/photo/post/children': list(photoChildrenSample),
  '/v1/photo/reels': reels,
  '/v1/photo/comments': list(photoCommentsSample),
  '/v1/photo/hashtag': one(photoHashtagSample),
  '/v1/photo/hashtag/posts': list(photoTagItemsSample, { '2.likes': 'hidden' }),
  '/v2/photo/user/posts': posts,
  '/v1/photo/user/reels': reels,
  '/v2/photo/post/comments': list(photoCommentsSample),
  '/v1/shortvideo/profile': one(shortvideoProfileSample, { followers: 'rounded' }),
  '/v1/shortvideo/videos': list(shortvideoItemsSample),
  '/v1/shortvideo/video': one(shortvideoVideoSample),
  '/v1/shortvideo/pinned': list(shortvideoPinnedSample),
  '/v1/shortvideo/music': one(shortvideoSoundSample),
  '/v1/shortvideo/music/videos': list(shortvideoItemsSample),
  '/v1/shortvideo/hashtag': one(shortvideoHashtagSample, { views: 'rounded', content_count: 'rounded' }),
  '/v1/shortvideo/hashtag/videos': list(shortvideoItemsSample),
  '/v1/shortvideo/playlist': one(shortvideoPlaylistSample),
  '/v1/shortvideo/playlist/videos': list(shortvideoItemsSample),
  '/v1/shortvideo/comments': list(shortvideoCommentsSample),
  '/v1/shortvideo/comment/replies': list(shortvideoRepliesSample),
  '/v1/longvideo/video': one(longvideoVideoSample),
  '/v1/longvideo/transcript': one(longvideoTranscriptSample),
  '/v1/longvideo/channel': one(longvideoChannelSample, { followers: 'rounded', following: 'not_exposed' }),
  '/v1/longvideo/channel/videos': list(longvideoItemsSample, { '2.likes': 'hidden' }),
  '/v1/longvideo/channel/playlists': list(longvideoPlaylistsSample),
  '/v1/longvideo/playlist': one(longvideoPlaylistSample),
  '/v1/longvideo/playlist/items': list(longvideoPlaylistEntriesSample),
  '/v1/longvideo/comments': list(longvideoCommentsSample),
  '/v1/longvideo/comment/replies': list(longvideoRepliesSample),
  '/v1/longvideo/search': list(longvideoSearchResultsSample),
  '/v1/adlibrary/company/ads': list(ads),
};
