import { html, raw } from 'hono/html';
import { keyFacts } from '../../../db/accounts/key-facts.ts';
import {
  type KeyKind,
  type KeyLimits,
  type KeyRow,
  type KeyScope,
  keyScopes,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../db/accounts/keys.ts';
import type { Html } from '../../docs/layout.ts';
import { maxNetworks, readNetworks, readScopes } from '../../http/key-limits.ts';
import { announceKey, type KeyMailDeps } from '../account/key-mail.ts';
import { connectedAppName } from '../credits/key-label.ts';
import type { SectionDeps } from '../deps.ts';
import {
  card,
  code,
  count,
  day,
  field,
  form,
  notice,
  type Piece,
  secret,
  select,
  table,
  tag,
  textarea,
  time,
} from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import {
  type FormVisit,
  idOf,
  oneLine,
  type Page,
  PageNotFound,
  redirect,
  type Section,
  text,
  type Visit,
} from '../ui/section.ts';
import { addKey, type KeyInput, stateOf, tooManyReplaced } from './new-key.ts';

type KeysDeps = KeyMailDeps & Pick<SectionDeps, 'now'>;

const maxNameCharacters = 80;
/**
 * Maximum number of characters in the form field for the networks that may use an API key. A full list of the longest
 * entries fits.
 */
const maxNetworksCharacters = maxNetworks * 50;
const overlapChoices = [
  ['0', '0 days: stop it now'],
  ['1', '1 day'],
  ['7', '7 days'],
  ['30', '30 days'],
] as const;
const dayMs = 86_400_000;

const kinds: readonly (readonly [KeyKind, string])[] = [
  ['sheet', 'Sheet: for spreadsheets (Google Sheets, Excel)'],
  ['live', 'Production: live data for programs. Never put it into a spreadsheet'],
  ['test', 'Development: free samples for tests'],
];
const kindNames: Record<KeyKind, string> = { live: 'Production', test: 'Development', sheet: 'Sheet' };
const scopeNames: Record<KeyScope, readonly [short: string, long: string]> = {
  data: ['data', 'Fetch data through the API (data routes)'],
  workflows: ['workflows', 'Fill spreadsheets: formulas, add-on, Excel, reports and the balance (workflow routes)'],
  mcp: ['MCP', 'Answer AI assistants (all MCP tools)'],
};

/**
 * Creates the API key pages. A new key is shown once. After a rotation, the old key keeps working for a time that the
 * user chooses. A revoked key stops at once.
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
  const keys = await listKeys(db.sql, visitor.workspace_id, now());
  const content = html`<p>A key is a password for a spreadsheet or a program: with it, they get data and spend the credits of this workspace. For Google Sheets and Excel, create a sheet key: it can only fill spreadsheets, up to its monthly cap. The other keys are for developers.</p>
${notice(problem, 'bad')}
${card('Your keys', keys.length === 0 ? html`<p>No keys yet. Create one below.</p>` : keyTable(keys, now()))}
${card('New key', newKeyForm('form' in visit ? visit.form : new FormData()))}`;
  return { title: 'Keys', content, status: problem ? 400 : 200 };
}

// The buttons are in the column next to the key's name, so that a phone shows them without scrolling.
function keyTable(keys: readonly KeyRow[], now: Date): Piece {
  const number = (heading: string) => ({ heading, number: true });
  const columns = [
    'Key',
    'Actions',
    'Status',
    'Type',
    'Ends in',
    'May use',
    'Works from',
    'Created',
    'Last used',
    'Expires',
    number('Monthly cap'),
  ];
  const rows = keys.map((key) => {
    const state = stateOf(key, now);
    return [
      key.connected ? connectedName(key) : key.name,
      state === 'active' ? keyActions(key) : null,
      state === 'active' ? tag('active', 'good') : tag(state),
      key.connected ? 'Connected app' : kindNames[key.kind],
      key.connected ? '–' : html`<code>…${key.last_four}</code>`,
      key.connected ? 'all MCP tools' : (key.scopes?.map((scope) => scopeNames[scope][0]).join(', ') ?? 'everything'),
      key.networks?.join(', ') ?? 'anywhere',
      time(key.created_at),
      key.last_used_at ? time(key.last_used_at) : 'never',
      key.expires_at ? time(key.expires_at) : 'never',
      key.monthly_cap === null ? 'no cap' : `${count(key.cap_used)} of ${count(key.monthly_cap)} used`,
    ];
  });
  return table('Keys of this workspace (times in UTC)', columns, rows, null, true);
}

/** Returns the name of a connected app, with the reason why the list of keys has a key for it. */
function connectedName(key: KeyRow): Piece {
  const app = connectedAppName(key);
  return html`${app}<small>Created when you connected ${app} on ${day(key.created_at)}. The app can use all MCP tools: public data, your balance, tracked items and reports. Revoke the key to disconnect the app.</small>`;
}

function keyActions({ key_id, name, connected }: KeyRow): Piece {
  const path = `/dashboard/keys/${key_id}`;
  const effect = connected
    ? 'The app loses its access at once.'
    : 'Everything that uses this key stops working at once.';
  const revokeForm = html`<form method="post" action="${path}/revoke" data-confirm="Revoke ${connected ? `the key of ${connectedAppName({ name })}` : name}? ${effect}"><button class="danger">Revoke key</button></form>`;
  if (connected) return revokeForm;
  const overlap = select('The old key keeps working for', 'overlap', overlapChoices, { value: '7' });
  return html`<details><summary>Rotate (replace) or revoke</summary>
${form(`${path}/rotate`, overlap, 'Rotate key', 'quiet')}
${revokeForm}</details>`;
}

function newKeyForm(typed: FormData): Piece {
  const value = (name: string) => ({ value: text(typed, name) });
  return form(
    '/dashboard/keys',
    [
      field('Name', 'name', {
        ...value('name'),
        required: true,
        maxlength: maxNameCharacters,
        hint: 'For example "weekly sheet".',
      }),
      select('Type', 'kind', kinds, value('kind')),
      html`<div class="columns">${field('Expires', 'expires', { ...value('expires'), type: 'date', hint: 'Optional. The key works until the end of this day (UTC).' })}
${field('Monthly cap in credits', 'cap', { ...value('cap'), type: 'number', min: '0', hint: 'The most credits that the key can spend in a month. Required for sheet keys.' })}</div>`,
      limitFields(typed),
    ],
    'Create key',
  );
}

/**
 * Returns the folded fields that limit what an API key may do, and from which networks. They are unfolded when one of
 * them contains a value.
 */
function limitFields(typed: FormData): Piece {
  const chosen = typed.getAll('scopes');
  const isLimited = chosen.length > 0 || text(typed, 'allow') === 'only';
  const isOpen = isLimited || text(typed, 'networks') !== '';
  const boxes = keyScopes.map(
    (scope) =>
      html`<label class="check"><input type="checkbox" name="scopes" value="${scope}"${raw(chosen.includes(scope) ? ' checked' : '')}><span>${scopeNames[scope][1]}</span></label>`,
  );
  const networks = textarea('Only from these IP addresses', 'networks', {
    value: text(typed, 'networks'),
    rows: 3,
    hint: `Up to ${maxNetworks} addresses or networks, such as 203.0.113.7 or 2001:db8::/32. Leave it empty for Google Sheets: its addresses change.`,
  });
  return html`<details${raw(isOpen ? ' open' : '')}><summary>Limit what the key may do, and from where (for programmers)</summary>
<fieldset class="field"><legend>What may this key do?</legend>${allowRadio('everything', 'Everything', !isLimited)}${allowRadio('only', 'Only these:', isLimited)}${boxes}</fieldset>
${networks}</details>`;
}

function allowRadio(value: 'everything' | 'only', label: string, checked: boolean): Piece {
  return html`<label class="check"><input type="radio" name="allow" value="${value}"${raw(checked ? ' checked' : '')}><span>${label}</span></label>`;
}

async function submitNewKey(visit: FormVisit, deps: KeysDeps): Promise<Page> {
  const { form: fields, visitor } = visit;
  const input = readInput(fields, deps.now());
  if ('problem' in input) return keysPage(visit, deps, input.problem);
  const created = await addKey(visitor, input, deps);
  if ('problem' in created) return keysPage(visit, deps, created.problem);
  return { title: 'Your new key', content: newKeyContent(created.key, input, deps.base_url) };
}

function readInput(fields: FormData, now: Date): KeyInput | { problem: Problem } {
  const name = oneLine(fields, 'name');
  const kind = kinds.find(([value]) => value === text(fields, 'kind'))?.[0];
  const [cap, expires] = [text(fields, 'cap'), text(fields, 'expires')];
  if (name === '' || name.length > maxNameCharacters)
    return { problem: at('name', `Enter a name of 1 to ${maxNameCharacters} characters.`) };
  if (!kind) return { problem: at('kind', 'Choose a key type.') };
  if (cap !== '' && !/^\d{1,9}$/.test(cap))
    return { problem: at('cap', 'The monthly cap must be a whole number of credits.') };
  if (kind === 'sheet' && cap === '')
    return { problem: at('cap', 'A sheet key needs a monthly cap, because a sheet can be shared.') };
  const expiresAt = expires === '' ? null : new Date(`${expires}T23:59:59Z`);
  if (expiresAt && !(expiresAt > now)) return { problem: at('expires', 'The expiry date must be in the future.') };
  const limits = readLimits(fields, kind);
  if ('problem' in limits) return limits;
  return { kind, name, expires_at: expiresAt, monthly_cap: cap === '' ? null : Number(cap), ...limits };
}

function readLimits(fields: FormData, kind: KeyKind): KeyLimits | { problem: Problem } {
  const networks = text(fields, 'networks');
  if (networks.length > maxNetworksCharacters)
    return { problem: at('networks', `Enter at most ${maxNetworks} IP addresses or networks.`) };
  const names = fields.getAll('scopes').map(String);
  const allowed = text(fields, 'allow');
  if (allowed === 'only' && names.length === 0)
    return { problem: at('scopes', 'Tick what this key may do, or choose Everything.') };
  if (allowed === 'everything' && names.length > 0)
    return { problem: at('scopes', 'To limit this key, choose Only these. Otherwise untick all.') };
  let field = 'scopes';
  try {
    const scopes = readScopes(names, kind);
    field = 'networks';
    return { scopes, networks: readNetworks(networks) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: at(field, error.message) };
    throw error;
  }
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
  return html`${notice('Copy the key now. You will not see it again.', 'good')}
${secret('Key', key)}
${path && code('curl', 'Try this key', `curl -H "x-api-key: ${key}" "${baseUrl}${path}"`)}
<p><a href="/dashboard/keys">Back to keys</a></p>`;
}

/** Returns an API path that the user can try with a new key. Returns null for a key that is only for MCP. */
function pathToTry({ kind, scopes }: Shown): string | null {
  const may = (scope: KeyScope) => !scopes || scopes.includes(scope);
  if (kind !== 'sheet' && may('data')) return '/v1/photo/profile?handle=tidemark.sample';
  return may('workflows') ? '/v1/credit/balance' : null;
}
