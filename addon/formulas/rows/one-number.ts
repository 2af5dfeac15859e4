import type { Failure, Server } from '../../platform/client.ts';
import { failureSentence } from '../../platform/failure-sentence.ts';
import type { Row } from '../tables.ts';
import { type RowsRoute, rowOfEach, type UrlArguments } from './url-rows.ts';

/**
 * The API route and the field for a formula that returns one plain number, such as SOCIAL_LIKES. `label`: the name of
 * the number in an error message.
 */
export type NumberRoute = RowsRoute & { field: string; label: string };

/**
 * Returns the number for a single cell with a URL, or a column of numbers for a range. In a range, an unknown number is
 * an empty cell, because an error would also remove the numbers of the other rows.
 *
 * @throws Error when the number for a single cell is unknown. An unknown number is never returned as 0.
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
