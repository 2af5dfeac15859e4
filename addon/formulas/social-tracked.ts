import { knownWord } from '../known-word.ts';
import type { Server } from '../platform/client.ts';
import { type Cell, formulaCell } from '../platform/grid.ts';
import { trackedMetrics } from '../tracked-metrics.ts';
import { checkCount, readList, readWhole } from './arguments.ts';
import { readNames } from './fields.ts';
import type { FormulaOffer } from './offer.ts';
import { refusedRow } from './rows/handles.ts';
import { fetchStack, type TableQuery } from './tables.ts';

/** Maximum number of tracked items in one formula: the limit of tracked items in the highest tier. */
const maxItems = 200;
/** Maximum number of query parameters `item=` that the API server accepts in one request. */
const maxItemsPerRequest = 20;
/** Maximum value of the argument `days`: the number of days of history in the highest tier. */
const maxDays = 365;

const metrics = Object.keys(trackedMetrics);

const columns = [
  'status',
  'name',
  'metric',
  'observed_at',
  'value',
  'quality',
  'item_id',
  'url',
  'source',
  'message',
] as const;

/** The arguments of SOCIAL_TRACKED as Google Sheets passes them, not checked yet. */
type TrackedArguments = { items: unknown; metrics: unknown; days: unknown };

/**
 * Gets the history of your tracked items, oldest first, below a row of headings. Free. A day without an observation has
 * no row, and an unknown value is an empty cell. Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {A2} item A tracked item by its ID or link, or a range of them.
 * @param {"followers"} metric A number such as followers, views or likes; several separated by commas. Empty: all numbers of the items.
 * @param {30} days How many days back, 1 to 365, within the history of your tier. Empty: 30.
 * @param {"H1"} refresh Optional: the refresh cell (SOCIAL_REFRESH), or any cell. When it changes, the formula runs again.
 * @return {Array<Array<string|number|boolean>>} A row of headings, then one row for each observation.
 * @customfunction
 */
export function SOCIAL_TRACKED(
  api: Server,
  item: unknown,
  metric: unknown,
  days: unknown,
  _refresh: unknown,
): Cell[][] {
  return trackedHistory({ items: item, metrics: metric, days }, api);
}

/**
 * Returns the daily history of tracked items, with a row of headings.
 *
 * @throws Error, before any request, when an argument is not valid.
 */
function trackedHistory(args: TrackedArguments, api: Server): Cell[][] {
  const cells = readList(args.items, 'a tracked item by its ID or link, or a range of them');
  const items = cells.filter(({ fault }) => fault === null).map(({ text }) => text);
  const named = readNames(args.metrics).map((word) => knownWord(word, metrics, 'metric'));
  const days = readWhole(args.days, 'days', 1, maxDays);
  checkCount(items.length, maxItems, 'items', 'Split the range.');
  const metric = named.length === 0 ? '' : `&metric=${[...new Set(named)].join(',')}`;
  const query: TableQuery = {
    path: '/v1/workflows/tracked',
    query: `fields=${columns.join(',')}${metric}${days === null ? '' : `&days=${days}`}`,
    name: 'item',
    per_request_max: maxItemsPerRequest,
    columns,
  };
  const refused = cells.filter(({ fault }) => fault !== null).map((cell) => refusedRow(cell, false));
  const rows = [...refused, ...fetchStack(query, items, api)];
  const headings = columns.map((column) => (column === 'observed_at' ? 'observed_at (UTC)' : column));
  return [headings, ...rows.map((row) => columns.map((column) => formulaCell(row[column])))];
}

export const offer: FormulaOffer = {
  order: 4,
  label: 'History of tracked items',
  takes: 'IDs or links of tracked items',
  args: ['area', 'metrics', 'days'],
  choices: metrics,
  usual: ['followers'],
  estimate: null,
  gives:
    'the daily history of up to 200 items that you track, with headings. For YouTube, followers means subscribers and posts means videos. Start under *Tracking* in the [dashboard](tracking.md)',
  costs: '0; each successful daily check costs 1 credit',
};
