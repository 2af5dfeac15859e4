import { isShortLink } from '../../../pipeline/collect/short-links.ts';
import { visibleText } from '../../../pipeline/parse/addresses.ts';
import { numberText } from '../../../pipeline/quantity.ts';
import type { OwnColumns } from '../../../pipeline/rows/own-columns.ts';
import { hasHandleSign, parseProfileAddress } from '../../../pipeline/rows/profile-address.ts';
import { csvFileRecords, csvRecords, maxRecords, type TableRecord } from './csv-records.ts';

/** A list that the user pasted or uploaded: one entry per line, in the order of the lines. */
export interface SubmittedList {
  lines: string[];
  /** The entry of the line with the headings. Null when the list has no headings. */
  heading: string | null;
  /** The number of the line with the headings, which is not used, like the title above it. 0 without headings. */
  heading_line: number;
  /**
   * Indexes of the lines of rows whose cell in the column of links is empty. Such an entry is another cell of the row,
   * by which the user recognizes the row, and never a handle.
   */
  without_link: ReadonlySet<number>;
  /**
   * The user's own columns: all columns of an uploaded file, one row for each entry of `lines`. Null for pasted text
   * and for a file with one column.
   */
  own: OwnColumns | null;
}

/**
 * Decodes an uploaded file as text. A file that is not UTF-8 is read as windows-1252, in which Excel saves CSV files on
 * Windows in Western Europe and America. Returns null when the file is not text.
 */
