import type { Failure, Server } from '../../platform/client.ts';
import { failureSentence } from '../../platform/failure-sentence.ts';
import type { Row } from '../tables.ts';
import { type RowsRoute, rowOfEach, type UrlArguments } from './url-rows.ts';

/** A formula that returns one field of a route as a plain number. `label`: the words for the number in an error. */
export type NumberRoute = RowsRoute & { field: string; label: string };

/**
 * Returns the number of one cell, or a column of numbers for a range. In a range, a cell without a number stays empty,
 * because an error would also remove the numbers of the other rows.
 *
 * @throws Error when the number of a single cell is not known. Unknown is never 0.
 */
export function numbersOf(
  args: UrlArguments,
  route: NumberRoute,
  server: Server,
): number | string | (number | string)[][] {
  const rows = rowOfEach(args, ['status', route.field, 'message'], route, server);
  if (!Array.isArray(args.urls)) return numberIn(rows[0] ?? null, route);
  return rows.map((row) => [numberOrEmpty(row, route.field)]);
}

function numberIn(row: Row | null, { field, label }: NumberRoute): number | string {
  if (row === null) return '';
  const value = row[field];
  if (typeof value === 'number') return value;
  if (String(row.status).startsWith('OK')) throw new Error(`The platform does not show ${label}.`);
  const failure: Failure = { code: String(row.status), message: String(row.message ?? '') };
  throw new Error(`${failureSentence(failure)} (${failure.code})`);
}

function numberOrEmpty(row: Row | null, field: string): number | string {
  const value = row?.[field];
  return typeof value === 'number' ? value : '';
}
