import { type ErrorDetail, invalidInput } from './errors.ts';

const maxCharacters = 128;

/**
 * Returns an error detail when an idempotency key is empty, too long or not printable. Returns null for a valid key.
 * `parameter` names the header or argument that has the key.
 */
export function idempotencyKeyProblem(key: string, parameter: string): ErrorDetail | null {
  if (key.length <= maxCharacters && /^[\x21-\x7e]+$/.test(key)) return null;
  return { parameter, message: `must be 1 to ${maxCharacters} printable characters without spaces` };
}

/**
 * Returns the Idempotency-Key header, or null when it was not sent. Throws INVALID_INPUT when it is not a valid key.
 */
export function idempotencyKeyOf(headers: Headers): string | null {
  const key = headers.get('idempotency-key');
  const problem = key === null ? null : idempotencyKeyProblem(key, 'Idempotency-Key');
  if (problem) throw invalidInput([problem]);
  return key;
}
