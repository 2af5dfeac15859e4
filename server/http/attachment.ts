import { csvOf } from '../../pipeline/rows/csv.ts';
import { fieldLabel, isTimeColumn } from '../../pipeline/rows/field-labels.ts';
import type { OwnColumns } from '../../pipeline/rows/own-columns.ts';
import { type PlainCell, withDates } from '../../pipeline/rows/times.ts';
import { xlsxOf } from '../../pipeline/rows/xlsx.ts';

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

type AttachmentFormat = keyof typeof contentTypes;

/**
 * Returns the headers of a download, which is saved as `name.format`. `name` must not have quotes or control
 * characters.
 */
export function attachmentHeaders(name: string, format: AttachmentFormat) {
  return {
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename="${name}.${format}"`,
  };
}

/** Returns a response that browsers save as a file and never show as a page. The response is never cached. */
export function attachmentResponse(
  name: string,
  format: AttachmentFormat,
  body: string | Buffer<ArrayBuffer> | ReadableStream,
): Response {
  const headers = {
    ...attachmentHeaders(name, format),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return new Response(body, { headers });
}

/** The formats in which a table can be downloaded. */
export type TableFormat = 'csv' | 'xlsx';

/**
 * Marks a CSV file as UTF-8. Without this mark, Excel reads a file that is opened with a double click in the wrong
 * encoding.
 */
const byteOrderMark = '\ufeff';

/**
 * Returns a table as a download for people. The columns in `own`, which a user uploaded, come first. A CSV file has the
 * field names of the API as headings and begins with a byte order mark. An Excel workbook has headings in plain words,
 * and its times are dates in UTC.
 */
export function tableResponse(
  name: string,
  format: TableFormat,
  columns: readonly string[],
  rows: readonly (readonly PlainCell[])[],
  own: OwnColumns = { headings: [], rows: [] },
): Response {
  const withOwn = <T>(cells: readonly T[], index: number) => [...(own.rows[index] ?? []), ...cells];
  if (format === 'csv') {
    const csv = csvOf([...own.headings, ...columns], rows.map(withOwn));
    return attachmentResponse(name, format, byteOrderMark + csv);
  }
  const headings = [...own.headings, ...columns.map(fieldLabel)];
  return attachmentResponse(name, format, xlsxOf({ name, headings, rows: withDates(columns, rows).map(withOwn) }));
}

/**
 * Returns a table as a download, as {@link tableResponse} does. The rows are read in parts while the client downloads
 * them, so that a long table needs little memory and other requests are answered meanwhile.
 */
export async function longTableResponse(
  name: string,
  format: TableFormat,
  columns: readonly string[],
  parts: Parts,
): Promise<Response> {
  const body = format === 'csv' ? csvStream(columns, parts) : await xlsxStream(name, columns, parts);
  return attachmentResponse(name, format, body);
}

type Parts = AsyncIterable<readonly (readonly PlainCell[])[]>;

function csvStream(columns: readonly string[], parts: Parts): ReadableStream {
  async function* texts() {
    yield byteOrderMark + csvOf(columns, []);
    for await (const rows of parts) yield csvOf(columns, rows, { header: false });
  }
  return ReadableStream.from(texts()).pipeThrough(new TextEncoderStream());
}

async function xlsxStream(name: string, columns: readonly string[], parts: Parts): Promise<ReadableStream> {
  async function* converted() {
    for await (const rows of parts) yield withDates(columns, rows);
  }
  const more = converted();
  // The first part of the rows decides how wide the columns are.
  const { value: rows = [] } = await more.next();
  return xlsxOf({ name, headings: columns.map(fieldLabel), rows, more, time_columns: columns.map(isTimeColumn) });
}
