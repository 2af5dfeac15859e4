import { html, raw } from 'hono/html';
import type { KeyKind } from '../../../db/accounts/key-text.ts';
import { type KeyLimits, type KeyScope, keyScopes } from '../../../db/accounts/keys.ts';
import { endOfDay } from '../../../db/calendar.ts';
import { maxNetworks, readNetworks, readScopes } from '../../http/key-limits.ts';
import { field, form, type Piece, select, textarea } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { oneLine, text } from '../ui/section.ts';
import type { KeyInput } from './new-key.ts';

const maxNameCharacters = 80;
/**
 * Maximum number of characters in the form field for the networks that may use an API key. Enough for the maximum
 * number of the longest entries.
 */
const maxNetworksCharacters = maxNetworks * 50;

const kinds: readonly (readonly [KeyKind, string])[] = [
  ['sheet', 'Sheet: for spreadsheets (Google Sheets, Excel)'],
  ['live', 'Production: live data for programs. Never put it into a spreadsheet'],
  ['test', 'Development: free samples for tests'],
];

/** The short and the long name of each scope of an API key. */
export const scopeNames: Record<KeyScope, readonly [short: string, long: string]> = {
  data: ['data', 'Fetch data through the API (data routes)'],
  workflows: ['workflows', 'Fill spreadsheets: formulas, add-on, Excel, reports and the balance (workflow routes)'],
  mcp: ['MCP', 'Answer AI assistants (all MCP tools)'],
};

/** Returns the form for a new API key, with the values that the user has already typed. */
export function newKeyForm(typed: FormData): Piece {
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
 * Returns the collapsible fields that limit what an API key may do, and from which networks. The fields are expanded
 * when one of them contains a value.
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

/** Returns the settings in the form for a new API key, or the problem when a value is invalid. */
export function readKeyInput(fields: FormData, now: Date): KeyInput | { problem: Problem } {
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
  const expiresAt = expires === '' ? null : endOfDay(expires);
  if (expiresAt && !(expiresAt > now))
    return { problem: at('expires', 'The expiry date must be a date in the future, such as 2027-01-31.') };
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
