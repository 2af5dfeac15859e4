import { expect, test } from 'vitest';
import { markOf } from '../../../addon/imports/marks.ts';

test('the hashes that an import stores for 100,000 similar entries have nine characters and are all different', () => {
  const marks = Array.from({ length: 100_000 }, (_, index) => markOf(`https://photo.example/p${index}`));
  expect(new Set(marks).size).toBe(100_000);
  expect(new Set(marks.map((mark) => mark.length))).toEqual(new Set([9]));
});
