import type { z } from 'zod';
import { SourceError } from './errors.ts';
import { dig } from './parse.ts';

export interface Fitted<R> {
  record: R;
  /** Paths of the fields that did not fit and are null now: `followers`, in a list `0.likes`. */
  lost: string[];
}

/** What a record is nothing without. */
const identityFields: ReadonlySet<string> = new Set(['id', 'username']);
const max_named_issues = 10;

/**
 * A record as its schema has it. Fields fail one by one: one that does not fit becomes null, where its schema allows null and
 * it is no identity. Throws SOURCE_RESPONSE_CHANGED with the paths that did not fit as its reason.
 */
export function fitRecord<R>(schema: z.ZodType<R>, record: unknown): Fitted<R> {
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
  return issues.slice(0, max_named_issues).join(', ');
}
