import { dayMs } from '../durations.ts';
import { fieldLabel, formerLabel, isTimeColumn } from '../formulas/field-labels.ts';
import type { Row } from '../formulas/tables.ts';
import { type Cell, formulaCell, writtenText } from '../platform/grid.ts';
import { kindOf } from './kinds.ts';
import type { Choice } from './saved-import.ts';

/**
 * The name of the column with the time of the import run. The add-on adds this column; the server does not return it.
 */
export const takenAt = 'taken_at';
/** The number of 1970-01-01 in Google Sheets, which stores a date as the number of days since 1899-12-30. */
const epochSerial = 25_569;

/**
 * Returns the columns of the table that an import writes, without repeats: first the fields that the write mode
 * (replace, append or update) needs, then the fields that the user chose.
 */
export function tableFields({ kind, mode, target, fields }: Choice): string[] {
  const { id } = kindOf(kind);
  const update = ['status', takenAt, 'platform', id, 'url'];
  const append = kind === 'latest' ? [takenAt, 'url', 'status', id] : [takenAt, 'url', 'status'];
  const replace = target === 'beside' ? ['status'] : ['url', 'status'];
  return [...new Set([...{ replace, append, update }[mode], ...fields])];
}

const urlHeadings = [
  'link',
  'profile',
  'profile_link',
  'post',
  'post_link',
  'video',
  'video_link',
  'handle',
  'account',
];

/**
 * Returns true when a heading in the user's table means this field. The heading is the field's label, its label in an
 * earlier version, its name, or for the field `url` a common word such as "link".
 */
export function meansField(heading: string, field: string): boolean {
  const plain = plainHeading(heading);
  return (
    [field, plainHeading(fieldLabel(field)), plainHeading(formerLabel(field))].includes(plain) ||
    (field === 'url' && urlHeadings.includes(plain))
  );
}

function plainHeading(text: string): string {
  return text
    .toLowerCase()
    .replace('(utc)', '')
    .trim()
    .replace(/[\s_-]+/g, '_');
}

/** Returns the names of the fields that an import requests from the API. */
export function requestedFields(choice: Choice): string[] {
  const { id } = kindOf(choice.kind);
  return [...new Set(['status', 'url', 'platform', id, ...tableFields(choice), 'message', 'credits_charged'])].filter(
    (field) => field !== takenAt,
  );
}

/**
 * Returns the value of a field for `setValues` of Google Sheets. Texts get an apostrophe at the beginning, because
 * `setValues` would otherwise read a text as a formula, date or number.
 */
export function writtenValue(field: string, row: Row, takenAtMs: number): Cell {
  if (field === takenAt) return serialOf(takenAtMs);
  const value = row[field];
  const timeMs = isTimeColumn(field) && typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isFinite(timeMs)) return serialOf(timeMs);
  const cell = formulaCell(value);
  return typeof cell === 'string' && cell !== '' ? writtenText(cell) : cell;
}

/**
 * Returns the number format that a cell needs before a value is written. A date gets a date format. The format "Plain
 * text" is replaced, because it would make the apostrophe before a text visible. All other formats stay.
 */
export function formatFor(field: string, current: string): string {
  const isDate = isTimeColumn(field);
  if (current !== '@' && !(isDate && ['General', '0.###############'].includes(current))) return current;
  return isDate ? 'yyyy-mm-dd hh:mm' : 'General';
}

/**
 * Returns a time as a day number of Google Sheets, which shows the time in UTC. A Date object would be shown in the
 * time zone of the spreadsheet.
 */
export function serialOf(timeMs: number): number {
  return timeMs / dayMs + epochSerial;
}
