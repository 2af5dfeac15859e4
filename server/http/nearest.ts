const maxDistance = 4;

/** Returns the candidate that is most similar to `word` (smallest edit distance). Returns null when none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.min(maxDistance, Math.ceil(word.length / 2)) + 1;
  for (const candidate of candidates) {
    const distance = edits(word.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/**
 * Returns the Levenshtein distance of two words. Returns `limit` when the distance is `limit` or more, because the
 * caller then does not need the exact value.
 */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, (previous[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    if (Math.min(...row) >= limit) return limit;
    previous = row;
  }
  return previous[b.length] as number;
}
