import type { Server } from '../../platform/client.ts';
import { failedRow, fetchTables, isFailure, nothingIn, type Row, type TablePart, type TableQuery } from '../tables.ts';

/**
 * Requests a list of rows for each value, such as the posts of each profile URL. Returns each list as a single row that
 * contains the list under `rows`, because the cache stores one row for each value.
 */
export function fetchLists(query: TableQuery, values: readonly string[], server: Server): Map<string, Row> {
  const parts = fetchTables(query, values, server);
  return new Map(parts.flatMap((part) => part.values.map((value): [string, Row] => [value, listOf(value, part)])));
}

/**
 * Returns the rows of all lists in order. A failed list has one row with its error. After the last list, each warning
 * of the server has one row with the status `NOTE`.
 */
export function rowsOfLists(lists: readonly Row[]): Row[] {
  const warnings = new Set(lists.flatMap((list) => (list.warnings as string[] | undefined) ?? []));
  return [...lists.flatMap(rowsOf), ...[...warnings].map((message) => ({ status: 'NOTE', message }))];
}

function listOf(value: string, { rows, warnings }: TablePart): Row {
  if (isFailure(rows)) return failedRow(value, rows);
  const [first] = rows;
  if (first === undefined) return failedRow(value, nothingIn(warnings));
  if (first.status !== 'OK') return first;
  const times = rows.map((row) => String(row.retrieved_at)).sort();
  return { status: 'OK', retrieved_at: times[0], cached: rows.every((row) => row.cached), rows, warnings };
}

function rowsOf(list: Row): Row[] {
  if (!Array.isArray(list.rows)) return [list];
  const rows = list.rows as Row[];
  const free = list.cached === true ? { cached: true, credits_charged: 0 } : {};
  const older = list.status === 'OK' ? {} : { status: list.status, message: list.message };
  return rows.map((row) => ({ ...row, ...free, ...older }));
}
