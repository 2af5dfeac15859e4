import type { Quality } from '../collect/quality.ts';
import { dig, toCount, toFlag } from '../parse/values.ts';
import type { PhotoItem } from '../records/photo.ts';
import type { Graded } from './rows.ts';

/** Returns the first valid count, or null. */
export function firstCount(values: readonly unknown[]): number | null {
  return values.map(toCount).find((count) => count !== null) ?? null;
}

/**
 * Returns likes and views of a media object of the website, each the first valid count of its candidates; `views` is empty for media
 * without views. A flag marks both as hidden. Likes of -1 are hidden likes, and then 0 views are hidden too.
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
