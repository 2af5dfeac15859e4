import { hashOf } from '../text.ts';

/** Characters of the mark of one entry. With 10,000 entries, the chance that two have the same mark is below one in a million. */
export const markCharacters = 9;

/** Returns a short mark of an entry, by which a run recognizes it also after the rows of the sheet were moved. */
export function markOf(entry: string): string {
  return (hashOf(entry) % 36 ** markCharacters).toString(36).padStart(markCharacters, '0');
}
