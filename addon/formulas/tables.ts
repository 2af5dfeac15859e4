import { type Answer, asObject, deadlineOf, type Failure, fetchAnswers, type Server } from '../platform/client.ts';
import { failureSentence } from '../platform/failure-sentence.ts';
import { isId } from './arguments.ts';
import { packRequests } from './pack-requests.ts';

/**
 * A query for an API route that returns a table, `{ columns, rows }`. `name`: the query parameter that is repeated for
 * each value, such as `url`. `query`: all other query parameters.
 */
export type TableQuery = {
  path: string;
  query: string;
  name: 'url' | 'item';
  per_request_max: number;
  /** Maximum number of requests that are sent at the same time, because the server refuses more. Default: no limit. */
  at_once?: number;
  /**
   * The time, in Unix ms, by which all answers of the server must have arrived. Default: the current time plus the time
   * limit of a formula.
   */
  deadline_ms?: number;
  columns: readonly string[];
};

/** One row of a table that the server returned, as an object: each value by the name of its column. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * The result of one request to the server. `values`: the URLs or IDs that the request contained. `rows`: their rows, or
 * the error. `warnings`: sentences about the whole answer. `credits`: the credits that were charged for the request;
 * null when they are not known.
 */
export type TablePart = { values: string[]; rows: Row[] | Failure; warnings: string[]; credits: number | null };

/**
 * Requests the rows of all values (URLs, handles or IDs) with as few requests as possible, in parallel. Never throws.
 *
 * @returns one element for each request, and one for each value that is too long for a request, in the order of the
 * values.
 */
export function fetchTables(query: TableQuery, values: readonly string[], server: Server): TablePart[] {
  if (values.length === 0) return [];
  if (server.key === null) return [{ values: [...values], rows: noKeyFor(server), warnings: [], credits: 0 }];
  const head = `${server.origin}${query.path}?${query.query}`;
  const { requests, unsent } = packRequests(head, query, values);
  const answers = fetchAnswers(
    requests.map(({ url }) => url),
    server.key,
    server.network,
    { at_once: query.at_once ?? requests.length, deadline_ms: query.deadline_ms ?? deadlineOf(server.network) },
  );
  const parts = requests.map((request, index): TablePart => {
    const answer = answers[index];
    const { warnings, credits } = answer?.ok === true ? answer : { warnings: [], credits: null };
    return { values: request.values, rows: readTable(answer, query.columns), warnings, credits };
  });
  const refused = unsent.map((value): TablePart => ({ values: [value], rows: tooLong, warnings: [], credits: 0 }));
  const positions = new Map(values.map((value, index) => [value, index]));
  const positionOf = ({ values: [first = ''] }: TablePart): number => positions.get(first) ?? 0;
  return [...parts, ...refused].sort((a, b) => positionOf(a) - positionOf(b));
}

/**
 * Requests one row for each value, for API routes that return exactly one row for each value. A value whose request
 * failed has a {@link failedRow}.
 */
export function fetchRows(query: TableQuery, values: readonly string[], server: Server): Map<string, Row> {
  const pairs = fetchTables(query, values, server).flatMap(({ values: sent, rows }) => {
    const failure = isFailure(rows) ? rows : unreadable;
    const answered = isFailure(rows) || rows.length !== sent.length ? [] : rows;
    return sent.map((value, index): [string, Row] => [value, answered[index] ?? failedRow(value, failure)]);
  });
  return new Map(pairs);
}

/**
 * Requests the rows of all values and returns them in one list, for API routes that return any number of rows for each
 * value. Each value of a failed request has a {@link failedRow}. At the end, each warning of the server has one row
 * with the status `NOTE`.
 */
export function fetchStack(query: TableQuery, values: readonly string[], server: Server): Row[] {
  const notes = new Set<string>();
  const stack = fetchTables(query, values, server).flatMap(({ values: sent, rows, warnings }) => {
    if (isFailure(rows)) return sent.map((value) => failedRow(value, rows));
    if (rows.length === 0) return sent.map((value) => failedRow(value, nothingIn(warnings)));
    for (const warning of warnings) notes.add(warning);
    return rows;
  });
  return [...stack, ...[...notes].map((message) => ({ status: 'NOTE', message }))];
}

export function isFailure(rows: Row[] | Failure): rows is Failure {
  return !Array.isArray(rows);
}

/**
 * Returns the rows in an answer of the server, or an error when the answer is not a table with the requested columns.
 */
function readTable(answer: Answer | undefined, columns: readonly string[]): Row[] | Failure {
  if (answer?.ok === false) return answer.failure;
  const table = asObject(answer?.data);
  const names = table?.columns;
  const rows = table?.rows;
  if (!Array.isArray(names) || !Array.isArray(rows) || !rows.every(Array.isArray)) return unreadable;
  if (!columns.every((column) => names.includes(column))) return unreadable;
  return rows.map((cells: unknown[]) =>
    Object.fromEntries(columns.map((column) => [column, cells[names.indexOf(column)]])),
  );
}

/**
 * Returns a row for a value that could not be loaded. The row contains only the URL or ID, the error code and the
 * message.
 */
export function failedRow(value: string, failure: Failure): Row {
  return { [isId(value) ? 'item_id' : 'url']: value, status: failure.code, message: failureSentence(failure) };
}

export const noKey: Failure = { code: 'API_KEY_NOT_SET', message: '' };

/**
 * Returns the error for formulas without an API key: either no key is saved, or the owner of the spreadsheet has not
 * allowed formulas to use the owner's key.
 */
export function noKeyFor({ no_key = noKey.code }: Server): Failure {
  return { code: no_key, message: '' };
}

/**
 * Returns the error for an answer of the server that contains no rows. The message contains the warnings of the answer,
 * if there are any.
 */
export function nothingIn(warnings: readonly string[]): Failure {
  return warnings.length === 0 ? noData : { ...noData, message: warnings.join(' ') };
}

export const noData: Failure = { code: 'NO_DATA', message: 'The server returned no rows for this request.' };
const tooLong: Failure = {
  code: 'INVALID_INPUT',
  message: 'This text is too long. Enter a shorter link, handle or ID.',
};
export const unreadable: Failure = {
  code: 'SERVER_ANSWER_UNREADABLE',
  message: 'The answer of the server does not have the expected form. Try again later.',
};
