import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { daySeconds } from '../../../db/durations.ts';

const name = 'tidemark.invitation';

/**
 * Returns a Set-Cookie header that keeps the token of an invitation to a workspace while a person signs up and confirms
 * their email address.
 */
export function keepInvitation(token: string, baseUrl: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${encodeURIComponent(token)}; Path=/; Max-Age=${daySeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Set-Cookie header that deletes the cookie with the invitation token. */
export const forgetInvitation = `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`;

/**
 * Returns the path of the page for the invitation whose token is in the cookie. Returns null when the browser has no
 * such cookie.
 */
export function keptInvitation(c: Context): string | null {
  const token = getCookie(c, name) ?? '';
  return /^[\w-]{43}$/.test(token) ? `/join?token=${token}` : null;
}
