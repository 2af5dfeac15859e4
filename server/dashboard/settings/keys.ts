import { html } from 'hono/html';
import { keyFacts } from '../../../db/accounts/key-facts.ts';
import type { KeyKind } from '../../../db/accounts/key-text.ts';
import {
  type KeyLimits,
  type KeyRow,
  type KeyScope,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../db/accounts/keys.ts';
import { memberEmails } from '../../../db/accounts/members.ts';
import { dayMs } from '../../../db/durations.ts';
import type { Html } from '../../docs/layout.ts';
import { announceKey, type KeyMailDeps } from '../account/key-mail.ts';
import { connectedAppName } from '../credits/key-label.ts';
import type { SectionDeps } from '../deps.ts';
import {
  card,
  code,
  controlsColumn,
  count,
  day,
  form,
  notice,
  type Piece,
  secret,
  select,
  success,
  table,
  tag,
  time,
  titleColumn,
} from '../ui/components.ts';
import type { Problem } from '../ui/forms/field-problem.ts';
import { listWithForm } from '../ui/parts/blocks.ts';
import { may, whoCan } from '../ui/rules.ts';
import {
  type FormVisit,
  idOf,
  type Page,
  PageNotFound,
  redirect,
  type Section,
  text,
  type Visit,
} from '../ui/section.ts';
import { validityOf } from '../ui/validity.ts';
import type { Visitor } from '../ui/visitor.ts';
import { newKeyForm, readKeyInput, scopeNames } from './key-form.ts';
import { addKey, tooManyReplaced } from './new-key.ts';

type KeysDeps = KeyMailDeps & Pick<SectionDeps, 'now'>;

const overlapChoices = [
  ['0', '0 days: stop it now'],
  ['1', '1 day'],
  ['7', '7 days'],
  ['30', '30 days'],
] as const;

const kindNames: Record<KeyKind, string> = { live: 'Production', test: 'Development', sheet: 'Sheet' };
/** Describes what a key without scopes may use. */
const usesOf: Record<KeyKind, string> = { live: 'everything', test: 'free samples', sheet: 'spreadsheets only' };

/**
 * Creates the API key pages. A new key is shown once. After a rotation, the old key keeps working for a time that the
 * user chooses. A revoked key stops working immediately.
 */
export function keysSection(deps: KeysDeps): Section {
  const nameOf = async ({ params, visitor }: Visit) =>
    (await keyFacts(deps.db.sql, visitor.workspace_id, idOf(params.key_id), deps.now()))?.name ?? null;
  return {
    menu: { path: '/dashboard/keys', label: 'Keys' },
    pages: { '/dashboard/keys': (visit) => keysPage(visit, deps, null) },
    forms: {
      '/dashboard/keys': (visit) => submitNewKey(visit, deps),
      '/dashboard/keys/:key_id/rotate': (visit) => rotate(visit, deps),
      '/dashboard/keys/:key_id/revoke': (visit) => revoke(visit, deps),
    },
    audits: {
      '/dashboard/keys': { action: 'created a key', subject: ({ form }) => text(form, 'name') },
      '/dashboard/keys/:key_id/rotate': { action: 'rotated a key', subject: nameOf },
      '/dashboard/keys/:key_id/revoke': { action: 'revoked a key', subject: nameOf },
    },
    once: {
      '/dashboard/keys': '/dashboard/keys',
      '/dashboard/keys/:key_id/rotate': '/dashboard/keys',
    },
    notices: { 'key-revoked': 'Key revoked. It no longer works.' },
  };
}

async function keysPage(visit: Visit | FormVisit, { db, now }: KeysDeps, problem: Problem | null): Promise<Page> {
  const { visitor } = visit;
  const [keys, members] = await Promise.all([
    listKeys(db.sql, visitor.workspace_id, now()),
    memberEmails(db.sql, visitor.workspace_id),
  ]);
  const isRefused = problem !== null && 'form' in visit && visit.url.pathname === '/dashboard/keys';
  const add = {
    label: 'New key',
    form: newKeyForm(isRefused ? visit.form : new FormData()),
    entries: keys.length,
    is_open: isRefused,
  };
  const content = html`<p>A key is a password for a spreadsheet or a program: with it, they get data and spend the credits of this workspace. For Google Sheets and Excel, create a sheet key: it can only fill spreadsheets, up to its monthly cap. The other keys are for developers.</p>
${sheetKeyHint(visitor)}${notice(problem, 'bad')}
${listWithForm(card('Your keys', keys.length === 0 ? html`<p>No keys yet. ${whoCan(visitor, '/dashboard/keys', 'Create one below.', 'create keys')}</p>` : keyTable(keys, may(visitor, 'POST', '/dashboard/keys') ? members : null, now())), add)}`;
  return { title: 'Keys', content, status: problem ? 400 : 200 };
}

/** Returns a hint for a visitor who can make sheet keys on the page of the add-on, but no keys here; else null. */
function sheetKeyHint(visitor: Visitor): Piece {
  if (may(visitor, 'POST', '/dashboard/keys') || !may(visitor, 'POST', '/addon/key')) return null;
  return html`<p>For a spreadsheet, make a sheet key on <a href="/addon#key">Get the add-on</a>. Only owners can create other keys.</p>`;
}

// Shows the details of a key below its name, so that the table has few columns and fits on a tablet. `members` is null
// for a visitor who does not see to whom a key was shown.
function keyTable(keys: readonly KeyRow[], members: readonly string[] | null, now: Date): Piece {
  const columns = [titleColumn('Key'), 'Status', { heading: 'Last used', time: true }, 'Monthly cap', controlsColumn];
  const rows = keys.map((key) => {
    const state = validityOf(key, now);
    return [
      html`${key.connected ? connectedAppName(key) : key.name}<small>${keyDetails(key, members)}</small>`,
      html`${tag(state, state === 'active' ? 'good' : 'plain')}<small>${endOf(key, state)}</small>`,
      key.last_used_at ? time(key.last_used_at) : 'never',
      key.monthly_cap === null ? 'no cap' : `${count(key.cap_used)} of ${count(key.monthly_cap)} used`,
      state === 'active' ? keyActions(key) : null,
    ];
  });
  return table('Keys of this workspace', columns, rows, { as_cards: true });
}

/** Returns when a key ended, or when it will expire. */
function endOf({ revoked_at, expires_at }: KeyRow, state: ReturnType<typeof validityOf>): Piece {
  if (state !== 'active') return time(revoked_at ?? expires_at);
  return expires_at ? html`Expires ${time(expires_at)}` : 'Never expires';
}

/**
 * Returns the type of a key, its last characters, the person to whom it was shown, and its limits. For the key of a
 * connected app, says why the key exists.
 */
function keyDetails(key: KeyRow, members: readonly string[] | null): Piece {
  const from = `from ${key.networks?.join(', ') ?? 'anywhere'}`;
  if (key.connected)
    return html`Created when you connected ${connectedAppName(key)} on ${day(key.created_at)}. May use all MCP tools, ${from}. Revoke the key to disconnect the app.`;
  const uses = key.scopes?.map((scope) => scopeNames[scope][0]).join(', ') ?? usesOf[key.kind];
  return html`${kindNames[key.kind]} key <code>…${key.last_four}</code>, created ${time(key.created_at)}${shownTo(key, members)}<br>May use ${uses}, ${from}`;
}

/** Returns the person to whom a key was shown, with a tag when this person is no longer a member of the workspace. */
function shownTo({ created_by }: KeyRow, members: readonly string[] | null): Piece {
  if (created_by === null || members === null) return null;
  return html` by ${created_by}${members.includes(created_by) ? null : html` ${tag('not a member', 'warn')}`}`;
}

function keyActions({ key_id, name, connected }: KeyRow): Piece {
  const path = `/dashboard/keys/${key_id}`;
  const effect = connected
    ? 'The app loses its access immediately.'
    : 'Everything that uses this key stops working immediately.';
  const revokeForm = html`<form method="post" action="${path}/revoke" data-confirm="Revoke ${connected ? `the key of ${connectedAppName({ name })}` : name}? ${effect}"><button class="danger">Revoke key</button></form>`;
  if (connected) return revokeForm;
  const overlap = select('The old key keeps working for', 'overlap', overlapChoices, { value: '7' });
  return html`<details><summary>Rotate or revoke</summary>
${form(`${path}/rotate`, overlap, 'Rotate key', 'quiet')}
${revokeForm}</details>`;
}

async function submitNewKey(visit: FormVisit, deps: KeysDeps): Promise<Page> {
  const { form: fields, visitor } = visit;
  const input = readKeyInput(fields, deps.now());
  if ('problem' in input) return keysPage(visit, deps, input.problem);
  const created = await addKey(visitor, input, deps);
  if ('problem' in created) return keysPage(visit, deps, created.problem);
  return { title: 'Your new key', content: newKeyContent(created.key, input, deps.base_url) };
}

async function rotate(visit: FormVisit, deps: KeysDeps): Promise<Page> {
  const { form: fields, params, visitor } = visit;
  const { db, now, base_url } = deps;
  const refused = await tooManyReplaced(visitor, deps);
  if (refused !== null) return keysPage(visit, deps, refused);
  const [overlap] = overlapChoices.find(([days]) => days === text(fields, 'overlap')) ?? ['7'];
  const oldEndsAt = new Date(now().getTime() + Number(overlap) * dayMs);
  const created = await rotateKey(db.sql, visitor.workspace_id, idOf(params.key_id), {
    now: now(),
    old_ends_at: oldEndsAt,
    created_by: visitor.email,
  });
  if (!created) throw new PageNotFound();
  await announceKey(deps, visitor, { name: created.name, by: visitor.email });
  return { title: 'Your new key', content: newKeyContent(created.key, created, base_url) };
}

async function revoke({ params, visitor }: FormVisit, { db, now }: KeysDeps): Promise<Response> {
  if (!(await revokeKey(db.sql, idOf(params.key_id), now(), visitor.workspace_id))) throw new PageNotFound();
  return redirect('/dashboard/keys', 'key-revoked');
}

type Shown = Pick<KeyLimits, 'scopes'> & { kind: KeyKind };

function newKeyContent(key: string, shown: Shown, baseUrl: string): Html | Promise<Html> {
  const path = pathToTry(shown);
  const forSheets = html`<p>In Google Sheets, paste it into the Tidemark sidebar. In the Excel workbook, paste it into cell B2 of the sheet <i>Profiles</i>. <a href="/addon">Get the add-on or the workbook</a></p>`;
  return html`${success('Copy the key now. You will not see it again.')}
${secret('Key', key)}
${shown.kind === 'sheet' ? forSheets : null}${path && code('curl', 'Try this key', `curl -H "x-api-key: ${key}" "${baseUrl}${path}"`)}
<p><a href="/dashboard/keys">Back to keys</a></p>`;
}

/**
 * Returns an API path that the user can try with a new key. Returns null for a sheet key and for a key that is only for
 * MCP.
 */
function pathToTry({ kind, scopes }: Shown): string | null {
  const has = (scope: KeyScope) => !scopes || scopes.includes(scope);
  if (kind === 'sheet') return null;
  if (has('data')) return '/v1/photo/profile?handle=tidemark.sample';
  return has('workflows') ? '/v1/credit/balance' : null;
}
