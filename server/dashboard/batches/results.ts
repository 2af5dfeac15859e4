import { html, raw } from 'hono/html';
import type { BatchRow } from '../../../db/deliveries/batch-rows.ts';
import type { Batch } from '../../../db/deliveries/batches.ts';
import { ownCells } from '../../../pipeline/batches/batches.ts';
import type { ProfileRow } from '../../../pipeline/rows/profile-row.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { card, count, type Piece, select, tag } from '../ui/components.ts';
import { type DataColumn, dataTable } from '../ui/parts/data-table.ts';
import { cellNumber } from '../ui/parts/numbers.ts';
import type { Visitor } from '../ui/visitor.ts';
import { failureLabel, isLive } from './labels.ts';

/**
 * Decides which rows of a batch the page shows, and in which order. The page's URL contains the filter, so that
 * submitting a form or reloading the page keeps the filter.
 */
export interface ResultFilter {
  q: string;
  show: string;
  /**
   * Name of the number to sort by, such as `followers`. With a minus, as in `-followers`, the largest number comes
   * first.
   */
  sort: string;
}

const shows: [string, string][] = [
  ['', 'All lines'],
  ['ok', 'Succeeded'],
  ['failed', 'Failed'],
  ['open', 'Without a result'],
];
const sorts = ['line', 'followers', 'following', 'posts', 'credits'];

/**
 * Reads the filter of the results from the query of a URL. Unknown values of `show` and `sort` become empty, and `q`
 * (the search text) is cut to 200 characters.
 */
export function resultFilterIn(fields: URLSearchParams): ResultFilter {
  const [show, sort] = [fields.get('show') ?? '', fields.get('sort') ?? ''];
  return {
    q: (fields.get('q') ?? '').trim().slice(0, 200),
    show: shows.some(([known]) => known === show) ? show : '',
    sort: sorts.includes(sort.replace(/^-/, '')) ? sort : '',
  };
}

/**
 * Returns the query string of a filter, such as `?show=failed`. Returns '' when all rows are shown in their original
 * order.
 */
export function queryOf(filter: ResultFilter): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();
  return query === '' ? '' : `?${query}`;
}

interface ShownRow {
  row: BatchRow;
  known: ProfileRow | null;
  own: string[];
}

/**
 * Returns the rows of a batch that match the filter, sorted as the filter says. Rows without the number to sort by come
 * last.
 */
