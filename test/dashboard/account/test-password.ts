import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { PasswordHash } from '../../../server/dashboard/account/auth.ts';

/** The password of all test users. */
export const password = 'a long password';

const keyLength = 64;
/** The lowest cost of scrypt. A hash with the cost of the product takes 90 ms of CPU time. */
const cost = { N: 2, r: 1, p: 1 };

function keyOf(password: string, salt: string): Buffer {
  return scryptSync(password.normalize('NFKC'), salt, keyLength, cost);
}

/**
 * Hashes the passwords of test users with scrypt in the sign-in library's format, but at the lowest cost.
 * hashed-tokens.test.ts tests the cost that the product uses.
 */
export const quickPasswordHash: PasswordHash = {
  async hash(password) {
    const salt = randomBytes(16).toString('hex');
    return `${salt}:${keyOf(password, salt).toString('hex')}`;
  },
  async verify({ hash, password }) {
    const [salt = '', key = ''] = hash.split(':');
    return timingSafeEqual(keyOf(password, salt), Buffer.from(key, 'hex'));
  },
};
