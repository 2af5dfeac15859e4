import type { Metric } from '../../../db/schema/metrics.ts';
import type { ItemReport } from '../items.ts';
import type { Report } from '../report.ts';

/** The heading of the posts that {@link bestPosts} returns, in every form of a report. */
export const bestPostsTitle = 'Posts with the most new views';

/**
 * Returns the posts and videos of a report, those with the most new views in its week first. Posts without a known
 * number of new views follow, those with the most new likes first. Of equal posts, the one with more views or likes so
 * far is first. `addon/report-sheet/facts.ts` has the same rule; a test compares both.
 */
export function bestPosts({ items }: Report): ItemReport[] {
  const posts = items.filter(
    ({ kind, status }) => (kind === 'post' || kind === 'video') && status !== 'identity_changed',
  );
  const viewed = sortedBy(posts, 'views');
  const liked = posts.filter((item) => !viewed.includes(item));
  return [...viewed, ...sortedBy(liked, 'likes')];
}

/** Returns the items whose change of a metric is known, the largest change first. */
function sortedBy(items: readonly ItemReport[], metric: Metric): ItemReport[] {
  const known = items.filter(({ metrics }) => typeof metrics[metric]?.change === 'number');
  const number = ({ metrics }: ItemReport, part: 'change' | 'end') => metrics[metric]?.[part] ?? 0;
  return known.toSorted((a, b) => number(b, 'change') - number(a, 'change') || number(b, 'end') - number(a, 'end'));
}
