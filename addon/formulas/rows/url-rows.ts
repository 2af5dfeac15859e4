import { deadlineOf, type Server } from '../../platform/client.ts';
import { type Cell, formulaCell } from '../../platform/grid.ts';
import { checkCount, readColumn } from '../arguments.ts';
import { type Columns, readFields } from '../fields.ts';
import { type Freshness, readFreshness } from '../max-age.ts';
import { fetchRows, type Row, type TableQuery } from '../tables.ts';
import { guessed, handleAlone, hasPlatform, isHandle, platformParameter, readPlatform, refusedRow } from './handles.ts';
import { findRows } from './local-rows.ts';

/**
 * Maximum number of URLs in one formula. More rows would not arrive within the 30 seconds that Google allows a formula.
 */
const maxUrls = 2_000;
/** Maximum number of query parameters `url=` that the API server accepts in one request. */
const maxUrlsPerRequest = 50;
/**
 * Maximum number of requests that one formula sends at the same time. The server fetches ten URLs of a request in
 * parallel, and has about 70 fetches from one platform in progress or waiting at most.
 */
const requestsAtOnce = 6;
/**
 * Number of URLs in one formula above which new rows may exceed the server's rate limit of 60 requests a minute. A URL
 * of a request has at most 2,082 characters in Apps Script, so a request contains about 17 long URLs, and 60 requests
 * contain about 1,000.
 */
const manyUrls = 1_000;
const useImport = 'A formula gets about 1,000 new rows a minute. For more, open the sidebar and make an import.';
/**
 * Columns that say how one request was charged. They are correct only in the cell that sent the request, so other
 * formula cells do not reuse a row with one of these columns.
 */
const ownColumns = ['cached', 'credits_charged'];

/**
 * The arguments of a formula as Google Sheets passes them: a cell is one value, a range is an array of rows, an empty
 * cell is "". `platform`: undefined when the API route accepts no handles.
 */
export type UrlArguments = { urls: unknown; max_age: unknown; platform?: unknown };
type RowsArguments = UrlArguments & { fields: unknown };

/**
 * The API route of a formula. `formula`: the name of the function. `what`: a plural noun for what its URLs identify,
 * such as "profiles". `example`: an argument for error messages. `handle_example`: a formula with a handle and its
 * platform, for error messages; null when the route accepts no handles.
 */
export type RowsRoute = {
  formula: string;
  path: string;
  columns: Columns;
  what: string;
  example: string;
  handle_example: string | null;
};

/**
 * Returns the result of a formula: one row for each cell with a URL, in order, with the status and then the requested
 * fields. An empty cell gives an empty row. A repeated URL is requested once. If a request fails, its error code is the
 * status of all its URLs.
 *
 * @throws Error, before any request, when an argument is not valid.
 */
export function rowsOfUrls(args: RowsArguments, route: RowsRoute, server: Server): Cell[][] {
  const columns = readFields(args.fields, route.columns);
  const rows = rowOfEach(args, columns, route, server);
  return rows.map((row) => columns.map((column) => formulaCell(row?.[column])));
}

/**
 * Returns the row of data for each cell with a URL or handle; null for an empty cell.
 *
 * @throws Error, before any request, when an argument is not valid.
 */
export function rowOfEach(
  args: UrlArguments,
  columns: readonly string[],
  route: RowsRoute,
  server: Server,
): (Row | null)[] {
  const takesHandles = route.handle_example !== null;
  const cells = readColumn(args.urls, route.example);
  const refused = new Map(cells.flatMap((cell) => (cell.fault === null ? [] : [[cell.text, cell] as const])));
  const different = [...new Set(cells.map(({ text }) => text))].filter((text) => text !== '' && !refused.has(text));
  const freshness = readFreshness(args.max_age, server.network.now());
  checkCount(different.length, maxUrls, route.what);
  const platform = takesHandles ? readPlatform(args.platform, different) : null;
  const handles = takesHandles ? different.filter(isHandle) : [];
  const urls = different.filter((text) => !handles.includes(text));
  const find = rowFinder(args, columns, freshness, route, server);
  const rows = find('', urls);
  const known = handles.filter((handle) => hasPlatform(handle, platform));
  for (const handle of handles) rows.set(handle, handleAlone(route.handle_example ?? ''));
  if (platform !== null)
    for (const [handle, row] of find(platformParameter(platform.name), known)) rows.set(handle, guessed(row, platform));
  for (const [text, cell] of refused) rows.set(text, refusedRow(cell, takesHandles));
  const isLong = different.length > manyUrls;
  const seen = new Set<string>();
  return cells.map(({ text }) => {
    const row = rows.get(text) ?? null;
    const isRepeated = seen.size === seen.add(text).size;
    if (row === null) return null;
    if (isRepeated && String(row.status).startsWith('OK')) return { ...row, cached: true, credits_charged: 0 };
    return isLong ? withAdvice(row) : row;
  });
}

type RowFinder = (parameter: string, values: readonly string[]) => Map<string, Row>;

/**
 * Returns the function with which a formula finds the rows of URLs or handles. `parameter`: the query parameter of the
 * API that the values need. All calls of the function share the time limit of the formula.
 */
function rowFinder(
  args: UrlArguments,
  columns: readonly string[],
  freshness: Freshness,
  route: RowsRoute,
  server: Server,
): RowFinder {
  const sent = [...new Set([...columns, 'retrieved_at', 'cached'])];
  const deadlineMs = deadlineOf(server.network);
  // A formula with `fresh` is charged each time it runs, so it must not receive a row that another cell requested.
  const isShared = freshness.oldest_ms < server.network.now() && !ownColumns.some((column) => columns.includes(column));
  const oneCell = isShared && !Array.isArray(args.urls) ? route.formula : null;
  return (parameter, values) => {
    const query: TableQuery = {
      ...{ path: route.path, query: `fields=${sent.join(',')}${parameter}`, name: 'url', columns: sent },
      ...{ per_request_max: maxUrlsPerRequest, at_once: requestsAtOnce, deadline_ms: deadlineMs },
    };
    return findRows({ query, freshness, one_cell: oneCell, load: fetchRows }, values, server);
  };
}

/**
 * Returns one row of the result of a formula that has very many URLs. When the rate limit or the time limit prevented
 * the request for the row, its message begins with the advice to use an import.
 */
function withAdvice(row: Row): Row {
  const isLeftOut = row.status === 'RATE_LIMITED' || row.status === 'NOT_IN_TIME';
  return isLeftOut ? { ...row, message: `${useImport} ${String(row.message ?? '')}` } : row;
}
