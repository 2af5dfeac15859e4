import type { Quality } from '../collect/quality.ts';
import { dig, toCount } from '../parse/values.ts';

const roundingStartsAt = 10_000;
const coarseStartsAt = 1_000_000;
const fineStep = 100;
const coarseStep = 100_000;

/**
 * Reads the counts of a record. `keys` maps each field to the name that the source uses. `shown` may have rounded counts.
 * `exact` has the same counts, usually without rounding, and is preferred. `quality` is `rounded` for each count that may be
 * rounded.
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
 * Returns true when a count may be rounded, because it is a multiple of the platform's rounding step. The platform does not
 * round small counts.
 */
function looksRounded(count: number): boolean {
  if (count < roundingStartsAt) return false;
  return count % (count < coarseStartsAt ? fineStep : coarseStep) === 0;
}
