import { expect, test } from 'vitest';
import { handleAddress, handleAlone, parseProfileAddress } from '../../../pipeline/rows/profile-address.ts';

test('a handle with half of a surrogate pair, as an Excel cell can contain it, becomes a URL that is no profile', () => {
  const address = handleAddress('photo', 'nasa\ud83d');
  expect(address).toBe('https://www.instagram.com/nasa%EF%BF%BD');
  expect(parseProfileAddress(address).ok).toBe(false);
});

test.each(['＠tide.pool', '@ tide.pool', '＠ tide.pool'])('%s is read as a handle', (text) => {
  expect(handleAddress('photo', text)).toBe('https://www.instagram.com/tide.pool');
  expect(handleAlone(text)).toContain('choose the platform of @tide.pool');
});

test('a full-width @ that does not begin a handle stays a part of the text', () => {
  expect(handleAddress('photo', 'tide＠pool')).toContain('%EF%BC%A0');
  expect(handleAlone('＠')).toBeNull();
  expect(handleAlone('@ tide pool')).toBeNull();
});
