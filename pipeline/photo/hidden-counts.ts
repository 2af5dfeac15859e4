import type { Quality } from '../collect/quality.ts';
import { dig, toCount, toFlag } from '../parse/values.ts';
import type { PhotoItem } from '../records/photo.ts';
import type { Graded } from './rows.ts';

/** The first of several counts that is there. */
export function firstCount(values: readonly unknown[]): number | null {
  return values.map(toCount).find((count) => count !== null) ?? null;
}

/**
 * Likes and views of a media of the web, each from the first place that has it; no places for views are given of what has none.
 * An account hides both by a flag; likes of -1 hide the likes alone, but then 0 views are hidden views too.
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
