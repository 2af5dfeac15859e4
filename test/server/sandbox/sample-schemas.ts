import { z } from 'zod';
import { ad } from '../../../pipeline/records/adlibrary.ts';
import {
  longvideoChannelRecord,
  longvideoItem,
  playlistEntry,
  searchResult,
  transcript,
} from '../../../pipeline/records/longvideo.ts';
import { photoChild, photoItem, photoProfileRecord } from '../../../pipeline/records/photo.ts';
import { comment, hashtag, playlist } from '../../../pipeline/records/shared.ts';
import { shortvideoItem, shortvideoProfileRecord, sound } from '../../../pipeline/records/shortvideo.ts';
import { catalog } from '../../../server/data/catalog.ts';

/**
 * The record that each route must return, by path. The list is maintained by hand, so that a test fails when a route in
 * docs/openapi.json changes its record. The list includes all available routes and the ad library.
 */
export const specifiedRecords: Readonly<Record<string, z.ZodObject>> = {
  '/v1/photo/profile': photoProfileRecord,
  '/v1/photo/posts': photoItem,
  '/v1/photo/post': photoItem,
  '/v1/shortvideo/profile': shortvideoProfileRecord,
  '/v1/shortvideo/videos': shortvideoItem,
  '/v1/shortvideo/video': shortvideoItem,
  '/v1/longvideo/video': longvideoItem,
  '/v1/longvideo/transcript': transcript,
  '/v1/longvideo/channel': longvideoChannelRecord,
  '/v1/longvideo/channel/videos': longvideoItem,
  '/v1/longvideo/channel/playlists': playlist,
  '/v1/longvideo/playlist': playlist,
  '/v1/longvideo/playlist/items': playlistEntry,
  '/v1/longvideo/comments': comment,
  '/v1/longvideo/comment/replies': comment,
  '/v1/longvideo/search': searchResult,
  '/v1/photo/reels': photoItem,
  '/v1/photo/post/children': photoChild,
  '/v1/photo/comments': comment,
  '/v1/photo/hashtag': hashtag,
  '/v1/photo/hashtag/posts': photoItem,
  '/v1/shortvideo/pinned': shortvideoItem,
  '/v1/shortvideo/music': sound,
  '/v1/shortvideo/music/videos': shortvideoItem,
  '/v1/shortvideo/hashtag': hashtag,
  '/v1/shortvideo/hashtag/videos': shortvideoItem,
  '/v1/shortvideo/playlist': playlist,
  '/v1/shortvideo/playlist/videos': shortvideoItem,
  '/v1/shortvideo/comments': comment,
  '/v1/shortvideo/comment/replies': comment,
  '/v2/photo/user/posts': photoItem,
  '/v1/photo/user/reels': photoItem,
  '/v2/photo/post/comments': comment,
  '/v1/adlibrary/company/ads': ad,
};

const records = new Map(
  catalog.flatMap(({ path, collector }) => (collector ? [[path as string, rowOf(collector.record)]] : [])),
);

/** The paths of the routes in the catalog that are not planned. */
export const paths: readonly string[] = [...records.keys()];

/** Returns the schema of one record of the route at `path`. */
export function schemaOf(path: string): z.ZodObject {
  const schema = records.get(path);
  if (!schema) throw new Error(`the catalog has no record for ${path}`);
  return schema;
}

/** Returns the schema of the records in a list, or that of the record itself. */
function rowOf(record: z.ZodType): z.ZodObject {
  const row = record instanceof z.ZodArray ? record.element : record;
  if (row instanceof z.ZodObject) return row;
  throw new Error('a record must be an object or a list of objects');
}
