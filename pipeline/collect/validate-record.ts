import type { z } from 'zod';
import { SourceError } from '../errors.ts';
import { dig } from '../parse/values.ts';
import type { Quality } from './quality.ts';

export interface Fitted<R> {
  record: R;
  /** Paths of the fields that did not fit and are null now: `followers`, in a list `0.likes`. */
  lost: string[];
  /** Indexes of the rows of a list that have an identity and no data. */
  hollow: number[];
}

/** Required fields. */
const identityFields: ReadonlySet<string> = new Set(['id', 'username']);
const maxNamedIssues = 10;

/** Fields that name a record or are built from its name: they are no data. */
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
/** A record with these fields is a profile, which needs one of them. Channels do not: some have no public count. */
const profileCounts = ['followers', 'following', 'posts'];

/**
 * Returns a record in the form of its schema. Fields fail one by one: one that does not fit becomes null, where its schema allows
 * null and it is no identity. Throws SOURCE_RESPONSE_CHANGED when the rest does not fit either, and when the record, or each row
 * of a list, has an identity and no data. `quality` names what the source hides on purpose: a hidden count is data.
 */
export function fitRecord<R>(schema: z.ZodType<R>, record: unknown, quality: Quality = {}): Fitted<R> {
  const { record: fitted, lost } = fitFields(schema, record);
  const rows: unknown[] = Array.isArray(fitted) ? fitted : [fitted];
  const isHidden = (path: string) => quality[path] === 'hidden';
  const hollow = [...rows.keys()].filter((index) => {
    const prefix = Array.isArray(fitted) ? `${index}.` : '';
    return isHollow(rows[index], (field) => isHidden(`${prefix}${field}`));
  });
  if (rows.length > 0 && hollow.length === rows.length) {
    throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: 'the answer has an identity and no data' });
  }
  return { record: fitted, lost, hollow };
}

function isHollow(record: unknown, isHidden: (field: string) => boolean): boolean {
  if (typeof record !== 'object' || record === null) return false;
  const isChannel = Object.hasOwn(record, 'total_views');
  const isProfile = !isChannel && profileCounts.every((field) => Object.hasOwn(record, field));
  const fields = isProfile ? profileCounts : Object.keys(record);
  return fields.every(
    (field) => namingFields.has(field) || ((dig(record, field) ?? null) === null && !isHidden(field)),
  );
}

function fitFields<R>(schema: z.ZodType<R>, record: unknown): Omit<Fitted<R>, 'hollow'> {
  const first = schema.safeParse(record);
  if (first.success) return { record: first.data, lost: [] };
  const depth = Array.isArray(record) ? 2 : 1;
  const paths = first.error.issues.map(({ path }) => path.slice(0, depth).map(String));
  const optional = paths.every((path) => path.length === depth && !identityFields.has(path.at(-1) ?? ''));
  const second = optional ? schema.safeParse(withoutFields(record, paths)) : first;
  if (second.success) return { record: second.data, lost: [...new Set(paths.map((path) => path.join('.')))] };
  throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `the record does not fit: ${named(second.error)}` });
}

function withoutFields(record: unknown, paths: string[][]): unknown {
  const copy: unknown = structuredClone(record);
  for (const path of paths) {
    const owner = dig(copy, ...path.slice(0, -1));
    if (typeof owner === 'object' && owner !== null) Object.assign(owner, { [path.at(-1) ?? '']: null });
  }
  return copy;
}

function named(error: z.ZodError): string {
  const issues = error.issues.map(({ path, code }) => `${path.join('.')} (${code})`);
  return issues.slice(0, maxNamedIssues).join(', ');
}
