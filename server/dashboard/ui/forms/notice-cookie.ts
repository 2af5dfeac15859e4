import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parse } from 'hono/utils/cookie';
import type { Sql } from 'postgres';
import { settingOnce } from '../../../../db/settings.ts';

export interface NoticeDeps {
  db: { sql: Sql };
  now: () => Date;
  base_url: string;
  config: { session_secret: string | null };
}

const name = 'tidemark.notice';
/** Seconds until the notice expires, which is long enough for the next page to load. */
const lifeSeconds = 60;

/**
 * Returns a Set-Cookie header with the name of a notice, which the next page shows once. The name is signed and expires, so
 * that neither a link nor a reload can show a message about something that did not happen.
 */
export async function keepNotice(notice: string, deps: NoticeDeps): Promise<string> {
  const kept = `${notice}.${Math.floor(deps.now().getTime() / 1000) + lifeSeconds}`;
  const secure = deps.base_url.startsWith('https:') ? '; Secure' : '';
  return `${name}=${kept}.${await sign(kept, deps)}; Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The Set-Cookie header that deletes the notice. */
export const forgetNotice = `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`;

/** Returns true when the browser sent a notice, whether it is valid or not. */
export function hasNotice(headers: Headers): boolean {
  return name in parse(headers.get('cookie') ?? '', name);
}

/** Returns the name of the notice of the last form; null without one, or when its signature is wrong or it has expired. */
export async function readNotice(headers: Headers, deps: NoticeDeps): Promise<string | null> {
  const value = parse(headers.get('cookie') ?? '', name)[name] ?? '';
  const [, notice = '', expires = '', signature = ''] = /^([\w-]{1,60})\.(\d{1,12})\.([\w-]+)$/.exec(value) ?? [];
  if (notice === '' || Number(expires) * 1000 < deps.now().getTime()) return null;
  const [expected, received] = [Buffer.from(await sign(`${notice}.${expires}`, deps)), Buffer.from(signature)];
  return expected.length === received.length && timingSafeEqual(expected, received) ? notice : null;
}

async function sign(text: string, { db, config }: NoticeDeps): Promise<string> {
  const key =
    config.session_secret ?? (await settingOnce(db.sql, 'session_secret', () => randomBytes(32).toString('hex')));
  return createHmac('sha256', key).update(`notice.${text}`).digest('base64url');
}
