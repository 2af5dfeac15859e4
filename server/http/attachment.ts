import { csvOf } from '../../pipeline/rows/csv.ts';
import { isTimeColumn } from '../../pipeline/rows/field-labels.ts';
import { type PlainCell, withDates } from '../../pipeline/rows/times.ts';
import { xlsxOf } from '../../pipeline/rows/xlsx.ts';

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export type AttachmentFormat = keyof typeof contentTypes;

/** Returns the headers of a download, which is saved as `name.format`. `name` must not have quotes or control characters. */
export function attachmentHeaders(name: string, format: AttachmentFormat) {
  return {
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename="${name}.${format}"`,
  };
}

/** Returns a download. It is never cached, and browsers do not display it as a page. */
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

/** Returns a table as a download: as CSV, or as an Excel workbook in which times are dates in UTC. */
export function tableResponse(
  name: string,
  format: TableFormat,
  columns: readonly string[],
  rows: readonly (readonly PlainCell[])[],
): Response {
  if (format === 'csv') return attachmentResponse(name, format, csvOf(columns, rows));
  const headings = columns.map((column) => (isTimeColumn(column) ? `${column} (UTC)` : column));
  return attachmentResponse(name, format, xlsxOf({ name, headings, rows: withDates(columns, rows) }));
}
