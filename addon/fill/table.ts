import { dateFields, fieldLabel } from '../formulas/field-labels.ts';
import type { Row } from '../formulas/tables.ts';
import { type Cell, formulaCell, writtenText } from '../platform/grid.ts';

/**
 * `replace` writes beside the picked URLs. `append` adds a snapshot below the earlier ones. `update` keeps one row for
 * each account, identified by its ID.
 */
export const fillModes = ['replace', 'append', 'update'] as const;
export type FillMode = (typeof fillModes)[number];

const takenAt = 'taken_at';
const dayMs = 86_400_000;
/** The serial number of 1970-01-01 in Google Sheets. */
const epochSerial = 25_569;

/** The columns that a mode needs before the chosen fields. */
const leading: Record<FillMode, readonly string[]> = {
  replace: ['status'],
  append: [takenAt, 'url', 'status'],
  update: ['status', takenAt, 'platform', 'account_id', 'url'],
};

/** Returns the columns of a mode and the chosen fields, without repeats. */
export function fillColumns(mode: FillMode, fields: readonly string[]): string[] {
  const omitted = mode === 'replace' ? ['url'] : [];
  return [...new Set([...leading[mode], ...fields])].filter((column) => !omitted.includes(column));
}

/** Returns the headings of these columns. */
export function headings(columns: readonly string[]): string[] {
  return columns.map((column) => (column === takenAt ? 'Taken at (UTC)' : fieldLabel(column)));
}

/** Returns the fields to request from the API, which has no `taken_at`. */
export function requestedFields(columns: readonly string[]): string[] {
  return [...new Set(['status', ...columns.filter((column) => column !== takenAt), 'credits_charged'])];
}

/** Returns one row for `setValues`, which parses text like typed text. */
export function writtenLine(columns: readonly string[], row: Row, takenAtMs: number): Cell[] {
  return columns.map((column) => {
    if (column === takenAt) return serial(takenAtMs);
    return writtenCell(row[column], dateFields.includes(column));
  });
}

/** Returns how many cells of a row are written: an account that could not be read keeps its earlier values. */
export function lineWidth(mode: FillMode, columns: readonly string[], row: Row): number {
  return mode === 'update' && row.status !== 'OK' ? columns.indexOf(takenAt) + 1 : columns.length;
}

/** Returns the number formats. `General` also replaces "plain text", which would keep the apostrophe. */
export function numberFormats(columns: readonly string[]): string[] {
  return columns.map((column) => (column === takenAt || dateFields.includes(column) ? 'yyyy-mm-dd hh:mm' : 'General'));
}

/** Returns numbers and booleans unchanged, dates as UTC serial numbers, text after an apostrophe, unknown as "". */
function writtenCell(value: unknown, isDate: boolean): Cell {
  const timeMs = isDate && typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isFinite(timeMs)) return serial(timeMs);
  const cell = formulaCell(value);
  return typeof cell === 'string' && cell !== '' ? writtenText(cell) : cell;
}

/** Returns a serial number in UTC; Sheets would show a Date in the time zone of the file. */
function serial(timeMs: number): number {
  return timeMs / dayMs + epochSerial;
}
