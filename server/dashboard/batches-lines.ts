import { CsvError, type Options, parse } from 'csv-parse/sync';
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
    const candidates = new Set([record, ...cells]);
    candidates.delete('');
    const known = [...candidates].find((cell) => parseProfileAddress(cell).ok || isShareLink(cell));
    return (known ?? cells.find((cell) => cell !== '') ?? '').replace(/\s+/g, ' ');
  });
  const [first = ''] = lines;
  const heading = headed && first !== '' && !/[./@]/.test(first) ? first : null;
  return { lines: heading === null ? lines : ['', ...lines.slice(1)], heading };
}

interface TableRecord {
  /** The record as it was sent, without its line break. */
  record: string;
  cells: string[];
}

const csv_options: Options = {
  delimiter: [',', ';', '\t'],
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  raw: true,
};

/** Splits text into records and trimmed cells. Text that is not valid CSV is read line by line, so that no line is lost. */
function recordsOf(text: string): TableRecord[] {
  const valid = parseCsv(text);
  if (valid) return recordsFrom(valid);
  const lines = recordsFrom(parse(text, { ...csv_options, quote: false }));
  return lines.map(({ record, cells }) => ({ record, cells: cells.map((cell) => cell.replace(/^"(.*)"$/, '$1')) }));
}

/** With `raw`, the parser wraps each record; its types do not say so. */
function recordsFrom(parsed: unknown): TableRecord[] {
  return (parsed as { raw: string; record: string[] }[]).map(({ raw, record }) => ({
    record: raw.trim(),
    cells: record.map((cell) => cell.trim()),
  }));
}

/** Null when the text is not valid CSV. */
function parseCsv(text: string): string[][] | null {
  try {
    return parse(text, csv_options);
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
