import { lazy } from '../lazy.ts';

const numbers = lazy(() => new Intl.NumberFormat('en-US'));

/** Returns a number of items as the reader of a report calls them, such as "8 accounts and posts". */
export function accountsAndPosts(items: number): string {
  return items === 1 ? '1 account or post' : `${numbers().format(items)} accounts and posts`;
}
