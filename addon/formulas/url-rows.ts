import type { Server } from '../platform/client.ts';
import { type Cell, formulaCell } from '../platform/grid.ts';
import { checkCount, readColumn } from './arguments.ts';
import { type Columns, readFields } from './fields.ts';
import { maxAgeParameter } from './max-age.ts';
import { askRows, type TableQuestion } from './tables.ts';

/** More would pass sixty requests a minute and thirty seconds a formula. */
const urlsMax = 1_000;
/** The most `url=` parameters that the server takes in one request. */
const urlsPerRequestMax = 50;
/** The server asks ten URLs of a request together, and of one source lets some seventy wait. */
const requestsAtOnce = 6;

/** The arguments of the formula as Sheets hands them over: a cell is a scalar, a range a table, blank is "". */
export type RowsQuestion = { urls: unknown; fields: unknown; max_age: unknown };

/** `what` its URLs are of, in the plural; `example` of them. */
export type RowsRoute = { path: string; columns: Columns; what: string; example: string };

/**
 * One row for each URL cell, in order: the status, then the asked fields. Blank cells give blank rows. A URL that
 * stands twice is asked once. Whatever fails on the way is a code in the status cells it concerns.
 *
 * @throws Error only for a formula that must be typed differently, before anything is asked.
 */
export function rowsOfUrls(asked: RowsQuestion, route: RowsRoute, server: Server): Cell[][] {
  const urls = readColumn(asked.urls, route.example);
  const columns = readFields(asked.fields, route.columns);
  const maxAge = maxAgeParameter(asked.max_age, server.network.now());
  const different = [...new Set(urls.filter((url) => url !== ''))];
  checkCount(different.length, urlsMax, route.what);
  const question: TableQuestion = {
    path: route.path,
    query: `${maxAge}&fields=${columns.join(',')}`,
    name: 'url',
    per_request_max: urlsPerRequestMax,
    at_once: requestsAtOnce,
    columns,
  };
  const rows = askRows(question, different, server);
  return urls.map((url) => columns.map((column) => formulaCell(rows.get(url)?.[column])));
}
