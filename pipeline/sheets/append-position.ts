import { PushError } from './client.ts';
import { otherTable, type Writing } from './import-writing.ts';

/** Where a run appends. Rows are counted in the table of the sheet, whose header is row 0. */
interface AppendPosition {
  /** The row at which the first row of the run belongs. Can be below 1 when the user has deleted rows. */
  first: number;
  /** Number of rows of the run that need not be written again. */
  start: number;
}

/**
 * Returns where a run continues to append, also when the user has changed the table since the last call. `links` are
 * the cells in the first column of the table, and `first` is the row at which the run began. The rows that the run has
 * written are never written again, unless the table is empty. Throws PushError when continuing could overwrite other
 * content or write rows twice.
 */
export function appendPosition(writing: Writing, links: readonly unknown[], first: number): AppendPosition {
  const { keys } = writing.table;
  const rowsAtOnce = writing.limits.rows;
  const start = writing.state.written;
  const end = links.length;
  if (end === 0) return { first: 1, start: 0 };
  const next = first + start;
  // The rows below are of this run when an answer of Google was lost, or when an earlier version wrote them, which did
  // not store their number.
  const below = links.slice(Math.max(0, next - 1), Math.max(0, first + keys.length - 1));
  if (end >= next - 1 && below.every((link, index) => isLink(link, keys[start + index]))) return { first, start };
  const request = keys.slice(start, start + rowsAtOnce);
  const lost = end - request.length + 1;
  // A run before this one can have written the same links, but only above the first row of this run.
  if (lost >= first && hasLinks(links, lost, request)) return { first: lost - start, start };
  if (end >= next && hasLinks(links, first, keys.slice(0, start))) {
    throw isLink(links[next - 1], request[0])
      ? sheetChanged(writing)
      : otherTable(writing, 'The cells below the table');
  }
  if (!isUnwritten(writing, links, first)) throw sheetChanged(writing);
  return { first: end + 1 - start, start };
}

/** Returns true when Google has certainly not written the next request of a run whose table the user has changed. */
function isUnwritten({ table, state, limits }: Writing, links: readonly unknown[], first: number): boolean {
  const { keys } = table;
  const start = state.written;
  const rowsAtOnce = limits.rows;
  const previous = keys.slice(Math.max(0, start - rowsAtOnce), start);
  if (start > 0 && hasLinks(links, links.length - previous.length + 1, previous)) return true;
  const written = new Set(keys.slice(0, start).map(plain));
  const request = keys.slice(start, start + rowsAtOnce).map(plain);
  // A link that the run has also written before says nothing about the next request.
  const telling = new Set(request.filter((key) => !written.has(key)));
  if (request.length > 0 && telling.size === 0) return false;
  const from = start > 0 ? first - 1 : links.length - request.length;
  return !links.slice(Math.max(0, from)).some((link) => telling.has(plain(String(link ?? ''))));
}

const hasLinks = (links: readonly unknown[], row: number, urls: readonly string[]) =>
  urls.every((url, index) => isLink(links[row - 1 + index], url));

/**
 * Returns true when a cell has this link. Compares only letters and digits, because a cell can have any text of the
 * user instead of a link, and Google Sheets changes some other characters, such as line breaks.
 */
export const isLink = (cell: unknown, url = '') => plain(String(cell ?? '')) === plain(url);
const plain = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');

function sheetChanged({ target }: Writing): PushError {
  const cell = `${target.target_sheet}!${target.target_cell}`;
  const message = `The table at ${cell} was changed while the run wrote its rows, so that it is unknown which rows are missing: choose Run now.`;
  return new PushError('SHEET_CHANGED', message);
}
