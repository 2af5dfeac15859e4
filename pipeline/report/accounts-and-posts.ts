import { numberText } from '../quantity.ts';

/** Returns the number of items in words for readers of a report, such as "8 accounts and posts". */
export function accountsAndPosts(items: number): string {
  return items === 1 ? '1 account or post' : `${numberText(items)} accounts and posts`;
}
