import { CsvError, type Options, parse } from 'csv-parse/sync';
import { isShareLink } from '../../../pipeline/collect/share-links.ts';
import { parseProfileAddress } from '../../../pipeline/rows/profile-address.ts';

/** A list that the user pasted or uploaded: one entry per line, in the order of the lines. */
export interface SubmittedList {
  lines: string[];
  /** The first line when it is a column heading, else null. */
  heading: string | null;
}

/** Decodes an uploaded file as text. Returns null when it is not text, such as an Excel workbook. */
export function textOf(bytes: Uint8Array): string | null {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(bytes);
  return text.includes('\0') || text.startsWith('PK') ? null : text;
}

/**
 * Reads one entry from each line. A line of a CSV file gives its first cell with a profile URL or a share link, else its first non-empty
 * cell. With `mayHaveHeading`, a first line without `.`, `/` and `@` is a heading.
 */
export function readList(text: string, mayHaveHeading: boolean): SubmittedList {
  const lines = recordsOf(text).map(({ record, cells }) => {
    const candidates = new Set([record, ...cells]);
    candidates.delete('');
    const known = [...candidates].find((cell) => parseProfileAddress(cell).ok || isShareLink(cell));
    return (known ?? cells.find((cell) => cell !== '') ?? '').replace(/\s+/g, ' ');
  });
  const [first = ''] = lines;
  const heading = mayHaveHeading && first !== '' && !/[./@]/.test(first) ? first : null;
  return { lines: heading === null ? lines : ['', ...lines.slice(1)], heading };
}

interface TableRecord {
  /** The record as the user sent it, without its line break. */
  record: string;
  cells: string[];
}

const csvOptions: Options = {
  delimiter: [',', ';', '\t'],
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  raw: true,
};

/** Splits text into CSV records with trimmed cells. Text that is not valid CSV is read line by line, so that no line is lost. */
function recordsOf(text: string): TableRecord[] {
  const valid = parseCsv(text);
  if (valid) return recordsFrom(valid);
  const lines = recordsFrom(parse(text, { ...csvOptions, quote: false }));
  return lines.map(({ record, cells }) => ({ record, cells: cells.map((cell) => cell.replace(/^"(.*)"$/, '$1')) }));
}

/** Trims the records of the CSV parser. With the option `raw`, it returns `{ raw, record }` objects, which its types do not declare. */
function recordsFrom(parsed: unknown): TableRecord[] {
  return (parsed as { raw: string; record: string[] }[]).map(({ raw, record }) => ({
    record: raw.trim(),
    cells: record.map((cell) => cell.trim()),
  }));
}

/** Returns null when the text is not valid CSV. */
function parseCsv(text: string): string[][] | null {
  try {
    return parse(text, csvOptions);
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
