import type { Observed } from '../../db/campaigns/reports.ts';
import type { ListedItem } from '../../db/deliveries/sheet-targets.ts';
import { metrics } from '../../db/schema/metrics.ts';
import { type Cell, reportColumns, reportRows } from '../report/csv.ts';
import type { Report } from '../report/report.ts';
import { qualityOf } from '../tracking/metrics.ts';

/** The value of a spreadsheet cell. An unknown value is an empty string. */
export type SheetCell = string | number | boolean;

export interface SheetTable {
  columns: string[];
  rows: SheetCell[][];
  /** Identifies the table. A tab that has this value in this column already contains the table. */
  key: { column: string; value: string };
  /** Columns with dates. They are stored as day numbers in UTC, so their headers end in `(UTC)`. */
  date_columns: string[];
}

/** Maximum characters in a cell of Google Sheets. */
const maxCellLength = 50_000;
const dayMs = 86_400_000;
/** Number of days from 1899-12-30, which is day 0 of a spreadsheet, to 1970-01-01. */
const daysBeforeUnix = 25_569;
const reportDates: ReadonlySet<string> = new Set([
  'period_start',
  'period_end',
  'first_observed_at',
  'last_observed_at',
]);

/** Converts a time (Unix ms) to the day number that a spreadsheet shows as this time in UTC. */
export function serialNumber(at: number): number {
  return at / dayMs + daysBeforeUnix;
}

/**
 * Returns the table of a final report: one row per item, then the totals, with the columns of the CSV. Throws when the report
 * has no ID, because then it is not final.
 */
export function reportTable(report: Report): SheetTable {
  if (report.report_id === null)
    throw new Error('a report of a week that has not ended cannot be pushed: it has no id');
  const key = { column: 'report_id', value: report.report_id };
  return { ...tableOf({ columns: reportColumns, rows: reportRows(report), dates: reportDates }), key };
}

const listColumns = [
  ...['snapshot_id', 'snapshot_at', 'list', 'item_id', 'platform', 'kind', 'platform_id', 'name', 'url', 'status'],
  'observed_at',
  ...metrics.flatMap((metric) => [metric, `${metric}_quality`]),
  'source',
];
const listDates: ReadonlySet<string> = new Set(['snapshot_at', 'observed_at']);

/**
 * Returns the table of a list: one row per item with its latest observation. Its key is the list and the day (UTC), so that a
 * list is appended only once a day.
 */
export function listTable(listId: string, items: readonly ListedItem[], now: Date): SheetTable {
  const at = now.toISOString();
  const snapshotId = `${listId}/${at.slice(0, 10)}`;
  const rows = items.map((item) => [snapshotId, at, ...itemCells(item)]);
  const key = { column: 'snapshot_id', value: snapshotId };
  return { ...tableOf({ columns: listColumns, rows, dates: listDates }), key };
}

function itemCells(item: ListedItem): Cell[] {
  const { list_name, item_id, platform, kind, platform_id, name, url } = item;
  const status = item.identity_changed ? 'identity_changed' : item.status;
  const observed = isObserved(item) ? item : null;
  return [
    ...[list_name, item_id, platform, kind, platform_id, name, url, status],
    observed?.observed_at.toISOString() ?? null,
    ...metrics.flatMap((metric) => [item[metric], observed && qualityOf(observed, metric)]),
    item.source,
  ];
}

function isObserved(item: ListedItem): item is ListedItem & Observed {
  return item.observed_at !== null;
}

const rowDates: ReadonlySet<string> = new Set(['published_at', 'created_at_platform', 'retrieved_at']);

/** Returns the table of a sheet import: these columns of its rows. */
export function importTable(columns: readonly string[], rows: readonly Cell[][]): Omit<SheetTable, 'key'> {
  return tableOf({ columns, rows, dates: rowDates });
}

interface PlainTable {
  columns: readonly string[];
  rows: readonly Cell[][];
  dates: ReadonlySet<string>;
}

function tableOf({ columns, rows, dates }: PlainTable): Omit<SheetTable, 'key'> {
  const header = columns.map((column) => (dates.has(column) ? `${column} (UTC)` : column));
  const isDate = columns.map((column) => dates.has(column));
  return {
    columns: header,
    rows: rows.map((row) => row.map((cell, index) => sheetCell(cell, isDate[index] === true))),
    date_columns: header.filter((_, index) => isDate[index]),
  };
}

function sheetCell(cell: Cell, isDate: boolean): SheetCell {
  if (cell === null) return '';
  if (isDate) return serialNumber(Date.parse(String(cell)));
  return typeof cell === 'string' ? cell.slice(0, maxCellLength) : cell;
}
