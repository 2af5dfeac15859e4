import type { Source, SourceAnswer } from '../collect/collect.ts';
import { SourceError } from '../errors.ts';
import type { PhotoChild, PhotoItem } from '../records/photo.ts';
import { graphPost } from './graph/client.ts';
import type { PhotoPostParams } from './params.ts';
import { listedPost } from './web/newest-post.ts';
import { permalinkPost } from './web/permalink.ts';

/** Returns the carousel items in the answer for a post; an empty list for a picture or video, null when the answer has no media type. */
export function childrenIn({ record }: SourceAnswer<PhotoItem>): SourceAnswer<PhotoChild[]> | null {
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
    throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: 'instagram-graph: a carousel without its items' });
  },
};

export const pageChildren = childrenOf(permalinkPost);
export const listedChildren = childrenOf(listedPost);

/** Returns a source for carousel items. When its page shows the post without items, the error lets the next source try. */
function childrenOf(source: Source<PhotoPostParams, PhotoItem>): Source<PhotoPostParams, PhotoChild[]> {
  return {
    ...source,
    not_exposed: [],
    async collect(params, context) {
      const children = childrenIn(await source.collect(params, context));
      if (children !== null) return children;
      throw new SourceError('SOURCE_RESTRICTED', {
        about: 'reach',
        message: 'The source shows this post without the items of its carousel.',
      });
    },
  };
}
