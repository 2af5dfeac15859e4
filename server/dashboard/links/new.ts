import { html, raw } from 'hono/html';
import { cacheAgeNames } from '../../../pipeline/collect/cache-ages.ts';
import { defaultLimit, maxLimit } from '../../../pipeline/collect/page.ts';
import { type LinkInput, maxAddresses, maxLabelCharacters } from '../../../pipeline/links/input.ts';
import { profileColumns } from '../../../pipeline/rows/columns.ts';
import { fieldLabel } from '../../../pipeline/rows/field-labels.ts';
import { fetchPrices } from '../sheets/import-cost.ts';
import { field, form, type Piece, select, textarea } from '../ui/components.ts';
import { text } from '../ui/section.ts';
import { type ContentChoice, withWanted } from './choices.ts';

/**
 * Columns that the form for a data link does not offer, because every table of profiles has them, or because only the
 * payer of a request needs them.
 */
const notOffered: ReadonlySet<string> = new Set([
  'url',
  'status',
  'retrieved_at',
  'message',
  'cached',
  'credits_charged',
]);
const offered = profileColumns.filter((column) => !notOffered.has(column));

const ages: readonly ContentChoice[] = [
  ['', 'Never (free)'],
  ...cacheAgeNames.map(
    (age): ContentChoice => [
      age,
      age === '1d' ? 'When they are older than 1 day' : `When they are older than ${Number.parseInt(age, 10)} days`,
    ],
  ),
];

/** Returns the form for a new data link. `shows` is the data that is selected at first. */
export function newLinkForm(action: string, choices: readonly ContentChoice[], shows: string, typed: FormData): Piece {
  const value = (name: string) => ({ value: text(typed, name) });
  return form(
    action,
    [
      field('Name', 'label', {
        ...value('label'),
        required: true,
        maxlength: maxLabelCharacters,
        hint: 'For example "Autumn campaign, client sheet". It is also the name of the sheet in the Excel file.',
      }),
      select('Data', 'shows', withWanted(choices, shows), { value: shows }),
      html`<div class="for-reports">${field('Week (only for campaign reports)', 'week', {
        ...value('week'),
        type: 'date',
        hint: 'Optional. Any day (UTC) of a finished week, to keep showing that week. Empty: the newest finished week.',
      })}</div>`,
      html`<div class="for-addresses">${textarea('Profile links (only for profiles and latest posts)', 'urls', {
        ...value('urls'),
        rows: 4,
        hint: `One per line, such as https://www.instagram.com/nasa/. Up to ${maxAddresses.profiles} profiles, or the latest posts of ${maxAddresses.posts}.`,
      })}
${profileOptions(typed)}</div>`,
      field('Expires', 'expires', {
        ...value('expires'),
        type: 'date',
        hint: 'Optional. The link works until the end of this day (UTC).',
      }),
    ],
    'Create data link',
  );
}

function profileOptions(typed: FormData): Piece {
  const chosen = typed.getAll('fields');
  const boxes = offered.map(
    (column) =>
      html`<label class="check"><input type="checkbox" name="fields" value="${column}"${raw(chosen.includes(column) ? ' checked' : '')}><span>${fieldLabel(column)}</span></label>`,
  );
  return html`<details><summary>More options for profiles and latest posts</summary>
${select('Fetch new values', 'refresh', ages, { value: text(typed, 'refresh'), hint: `Never: the link shows values that this server already fetched; they can be up to 30 days old. Otherwise: ${fetchPrices}` })}
<div class="columns">${field('Monthly cap in credits', 'cap', { value: text(typed, 'cap'), type: 'number', min: '1', hint: 'The most credits that the link can spend in a month. Needed when it fetches new values.' })}
${field('Posts for each profile', 'posts', { value: text(typed, 'posts'), type: 'number', min: '1', max: String(maxLimit), hint: `For latest posts: 1 to ${maxLimit}. Empty = ${defaultLimit}.` })}</div>
<fieldset class="field"><legend>Columns of profiles</legend>${boxes}<p class="hint">Choose nothing to get all columns.</p></fieldset></details>`;
}

/** Reads the settings of a new data link from the form. */
export function linkInputOf(fields: FormData): LinkInput {
  const [label, shows, week, posts, refresh, cap, expires] = [
    'label',
    'shows',
    'week',
    'posts',
    'refresh',
    'cap',
    'expires',
  ].map((name) => text(fields, name)) as [string, string, string, string, string, string, string];
  const urls = text(fields, 'urls')
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '');
  return { label, shows, week, urls, fields: fields.getAll('fields').map(String), posts, refresh, cap, expires };
}
