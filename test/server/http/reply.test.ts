import { expect, test } from 'vitest';
import { knownCredits, sumCredits } from '../../../server/http/reply.ts';

test.each([
  [[1, 0, 2], 3, 3],
  [[1, null, 2], 3, null],
  [[], 0, 0],
])('rows that cost %j count %i credits for the usage, and the client is told %s', (rows, counted, shown) => {
  const credits = sumCredits(rows);
  expect([credits.credits_charged, knownCredits(credits)]).toEqual([counted, shown]);
});
