import type { Quality } from '../collect/quality.ts';
import { dig, toCount, toFlag } from '../parse/values.ts';
import type { PhotoItem } from '../records/photo.ts';
import type { Graded } from './rows.ts';

/** Returns the first value that is a valid count (a whole number from 0); null when no value is valid. */
export function firstCount(values: readonly unknown[]): number | null {
  return values.map(toCount).find((count) => count !== null) ?? null;
}

/**
 * Returns the likes and views of a post on Instagram's website. `likes` and `views` list the values that Instagram
 * sent, and the first valid count of each list is used. `views` is empty for a post without views. A count is hidden
 * when it is -1, or when the post has the flag `like_and_view_counts_disabled`. If the likes are hidden, 0 views means
 * that the views are hidden too.
 */
export function shownCounts(
  media: unknown,
  likes: readonly unknown[],
  views: readonly unknown[],
): Graded<Pick<PhotoItem, 'likes' | 'views'>> {
  const disabled = toFlag(dig(media, 'like_and_view_counts_disabled')) === true;
  const likesHidden = disabled || likes.includes(-1);
  const viewed = firstCount(views);
  const viewsHidden = views.length > 0 && (disabled || views.includes(-1) || (likesHidden && viewed === 0));
  const quality: Quality = {
    ...(likesHidden ? { likes: 'hidden' } : {}),
    ...(viewsHidden ? { views: 'hidden' } : {}),
  };
  return { record: { likes: likesHidden ? null : firstCount(likes), views: viewsHidden ? null : viewed }, quality };
}
