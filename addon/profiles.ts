import { type Answer, askAll, asObject, type Failure, type Network, packProfiles } from './client.ts';
import { type Field, readFields } from './fields.ts';
import { type Cell, formulaCell } from './grid.ts';
import { type MaxAge, readMaxAge } from './max-age.ts';

/** More would pass sixty requests a minute and thirty seconds a formula. */
const profiles_max = 1_000;

/** The arguments of the formula as Sheets hands them over: a cell is a scalar, a range a table, blank is "". */
export type ProfileQuestion = { urls: unknown; fields: unknown; max_age: unknown };
/** `key` is null when none was saved. */
export type Server = { origin: string; key: string | null; network: Network };

type Row = Partial<Record<Field, unknown>>;

/**
 * One row for each URL cell, in order: the status, then the asked fields. Blank cells give blank rows. A URL that
 * stands twice is asked once. Whatever fails on the way is a code in the status cells it concerns.
 *
 * @throws Error only for a formula that must be typed differently, before anything is asked.
 */
export function socialProfile(question: ProfileQuestion, server: Server): Cell[][] {
  const urls = readColumn(question.urls);
  const fields = readFields(question.fields);
  const max_age = readMaxAge(question.max_age, server.network.now());
  const profiles = [...new Set(urls.filter((url) => url !== ''))];
  if (profiles.length > profiles_max) {
    throw new Error(
      `One formula takes at most ${profiles_max} profiles, here are ${profiles.length}: split the column.`,
    );
  }
  const rows = findRows(profiles, fields, max_age, server);
  return urls.map((url) => {
    const row = rows.get(url) ?? {};
    return fields.map((field) => formulaCell(row[field]));
  });
}

function readColumn(urls: unknown): string[] {
  if (urls === undefined) throw new Error('Name a profile URL or a column of them, such as A2:A50.');
  const cells: unknown[] = Array.isArray(urls) ? urls.map(onlyCell) : [urls];
  return cells.map((cell) => String(cell ?? '').trim());
}

function onlyCell(row: unknown): unknown {
  if (!Array.isArray(row)) return row;
  if (row.length > 1) throw new Error('The profile URLs must stand in one column, such as A2:A50.');
  return row[0];
}

function findRows(
  profiles: readonly string[],
  fields: readonly Field[],
  max_age: MaxAge,
  server: Server,
): Map<string, Row> {
  if (server.key === null) return new Map(profiles.map((profile) => [profile, failedRow(profile, no_key)]));
  const { requests, unsent } = packProfiles(requestHead(server.origin, fields, max_age), profiles);
  const answers = askAll(
    requests.map((request) => request.url),
    server.key,
    server.network,
  );
  const answered = requests.flatMap((request, index) => readRows(request.profiles, fields, answers[index]));
  const refused = unsent.map((profile): [string, Row] => [profile, failedRow(profile, too_long)]);
  return new Map([...answered, ...refused]);
}

function requestHead(origin: string, fields: readonly Field[], max_age: MaxAge): string {
  const age = max_age === 'fresh' ? 'fresh=true' : `cache_max_age=${max_age}`;
  return `${origin}/v1/workflows/profile?${age}&fields=${fields.join(',')}`;
}

function readRows(profiles: readonly string[], fields: readonly Field[], answer: Answer | undefined): [string, Row][] {
  if (answer?.ok === false) return profiles.map((profile) => [profile, failedRow(profile, answer.failure)]);
  const rows = answer === undefined ? null : readTable(answer.data, fields, profiles.length);
  return profiles.map((profile, index) => [profile, rows?.[index] ?? failedRow(profile, unreadable)]);
}

/** `{ columns, rows }` as one object a row; null when it is not the table that was asked for. */
function readTable(data: unknown, fields: readonly Field[], row_count: number): Row[] | null {
  const table = asObject(data);
  const columns = table?.columns;
  const rows = table?.rows;
  if (!Array.isArray(columns) || !Array.isArray(rows) || rows.length !== row_count) return null;
  if (!rows.every(Array.isArray) || !fields.every((field) => columns.includes(field))) return null;
  return rows.map((cells: unknown[]) =>
    Object.fromEntries(fields.map((field) => [field, cells[columns.indexOf(field)]])),
  );
}

function failedRow(url: string, failure: Failure): Row {
  return { url, status: failure.code, message: failure.message };
}

const no_key: Failure = { code: 'API_KEY_NOT_SET', message: 'Set an API key in the menu of the add-on.' };
const too_long: Failure = { code: 'INVALID_INPUT', message: 'This is too long for a profile URL.' };
const unreadable: Failure = {
  code: 'SERVER_ANSWER_UNREADABLE',
  message: 'The answer is not the table that was asked for.',
};
