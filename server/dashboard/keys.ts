import { html } from 'hono/html';
import { createKey, type KeyKind, type KeyRow, listKeys, revokeKey, rotateKey } from '../../db/keys.ts';
import { alone } from '../../db/workspaces.ts';
import type { Html } from '../docs/layout.ts';
import type { SectionDeps } from './deps.ts';
import { type FormVisit, type Page, PageNotFound, redirect, type Section, text, type Visit } from './section.ts';
import { card, code, count, field, form, notice, type Piece, secret, select, table, tag, time } from './ui.ts';

type KeysDeps = Pick<SectionDeps, 'db' | 'now' | 'base_url'>;

/** Keys that still work; revoked ones stay in the list and do not count. */
export const max_keys = 50;
const max_name_characters = 80;
const overlap_days = ['0', '1', '7', '30'] as const;
const day_ms = 86_400_000;

const kinds: readonly (readonly [KeyKind, string])[] = [
  ['live', 'Production: live data'],
  ['test', 'Development: free samples'],
  ['sheet', 'Sheet: production, workflow routes only, for sharing in a spreadsheet'],
];
const kindNames: Record<KeyKind, string> = { live: 'Production', test: 'Development', sheet: 'Sheet' };

/** API keys: made and shown once, rotated with an overlap, revoked. */
export function keysSection(deps: KeysDeps): Section {
  return {
    menu: { path: '/dashboard/keys', label: 'Keys' },
    pages: { '/dashboard/keys': (visit) => keysPage(visit, deps, null) },
    forms: {
      '/dashboard/keys': (visit) => makeKey(visit, deps),
      '/dashboard/keys/:key_id/rotate': (visit) => rotate(visit, deps),
      '/dashboard/keys/:key_id/revoke': (visit) => revoke(visit, deps),
    },
    notices: { 'key-revoked': 'The key is revoked: it stopped working at once.' },
  };
}

async function keysPage(visit: Visit | FormVisit, { db, now }: KeysDeps, problem: string | null): Promise<Page> {
  const { visitor } = visit;
  const keys = await listKeys(db.sql, visitor.workspace_id, now());
  const content = html`${notice(problem, 'bad')}
${card('Your keys', keys.length === 0 ? html`<p>There is no key yet.</p>` : keyTable(keys, now()))}
${card('New key', newKeyForm('form' in visit ? visit.form : new FormData()))}`;
  return { title: 'Keys', content, status: problem ? 400 : 200 };
}

function keyTable(keys: readonly KeyRow[], now: Date): Piece {
  const number = (heading: string) => ({ heading, number: true });
  const columns = [
    'Name',
    'Kind',
    'Ends in',
    'Created',
    'Last used',
    'Expires',
    number('Credits a month'),
    'State',
    '',
  ];
  const rows = keys.map((key) => {
    const state = stateOf(key, now);
    return [
      key.name,
      kindNames[key.kind],
      html`<code>…${key.last_four}</code>`,
      time(key.created_at),
      key.last_used_at ? time(key.last_used_at) : 'never',
      key.expires_at ? time(key.expires_at) : 'never',
      key.monthly_cap === null ? 'no cap' : `${count(key.cap_used)} of ${count(key.monthly_cap)}`,
      state === 'works' ? tag('works', 'good') : tag(state),
      state === 'works' ? keyActions(key) : null,
    ];
  });
  return table('Keys of this workspace; times in UTC', columns, rows);
}

function stateOf({ revoked_at, expires_at }: KeyRow, now: Date): 'works' | 'revoked' | 'expired' {
  if (revoked_at) return 'revoked';
  return expires_at && expires_at <= now ? 'expired' : 'works';
}

function keyActions({ key_id, name }: KeyRow): Piece {
  const path = `/dashboard/keys/${key_id}`;
  return html`<details><summary>Rotate or revoke</summary>
${form(
  `${path}/rotate`,
  select(
    'The old key still works for',
    'overlap',
    [
      ['0', 'no time: stop it now'],
      ['1', '1 day'],
      ['7', '7 days'],
      ['30', '30 days'],
    ],
    { value: '7' },
  ),
  'Rotate',
  'quiet',
)}
<form method="post" action="${path}/revoke" data-confirm="Revoke ${name}? Whatever uses it stops at once."><button class="danger">Revoke</button></form></details>`;
}

