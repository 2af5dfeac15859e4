import type { z } from 'zod';
import { SourceError } from '../errors.ts';
import { dig } from '../parse/values.ts';
import type { Quality } from './quality.ts';

export interface ValidatedRecord<R> {
  record: R;
  /** Paths of the invalid fields that were set to null: `followers`, in a list `0.likes`. */
  dropped: string[];
  /** Indexes of the list rows that have only identity fields. */
  empty: number[];
}

/** Required fields. */
const identityFields: ReadonlySet<string> = new Set(['id', 'username']);
const maxNamedIssues = 10;

/** Fields that identify a record or are derived from its name. They do not count as data. */
const namingFields: ReadonlySet<string> = new Set([
  ...identityFields,
  'author',
  'author_id',
  'author_username',
  'author_profile_url',
  'content_id',
  'permalink',
  'platform_content_id',
  'profile_url',
]);
/** A record with these fields is a profile, and one of them must have a value. Channels are exempt: some have no public count. */
const profileCounts = ['followers', 'following', 'posts'];

/**
 * Validates a record with its schema. A single invalid field becomes null, if its schema allows that; an identity field never does.
 * Throws SOURCE_RESPONSE_CHANGED when the record is still invalid. Also throws it when a record has nothing but identity
 * fields, and when every row of a list is like that. A field that `quality` marks as hidden counts as data.
 */
export function validateRecord<R>(schema: z.ZodType<R>, record: unknown, quality: Quality = {}): ValidatedRecord<R> {
  const { record: valid, dropped } = validateFields(schema, record);
  const rows: unknown[] = Array.isArray(valid) ? valid : [valid];
  const isHidden = (path: string) => quality[path] === 'hidden';
  const empty = [...rows.keys()].filter((index) => {
    const prefix = Array.isArray(valid) ? `${index}.` : '';
    return isEmpty(rows[index], (field) => isHidden(`${prefix}${field}`));
  });
  if (rows.length > 0 && empty.length === rows.length) {
    throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: 'the answer has only identity fields' });
  }
  return { record: valid, dropped, empty };
}

function isEmpty(record: unknown, isHidden: (field: string) => boolean): boolean {
  if (typeof record !== 'object' || record === null) return false;
  const isChannel = Object.hasOwn(record, 'total_views');
  const isProfile = !isChannel && profileCounts.every((field) => Object.hasOwn(record, field));
  const fields = isProfile ? profileCounts : Object.keys(record);
  return fields.every(
    (field) => namingFields.has(field) || ((dig(record, field) ?? null) === null && !isHidden(field)),
  );
}

function validateFields<R>(schema: z.ZodType<R>, record: unknown): Omit<ValidatedRecord<R>, 'empty'> {
  const first = schema.safeParse(record);
  if (first.success) return { record: first.data, dropped: [] };
  const depth = Array.isArray(record) ? 2 : 1;
  const paths = first.error.issues.map(({ path }) => path.slice(0, depth).map(String));
  const optional = paths.every((path) => path.length === depth && !identityFields.has(path.at(-1) ?? ''));
  const second = optional ? schema.safeParse(withoutFields(record, paths)) : first;
  if (second.success) return { record: second.data, dropped: [...new Set(paths.map((path) => path.join('.')))] };
  throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `the record is invalid: ${issuesOf(second.error)}` });
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
