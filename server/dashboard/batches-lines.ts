import { parseProfileAddress } from '../../pipeline/profile-address.ts';
import { isShareLink } from '../../pipeline/share-links.ts';

/** A list as somebody pasted or uploaded it: one entry a line, in the order and with the numbers of the lines. */
export interface SentList {
  lines: string[];
  /** The first line, when it was taken for a heading and left out. */
  heading: string | null;
}

/** The bytes of an uploaded text as text; null when it is none, such as a workbook. */
export function textOf(bytes: Uint8Array): string | null {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(bytes);
  return text.includes('\0') || text.startsWith('PK') ? null : text;
}

/**
 * Reads one address a line. A line of a table gives its first cell that names a profile or is a share link, else its first cell, so that a
 * CSV file may be sent as it is. With `headed` a first line without any address is a heading.
 */
export function readList(text: string, headed: boolean): SentList {
  const lines = recordsOf(text).map(({ record, cells }) => {
    const known = [record, ...cells].find((cell) => parseProfileAddress(cell).ok || isShareLink(cell));
    return (known ?? cells.find((cell) => cell !== '') ?? '').replace(/\s+/g, ' ');
  });
  const [first = ''] = lines;
  const heading = headed && first !== '' && !/[./@]/.test(first) ? first : null;
  return { lines: heading === null ? lines : ['', ...lines.slice(1)], heading };
}

/** A cell with quotes, which may hold separators, or one without; and what ends it. */
const cell = /(?:"((?:[^"]|"")*)"|([^,;\t\r\n]*))(\r\n|[,;\t\r\n]|$)/y;
/** What the cell pattern cannot read, as a quote that is never closed, is taken as it is. */
const rest = /([^\r\n]*)(\r\n|[\r\n]|$)/y;

interface TableRecord {
  record: string;
  cells: string[];
}

function recordsOf(text: string): TableRecord[] {
  const records: TableRecord[] = [];
  let cells: string[] = [];
  let start = 0;
  let at = 0;
  while (at < text.length) {
    const { value, end, next } = cellAt(text, at);
    cells.push(value.trim());
    at = next;
    if (/^[,;\t]/.test(end)) continue;
    records.push({ record: text.slice(start, next - end.length).trim(), cells });
    cells = [];
    start = next;
  }
  if (cells.length > 0) records.push({ record: text.slice(start).trim(), cells });
  return records;
}

function cellAt(text: string, at: number): { value: string; end: string; next: number } {
  cell.lastIndex = at;
  const found = cell.exec(text);
  if (found) {
    const [whole, quoted, plain = '', end = ''] = found;
    return { value: quoted?.replaceAll('""', '"') ?? plain, end, next: at + whole.length };
  }
  rest.lastIndex = at;
  const [whole = '', value = '', end = ''] = rest.exec(text) ?? [];
  return { value, end, next: at + whole.length };
}
