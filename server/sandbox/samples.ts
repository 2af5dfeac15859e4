import type { Quality } from '../../pipeline/collect/quality.ts';
import { ads } from './samples/adlibrary.ts';
import {
  longvideoChannel,
  longvideoComments,
  longvideoPlaylist,
  longvideoPlaylistEntries,
  longvideoPlaylists,
  longvideoReplies,
  longvideoSearchResults,
} from './samples/longvideo.ts';
import { longvideoItems, longvideoTranscript, longvideoVideo } from './samples/longvideo-video.ts';
import {
  photoChildren,
  photoComments,
  photoHashtag,
  photoItems,
  photoPost,
  photoProfile,
  photoReels,
  photoTagItems,
} from './samples/photo.ts';
import {
  shortvideoComments,
  shortvideoHashtag,
  shortvideoItems,
  shortvideoPinned,
  shortvideoPlaylist,
  shortvideoProfile,
  shortvideoReplies,
  shortvideoSound,
  shortvideoVideo,
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

const posts = list(photoItems, { '2.likes': 'hidden' });
const reels = list(photoReels, { '2.likes': 'hidden' });

/** The sample of every route that is not planned, by path. Samples are constants and do not depend on the request. */
export const samples: Readonly<Record<string, RouteSample>> = {
  '/v1/photo/profile': one(photoProfile),
  '/v1/photo/posts': posts,
  '/v1/photo/post': one(photoPost),
  '/v1/photo/post/children': list(photoChildren),
  '/v1/photo/reels': reels,
  '/v1/photo/comments': list(photoComments),
  '/v1/photo/hashtag': one(photoHashtag),
  '/v1/photo/hashtag/posts': list(photoTagItems, { '2.likes': 'hidden' }),
  '/v2/photo/user/posts': posts,
  '/v1/photo/user/reels': reels,
  '/v2/photo/post/comments': list(photoComments),
  '/v1/shortvideo/profile': one(shortvideoProfile, { followers: 'rounded' }),
  '/v1/shortvideo/videos': list(shortvideoItems),
  '/v1/shortvideo/video': one(shortvideoVideo),
  '/v1/shortvideo/pinned': list(shortvideoPinned),
  '/v1/shortvideo/music': one(shortvideoSound),
  '/v1/shortvideo/music/videos': list(shortvideoItems),
  '/v1/shortvideo/hashtag': one(shortvideoHashtag, { views: 'rounded', content_count: 'rounded' }),
  '/v1/shortvideo/hashtag/videos': list(shortvideoItems),
  '/v1/shortvideo/playlist': one(shortvideoPlaylist),
  '/v1/shortvideo/playlist/videos': list(shortvideoItems),
  '/v1/shortvideo/comments': list(shortvideoComments),
  '/v1/shortvideo/comment/replies': list(shortvideoReplies),
  '/v1/longvideo/video': one(longvideoVideo),
  '/v1/longvideo/transcript': one(longvideoTranscript),
  '/v1/longvideo/channel': one(longvideoChannel, { followers: 'rounded', following: 'not_exposed' }),
  '/v1/longvideo/channel/videos': list(longvideoItems, { '2.likes': 'hidden' }),
  '/v1/longvideo/channel/playlists': list(longvideoPlaylists),
  '/v1/longvideo/playlist': one(longvideoPlaylist),
  '/v1/longvideo/playlist/items': list(longvideoPlaylistEntries),
  '/v1/longvideo/comments': list(longvideoComments),
  '/v1/longvideo/comment/replies': list(longvideoReplies),
  '/v1/longvideo/search': list(longvideoSearchResults),
  '/v1/adlibrary/company/ads': list(ads),
};
