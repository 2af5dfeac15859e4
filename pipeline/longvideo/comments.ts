import type { Source } from '../collect/collect.ts';
import type { Comment } from '../records/shared.ts';
import { dataApiName } from './data-api/client.ts';
import { officialComments, officialReplies } from './data-api/comments.ts';
import type { CommentRepliesParams, CommentsParams } from './params.ts';
import type { SurfacesOf } from './surfaces.ts';
import { webComments } from './web/comments.ts';
import { webName } from './web/innertube.ts';

/** Returns the sources of a video's comments in order of preference. Answers of the website are partial. */
export function commentsSources(surfacesOf: SurfacesOf): Source<CommentsParams, Comment[]>[] {
  return [
    {
      name: dataApiName,
      credentials: (config) => config.youtube_api_key !== null,
      collect: (params, context) => officialComments(surfacesOf(context).api, params, context),
    },
    {
      name: webName,
      credentials: null,
      not_exposed: ['author_display_name', 'published_at', 'updated_at', 'image_url'],
      async collect(params, context) {
        return { ...(await webComments(surfacesOf(context).web, params, context)), partial: true };
      },
    },
  ];
}

/**
 * Returns the YouTube Data API as the only source of replies to a comment. YouTube's website cannot be used, because it
 * needs the token of the comment thread, which cannot be derived from a comment ID.
 */
export function commentRepliesSources(surfacesOf: SurfacesOf): Source<CommentRepliesParams, Comment[]>[] {
  return [
    {
      name: dataApiName,
      credentials: (config) => config.youtube_api_key !== null,
      not_exposed: ['content_id', 'reply_count'],
      collect: (params, context) => officialReplies(surfacesOf(context).api, params, context),
    },
  ];
}
