import { type Report, reportTable } from '../formulas/report-tables.ts';
import { asObject } from '../platform/client.ts';
import { type Cell, writtenText } from '../platform/grid.ts';
import { qualityLegend } from './legend.ts';
import { type ChartPlan, seriesTables } from './series.ts';

const dayMs = 86_400_000;
/** Days from 1899-12-30, where spreadsheets begin to count, to 1970-01-01. */
const daysBeforeUnix = 25_569;
const momentFormat = 'yyyy-mm-dd hh:mm';
const dayFormat = 'yyyy-mm-dd';
/** A chart of 300 px and some air, in rows of 21 px. */
const chartRows = 16;

/** What the last row of every report begins with: the sheet is known again by it when rows were put in or taken out. */
export const endMark = 'End of the report.';

/** A table of the sheet: its title, its headings and its rows, ready for one `setValues` at `row` in column 1. */
export type SheetTable = { row: number; cells: Cell[][]; formats: string[][]; heading_row: number | null };

/** A chart with the areas that it shows: its moments, then its values, headings included. */
export type SheetChart = {
  key: string;
  title: string;
  row: number;
  place: number;
  first_row: number;
  rows: number;
  columns: { first: number; count: number }[];
};

export type ReportLayout = { tables: SheetTable[]; charts: SheetChart[]; rows: number; columns: number };

type Section = { title: string; columns: readonly string[] | null; rows: unknown[][]; charts?: ChartPlan[] };

/** Where everything of a report stands: tables below each other, charts in a band of their own below the first. */
export function layOut(report: Report): ReportLayout {
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

/** One table with every row as wide as the widest, as `setValues` wants it. */
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
    `${endMark} A refresh writes everything above anew, in its ${columns} columns. ` +
    'What you put below this line or to the right stays, and moves when the report grows.';
  return { row, cells: [[sheetCell(sentence)]], formats: [['General']], heading_row: null };
}

function chartOf({ key, title, place, columns }: ChartPlan, table: SheetTable, row: number): SheetChart {
  return { key, title, row, place, first_row: table.row + 1, rows: table.cells.length - 1, columns };
}

/** A moment on its way into a cell. */
type Moment = { day_number: number; format: string };

/** What the heading calls a moment in UTC becomes one; anything else stays. */
function cellValue(column: string, value: unknown): unknown {
  if (!column.endsWith('(UTC)') || typeof value !== 'string') return value;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return value;
  const moment: Moment = {
    day_number: at / dayMs + daysBeforeUnix,
    format: value.length === dayFormat.length ? dayFormat : momentFormat,
  };
  return moment;
}

function isMoment(value: unknown): value is Moment {
  return typeof asObject(value)?.day_number === 'number';
}

/** Numbers and truths as they are, unknown as an empty cell, all else as text that nothing parses. */
function sheetCell(value: unknown): Cell {
  if (value === null || value === undefined || value === '') return '';
  if (isMoment(value)) return value.day_number;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return writtenText(typeof value === 'string' ? value : JSON.stringify(value));
}

function formatOf(value: unknown, column: string): string {
  if (isMoment(value)) return value.format;
  if (typeof value !== 'number') return 'General';
  return column.endsWith('percent') ? '0.00' : '#,##0';
}

function objects(value: unknown): Report[] {
  return Array.isArray(value) ? value.map((one: unknown) => asObject(one) ?? {}) : [];
}
