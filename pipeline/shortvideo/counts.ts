import type { Quality } from '../collect/quality.ts';
import { dig, toCount } from '../parse/values.ts';

const roundingStartsAt = 10_000;
const coarseStartsAt = 1_000_000;
const fineStep = 100;
const coarseStep = 100_000;

/**
 * Reads counts, such as likes, from TikTok's data. `keys` maps each record field to TikTok's name for the count.
 * `exact` has the same counts as `shown`, but usually without rounding, and is preferred. The returned `quality` is
 * `rounded` for each count that may be rounded.
 */
export function readCounts<F extends string>(
  keys: Record<F, string>,
  shown: unknown,
  exact?: unknown,
): { counts: Record<F, number | null>; quality: Quality } {
  const quality: Quality = {};
  const counts: Partial<Record<F, number | null>> = {};
  for (const field of Object.keys(keys) as F[]) {
    const shownCount = toCount(dig(shown, keys[field]));
    const exactCount = toCount(dig(exact, keys[field]));
    const count = exactCount ?? shownCount;
    counts[field] = count;
    const confirmed = exactCount !== null && shownCount !== null && exactCount !== shownCount;
    if (count !== null && !confirmed && looksRounded(count)) quality[field] = 'rounded';
  }
  return { counts: counts as Record<F, number | null>, quality };
}

/**
 * Returns true when a count may be rounded, because it is a multiple of TikTok's rounding step: 100 for counts from ten
 * thousand, 100,000 for counts from one million. Smaller counts are exact.
 */
function looksRounded(count: number): boolean {
  if (count < roundingStartsAt) return false;
  return count % (count < coarseStartsAt ? fineStep : coarseStep) === 0;
}
