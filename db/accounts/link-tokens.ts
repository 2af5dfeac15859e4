import { randomBytes } from 'node:crypto';

/** The form of the secret in a link, such as an invitation: 32 bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/;

/** Returns a new random secret for a link. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns true when a text has the form of a link's secret. Any other text is refused without a database query. */
export function isLinkToken(text: string): boolean {
  return tokenPattern.test(text);
}
