import { dateFields, fieldLabel } from '../formulas/field-labels.ts';
import type { Row } from '../formulas/tables.ts';
import { type Cell, formulaCell, writtenText } from '../platform/grid.ts';

/**
 * The ways to write a fill. `replace` writes beside the picked URLs and replaces earlier results. `append` adds new rows
 * below the earlier ones. `update` keeps one row for each account, which it recognizes by the account's ID.
 */
export const fillModes = ['replace', 'append', 'update'] as const;
export type FillMode = (typeof fillModes)[number];

const takenAt = 'taken_at';
const dayMs = 86_400_000;
/** Day number of 1970-01-01 in Google Sheets, which counts days since 1899-12-30. */
const epochSerial = 25_569;

/** The columns that each way of writing needs before the fields that the user chose. */
const leading: Record<FillMode, readonly string[]> = {
  replace: ['status'],
  append: [takenAt, 'url', 'status'],
  update: ['status', takenAt, 'platform', 'account_id', 'url'],
};

/** Returns all columns of the table: those that the way of writing needs and the chosen fields, without repeats. */
export function fillColumns(mode: FillMode, fields: readonly string[]): string[] {
  const omitted = mode === 'replace' ? ['url'] : [];
  return [...new Set([...leading[mode], ...fields])].filter((column) => !omitted.includes(column));
}

export function headings(columns: readonly string[]): string[] {
  return columns.map((column) => (column === takenAt ? 'Taken at (UTC)' : fieldLabel(column)));
}

/** Returns the fields to request from the API. `taken_at` is not one of them, because the add-on adds it. */
export function requestedFields(columns: readonly string[]): string[] {
  return [...new Set(['status', ...columns.filter((column) => column !== takenAt), 'credits_charged'])];
}

/** Returns one row in the form that `setValues` needs, which treats text as if a user had typed it. */
export function writtenLine(columns: readonly string[], row: Row, takenAtMs: number): Cell[] {
  return columns.map((column) => {
    if (column === takenAt) return serial(takenAtMs);
    return writtenCell(row[column], dateFields.includes(column));
  });
}

/** Returns the number of cells to write. If an account could not be read, only the first cells change and its earlier data stays. */
export function lineWidth(mode: FillMode, columns: readonly string[], row: Row): number {
  return mode === 'update' && row.status !== 'OK' ? columns.indexOf(takenAt) + 1 : columns.length;
}

/** Returns the number format of each column. `General` replaces the format "plain text", which would show the apostrophe before text. */
export function numberFormats(columns: readonly string[]): string[] {
  return columns.map((column) => (column === takenAt || dateFields.includes(column) ? 'yyyy-mm-dd hh:mm' : 'General'));
}

/** Returns the value of one cell: a date as a UTC day number, text after an apostrophe, an unknown value as "", anything else unchanged. */
function writtenCell(value: unknown, isDate: boolean): Cell {
  const timeMs = isDate && typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isFinite(timeMs)) return serial(timeMs);
  const cell = formulaCell(value);
  return typeof cell === 'string' && cell !== '' ? writtenText(cell) : cell;
}

/** Returns the day number of a time in UTC. A Date object would be shown in the time zone of the file. */
function serial(timeMs: number): number {
  return timeMs / dayMs + epochSerial;
}
