import { PushError } from './client.ts';
import { cellOf, otherTable, type Writing } from './import-writing.ts';

/** Where a run appends rows. Row numbers refer to the table in the sheet, whose header is row 0. */
interface AppendPosition {
  /** The row for the first row of the run. The number can be less than 1 when the user has deleted rows. */
  first: number;
  /** Number of rows of the run that are already written and are skipped. */
  start: number;
}

/**
 * Returns the row at which a run continues to append, even when the user has changed the table since the last call.
 * `links` are the cells in the first column of the table, and `first` is the row at which the run began. Rows that the
 * run has already written are not written again, unless the table is empty. Throws PushError when continuing could
 * overwrite other content or write rows twice.
 */
export function appendPosition(writing: Writing, links: readonly unknown[], first: number): AppendPosition {
  const { keys } = writing.table;
  const start = writing.state.written;
  if (links.length === 0) return { first: 1, start: 0 };
  const next = first + start;
  const isUnchanged = links.length >= next - 1 && hasLinks(links, first, keys.slice(0, start));
  if (!isUnchanged) return changedPosition(writing, links, first);
  // The rows below may belong to this run although they are not counted: Google's answer was lost, or an earlier
  // version of Tidemark wrote them and did not store their number.
  const below = links.slice(Math.max(0, next - 1), Math.max(0, first + keys.length - 1));
  // Google writes all rows of a request or none of them. If only a part of the first request's rows are there, an
  // earlier run wrote them.
  const isPartial = start === 0 && below.length > 0 && below.length < Math.min(keys.length, writing.limits.rows);
  if (!isPartial && hasLinks(below, 1, keys.slice(start, start + below.length))) return { first, start };
  throw isLink(below[0], keys[start]) ? sheetChanged(writing) : otherTable(writing, 'The cells below the table');
}

/** Returns the row at which a run continues to append when the user has moved or changed the rows that it wrote. */
function changedPosition({ table, state, limits, target }: Writing, links: readonly unknown[], first: number) {
  const start = state.written;
  const written = table.keys.slice(0, start);
  const request = table.keys.slice(start, start + limits.rows);
  const end = links.length;
  const below: AppendPosition = { first: end + 1 - start, start };
  if (request.length === 0) return below;
  // Links that the run has not written yet. Only these links can show whether the next request was written although its
  // answer was lost.
  const telling = linkCounts(request);
  for (const link of linkCounts(written).keys()) telling.delete(link);
  if (telling.size === 0) throw sheetChanged({ target });
  const inSheet = linkCounts(links);
  // True when the table contains links of this run more often than the run wrote them, so an earlier run wrote the same
  // links.
  const isRepeated = [...linkCounts(written)].some(([link, count]) => (inSheet.get(link) ?? 0) > count);
  const previous = written.slice(-limits.rows);
  const lost = isRepeated ? [...previous, ...request] : request;
  const lostRow = end - request.length + 1;
  if (start > 0 && lostRow >= first && hasLinks(links, end - lost.length + 1, lost))
    return { first: lostRow - start, start };
  const isInSheet = [...telling.keys()].some((link) => inSheet.has(link));
  if (!isInSheet || (isRepeated && hasLinks(links, end - previous.length + 1, previous))) return below;
  throw sheetChanged({ target });
}

const hasLinks = (links: readonly unknown[], row: number, urls: readonly string[]) =>
  urls.every((url, index) => isLink(links[row - 1 + index], url));

/**
 * Returns true when a cell contains this link. Compares only letters and digits, because Google Sheets changes some
 * other characters, such as line breaks, in the texts of links.
 */
export const isLink = (cell: unknown, url = '') => plain(String(cell ?? '')) === plain(url);
const plain = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');

/** Returns how often each link occurs. */
function linkCounts(links: readonly unknown[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const link of links) {
    const key = plain(String(link ?? ''));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function sheetChanged({ target }: Pick<Writing, 'target'>): PushError {
  const message = `The table at ${cellOf(target)} was changed while the run wrote its rows, so that it is unknown which rows are missing: delete the rows of this run, then choose Run now.`;
  return new PushError('SHEET_CHANGED', message);
}
