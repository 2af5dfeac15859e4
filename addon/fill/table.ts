import { dateFields, fieldLabel } from '../formulas/field-labels.ts';
import type { Row } from '../formulas/tables.ts';
import { type Cell, formulaCell, writtenText } from '../platform/grid.ts';

/**
 * `replace` writes beside the selected URLs, `append` adds a snapshot below the earlier ones, `update` keeps one row for
 * each account, found again by its id.
 */
export const fillModes = ['replace', 'append', 'update'] as const;
export type FillMode = (typeof fillModes)[number];

const takenAt = 'taken_at';
const dayMs = 86_400_000;
/** The serial number of 1970-01-01 in a sheet. */
const epochSerial = 25_569;

/** Columns that a mode needs, before the chosen ones; a row that failed is written as far as `failed_width`. */
const leading: Record<FillMode, readonly string[]> = {
  replace: ['status'],
  append: [takenAt, 'url', 'status'],
  update: ['status', takenAt, 'platform', 'account_id', 'url'],
};

/** The columns of a mode with the chosen fields, each once. */
export function fillColumns(mode: FillMode, fields: readonly string[]): string[] {
  const own = mode === 'replace' ? ['url'] : [];
  return [...new Set([...leading[mode], ...fields])].filter((column) => !own.includes(column));
}

/** The headings of these columns. */
export function headings(columns: readonly string[]): string[] {
  return columns.map((column) => (column === takenAt ? 'Taken at (UTC)' : fieldLabel(column)));
}

/** What the API is asked for: our own columns it does not have. */
export function askedFields(columns: readonly string[]): string[] {
  return [...new Set(['status', ...columns.filter((column) => column !== takenAt), 'credits_charged'])];
}

/** One row as it must be handed to `setValues`, which parses text like typing. */
export function writtenLine(columns: readonly string[], row: Row, takenAtMs: number): Cell[] {
  return columns.map((column) => {
    if (column === takenAt) return serial(takenAtMs);
    return writtenCell(row[column], dateFields.includes(column));
  });
}

/** How many cells of a row are written: an account that could not be asked keeps the values it had. */
export function lineWidth(mode: FillMode, columns: readonly string[], row: Row): number {
  return mode === 'update' && row.status !== 'OK' ? columns.indexOf(takenAt) + 1 : columns.length;
}

/** The number formats of the columns; the general one also undoes "plain text", in which an apostrophe might stay. */
export function numberFormats(columns: readonly string[]): string[] {
  return columns.map((column) => (column === takenAt || dateFields.includes(column) ? 'yyyy-mm-dd hh:mm' : 'General'));
}

/** Numbers and booleans as they are, dates as UTC serial numbers, text behind an apostrophe, unknown empty. */
function writtenCell(value: unknown, isDate: boolean): Cell {
  const timeMs = isDate && typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isFinite(timeMs)) return serial(timeMs);
  const cell = formulaCell(value);
  return typeof cell === 'string' && cell !== '' ? writtenText(cell) : cell;
}

/** A Date would be shown in the time zone of the file; its serial number in UTC is the same everywhere. */
function serial(timeMs: number): number {
  return timeMs / dayMs + epochSerial;
}
