import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWellFormedKey, makeKey } from '../../../db/accounts/key-text.ts';
import { hashSecret } from '../../../db/accounts/secrets.ts';

test('an API key has a prefix for its kind, 32 random bytes and a checksum', () => {
  expect(makeKey('live')).toMatch(/^tide_live_[0-9A-Za-z]{49}$/);
  expect(makeKey('sheet')).toMatch(/^tide_live_[0-9A-Za-z]{49}$/);
  expect(makeKey('test')).toMatch(/^tide_test_[0-9A-Za-z]{49}$/);
  expect(new Set(Array.from({ length: 1000 }, () => makeKey('live'))).size).toBe(1000);
});

test('an API key with one changed character is malformed', () => {
  const key = makeKey('live');
  for (let at = 0; at < key.length; at += 1) {
    const other = key[at] === 'x' ? 'y' : 'x';
    expect(isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
  }
});

test('arbitrary text is not a well-formed API key, and every generated API key is well-formed', () => {
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedKey(text)));
  for (let turn = 0; turn < 200; turn += 1) expect(isWellFormedKey(makeKey('test'))).toBe(true);
});

test('the stored hash of an API key has 64 hexadecimal digits', () => {
  expect(hashSecret('tide_live_x')).toMatch(/^[0-9a-f]{64}$/);
});
