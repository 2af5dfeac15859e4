import { hash } from 'node:crypto';

/**
 * Returns the SHA-256 hash in hex of an API key, a token or the secret in a link. The database stores only this hash,
 * never the secret.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
