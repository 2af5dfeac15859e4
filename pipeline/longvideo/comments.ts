import type { Source } from '../collect/collect.ts';
import type { Comment } from '../records/shared.ts';
import { dataApiSource } from './data-api/client.ts';
import { officialComments, officialReplies } from './data-api/comments.ts';
import type { LongvideoCommentRepliesParams, LongvideoCommentsParams } from './params.ts';
import { surfacesOfService } from './surfaces.ts';
import { webComments } from './web/comments.ts';
import { longvideoWebName } from './web/innertube.ts';

/** The sources of a video's comments in order of preference. Answers of the website are partial. */
export const commentsSources: Source<LongvideoCommentsParams, Comment[]>[] = [
  {
    ...dataApiSource,
    collect: (params, context) => officialComments(surfacesOfService(context).api, params, context),
  },
  {
    name: longvideoWebName,
    credentials: null,
    not_exposed: ['author_display_name', 'published_at', 'updated_at', 'image_url'],
    async collect(params, context) {
      return { ...(await webComments(surfacesOfService(context).web, params, context)), partial: true };
    },
  },
];

/**
 * The only source of replies to a comment: the YouTube Data API. YouTube's website requires the token of the comment
 * thread, which cannot be derived from a comment ID.
 */
export const commentRepliesSources: Source<LongvideoCommentRepliesParams, Comment[]>[] = [
  {
    ...dataApiSource,
    not_exposed: ['content_id', 'reply_count'],
    collect: (params, context) => officialReplies(surfacesOfService(context).api, params, context),
  },
];
