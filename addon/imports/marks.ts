import { hashOf } from '../text.ts';

/**
 * Number of characters of a mark (the hash of a URL or handle). Among the 10,000 entries of a large import, the chance
 * that two have the same mark is below one in a million.
 */
export const markCharacters = 9;

/**
 * Returns the mark of an entry: a short hash of its URL or handle. An import run recognizes an entry by its mark, even
 * after users moved the rows of the sheet.
 */
export function markOf(entry: string): string {
  return (hashOf(entry) % 36 ** markCharacters).toString(36).padStart(markCharacters, '0');
}
