/** Sentences that explain the words and empty cells in a report sheet. The sheet shows them under Notes. */
export const legendLines: readonly string[] = [
  '≈ Rounded by the platform, so small changes are not visible.',
  'Hidden: the account hides the number. Not shown: the platform does not show it. Neither means 0.',
  'An empty cell is an unknown number; only a 0 means zero. In a table by day or week, an empty cell means that at least one item has no number for that day or week.',
];