export function shownResults(rows: readonly BatchRow[], { q, show, sort }: ResultFilter): ShownRow[] {
  const all = rows.map((row): ShownRow => {
    return { row, known: row.cells === null ? null : (JSON.parse(row.cells) as ProfileRow), own: ownCells(row) };
  });
  const searched = q.toLowerCase();
  const matches = ({ row, known, own }: ShownRow) =>
    [row.url, known?.display_name, known?.username, ...own].some((text) =>
      `${text ?? ''}`.toLowerCase().includes(searched),
    );
  const inState = ({ row: { status } }: ShownRow) =>
    show === '' || show === (status === null ? 'open' : status === 'OK' ? 'ok' : 'failed');
  const found = all.filter((shown) => inState(shown) && matches(shown));
  if (sort === '') return found;
  const [name, direction] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
  const numberOf = ({ row, known }: ShownRow) => {
    const value = name === 'line' ? row.row_no : name === 'credits' ? row.credits : known?.[name as 'followers'];
    return typeof value === 'number' ? value : null;
  };
  return found.sort((a, b) => {
    const [left, right] = [numberOf(a), numberOf(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return direction * (left - right);
  });
}

/** Returns the results of a batch: the filter, the rows, and the form for tracking selected profiles. */
export function resultsCard(
  batch: Batch,
  rows: readonly BatchRow[],
  filter: ResultFilter,
  { lists, visitor }: { lists: readonly [string, string][]; visitor: Visitor },
): Piece {
  const path = `/dashboard/batches/${batch.batch_id}`;
  const query = queryOf(filter);
  const shown = shownResults(rows, filter);
  const usable = shown.filter(({ row }) => row.status === 'OK').length;
  // The disabled button is the first of the form, so that pressing Enter in a check box does not send the form.
  const buttons = html`<button disabled hidden></button>${select('Track in list', 'list', lists)}
<button name="act" value="chosen" class="quiet">Track selected</button>
<button name="act" value="shown" class="quiet">Track all ${count(usable)} shown</button>`;
  const content = dataTable({
    ...{ id: 'batch-rows', caption: 'Results, one row for each line of the list', columns },
    rows: shown.map((one) => {
      return { id: String(one.row.row_no), label: `line ${one.row.row_no}`, cells: cellsOf(one, batch) };
    }),
    url: new URL(`${path}${query}`, 'http://localhost'),
    ...{ total: shown.length, page_size: Math.max(1, shown.length) },
    filters: select('Lines', 'show', shows, { value: filter.show }),
    search: 'Search results',
    facts: html`<p class="hint">Showing ${count(shown.length)} of ${count(rows.length)} lines.</p>`,
    // Replaces `batch-progress`, too: this element refreshes the rows, so its refresh path must contain the new filter.
    also: 'batch-progress',
    ...(usable > 0 ? { bulk: { action: `${path}/track${query}`, buttons, visitor } } : {}),
    empty: html`<p>No lines match this filter. <a href="${path}">Show all lines</a></p>`,
  });
  const hint = tiers[visitor.tier].daily_checks
    ? 'Tracked profiles are checked once a day. Each successful check costs 1 credit.'
    : 'On the free tier you start each check yourself. Each successful check costs 1 credit.';
  return card('Results', html`${content}${usable > 0 ? html`<p class="hint">${hint}</p>` : null}`);
}

const columns: DataColumn[] = [
  { heading: 'Line', number: true, position: true, sort: 'line' },
  { heading: 'Profile', title: true },
  { heading: 'Status' },
  { heading: 'Followers', number: true, sort: 'followers' },
  { heading: 'Following', number: true, sort: 'following' },
  { heading: 'Posts', number: true, sort: 'posts' },
  { heading: 'Credits', number: true, sort: 'credits' },
  { heading: 'Note', long: true },
];

function cellsOf({ row, known, own }: ShownRow, batch: Batch): Piece[] {
  return [
    row.row_no,
    profile(row, known, own),
    state(row, known, batch),
    html`${followers(known)}${quality(known)}`,
    counted(known?.following),
    counted(known?.posts),
    row.status === null ? '–' : count(row.credits),
    html`<div class="remark">${remark(row, known)}</div>`,
  ];
}

const counted = (value: unknown, rounded = false) => cellNumber(typeof value === 'number' ? value : null, rounded);
const followers = (known: ProfileRow | null) => counted(known?.followers, known?.followers_quality === 'rounded');

/** Maximum number of cells of the uploaded file that are shown below a profile. The downloads contain all cells. */
const shownOwnCells = 3;

/**
 * Returns the table cell of a profile. Only a profile URL that this server built becomes a link. A URL from the user's
 * list may be unsafe, so it is shown as text.
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
  return tag(known?.cached ? 'cached' : 'succeeded', 'good');
}

const qualityLabels: Readonly<Record<string, string>> = {
  rounded: 'rounded by the platform',
  hidden: 'hidden by the account',
  not_exposed: 'not shown by the platform',
};

function quality(known: ProfileRow | null): Piece {
  const label = qualityLabels[String(known?.followers_quality)];
  return label === undefined ? null : html` <small>${label}</small>`;
}

function remark({ status, duplicate_of }: BatchRow, known: ProfileRow | null): Piece {
  const message = String(known?.message ?? '');
  if (duplicate_of === null)
    return status === 'OK' && known?.cached ? `${message} Cached in the last 24 hours: free.`.trim() : message;
  return `Same account as line ${duplicate_of}: free.`;
}
