import type { Server } from '../platform/client.ts';
import { type Cell, formulaCell } from '../platform/grid.ts';
import { checkCount, readColumn } from './arguments.ts';
import { type Columns, readFields } from './fields.ts';
import { maxAgeParameter } from './max-age.ts';
import { fetchRows, type TableQuery } from './tables.ts';

/** Maximum number of URLs. More would exceed the limit of 60 requests a minute or the 30 seconds of a formula. */
const urlsMax = 1_000;
/** Maximum number of `url=` parameters that the server accepts in one request. */
const urlsPerRequestMax = 50;
/** Maximum number of requests in progress at the same time: the server handles ten URLs of a request in parallel and queues about 70. */
const requestsAtOnce = 6;

/** The arguments of the formula as Sheets passes them: a cell is one value, a range is an array of rows, an empty cell is "". */
export type RowsArguments = { urls: unknown; fields: unknown; max_age: unknown };

/** The route of a formula. `what`: the word for what its URLs identify, in the plural. `example`: an argument for error messages. */
export type RowsRoute = { path: string; columns: Columns; what: string; example: string };

/**
 * Returns one row for each cell with a URL, in order: the status, then the requested fields. An empty cell gives an empty
 * row. A repeated URL is requested once. If a request fails, the error code is the status of all its URLs.
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
