import { isTimeColumn } from './field-labels.ts';
import type { TableCell } from './xlsx.ts';

/** A cell of a stored row. A time is stored as a text or a number. */
export type PlainCell = string | number | boolean | null;

/** Converts the cells of time columns to Date objects. A text that is not a full date, such as a year, stays a text. */
export function withDates(columns: readonly string[], rows: readonly (readonly PlainCell[])[]): TableCell[][] {
  const isTime = columns.map(isTimeColumn);
  return rows.map((row) => row.map((cell, index) => (isTime[index] ? dateOf(cell) : cell)));
}

function dateOf(cell: PlainCell): TableCell {
  if (cell === null || typeof cell === 'boolean') return cell;
  if (typeof cell === 'string' && !/^\d{4}-\d\d-\d\d(?:T|$)/.test(cell)) return cell;
  const date = new Date(cell);
  return Number.isNaN(date.getTime()) ? cell : date;
}
