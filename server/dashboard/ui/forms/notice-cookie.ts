import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse } from 'hono/utils/cookie';
import type { Sql } from 'postgres';
import { storedSecret } from '../../../../db/settings.ts';

export interface NoticeDeps {
  db: { sql: Sql };
  now: () => Date;
  base_url: string;
  config: { session_secret: string | null };
}

const name = 'tidemark.notice';
/**
 * Seconds until the cookie with the notice (a message to the user) expires. This is long enough for the next page to
 * load.
 */
const lifeSeconds = 60;

/**
 * Returns a Set-Cookie header with the name of a notice (a message), which the next page shows once. The name is signed
 * and expires, so that no link or reload can show a message about something that did not happen.
 */
export async function keepNotice(notice: string, deps: NoticeDeps): Promise<string> {
  const kept = `${notice}.${Math.floor(deps.now().getTime() / 1000) + lifeSeconds}`;
  const secure = deps.base_url.startsWith('https:') ? '; Secure' : '';
  return `${name}=${kept}.${await sign(kept, deps)}; Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** Set-Cookie header that deletes the cookie with the notice (a message to the user). */
export const forgetNotice = `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`;

/** Returns true when the browser sent a cookie with a notice (a message to the user), valid or not. */
export function hasNotice(headers: Headers): boolean {
  return name in parse(headers.get('cookie') ?? '', name);
}

/**
 * Returns the name of the notice (a message) from its cookie. Returns null without a cookie, with a wrong signature, or
 * when the cookie has expired.
 */
export async function readNotice(headers: Headers, deps: NoticeDeps): Promise<string | null> {
  const value = parse(headers.get('cookie') ?? '', name)[name] ?? '';
  const [, notice = '', expires = '', signature = ''] = /^([\w-]{1,60})\.(\d{1,12})\.([\w-]+)$/.exec(value) ?? [];
  if (notice === '' || Number(expires) * 1000 < deps.now().getTime()) return null;
  const [expected, received] = [Buffer.from(await sign(`${notice}.${expires}`, deps)), Buffer.from(signature)];
  return expected.length === received.length && timingSafeEqual(expected, received) ? notice : null;
}

async function sign(text: string, { db, config }: NoticeDeps): Promise<string> {
  const key = config.session_secret ?? (await storedSecret(db.sql, 'session_secret'));
  return createHmac('sha256', key).update(`notice.${text}`).digest('base64url');
}
