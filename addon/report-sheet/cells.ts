import { dayMs } from '../durations.ts';
import { type Cell, writtenText } from '../platform/grid.ts';

/** Number of days from 1899-12-30, which is day 0 in Google Sheets, to 1970-01-01. */
const daysBeforeUnix = 25_569;

/**
 * The number format of each kind of column in a report sheet. `share` and `growth` are percentages: the report of the
 * server has 8.33 for 8.33 %, the cell has 0.0833. `day` and `time` are Unix ms in the report. Google Sheets shows the
 * separators of the spreadsheet's locale.
 */
const numberFormats = {
  text: 'General',
  count: '#,##0',
  change: '[Color10]+#,##0;[Red]-#,##0;0',
  share: '0.0%',
  growth: '[Color10]+0.0%;[Red]-0.0%;0.0%',
  day: 'yyyy-mm-dd',
  time: 'yyyy-mm-dd hh:mm',
} as const;

type ColumnKind = keyof typeof numberFormats;
export type Column = { heading: string; kind: ColumnKind };

export function numberFormat(kind: ColumnKind): string {
  return numberFormats[kind];
}

/**
 * Returns a value of a report as `setValues` of Google Sheets needs it. An unknown value becomes an empty cell. A text
 * gets an apostrophe, so that Google Sheets does not read the text as a formula, date or number.
 */
export function sheetCell(kind: ColumnKind, value: unknown): Cell {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'number') return writtenText(typeof value === 'string' ? value : JSON.stringify(value));
  if (kind === 'day' || kind === 'time') return value / dayMs + daysBeforeUnix;
  return kind === 'share' || kind === 'growth' ? value / 100 : value;
}
