import { CsvError, type Options, parse } from 'csv-parse/sync';

export interface TableRecord {
  /** The CSV record as the user sent it, without its line break. Null for a row of an Excel workbook. */
  record: string | null;
  cells: string[];
}

/**
 * Maximum number of rows that are read, including blank ones. Excel files have the same limit. A list can have far
 * fewer rows that are not blank, see `listLimit`.
 */
export const maxRecords = 10_000;

const csvOptions: Options = {
  // Stops one record above the maximum, because reading a million records would block the process for many seconds.
  to: maxRecords + 1,
  delimiter: [',', ';', '\t'],
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  raw: true,
};

/**
 * Splits text into CSV records with trimmed cells. Text that is not valid CSV is read line by line, so that no line is
 * lost. Reads at most one record more than {@link maxRecords}.
 */
export function csvRecords(text: string): TableRecord[] {
  const valid = parseCsv(text);
  if (valid) return recordsFrom(valid);
  const lines = recordsFrom(parse(text, { ...csvOptions, quote: false }));
  return lines.map(({ record, cells }) => ({ record, cells: cells.map((cell) => cell.replace(/^"(.*)"$/, '$1')) }));
}

/**
 * Returns the records of the CSV parser with trimmed cells. With the option `raw`, the parser returns `{ raw, record }`
 * objects, which its types do not declare.
 */
function recordsFrom(parsed: unknown): TableRecord[] {
  return (parsed as { raw: string; record: string[] }[]).map(({ raw, record }) => ({
    record: raw.trim(),
    cells: record.map((cell) => cell.trim()),
  }));
}

/** Parses CSV text. Returns null when the text is not valid CSV. */
function parseCsv(text: string): string[][] | null {
  try {
    return parse(text, csvOptions);
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
