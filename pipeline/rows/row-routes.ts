import type { BatchKind } from '../../db/deliveries/batches.ts';
import type { AnyCollector } from '../collect/collect.ts';
import { longvideoChannel, longvideoChannelVideos, longvideoVideo } from '../longvideo/collectors.ts';
import { photoPost, photoPosts, photoProfile } from '../photo/collectors.ts';
import { shortvideoProfile, shortvideoVideo, shortvideoVideos } from '../shortvideo/collectors.ts';
import type { Platform } from './profile-address.ts';

/**
 * An API route whose answers fill spreadsheet rows. A batch (bulk analysis) requests the same data directly, so that
 * both share cached answers. `server/data/catalog.ts` takes the path, the cost and the collector of these routes from
 * here.
 */
export interface RowRoute {
  path: `/v1/${string}`;
  /** Number of credits for a fetched answer. A cached answer is free. */
  cost: number;
  collector: AnyCollector;
}

function route(path: RowRoute['path'], cost: number, collector: RowRoute['collector']): RowRoute {
  return { path, cost, collector };
}

/** The routes that return one profile, one post, or the latest posts of a profile. */
export const rowRoutes: Readonly<Record<BatchKind, Readonly<Record<Platform, RowRoute>>>> = {
  profiles: {
    photo: route('/v1/photo/profile', 1, photoProfile),
    shortvideo: route('/v1/shortvideo/profile', 1, shortvideoProfile),
    longvideo: route('/v1/longvideo/channel', 1, longvideoChannel),
  },
  posts: {
    photo: route('/v1/photo/post', 1, photoPost),
    shortvideo: route('/v1/shortvideo/video', 1, shortvideoVideo),
    longvideo: route('/v1/longvideo/video', 1, longvideoVideo),
  },
  latest_posts: {
    photo: route('/v1/photo/posts', 2, photoPosts),
    shortvideo: route('/v1/shortvideo/videos', 2, shortvideoVideos),
    longvideo: route('/v1/longvideo/channel/videos', 3, longvideoChannelVideos),
  },
};
