import type { ListedItem } from '../../db/deliveries/sheet-targets.ts';
import { dayMs } from '../../db/durations.ts';
import type { Observed } from '../../db/observations/observed.ts';
import { metrics } from '../../db/schema/metrics.ts';
import { beginningOf } from '../parse/text.ts';
import { reportColumns, reportRows } from '../report/csv.ts';
import type { Report } from '../report/report.ts';
import { fieldLabel, formerLabel, isTimeColumn } from '../rows/field-labels.ts';
import type { Cell } from '../rows/profile-row.ts';
import { shownQuality } from '../tracking/metrics.ts';

/** The value of a spreadsheet cell. An unknown value is an empty string. */
export type SheetCell = string | number | boolean;

export interface SheetTable {
  /** The headings of the columns, from left to right. */
  columns: string[];
  /**
   * The headings that earlier versions of Tidemark wrote into spreadsheets, one list per version. Rows are appended
   * below these headings too.
   */
  former_columns: string[][];
  rows: SheetCell[][];
  /**
   * Identifies the table. If this column of the tab already contains this value, the table was written before and is
   * not appended again.
   */
  key: { column: string; value: string };
  /** Headings of the columns with dates. Dates are written as day numbers in UTC, so these headings end in `(UTC)`. */
  date_columns: string[];
}

/** Maximum characters in a cell of Google Sheets. */
const maxCellLength = 50_000;
/** Number of days from 1899-12-30, which is day 0 of a spreadsheet, to 1970-01-01. */
const daysBeforeUnix = 25_569;

/** Converts a time (Unix ms) to the day number by which spreadsheets represent this time in UTC. */
function serialNumber(at: number): number {
  return at / dayMs + daysBeforeUnix;
}

/**
 * Returns the spreadsheet table of a final campaign report: one row per item, then the totals, with the columns of the
 * CSV. Throws when the report has no ID, because such a report is not final.
 */
export function reportTable(report: Report): SheetTable {
  if (report.report_id === null)
    throw new Error(
      `The report of campaign ${report.campaign.id} has no id, because its week has not ended. Push a finished report.`,
    );
  const key = { column: fieldLabel('report_id'), value: report.report_id };
  return { ...tableOf(reportColumns, reportRows(report)), key };
}

const listColumns = [
  ...['snapshot_id', 'snapshot_at', 'list', 'item_id', 'platform', 'kind', 'platform_id', 'name', 'url', 'status'],
  'observed_at',
  ...metrics.flatMap((metric) => [metric, `${metric}_quality`]),
  'source',
];

/**
 * Returns the spreadsheet table of a list of tracked items: one row per item with its newest numbers. The key of the
 * table contains the list and the day (UTC), so that a list is appended only once a day.
 */
export function listTable(listId: string, items: readonly ListedItem[], now: Date): SheetTable {
  const at = now.toISOString();
  const snapshotId = `${listId}/${at.slice(0, 10)}`;
  const rows = items.map((item) => [snapshotId, at, ...itemCells(item)]);
  const key = { column: fieldLabel('snapshot_id'), value: snapshotId };
  return { ...tableOf(listColumns, rows), key };
}

function itemCells(item: ListedItem): Cell[] {
  const { list_name, item_id, platform, kind, platform_id, name, url } = item;
  const status = item.identity_changed ? 'identity_changed' : item.status;
  const observed = isObserved(item) ? item : null;
  return [
    ...[list_name, item_id, platform, kind, platform_id, name, url, status],
    observed?.observed_at.toISOString() ?? null,
    ...metrics.flatMap((metric) => [item[metric], observed && shownQuality(item, observed, metric)]),
    item.source,
  ];
}

function isObserved(item: ListedItem): item is ListedItem & Observed {
  return item.observed_at !== null;
}

/** Returns a spreadsheet table with these columns. Each row needs one cell for each column. */
export function tableOf(columns: readonly string[], rows: readonly Cell[][]): Omit<SheetTable, 'key'> {
  const isDate = columns.map(isTimeColumn);
  return {
    columns: columns.map(fieldLabel),
    former_columns: [
      columns.map(formerLabel),
      columns.map((column) => (isTimeColumn(column) ? `${column} (UTC)` : column)),
    ],
    rows: rows.map((row) => row.map((cell, index) => sheetCell(cell, isDate[index] === true))),
    date_columns: columns.filter(isTimeColumn).map(fieldLabel),
  };
}

/**
 * Returns true when these cells of a spreadsheet are the header of the table, with its current headings or those of
 * earlier versions.
 */
export function isHeaderOf(
  { columns, former_columns }: Pick<SheetTable, 'columns' | 'former_columns'>,
  cells: readonly unknown[],
): boolean {
  return [columns, ...former_columns].some((names) => names.every((name, index) => cells[index] === name));
}

function sheetCell(cell: Cell, isDate: boolean): SheetCell {
  if (cell === null) return '';
  if (isDate) return serialNumber(Date.parse(String(cell)));
  return typeof cell === 'string' ? beginningOf(cell, maxCellLength) : cell;
}
