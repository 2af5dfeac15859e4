import { parseProfileAddress } from '../../pipeline/profile-address.ts';

/** A pasted or uploaded list: one entry per line, in the order of the lines. */
export interface SubmittedList {
  lines: string[];
  /** The first line, when it is a heading and not an address. */
  heading: string | null;
}

/** Decodes an uploaded file. Returns null when it is not text, such as an Excel workbook. */
export function textOf(bytes: Uint8Array): string | null {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(bytes);
  return text.includes('\0') || text.startsWith('PK') ? null : text;
}

/**
 * Reads one address from each line. A line of a CSV file gives its first cell with a profile address, else its first
 * non-empty cell. With `mayHaveHeading`, a first line without an address is a heading.
 */
export function readList(text: string, mayHaveHeading: boolean): SubmittedList {
  const lines = recordsOf(text).map(({ record, cells }) => {
    const known = [record, ...cells].find((cell) => parseProfileAddress(cell).ok);
    return (known ?? cells.find((cell) => cell !== '') ?? '').replace(/\s+/g, ' ');
  });
  const [first = ''] = lines;
  const heading = mayHaveHeading && first !== '' && !/[./@]/.test(first) ? first : null;
  return { lines: heading === null ? lines : ['', ...lines.slice(1)], heading };
}

/** A quoted cell, which may contain separators, or a plain one; then the separator or line end. */
const cell = /(?:"((?:[^"]|"")*)"|([^,;\t\r\n]*))(\r\n|[,;\t\r\n]|$)/y;
/** The rest of a line that the cell pattern cannot read, such as a quote that is never closed. */
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
