import type { CellValue, ColumnDef } from 'hucre/xlsx';
import { dayMs } from '../../db/durations.ts';

/** A cell of an Excel table. A Date is a time in UTC, and null is an empty cell. */
export type TableCell = string | number | boolean | Date | null;

interface XlsxTable {
  /** Name of the sheet in the Excel workbook. */
  name: string;
  headings: readonly string[];
  rows: readonly (readonly TableCell[])[];
  /** Rows below `rows`, which are read while the client reads the workbook. */
  more?: AsyncIterable<readonly (readonly TableCell[])[]>;
  /** For each column, whether it contains times. Default: detected from `rows`. */
  time_columns?: readonly boolean[];
}

/** Maximum number of characters in a cell. Excel cannot open a file that has a cell with a longer text. */
const maxCellCharacters = 32_767;
const maxSheetNameCharacters = 31;
const timeFormat = 'yyyy-mm-dd hh:mm:ss';
const dayFormat = 'yyyy-mm-dd';
const minWidth = 8;
const maxWidth = 50;
/** Number of rows, from the top, that are measured to choose the width of a column. */
const measuredRows = 100;
/**
 * The first day that Excel shows correctly. Excel has no dates before 1900, and shows wrong days in January and
 * February 1900.
 */
const firstDay = Date.UTC(1900, 2, 1);

/**
 * Returns an Excel workbook with one sheet as a stream. Rows are converted while the client reads the stream. Times
 * become dates in UTC. Texts stay texts even when they look like a number or a formula. The header row is bold and
 * frozen.
 */
export function xlsxOf({ name, headings, rows, more, time_columns }: XlsxTable): ReadableStream<Uint8Array> {
  let inHeader = true;
  function* lines(): Generator<CellValue[]> {
    yield headings.map(cellOf);
    inHeader = false;
    for (const row of rows) yield row.map(cellOf);
  }
  async function* allLines(): AsyncGenerator<CellValue[]> {
    yield* lines();
    for await (const part of more ?? []) for (const row of part) yield row.map(cellOf);
  }
  const columns = headings.map((heading, index): ColumnDef => {
    const body = time_columns?.[index] ? { numFmt: timeFormat } : bodyStyle(rows, index);
    return {
      width: widthOf(heading, rows, index),
      // A getter makes only the header row bold: the library reads the style before each cell that it writes, and
      // offers no other way.
      get style() {
        return inHeader ? { font: { bold: true } } : body;
      },
    };
  });
  // Loads the Excel library only when a workbook is written, because the library needs 2 MB of memory.
  async function* parts() {
    const { writeXlsxStream } = await import('hucre/xlsx');
    yield* writeXlsxStream(more ? allLines() : lines(), { name: sheetName(name), columns, freezePane: { rows: 1 } });
  }
  return ReadableStream.from(parts());
}

/**
 * Returns the number format of the cells below a heading. If all times of a column are midnight, the column shows dates
 * without a time.
 */
function bodyStyle(rows: XlsxTable['rows'], index: number): { numFmt?: string } {
  const times = rows.map((row) => row[index]).filter((cell) => cell instanceof Date);
  if (times.length === 0) return {};
  return { numFmt: times.every((at) => at.getTime() % dayMs === 0) ? dayFormat : timeFormat };
}

function cellOf(value: TableCell): CellValue {
  if (value instanceof Date) return value.getTime() < firstDay ? value.toISOString() : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return value;
  return withoutControls(value).slice(0, maxCellCharacters).toWellFormed() || null;
}

/** Removes the control characters that XML, the format of Excel files, does not allow. */
function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\ufffe\uffff]/gu, (character) => (/[\t\n\r]/.test(character) ? character : ''));
}

function widthOf(heading: string, rows: XlsxTable['rows'], index: number): number {
  const lengths = rows.slice(0, measuredRows).map((row) => lengthOf(row[index] ?? null));
  return Math.min(maxWidth, Math.max(minWidth, heading.length, ...lengths) + 2);
}

function lengthOf(cell: TableCell): number {
  return cell instanceof Date ? timeFormat.length : String(cell ?? '').length;
}

/** Converts a text to a sheet name that Excel accepts. */
function sheetName(name: string): string {
  const allowed = withoutControls(name).replace(/[\\/?*[\]:\s]+/g, ' ');
  const trimmed = allowed
    .slice(0, maxSheetNameCharacters)
    .toWellFormed()
    .replace(/^[' ]+|[' ]+$/g, '');
  return trimmed === '' || /^history$/i.test(trimmed) ? 'Data' : trimmed;
}