export function decodeUpload(bytes: Uint8Array): string | null {
  const text = decode(bytes);
  return text.includes('\0') ? null : text;
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
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
  const records = isFile ? csvFileRecords(text, isKnown) : csvRecords(text);
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
 * {@link linkColumn} finds, else the first cell with text. The headings of a file are in its first record, or below its
 * title, when the entry of this record contains no `.`, `/` or `@`. All columns of a file are kept.
 */
function readRecords(records: readonly TableRecord[], isFile: boolean): SubmittedList {
  const filled = records.reduce((sum, { cells }) => sum + filledCells(cells), 0);
  if (filled > maxCells)
    throw new ListTooLong(
      `The list has ${filled} cells with text: remove rows or columns, so that at most ${maxCells} are left.`,
    );
  const top = isFile ? titleRows(records) : 0;
  const column = linkColumn(records, top);
  const entries = records.map((record) => entryOf(record, column));
  const lines = entries.map(({ text }) => visibleText(text).replace(/\s+/g, ' ').trim());
  const first = lines[top] ?? '';
  const heading = isFile && first !== '' && hasNoLink(first) ? first : null;
  const headingLine = heading === null ? 0 : top + 1;
  return {
    lines: lines.map((line, index) => (index < headingLine ? '' : line)),
    heading,
    heading_line: headingLine,
    without_link: new Set(entries.flatMap(({ is_other }, index) => (is_other && index >= headingLine ? index : []))),
    own: isFile ? ownColumns(records, headingLine) : null,
  };
}

const filledCells = (cells: readonly string[]) => cells.filter((cell) => cell !== '').length;
/** Returns true for a text that is no link and no handle with an @, such as a heading. */
const hasNoLink = (text: string) => !/[./@]/.test(text) && !hasHandleSign(text);

/**
 * Returns the number of rows above the headings of a table: a title and blank rows. Returns 0 when the rows are not a
 * table, that is, when most of them have only one cell with text.
 */
function titleRows(records: readonly TableRecord[]): number {
  const counts = records.map(({ cells }) => filledCells(cells));
  const table = counts.filter((count) => count > 1).length;
  if (table * 2 <= counts.filter((count) => count > 0).length) return 0;
  const top = counts.findIndex((count) => count > 1);
  const above = records.slice(0, top + 1).flatMap(({ cells }) => cells);
  return above.some((cell) => isKnown(cell) || isLinkLike(cell)) ? 0 : top;
}

const isKnown = (cell: string) => parseProfileAddress(cell).ok || isShortLink(cell);
/**
 * Headings of a column with links or handles, the surest first: the name of a platform, then words such as "link" in
 * the languages of `not-links.ts`.
 */
const linkHeadings = [
  /^(?:instagram|insta|ig|tiktok|youtube|yt|インスタグラム)(?:[\s:_-]*(?:name|handle|link|url|account|user ?name|profile?))?$/i,
  /\b(?:link|url|handle|username|user name|profile|account)s?\b/i,
  /\b(?:perfil|profil|profilo|profiel|usuario|utilisateur|utente|utilizador|(?:be)?nutzer(?:name)?|gebruiker(?:snaam)?)\b/i,
  /\b(?:konto|kanal|canal|cuenta|conta|compte|canale|kanaal|hesap|akun|enlace|lien|collegamento|tautan|pseudo)\b/i,
  /アカウント|プロフィール|ユーザー|リンク|チャンネル/,
];
/** Allows no other dot between a dot and the next slash, so that matching a long text does not take quadratic time. */
const linkPart = /[^\s@]\.[^\s@./]+\/|^https?:/i;
const isLinkLike = (cell: string) => hasHandleSign(cell) || linkPart.test(visibleText(cell));

/**
 * Returns the entry of a record. `is_other` is true when the cell in the column of links is empty, so that the entry is
 * another cell.
 */
function entryOf({ record, cells }: TableRecord, column: number | null): { text: string; is_other: boolean } {
  // Tries the whole pasted line as one link before its cells, because a link can contain a comma, which also separates
  // cells.
  if (record !== null && filledCells(cells) > 1 && isKnown(record)) return { text: record, is_other: false };
  const known = cells.find((cell) => cell !== '' && isKnown(cell)) ?? (column === null ? '' : cells[column]);
  if (known) return { text: known, is_other: false };
  const text = cells.find((cell) => cell !== '') ?? '';
  return { text, is_other: column !== null && text !== '' };
}

/**
 * Returns the index of the column that contains the links: the column with the most profile links; without such links,
 * the column with the most texts that look like a link or a handle; without such texts, the column whose heading is a
 * word such as "link" or "URL". The headings are in the record with the index `top`. Null when no column matches.
 */
function linkColumn(records: readonly TableRecord[], top: number): number | null {
  const count = (matches: (cell: string) => boolean) => {
    const counts: number[] = [];
    for (const { cells } of records) {
      for (const [n, cell] of cells.entries()) if (cell !== '' && matches(cell)) counts[n] = (counts[n] ?? 0) + 1;
    }
    const most = counts.reduce((max, found) => Math.max(max, found), 0);
    return most === 0 ? null : counts.indexOf(most);
  };
  const headings = records[top]?.cells ?? [];
  const named =
    linkHeadings.map((pattern) => headings.findIndex((cell) => pattern.test(cell))).find((n) => n >= 0) ?? null;
  return count(isKnown) ?? count(isLinkLike) ?? named;
}

/**
 * Returns all columns of an uploaded file, or null when the file has only one column. A column without a heading gets
 * its spreadsheet letter, such as C, as heading.
 */
function ownColumns(records: readonly TableRecord[], headingLine: number): OwnColumns | null {
  const rows = records.map(({ cells }) => cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1));
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width < 2) return null;
  const names = rows[headingLine - 1] ?? [];
  const headings = Array.from({ length: width }, (_, n) => names[n] || `Column ${columnLetter(n)}`);
  return { headings, rows: rows.map((row, index) => (index < headingLine ? [] : row)) };
}

/** Returns the letters of a column in a spreadsheet: 0 is A, 26 is AA. */
function columnLetter(n: number): string {
  return (n >= 26 ? columnLetter(Math.floor(n / 26) - 1) : '') + String.fromCharCode(65 + (n % 26));
}
