// This file must not import anything, because `npm run docs` copies the file into the Google Sheets add-on.

/** The heading of the posts that {@link bestPosts} returns, in every form of a report. */
export const bestPostsTitle = 'Posts with the most new views';

/**
 * Returns the posts and videos among the items of a report, those with the most new views in its week first. Posts
 * without a known number of new views follow, those with the most new likes first. Of equal posts, the one with more
 * views or likes so far is first.
 *
 * @param numberOf returns a number of an item: `change` is the change in the week, `end` the number at its end; null
 * when the number is unknown.
 */
export function bestPosts<Item extends { kind?: unknown; status?: unknown }>(
  items: readonly Item[],
  numberOf: (item: Item, metric: 'views' | 'likes', part: 'change' | 'end') => number | null,
): Item[] {
  const posts = items.filter(
    ({ kind, status }) => (kind === 'post' || kind === 'video') && status !== 'identity_changed',
  );
  const sortedBy = (from: readonly Item[], metric: 'views' | 'likes') => {
    const number = (item: Item, part: 'change' | 'end') => numberOf(item, metric, part) ?? 0;
    const known = from.filter((item) => numberOf(item, metric, 'change') !== null);
    return known.sort((a, b) => number(b, 'change') - number(a, 'change') || number(b, 'end') - number(a, 'end'));
  };
  const viewed = sortedBy(posts, 'views');
  const liked = posts.filter((item) => !viewed.includes(item));
  return [...viewed, ...sortedBy(liked, 'likes')];
}
