import { fieldLabel, isTimeColumn } from '../formulas/field-labels.ts';
import type { Row } from '../formulas/tables.ts';
import { type Cell, formulaCell, writtenText } from '../platform/grid.ts';
import { kindOf } from './kinds.ts';
import type { Choice } from './saved-import.ts';

/** The field with the time of the run, which the add-on adds. */
export const takenAt = 'taken_at';
const dayMs = 86_400_000;
/** Day number of 1970-01-01 in Google Sheets, which counts days since 1899-12-30. */
const epochSerial = 25_569;

/** Returns all fields of the table, without repeats: first the fields that the mode needs, then the chosen fields. */
export function tableFields({ kind, mode, target, fields }: Choice): string[] {
  const { id } = kindOf(kind);
  const update = ['status', takenAt, 'platform', id, 'url'];
  const append = kind === 'latest' ? [takenAt, 'url', 'status', id] : [takenAt, 'url', 'status'];
  const replace = target === 'beside' ? ['status'] : ['url', 'status'];
  return [...new Set([...{ replace, append, update }[mode], ...fields])];
}

export function headingOf(field: string): string {
  return fieldLabel(field);
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

/** Returns true when a heading of a user's table means this field: the field's label, its name, or for URLs a common word such as "link". */
export function meansField(heading: string, field: string): boolean {
  const plain = plainHeading(heading);
  return (
    plain === field || plain === plainHeading(headingOf(field)) || (field === 'url' && urlHeadings.includes(plain))
  );
}

function plainHeading(text: string): string {
  return text
    .toLowerCase()
    .replace('(utc)', '')
    .trim()
    .replace(/[\s_-]+/g, '_');
}

/** Returns the fields to request from the API. */
export function requestedFields(choice: Choice): string[] {
  const { id } = kindOf(choice.kind);
  return [...new Set(['status', 'url', 'platform', id, ...tableFields(choice), 'message', 'credits_charged'])].filter(
    (field) => field !== takenAt,
  );
}

/** Returns the value of a field in the form that `setValues` needs, which treats text as if a user had typed it. */
export function writtenValue(field: string, row: Row, takenAtMs: number): Cell {
  if (field === takenAt) return serialOf(takenAtMs);
  const value = row[field];
  const timeMs = isTimeColumn(field) && typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isFinite(timeMs)) return serialOf(timeMs);
  const cell = formulaCell(value);
  return typeof cell === 'string' && cell !== '' ? writtenText(cell) : cell;
}

/** Returns the number format for a cell. A date needs a date format. "Plain text" is replaced, because it would show the apostrophe before a text. Other formats stay. */
export function formatFor(field: string, current: string): string {
  const isDate = isTimeColumn(field);
  if (current !== '@' && !(isDate && ['General', '0.###############'].includes(current))) return current;
  return isDate ? 'yyyy-mm-dd hh:mm' : 'General';
}

/** Returns the day number of a time in UTC. A Date object would be shown in the time zone of the file. */
export function serialOf(timeMs: number): number {
  return timeMs / dayMs + epochSerial;
}
