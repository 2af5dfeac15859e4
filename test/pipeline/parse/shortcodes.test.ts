import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pkToShortcode, shortcodeToPk } from '../../../pipeline/parse/shortcodes.ts';

test.each([
  ['B', '1'],
  ['BA', '64'],
  ['BEiEPR96YEV', '1234567890123456789'],
  ['CmiJBr2LAAB', '3000000000000000001'],
  ['DgkQw-FAN', '987654321098765'],
])('the Instagram shortcode %s converts to the media id %s, and back', (shortcode, pk) => {
  expect(shortcodeToPk(shortcode)).toBe(pk);
  expect(pkToShortcode(pk)).toBe(shortcode);
});

test('an Instagram media id survives the conversion to a shortcode and back, and an invalid shortcode has no media id', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 64n }), (pk) => shortcodeToPk(pkToShortcode(`${pk}`)) === `${pk}`),
  );
  expect(shortcodeToPk('')).toBeNull();
  expect(shortcodeToPk('abc.d')).toBeNull();
});
