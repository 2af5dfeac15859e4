import type { Server } from '../platform/client.ts';
import { type Cell, formulaCell } from '../platform/grid.ts';
import { checkCount, readColumn } from './arguments.ts';
import { type Columns, readFields } from './fields.ts';
import { maxAgeParameter } from './max-age.ts';
import { fetchRows, type TableQuery } from './tables.ts';

/** More would exceed 60 requests a minute and the 30 seconds of a formula. */
const urlsMax = 1_000;
/** The most `url=` parameters that the server accepts in one request. */
const urlsPerRequestMax = 50;
/** The server works on ten URLs of a request in parallel and queues about 70 for one source. */
const requestsAtOnce = 6;

/** The arguments of the formula as Sheets passes them: a cell is a scalar, a range an array of rows, blank is "". */
export type RowsArguments = { urls: unknown; fields: unknown; max_age: unknown };

/** `what`: the plural of what its URLs identify. `example`: an argument, for error messages. */
export type RowsRoute = { path: string; columns: Columns; what: string; example: string };

/**
 * Returns one row for each URL cell, in order: the status, then the requested fields. Blank cells give blank rows.
 * Repeated URLs are requested once. A failed request gives its code in the status cells of its URLs.
 *
 * @throws Error, before any request, when an argument is not valid.
 */
export function rowsOfUrls(args: RowsArguments, route: RowsRoute, server: Server): Cell[][] {
  const urls = readColumn(args.urls, route.example);
  const columns = readFields(args.fields, route.columns);
  const maxAge = maxAgeParameter(args.max_age, server.network.now());
  const different = [...new Set(urls.filter((url) => url !== ''))];
  checkCount(different.length, urlsMax, route.what);
  const query: TableQuery = {
    path: route.path,
    query: `${maxAge}&fields=${columns.join(',')}`,
    name: 'url',
    per_request_max: urlsPerRequestMax,
    at_once: requestsAtOnce,
    columns,
  };
  const rows = fetchRows(query, different, server);
  return urls.map((url) => columns.map((column) => formulaCell(rows.get(url)?.[column])));
}
