import { html } from 'hono/html';
import { type KeyRow, listKeys, revokeKey } from '../../../db/accounts/keys.ts';
import type { SettingsDeps } from '../deps.ts';
import { card, type Piece, table, time, titleColumn } from '../ui/components.ts';
import { type FormVisit, type Page, redirect, text, type Visit } from '../ui/section.ts';
import { validityOf } from '../ui/validity.ts';
import { peopleArea } from './invitations.ts';

type KeysDeps = Pick<SettingsDeps, 'db' | 'now'>;

/** Path of the page with the API keys that were shown to one person. */
export const keysArea = `${peopleArea}/keys`;

/** Returns the path of the page with the API keys that were shown to this person. */
export const keysPathOf = (email: string): string => `${keysArea}?email=${encodeURIComponent(email)}`;

/** Returns the working API keys of the workspace that were shown to this person, who may have copied them. */
export async function keysShownTo(email: string, { visitor }: Visit, { db, now }: KeysDeps): Promise<KeyRow[]> {
  const keys = await listKeys(db.sql, visitor.workspace_id, now());
  return keys.filter((key) => key.created_by === email && validityOf(key, now()) === 'active');
}

/** Shows the API keys that were shown to a person, with one button that revokes all of them. */
export const keysOfPage = (visit: Visit, deps: KeysDeps): Promise<Page> =>
  keysPage(visit.url.searchParams.get('email') ?? '', visit, deps);

async function keysPage(email: string, visit: Visit, deps: KeysDeps): Promise<Page> {
  const keys = await keysShownTo(email, visit, deps);
  const content =
    keys.length === 0
      ? html`<p>No working key was shown to ${email}.</p>`
      : html`${keyTable(keys)}<p>Programs and spreadsheets that use these keys stop working when you revoke them. To replace a key first, rotate it under <a href="/dashboard/keys">Keys</a>.</p>
<form method="post" action="${keysArea}" data-confirm="Revoke all keys that were shown to ${email}? Everything that uses them stops working immediately."><input type="hidden" name="email" value="${email}"><button class="danger">Revoke all of them</button></form>`;
  const others = html`<p class="hint">Keys from before Tidemark stored who created them, and keys that other people passed on, are not in this list: see <a href="/dashboard/keys">Keys</a>. The addresses of data links and shared reports work for everyone who has copied them: see <a href="/dashboard/links">Data links</a>.</p>`;
  return { title: 'Keys of a person', content: html`${card(`Keys that were shown to ${email}`, [content, others])}` };
}

function keyTable(keys: readonly KeyRow[]): Piece {
  const rows = keys.map(({ name, last_four, created_at, last_used_at }) => [
    name,
    html`<code>…${last_four}</code>`,
    time(created_at),
    last_used_at ? time(last_used_at) : 'never',
  ]);
  return table(
    'Keys',
    [titleColumn('Key'), 'Ends in', { heading: 'Created', time: true }, { heading: 'Last used', time: true }],
    rows,
    { as_cards: true },
  );
}

/**
 * Revokes all API keys that were shown to a person. When no working key was left, shows the page with the person's keys
 * again.
 */
export async function revokeKeysOf(visit: FormVisit, deps: KeysDeps): Promise<Page | Response> {
  const email = text(visit.form, 'email');
  let revoked = 0;
  for (const { key_id } of await keysShownTo(email, visit, deps))
    if (await revokeKey(deps.db.sql, key_id, deps.now(), visit.visitor.workspace_id)) revoked += 1;
  if (revoked === 0) return { ...(await keysPage(email, visit, deps)), status: 409 };
  return redirect(peopleArea, 'keys-revoked');
}
