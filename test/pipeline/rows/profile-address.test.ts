import { expect, test } from 'vitest';
import { handleAddress, parseProfileAddress } from '../../../pipeline/rows/profile-address.ts';

test('a handle with half of a surrogate pair, as an Excel cell can contain it, becomes a URL that is no profile', () => {
  const address = handleAddress('photo', 'nasa\ud83d');
  expect(address).toBe('https://www.instagram.com/nasa%EF%BF%BD');
  expect(parseProfileAddress(address).ok).toBe(false);
});
