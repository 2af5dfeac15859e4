import { html, raw } from 'hono/html';
import type { BatchRow } from '../../../db/deliveries/batch-rows.ts';
import type { Batch } from '../../../db/deliveries/batches.ts';
import { ownCells } from '../../../pipeline/batches/batches.ts';
import type { ProfileRow } from '../../../pipeline/rows/profile-row.ts';
import { card, count, field, type Piece, select, table, tag } from '../ui/components.ts';
import { failureLabel, isLive } from './labels.ts';

/** The rows to show. It is in the address of the page, so that it survives an action and a reload. */
export interface ResultFilter {
  q: string;
  show: string;
  sort: string;
}

const shows: [string, string][] = [
  ['', 'All lines'],
  ['ok', 'Succeeded'],
  ['failed', 'Failed'],
  ['open', 'Without a result'],
];
const sorts: [string, string][] = [
  ['', 'Line'],
  ['followers', 'Followers'],
  ['following', 'Following'],
  ['posts', 'Posts'],
  ['credits', 'Credits'],
];

export function filterIn(fields: URLSearchParams): ResultFilter {
  const oneOf = (choices: [string, string][], value: string | null) =>
    choices.some(([known]) => known === value) ? String(value) : '';
  return {
    q: (fields.get('q') ?? '').trim().slice(0, 200),
    show: oneOf(shows, fields.get('show')),
    sort: oneOf(sorts, fields.get('sort')),
  };
}

/** Returns the query string of a filter, such as `?show=failed`; '' when all rows are shown in their order. */
export function queryOf(filter: ResultFilter): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();
  return query === '' ? '' : `?${query}`;
}

interface ShownRow {
  row: BatchRow;
  known: ProfileRow | null;
  own: string[];
}

/** Returns the rows that match the filter, in its order. Unknown numbers come last. */
export function shownRows(rows: readonly BatchRow[], { q, show, sort }: ResultFilter): ShownRow[] {
  const all = rows.map((row): ShownRow => {
    return { row, known: row.cells === null ? null : (JSON.parse(row.cells) as ProfileRow), own: ownCells(row) };
  });
  const words = q.toLowerCase();
  const matches = ({ row, known, own }: ShownRow) =>
    [row.url, known?.display_name, known?.username, ...own].some((text) =>
      `${text ?? ''}`.toLowerCase().includes(words),
    );
  const inState = ({ row: { status } }: ShownRow) =>
    show === '' || show === (status === null ? 'open' : status === 'OK' ? 'ok' : 'failed');
  const found = all.filter((shown) => inState(shown) && matches(shown));
  if (sort === '') return found;
  const numberOf = ({ row, known }: ShownRow) => {
    const value = sort === 'credits' ? row.credits : known?.[sort as 'followers'];
    return typeof value === 'number' ? value : -1;
  };
  return found.sort((a, b) => numberOf(b) - numberOf(a));
}

/** Returns the filter, the rows, and the form that tracks chosen profiles. */
export function resultsCard(
  batch: Batch,
  rows: readonly BatchRow[],
  filter: ResultFilter,
  lists: readonly [string, string][],
): Piece {
  const path = `/dashboard/batches/${batch.batch_id}`;
  const shown = shownRows(rows, filter);
  const usable = shown.filter(({ row }) => row.status === 'OK').length;
  // A disabled first button keeps the Enter key in a checkbox from sending the form.
  const track = html`<p class="row actions"><button disabled hidden></button>${select('Track in list', 'list', lists)}
<button name="act" value="chosen" class="quiet">Track selected</button>
<button name="act" value="shown" class="quiet">Track all ${count(usable)} shown</button></p>
<p class="hint">Tracked profiles are checked once a day. Each successful check costs 1 credit.</p>`;
  const empty = html`<p>No lines match this filter. <a href="${path}">Show all lines</a></p>`;
  return card(
    'Results',
    html`<form method="get" action="${path}" class="row filter">${field('Search', 'q', { type: 'search', value: filter.q })}
${select('Show', 'show', shows, { value: filter.show })}${select('Sort by', 'sort', sorts, { value: filter.sort })}<button class="quiet">Apply</button></form>
${
  shown.length === 0
    ? empty
    : html`<form method="post" action="${path}/track${queryOf(filter)}">${resultTable(batch, shown)}${usable > 0 ? track : null}</form>`
}`,
  );
}

function resultTable(batch: Batch, shown: readonly ShownRow[]): Piece {
  const number = (heading: string) => ({ heading, number: true });
  const columns = [
    'Select',
    number('Line'),
    'Profile',
    'Status',
    number('Followers'),
    number('Following'),
    number('Posts'),
    number('Credits'),
    'Note',
  ];
  const cells = shown.map(({ row, known, own }) => [
    row.status === 'OK' ? checkbox(row) : '',
    row.row_no,
    profile(row, known, own),
    state(row, known, batch),
    html`${counted(known?.followers)}${quality(known)}`,
    counted(known?.following),
    counted(known?.posts),
    row.status === null ? '–' : count(row.credits),
    html`<div class="remark">${remark(row, known)}</div>`,
  ]);
  return table('Results, one row for each line of the list', columns, cells, 'batch-rows');
}

function checkbox({ row_no }: BatchRow): Piece {
  return html`<input type="checkbox" name="row" value="${row_no}" aria-label="Select line ${row_no}">`;
}

const counted = (value: unknown) => count(typeof value === 'number' ? value : null);

/** Number of cells of the uploaded file that are shown below a profile. The downloads have all of them. */
const shownOwnCells = 3;

/**
 * Returns the cell of a profile. It links only to a profile URL that this service built. A URL from the user's list may be unsafe, so it is
 * shown as text.
 */
function profile({ url }: BatchRow, known: ProfileRow | null, own: readonly string[]): Piece {
  const name = known?.display_name ?? known?.username ?? null;
  const address = known?.status === 'OK' ? String(known.profile_url ?? '') : '';
  const label = name === null ? url : String(name);
  const line = address.startsWith('https://')
    ? html`<a href="${address}" rel="noopener noreferrer">${label}</a>`
    : html`<span>${label}</span>`;
  const notes = own.filter((cell) => cell !== '' && cell !== url).slice(0, shownOwnCells);
  return html`<div class="address">${line}${name === null ? null : html`<small>${url}</small>`}${notes.length > 0 ? html`${raw(' ')}<small>${notes.join(' · ')}</small>` : null}</div>`;
}

function state({ status }: BatchRow, known: ProfileRow | null, batch: Batch): Piece {
  if (status === null) return tag(isLive(batch) ? 'waiting' : 'not started');
  if (status !== 'OK') return tag(failureLabel(status), 'bad');
  return tag(known?.cached ? 'from cache' : 'done', 'good');
}

function quality(known: ProfileRow | null): Piece {
  const state = known?.followers_quality;
  if (state === null || state === undefined || state === 'exact') return null;
  return html` <small>${String(state).replace('_', ' ')}</small>`;
}

function remark({ status, duplicate_of }: BatchRow, known: ProfileRow | null): Piece {
  const message = String(known?.message ?? '');
  if (duplicate_of === null)
    return status === 'OK' && known?.cached ? `${message} From the last 24 hours: free.`.trim() : message;
  return `Same account as line ${duplicate_of}: free.`;
}