function newKeyForm(typed: FormData): Piece {
  const value = (name: string) => ({ value: text(typed, name) });
  return form(
    '/dashboard/keys',
    [
      field('Name', 'name', {
        ...value('name'),
        required: true,
        maxlength: max_name_characters,
        hint: 'What it is for, such as "weekly sheet".',
      }),
      select('Kind', 'kind', kinds, value('kind')),
      html`<div class="columns">${field('Expires', 'expires', { ...value('expires'), type: 'date', hint: 'Optional; at the end of that day, UTC.' })}
${field('Monthly cap', 'cap', { ...value('cap'), type: 'number', min: '0', hint: 'Optional; credits a UTC month. A sheet key needs one.' })}</div>`,
    ],
    'Make the key',
  );
}

async function makeKey(visit: FormVisit, deps: KeysDeps): Promise<Page> {
  const { form: sent, visitor } = visit;
  const wish = readWish(sent, deps.now());
  if ('problem' in wish) return keysPage(visit, deps, wish.problem);
  const made = await alone(deps.db.sql, visitor.workspace_id, async (tx) => {
    const working = (await listKeys(tx, visitor.workspace_id, deps.now())).filter(
      (key) => stateOf(key, deps.now()) === 'works',
    );
    return working.length >= max_keys ? null : createKey(tx, visitor.workspace_id, wish);
  });
  if (!made) return keysPage(visit, deps, `A workspace has at most ${max_keys} keys that work: revoke one first.`);
  return { title: 'Your new key', content: shownOnce(made.key, wish.kind, deps.base_url) };
}

type Wish = { kind: KeyKind; name: string; expires_at: Date | null; monthly_cap: number | null };

function readWish(sent: FormData, now: Date): Wish | { problem: string } {
  const name = text(sent, 'name');
  const kind = kinds.find(([value]) => value === text(sent, 'kind'))?.[0];
  const [cap, expires] = [text(sent, 'cap'), text(sent, 'expires')];
  if (name === '' || name.length > max_name_characters)
    return { problem: `Give the key a name of at most ${max_name_characters} characters.` };
  if (!kind) return { problem: 'Choose what kind of key it is.' };
  if (cap !== '' && !/^\d{1,9}$/.test(cap)) return { problem: 'A monthly cap is a whole number of credits.' };
  if (kind === 'sheet' && cap === '') return { problem: 'A sheet key is made to be shared: give it a monthly cap.' };
  const expires_at = expires === '' ? null : new Date(`${expires}T23:59:59Z`);
  if (expires_at && !(expires_at > now)) return { problem: 'The day on which a key expires lies in the future.' };
  return { kind, name, expires_at, monthly_cap: cap === '' ? null : Number(cap) };
}

async function rotate({ form: sent, params, visitor }: FormVisit, { db, now, base_url }: KeysDeps): Promise<Page> {
  const overlap = overlap_days.find((days) => days === text(sent, 'overlap')) ?? '7';
  const old_ends_at = new Date(now().getTime() + Number(overlap) * day_ms);
  const made = await rotateKey(db.sql, visitor.workspace_id, keyId(params), { now: now(), old_ends_at });
  if (!made) throw new PageNotFound();
  return { title: 'Your new key', content: shownOnce(made.key, made.kind, base_url) };
}

async function revoke({ params, visitor }: FormVisit, { db, now }: KeysDeps): Promise<Response> {
  if (!(await revokeKey(db.sql, keyId(params), now(), visitor.workspace_id))) throw new PageNotFound();
  return redirect('/dashboard/keys', 'key-revoked');
}

function keyId({ key_id = '' }: Readonly<Record<string, string>>): string {
  if (!/^[0-9a-f-]{36}$/.test(key_id)) throw new PageNotFound();
  return key_id;
}

function shownOnce(key: string, kind: KeyKind, base_url: string): Html | Promise<Html> {
  const question = kind === 'sheet' ? '/v1/credit/balance' : '/v1/photo/profile?handle=tidemark.sample';
  return html`${notice('Copy it now: it is shown only this once.', 'good')}
${secret('Key', key)}
${code('curl', 'Try it', `curl -H "x-api-key: ${key}" "${base_url}${question}"`)}
<p><a href="/dashboard/keys">Back to the keys</a></p>`;
}
