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

/** The delimiters of files from spreadsheet programs. The first one wins when two fit a file equally well. */
const delimiters = ['\t', ';', ','];

const csvOptions: Options = {
  // Stops one record above the maximum, because reading a million records would block the process for many seconds.
  to: maxRecords + 1,
  delimiter: delimiters,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  raw: true,
};

/**
 * Splits pasted text into CSV records with trimmed cells. Each line may have another delimiter. Text that is not valid
 * CSV is read line by line, so that no line is lost. Reads at most one record more than {@link maxRecords}.
 */
export function csvRecords(text: string): TableRecord[] {
  return parseRecords(text, csvOptions);
}

/**
 * Splits an uploaded text file into CSV records, as {@link csvRecords} does, but with one delimiter for the whole file:
 * in a file with semicolons, a comma is usually a decimal comma.
 */
export function csvFileRecords(text: string, isLink: (cell: string) => boolean): TableRecord[] {
  const delimiter = fileDelimiter(text, isLink);
  return parseRecords(text, delimiter === null ? csvOptions : { ...csvOptions, delimiter });
}

/** Number of records at the beginning of a file, and of cells in each of them, from which its delimiter is guessed. */
const guessedFrom = { records: 200, cells: 50 };

/**
 * Returns the delimiter with which the beginning of a file has the most records with a link, and then the most records
 * with equally many cells. Returns null when each delimiter leaves half of the records or more with another number of
 * cells.
 */
function fileDelimiter(text: string, isLink: (cell: string) => boolean): string | null {
  let best: { delimiter: string; links: number; even: number } | null = null;
  for (const delimiter of delimiters) {
    const records = parseRecords(text, { ...csvOptions, delimiter, to: guessedFrom.records });
    const filled = records.filter(({ cells }) => cells.some((cell) => cell !== ''));
    const widths = Map.groupBy(filled, ({ cells }) => cells.length);
    const even = Math.max(0, ...[...widths].map(([width, same]) => (width > 1 ? same.length : 0))) / filled.length;
    if (!(even > 0.5)) continue;
    const hasLink = ({ cells }: TableRecord) =>
      cells.slice(0, guessedFrom.cells).some((cell) => cell !== '' && isLink(cell));
    const links = filled.filter(hasLink).length;
    if (best === null || links > best.links || (links === best.links && even > best.even))
      best = { delimiter, links, even };
  }
  return best?.delimiter ?? null;
}

function parseRecords(text: string, options: Options): TableRecord[] {
  const valid = parseCsv(text, options);
  if (valid) return recordsFrom(valid);
  const lines = recordsFrom(parse(text, { ...options, quote: false }));
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
function parseCsv(text: string, options: Options): string[][] | null {
  try {
    return parse(text, options);
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
