import type { Server } from '../platform/client.ts';
import { type Cell, formulaCell } from '../platform/grid.ts';
import { checkCount, readList, readWhole } from './arguments.ts';
import { knownWord, readWords } from './fields.ts';
import { askStack, type TableQuestion } from './tables.ts';

/** As many as the largest tier tracks. */
const itemsMax = 200;
/** The most `item=` parameters that the server takes in one request. */
const itemsPerRequestMax = 20;
/** The longest history that any tier shows. */
const daysMax = 365;

export const metrics = [
  'followers',
  'following',
  'posts',
  'views',
  'likes',
  'comments',
  'shares',
  'favorites',
  'total_views',
] as const;

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

/** The arguments of the formula as Sheets hands them over. */
export type TrackedQuestion = { items: unknown; metrics: unknown; days: unknown };

/**
 * A heading row, then one row for each observation and metric of the items. An item that was not answered has one row
 * with its code. Without metrics those that the items can have.
 *
 * @throws Error only for a formula that must be typed differently, before anything is asked.
 */
export function socialTracked(asked: TrackedQuestion, server: Server): Cell[][] {
  const items = readList(asked.items, 'a tracked item by its id or URL, or a range of them');
  const named = readWords(asked.metrics).map((word) => knownWord(word, metrics, 'metric'));
  const days = readWhole(asked.days, 'days', 1, daysMax);
  checkCount(items.length, itemsMax, 'items');
  const metric = named.length === 0 ? '' : `&metric=${[...new Set(named)].join(',')}`;
  const question: TableQuestion = {
    path: '/v1/workflows/tracked',
    query: `fields=${columns.join(',')}${metric}${days === null ? '' : `&days=${days}`}`,
    name: 'item',
    per_request_max: itemsPerRequestMax,
    columns,
  };
  const rows = askStack(question, items, server);
  const headings = columns.map((column) => (column === 'observed_at' ? 'observed_at (UTC)' : column));
  return [headings, ...rows.map((row) => columns.map((column) => formulaCell(row[column])))];
}
