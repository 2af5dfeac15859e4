import { hashOf } from '../text.ts';

/** Number of characters of a mark. With 10,000 entries, the chance that two have the same mark is below one in a million. */
export const markCharacters = 9;

/** Returns the mark of an entry: a short hash. A run recognizes the entry by its mark, even after users moved the rows of the sheet. */
export function markOf(entry: string): string {
  return (hashOf(entry) % 36 ** markCharacters).toString(36).padStart(markCharacters, '0');
}
