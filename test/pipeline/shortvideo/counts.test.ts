import { describe, expect, it } from 'vitest';
import { readCounts } from '../../../pipeline/shortvideo/counts.ts';

const keys = { followers: 'followerCount' } as const;

function read(shown: unknown, exact?: unknown) {
  const stats = { followerCount: shown };
  const { counts, quality } = readCounts(keys, stats, exact === undefined ? undefined : { followerCount: exact });
  return [counts.followers, quality.followers ?? 'exact'];
}

describe('rounded counts of TikTok', () => {
  it.each([
    ['9999 is below the rounding', 9999, undefined, [9999, 'exact']],
    ['10000 alone looks rounded', 10_000, undefined, [10_000, 'rounded']],
    ['9900 twice is below the rounding', 9900, '9900', [9900, 'exact']],
    ['statsV2 differs from stats', 41_300, '41287', [41_287, 'exact']],
    ['statsV2 differs and happens to be a multiple', 7_300_000, '7200000', [7_200_000, 'exact']],
    ['statsV2 repeats the rounded value', 57_900, '57900', [57_900, 'rounded']],
    ['below one million no multiple of 100', '131313', '131313', [131_313, 'exact']],
    ['999900 is a multiple of 100', 999_900, '999900', [999_900, 'rounded']],
    ['1000000 is a multiple of 100000', 1_000_000, '1000000', [1_000_000, 'rounded']],
    ['from one million no multiple of 100000', 1_050_000, '1050000', [1_050_000, 'exact']],
    ['statsV2 lacks the key', 612_400, '', [612_400, 'rounded']],
    ['only statsV2 has the key', undefined, '21700000', [21_700_000, 'rounded']],
    ['0 is a count', 0, '0', [0, 'exact']],
    ['a negative count is unknown', -1, undefined, [null, 'exact']],
    ['a missing count is unknown, not 0', undefined, undefined, [null, 'exact']],
  ])('a TikTok count is exact, rounded or unknown: %s', (_, shown, exact, expected) => {
    expect(read(shown, exact)).toEqual(expected);
  });
});
