import type { Source, SourceContext } from '../../collect/collect.ts';
import { SourceError } from '../../errors.ts';
import type { PhotoItem } from '../../records/photo.ts';
import type { PhotoPostParams } from '../params.ts';
import type { Graded } from '../rows.ts';
import { newestPost } from './posts.ts';

/**
 * Finds an Instagram post among its author's newest posts on the website. Used when the page of the post cannot be
 * read.
 */
export const listedPost: Source<PhotoPostParams, PhotoItem> = {
  name: 'instagram-web',
  credentials: null,
  not_exposed: ['paid_partnership'],
  async collect({ shortcode, author }, context) {
    if (author === null) throw notCovered('This post is found only with its author: use the full URL of the post.');
    const found = await findPost(shortcode, author, context);
    if (found === null) throw notCovered('Instagram shows only the newest posts of an account, and this one is older.');
    return found;
  },
};

/**
 * Returns the post with this shortcode; null when it is not among the author's newest posts. Also returns null when the
 * account does not exist, because the author may have changed the account name.
 */
async function findPost(code: string, author: string, context: SourceContext): Promise<Graded<PhotoItem> | null> {
  try {
    return await newestPost(code, author, context);
  } catch (error) {
    if (error instanceof SourceError && error.code === 'RESOURCE_NOT_FOUND') return null;
    throw error;
  }
}

function notCovered(message: string): SourceError {
  return new SourceError('SOURCE_NOT_CONFIGURED', { about: 'reach', message });
}
