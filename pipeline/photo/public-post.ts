import type { Source, SourceAnswer, SourceContext } from '../collect.ts';
import { SourceError } from '../errors.ts';
import type { PhotoItem } from '../records/photo.ts';
import type { PhotoPostParams } from './params.ts';
import { permalinkPost } from './permalink.ts';
import { newestPost } from './web-profile.ts';

/**
 * The web as a source of one post: its page, then, where the page is walled or lacks what is wanted and the author is known,
 * the newest posts of the author. One source, because both are surfaces of one host and wear down one breaker.
 * `read` takes what is wanted out of an answer, null when it is not in there.
 */
export function publicPostSource<R>(
  read: (answer: SourceAnswer<PhotoItem>) => SourceAnswer<R> | null,
): Source<PhotoPostParams, R> {
  return {
    name: permalinkPost.name,
    breaker: `${permalinkPost.name} posts`,
    credentials: null,
    not_exposed: ['paid_partnership'],
    async collect(params, context) {
      const page = await pageOrWall(params, context);
      const shown = page instanceof SourceError ? null : read(page);
      if (shown !== null) return shown;
      const listed = await listedPost(params, context);
      const found = listed === null ? null : read(listed);
      if (found !== null) return found;
      throw page instanceof SourceError ? page : notShown();
    },
  };
}

/** Any other refusal is the last word: a throttle, because the other surface is on the same host. */
async function pageOrWall(params: PhotoPostParams, context: SourceContext) {
  try {
    return await permalinkPost.collect(params, context);
  } catch (error) {
    const walled = error instanceof SourceError && error.about === 'wall';
    const changed = error instanceof SourceError && error.code === 'SOURCE_RESPONSE_CHANGED';
    if (walled || changed) return error;
    throw error;
  }
}

/** That there is no such account (any more) says nothing of the post, whose author may have been renamed. */
async function listedPost({ shortcode, author }: PhotoPostParams, context: SourceContext) {
  if (author === null) return null;
  try {
    return await newestPost(shortcode, author, context);
  } catch (error) {
    if (error instanceof SourceError && error.code === 'RESOURCE_NOT_FOUND') return null;
    throw error;
  }
}

/** Final, although no fault of ours: the source answered, and this is all it shows to visitors. */
function notShown(): SourceError {
  return new SourceError('SOURCE_RESTRICTED', {
    about: 'resource',
    message: 'The source shows this post without the items of its carousel.',
  });
}
