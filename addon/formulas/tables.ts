import { type Answer, askAll, asObject, type Failure, packRequests, type Server } from '../platform/client.ts';
import { isId } from './arguments.ts';

/** What a route that answers `{ columns, rows }` is asked: `query` is all of it but its repeated parameter `name`. */
export type TableQuestion = {
  path: string;
  query: string;
  name: 'url' | 'item';
  per_request_max: number;
  /** How many requests go out together, before a source is so crowded that it refuses; all, when not said. */
  at_once?: number;
  columns: readonly string[];
};

/** One row by its column names. */
export type Row = Readonly<Record<string, unknown>>;

/** The values that one request asked of, and what it came to. `warnings` are of all its rows. */
export type TablePart = { values: string[]; rows: Row[] | Failure; warnings: string[] };

/**
 * Asks a route of all values in as few requests as fit, all at once. Never throws.
 *
 * @returns one part for each request and for each value that is too long for any, in the order of the values.
 */
export function askTables(question: TableQuestion, values: readonly string[], server: Server): TablePart[] {
  if (values.length === 0) return [];
  if (server.key === null) return [{ values: [...values], rows: noKey, warnings: [] }];
  const head = `${server.origin}${question.path}?${question.query}`;
  const { requests, unsent } = packRequests(head, question, values);
  const answers = askAll(
    requests.map(({ url }) => url),
    server.key,
    server.network,
    { at_once: question.at_once ?? requests.length },
  );
  const parts = requests.map((request, index): TablePart => {
    const answer = answers[index];
    const warnings = answer?.ok === true ? answer.warnings : [];
    return { values: request.values, rows: readTable(answer, question.columns), warnings };
  });
  const refused = unsent.map((value): TablePart => ({ values: [value], rows: tooLong, warnings: [] }));
  const place = new Map(values.map((value, index) => [value, index]));
  const placeOf = ({ values: [first = ''] }: TablePart): number => place.get(first) ?? 0;
  return [...parts, ...refused].sort((a, b) => placeOf(a) - placeOf(b));
}

/** The one row of each value, of a route that answers each value with one row, in order; a {@link failedRow} of any other. */
export function askRows(question: TableQuestion, values: readonly string[], server: Server): Map<string, Row> {
  const pairs = askTables(question, values, server).flatMap(({ values: asked, rows }) => {
    const failure = isFailure(rows) ? rows : unreadable;
    const answered = isFailure(rows) || rows.length !== asked.length ? [] : rows;
    return asked.map((value, index): [string, Row] => [value, answered[index] ?? failedRow(value, failure)]);
  });
  return new Map(pairs);
}

/**
 * The rows of all values below each other, of a route that gives any number of them; a {@link failedRow} for each value
 * of a request without rows. What the server says of its answers as a whole follows, each sentence once as a row `NOTE`.
 */
export function askStack(question: TableQuestion, values: readonly string[], server: Server): Row[] {
  const notes = new Set<string>();
  const stack = askTables(question, values, server).flatMap(({ values: asked, rows, warnings }) => {
    if (isFailure(rows)) return asked.map((value) => failedRow(value, rows));
    if (rows.length === 0) {
      const nothing = warnings.length === 0 ? noData : { ...noData, message: warnings.join(' ') };
      return asked.map((value) => failedRow(value, nothing));
    }
    for (const warning of warnings) notes.add(warning);
    return rows;
  });
  return [...stack, ...[...notes].map((message) => ({ status: 'NOTE', message }))];
}

function isFailure(rows: Row[] | Failure): rows is Failure {
  return !Array.isArray(rows);
}

/** The failure when the answer is not a table with the columns that were asked for. */
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

/** A row that says why it is empty. */
function failedRow(value: string, { code, message }: Failure): Row {
  return { [isId(value) ? 'item_id' : 'url']: value, status: code, message };
}

export const noKey: Failure = { code: 'API_KEY_NOT_SET', message: 'Set an API key in the menu of the add-on.' };
export const noData: Failure = { code: 'NO_DATA', message: 'There is nothing to show.' };
const tooLong: Failure = { code: 'INVALID_INPUT', message: 'This is too long to be asked for.' };
export const unreadable: Failure = {
  code: 'SERVER_ANSWER_UNREADABLE',
  message: 'The answer is not what was asked for.',
};
