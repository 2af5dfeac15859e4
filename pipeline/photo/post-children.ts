import type { Source, SourceAnswer } from '../collect/collect.ts';
import { responseChanged, SourceError } from '../errors.ts';
import type { PhotoChild, PhotoItem } from '../records/photo.ts';
import { graphPost } from './graph/client.ts';
import type { PhotoPostParams } from './params.ts';
import { listedPost } from './web/newest-post.ts';
import { permalinkPost } from './web/permalink.ts';

/**
 * Returns the pictures and videos of a carousel post; an empty list for a post with a single picture or video. Null
 * when it is unknown whether the post is a carousel, or when its pictures and videos are missing.
 */
function childrenIn({ record }: SourceAnswer<PhotoItem>): SourceAnswer<PhotoChild[]> | null {
  const { media_type, children } = record;
  if (children?.length) return { record: children, next: null };
  return media_type === 'image' || media_type === 'video' ? { record: [], next: null } : null;
}

export const graphChildren: Source<PhotoPostParams, PhotoChild[]> = {
  ...graphPost,
  not_exposed: ['width', 'height'],
  async collect(params, context) {
    const children = childrenIn(await graphPost.collect(params, context));
    if (children !== null) return children;
    throw responseChanged('instagram-graph: a carousel without its items');
  },
};

export const pageChildren = childrenOf(permalinkPost);
export const listedChildren = childrenOf(listedPost);

/**
 * Returns a data source for the pictures and videos of an Instagram carousel. The data source calls a source for posts
 * (`source`) and returns only the carousel of the post. When the post comes without its carousel, the data source
 * throws an error, so that the collector tries the next data source.
 */
function childrenOf(source: Source<PhotoPostParams, PhotoItem>): Source<PhotoPostParams, PhotoChild[]> {
  return {
    ...source,
    not_exposed: [],
    async collect(params, context) {
      const children = childrenIn(await source.collect(params, context));
      if (children !== null) return children;
      throw new SourceError('SOURCE_RESTRICTED', {
        about: 'reach',
        message:
          'Instagram shows this post without the pictures and videos of its carousel. Request the post itself to get its other fields.',
      });
    },
  };
}
