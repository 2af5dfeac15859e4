import { type Report, reportTable } from '../formulas/report-tables.ts';
import { asObject } from '../platform/client.ts';
import { type Cell, writtenText } from '../platform/grid.ts';
import { qualityLegend } from './legend.ts';
import { type ChartPlan, seriesTables } from './series.ts';

const dayMs = 86_400_000;
/** Number of days from 1899-12-30, the first day that spreadsheets count, to 1970-01-01. */
const daysBeforeUnix = 25_569;
const timeFormat = 'yyyy-mm-dd hh:mm';
const dayFormat = 'yyyy-mm-dd';
/** Number of rows that a chart covers: its height of 300 px and a margin, with rows of 21 px. */
const chartRows = 16;

/** The first words in the last row of every report. The add-on finds the end of the report by them after users insert or delete rows. */
export const endMark = 'End of the report.';

/** A table with its title, headings and rows. One `setValues` writes it at `row` in column 1. */
export type SheetTable = { row: number; cells: Cell[][]; formats: string[][]; heading_row: number | null };

/** A chart with the columns that it shows: the days, then the values, with headings. `index`: 0 for the leftmost chart in its row. */
export type SheetChart = {
  key: string;
  title: string;
  row: number;
  index: number;
  first_row: number;
  rows: number;
  columns: { first: number; count: number }[];
};

export type ReportLayout = { tables: SheetTable[]; charts: SheetChart[]; rows: number; columns: number };

type Section = { title: string; columns: readonly string[] | null; rows: unknown[][]; charts?: ChartPlan[] };

/** Places the parts of a report: the tables below each other, and the charts between the first table and the second. */
export function arrangeReport(report: Report): ReportLayout {
  const series = seriesTables(report);
  const steps = [...new Set(series.flatMap(({ charts }) => charts.map(({ step }) => step)))];
  const bandRows = steps.length * chartRows;
  const sections: Section[] = [
    headSection(report),
    totalsSection(report),
    ratesSection(report),
    notesSection(report),
    { title: 'What the quality means', columns: ['quality', 'meaning'], rows: qualityLegend },
    { title: 'Items', ...reportTable('items', report) },
    ...series,
  ].filter(({ rows }) => rows.length > 0);
  const tables: SheetTable[] = [];
  const charts: SheetChart[] = [];
  let row = 1;
  let bandRow = 1;
  for (const [index, section] of sections.entries()) {
    const table = tableOf(section, row);
    tables.push(table);
    for (const plan of section.charts ?? []) {
      charts.push(chartOf(plan, table, bandRow + steps.indexOf(plan.step) * chartRows));
    }
    row += table.cells.length + 1;
    if (index > 0) continue;
    bandRow = row;
    row += bandRows;
  }
  const columns = Math.max(...tables.map(({ cells }) => cells[0]?.length ?? 0));
  tables.push(endTable(row, columns));
  return { tables, charts, rows: row, columns };
}

function headSection(report: Report): Section {
  const { columns, rows } = reportTable('coverage', report);
  const name = asObject(report.campaign)?.name;
  return {
    title: `Campaign report: ${String(name ?? '')}`,
    columns: null,
    rows: columns.map((column, index) => [column, cellValue(column, rows[0]?.[index])]),
  };
}

function totalsSection(report: Report): Section {
  const { columns, rows } = reportTable('totals', report);
  const platforms = objects(report.by_platform).flatMap((of) =>
    reportTable('totals', of).rows.map((row) => [of.platform, ...row]),
  );
  return {
    title: 'Totals',
    columns: ['platform', ...columns],
    rows: [...rows.map((row) => ['all', ...row]), ...platforms],
  };
}

function ratesSection(report: Report): Section {
  const rates = objects(report.by_platform).flatMap(({ platform, rates }) =>
    objects(rates).map((rate) => [platform, rate.name, rate.percent, rate.items, rate.items_missing, rate.formula]),
  );
  return {
    title: 'Engagement rates',
    columns: ['platform', 'rate', 'percent', 'items', 'items_missing', 'formula'],
    rows: rates,
  };
}

function notesSection(report: Report): Section {
  return { title: 'Notes', ...reportTable('notes', report) };
}

/** Returns a table whose rows all have the same number of cells, because `setValues` requires that. */
function tableOf({ title, columns, rows }: Section, row: number): SheetTable {
  const body = rows.map((values) => values.map((value, index) => cellValue(columns?.[index] ?? '', value)));
  const values = [[title], ...(columns === null ? [] : [columns]), ...body];
  const width = Math.max(...values.map((cells) => cells.length));
  const padded = values.map((cells) => Array.from({ length: width }, (_, index) => cells[index] ?? ''));
  return {
    row,
    cells: padded.map((cells) => cells.map(sheetCell)),
    formats: padded.map((cells) => cells.map((value, index) => formatOf(value, columns?.[index] ?? ''))),
    heading_row: columns === null ? null : row + 1,
  };
}

function endTable(row: number, columns: number): SheetTable {
  const sentence =
    `${endMark} A refresh replaces everything above this line, in ${columns} columns. ` +
    'Anything you write below this line or to the right stays, and moves when the report grows.';
  return { row, cells: [[sheetCell(sentence)]], formats: [['General']], heading_row: null };
}

function chartOf({ key, title, index, columns }: ChartPlan, table: SheetTable, row: number): SheetChart {
  return { key, title, row, index, first_row: table.row + 1, rows: table.cells.length - 1, columns };
}

/** A time in the form of a cell: its day number, with a fraction for the time of day, and its number format. */
type SheetTime = { day_number: number; format: string };

/** Returns the time for a value in a column whose heading ends with "(UTC)"; any other value unchanged. */
function cellValue(column: string, value: unknown): unknown {
  if (!column.endsWith('(UTC)') || typeof value !== 'string') return value;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return value;
  const time: SheetTime = {
    day_number: at / dayMs + daysBeforeUnix,
    format: value.length === dayFormat.length ? dayFormat : timeFormat,
  };
  return time;
}

function isSheetTime(value: unknown): value is SheetTime {
  return typeof asObject(value)?.day_number === 'number';
}

/**
 * Returns the value of a cell: numbers and booleans unchanged, an unknown value as "", anything else as text that Sheets
 * does not interpret.
 */
function sheetCell(value: unknown): Cell {
  if (value === null || value === undefined || value === '') return '';
  if (isSheetTime(value)) return value.day_number;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return writtenText(typeof value === 'string' ? value : JSON.stringify(value));
}

function formatOf(value: unknown, column: string): string {
  if (isSheetTime(value)) return value.format;
  if (typeof value !== 'number') return 'General';
  return column.endsWith('percent') ? '0.00' : '#,##0';
}

function objects(value: unknown): Report[] {
  return Array.isArray(value) ? value.map((item: unknown) => asObject(item) ?? {}) : [];
}
