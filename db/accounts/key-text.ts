import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The kind of an API key. `live` and `sheet` keys return live data, `test` keys return sample data. `sheet` keys may
 * request only the workflow routes.
 */
export type KeyKind = 'live' | 'test' | 'sheet';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 43;
const checksumLength = 6;
const keyPattern = new RegExp(`^tide_(?:live|test)_[0-9A-Za-z]{${secretLength + checksumLength}}$`);

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits;
  return digits;
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), checksumLength);
}

const testPrefix = 'tide_test_';

/** Returns true when `key` has the prefix of test keys. Does not check whether the key is valid. */
export function isTestKey(key: string): boolean {
  return key.startsWith(testPrefix);
}

/**
 * Returns a new secret API key: a prefix, 32 random bytes in base 62, and a checksum. Secret scanners use the checksum
 * to recognize leaked keys.
 */
export function makeKey(kind: KeyKind): string {
  const prefix = kind === 'test' ? testPrefix : 'tide_live_';
  const body = prefix + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength);
  return body + checksum(body);
}

/**
 * Returns true when `key` has the form of a Tidemark API key and a correct checksum. Any other text can be refused
 * without a database query.
 */
export function isWellFormedKey(key: string): boolean {
  return keyPattern.test(key) && key.slice(-checksumLength) === checksum(key.slice(0, -checksumLength));
}
