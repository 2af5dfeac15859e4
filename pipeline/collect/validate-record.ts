import { z } from 'zod';
import { responseChanged } from '../errors.ts';
import { dig } from '../parse/values.ts';
import { coreFields } from '../records/core.ts';
import type { Quality } from './quality.ts';
import { reindexedQuality, reindexedWarnings, rowsExcept } from './row-indexes.ts';
import { leftOutWarning, longText } from './source-rows.ts';

/** Rows of a list that were left out because a text in them is too long. */
interface LeftOut {
  /** Indexes of the rows in the list that the source sent. */
  rows: ReadonlySet<number>;
  /** Number of rows in that list. */
  total: number;
  /** Names of the fields with these texts. */
  fields: ReadonlySet<string>;
}

interface ValidatedRecord<R> {
  record: R;
  left_out?: LeftOut;
  /** Paths of the invalid fields that were set to null, such as `followers`, or `0.likes` in a list. */
  dropped: string[];
  /** Indexes in `record` of the list rows whose core fields ({@link coreFields}, the main fields) are all null. */
  empty: number[];
}

/** Record fields that must be valid. If one of these fields is invalid, the whole record is invalid. */
const identityFields: ReadonlySet<string> = new Set(['id', 'username']);
const maxNamedIssues = 10;

/**
 * Checks a record or list against its schema. Sets an invalid field to null when the schema allows null. Leaves
 * out a row of a list in which a text is too long. Throws SOURCE_RESPONSE_CHANGED in three cases: a required field, an
 * ID or a user name is invalid; a text of the record, or of every row, is too long; all core fields
 * ({@link coreFields}) of the record, or of every row, are null. A core field that the account hides (quality `hidden`)
 * does not count as null here. `dropped` and `empty` have the indexes of the rows that were not left out.
 */
export function validateRecord<R>(schema: z.ZodType<R>, record: unknown, quality: Quality = {}): ValidatedRecord<R> {
  const fields = validateFields(schema, record);
  const { record: valid } = fields;
  const states = fields.left_out ? reindexedQuality(quality, rowsExcept(fields.left_out.rows)) : quality;
  const rows: unknown[] = Array.isArray(valid) ? valid : [valid];
  const core = coreOf(schema);
  const hasValue = (row: number, field: string) =>
    (dig(rows[row], field) ?? null) !== null || states[Array.isArray(valid) ? `${row}.${field}` : field] === 'hidden';
  const empty = [...rows.keys()].filter((row) => !core.some((field) => hasValue(row, field)));
  if (rows.length > 0 && empty.length === rows.length) {
    throw responseChanged(`the answer has none of ${core.join(', ')}`);
  }
  return { ...fields, empty };
}

/** Returns the metadata of a list without the rows that were left out, and with a warning about them. */
export function withoutRows(
  sent: { quality?: Quality; warnings?: readonly string[] },
  { rows, total, fields }: LeftOut,
) {
  const newIndex = rowsExcept(rows);
  const warning = leftOutWarning(rows.size, total, `${longText} (${[...fields].join(', ')})`);
  return {
    partial: true,
    quality: reindexedQuality(sent.quality ?? {}, newIndex),
    warnings: [...reindexedWarnings(sent.warnings ?? [], newIndex), warning],
  };
}

/**
 * Returns the core fields (the main fields of a record, see {@link coreFields}) for the schema of a record or list.
 * Throws when the schema has none, because that is a bug in our code.
 */
function coreOf(schema: z.ZodType): readonly string[] {
  const row = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : schema;
  const core = coreFields.get(row);
  if (core === undefined) throw new Error('A record schema is not registered in coreFields.');
  return core.fields;
}

function validateFields<R>(schema: z.ZodType<R>, record: unknown): Omit<ValidatedRecord<R>, 'empty'> {
  const first = schema.safeParse(record);
  if (first.success) return { record: first.data, dropped: [] };
  const leftOut = longRows(record, first.error);
  if (leftOut !== null) {
    const rest = (record as unknown[]).filter((_, row) => !leftOut.rows.has(row));
    return { ...validateFields(schema, rest), left_out: leftOut };
  }
  const depth = Array.isArray(record) ? 2 : 1;
  const paths = first.error.issues.map(({ path }) => path.slice(0, depth).map(String));
  const tooLong = first.error.issues.some(isTooLong);
  const optional = !tooLong && paths.every((path) => path.length === depth && !identityFields.has(path.at(-1) ?? ''));
  const second = optional ? schema.safeParse(withoutFields(record, paths)) : first;
  if (second.success) return { record: second.data, dropped: [...new Set(paths.map((path) => path.join('.')))] };
  throw responseChanged(`the record is invalid: ${issuesOf(second.error)}`);
}

const isTooLong = (issue: z.core.$ZodIssue) => issue.code === 'too_big' && issue.origin === 'string';

/** Returns the rows with a text that is too long. Null when no row has one, and when every row has one. */
function longRows(record: unknown, error: z.ZodError): LeftOut | null {
  const paths = error.issues.filter(isTooLong).map(({ path }) => path);
  const rows = new Set(paths.map(([row]) => Number(row)));
  if (!Array.isArray(record) || rows.size === 0 || rows.size === record.length) return null;
  return { rows, total: record.length, fields: new Set(paths.map(([, field]) => String(field))) };
}

function withoutFields(record: unknown, paths: string[][]): unknown {
  const copy: unknown = structuredClone(record);
  for (const path of paths) {
    const owner = dig(copy, ...path.slice(0, -1));
    if (typeof owner === 'object' && owner !== null) Object.assign(owner, { [path.at(-1) ?? '']: null });
  }
  return copy;
}

function issuesOf(error: z.ZodError): string {
  const issues = error.issues.map(({ path, code }) => `${path.join('.')} (${code})`);
  return issues.slice(0, maxNamedIssues).join(', ');
}
