import { isShortLink } from '../../../pipeline/collect/short-links.ts';
import { visibleText } from '../../../pipeline/parse/addresses.ts';
import { numberText } from '../../../pipeline/quantity.ts';
import type { OwnColumns } from '../../../pipeline/rows/own-columns.ts';
import { parseProfileAddress } from '../../../pipeline/rows/profile-address.ts';
import { csvRecords, maxRecords, type TableRecord } from './csv-records.ts';

/** A list that the user pasted or uploaded: one entry per line, in the order of the lines. */
export interface SubmittedList {
  lines: string[];
  /** The first entry of the list when it is a heading instead of a link, else null. */
  heading: string | null;
  /**
   * The user's own columns: all columns of an uploaded file, one row for each entry of `lines`. Null for pasted text
   * and for a file with one column.
   */
  own: OwnColumns | null;
}

/** Decodes an uploaded file as text. Returns null when it is not text. */
export function decodeUpload(bytes: Uint8Array): string | null {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(bytes);
  return text.includes('\0') ? null : text;
}

/** Returns true for a file that is a ZIP archive, such as an Excel workbook. */
export function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/**
 * Maximum number of cells with text in a list. Searching a million cells for links would take seconds, in which no
 * other request is answered. The largest accepted list has 400 rows and 50 columns.
 */
const maxCells = 20_000;

/** Error about a list with too many rows or cells. `message` is for the user. */
export class ListTooLong extends Error {
  override readonly name = 'ListTooLong';
}

/** Reads a list from pasted text, or from a text file when `isFile` is true. Throws ListTooLong. */
export function readSubmittedText(text: string, isFile: boolean): SubmittedList {
  const records = csvRecords(text);
  if (records.length > maxRecords)
    throw new ListTooLong(
      `This list has more than ${numberText(maxRecords)} rows, including blank ones, and was not read: remove rows.`,
    );
  return readRecords(records, isFile);
}

/** Reads a list from the rows of a workbook. Throws ListTooLong. */
export function readSubmittedRows(rows: readonly string[][]): SubmittedList {
  return readRecords(
    rows.map((cells) => ({ record: null, cells })),
    true,
  );
}

/**
 * Reads one entry from each record: the first cell with a profile URL or a short link, else the cell in the column that
 * {@link linkColumn} finds, else the first cell with text. The first record of a file contains headings when its entry
 * contains no `.`, `/` or `@`. All columns of a file are kept.
 */
function readRecords(records: readonly TableRecord[], isFile: boolean): SubmittedList {
  const filled = records.reduce((sum, { cells }) => sum + cells.filter((cell) => cell !== '').length, 0);
  if (filled > maxCells)
    throw new ListTooLong(
      `The list has ${filled} cells with text: remove rows or columns, so that at most ${maxCells} are left.`,
    );
  const column = linkColumn(records);
  const lines = records.map((record) => visibleText(entryOf(record, column)).replace(/\s+/g, ' ').trim());
  const [first = ''] = lines;
  const heading = isFile && first !== '' && !/[./@]/.test(first) ? first : null;
  const own = isFile ? ownColumns(records, heading !== null) : null;
  return { lines: heading === null ? lines : ['', ...lines.slice(1)], heading, own };
}

const isKnown = (cell: string) => parseProfileAddress(cell).ok || isShortLink(cell);

function entryOf({ record, cells }: TableRecord, column: number | null): string {
  // Tries the whole pasted line as one link before its cells, because a link can contain a comma, which also separates
  // cells.
  const isSeparated = cells.filter((cell) => cell !== '').length > 1;
  if (record !== null && isSeparated && isKnown(record)) return record;
  const known = cells.find((cell) => cell !== '' && isKnown(cell));
  return known ?? ((column === null ? '' : cells[column]) || cells.find((cell) => cell !== '') || '');
}

const linkHeading = /\b(?:link|url|handle|username|user name|profile|account)s?\b/i;
/** Allows no other dot between a dot and the next slash, so that matching a long text does not take quadratic time. */
const linkLike = /^@\S|[^\s@]\.[^\s@./]+\/|^https?:/i;

/**
 * Returns the index of the column that contains the links: the column with the most profile links; without such links,
 * the column with the most texts that look like a link or a handle; without such texts, the column whose heading is a
 * word such as "link" or "URL". Null when no column matches.
 */
function linkColumn(records: readonly TableRecord[]): number | null {
  const count = (matches: (cell: string) => boolean) => {
    const counts: number[] = [];
    for (const { cells } of records) {
      for (const [n, cell] of cells.entries()) if (cell !== '' && matches(cell)) counts[n] = (counts[n] ?? 0) + 1;
    }
    const most = counts.reduce((max, found) => Math.max(max, found), 0);
    return most === 0 ? null : counts.indexOf(most);
  };
  const named = (records[0]?.cells ?? []).findIndex((cell) => linkHeading.test(cell));
  return count(isKnown) ?? count((cell) => linkLike.test(visibleText(cell))) ?? (named < 0 ? null : named);
}

/**
 * Returns all columns of an uploaded file, or null when the file has only one column. A column without a heading gets
 * its spreadsheet letter, such as C, as heading.
 */
function ownColumns(records: readonly TableRecord[], hasHeadings: boolean): OwnColumns | null {
  const rows = records.map(({ cells }) => cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1));
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width < 2) return null;
  const names = hasHeadings ? (rows[0] ?? []) : [];
  const headings = Array.from({ length: width }, (_, n) => names[n] || `Column ${columnLetter(n)}`);
  return { headings, rows: hasHeadings ? [[], ...rows.slice(1)] : rows };
}

/** Returns the letters of a column in a spreadsheet: 0 is A, 26 is AA. */
function columnLetter(n: number): string {
  return (n >= 26 ? columnLetter(Math.floor(n / 26) - 1) : '') + String.fromCharCode(65 + (n % 26));
}
