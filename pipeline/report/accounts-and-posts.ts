import { numberText } from '../quantity.ts';

/** Returns a number of items as the reader of a report calls them, such as "8 accounts and posts". */
export function accountsAndPosts(items: number): string {
  return items === 1 ? '1 account or post' : `${numberText(items)} accounts and posts`;
}
