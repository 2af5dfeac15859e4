import { dig } from '../parse/values.ts';
import type { Expectation, Subject } from './subjects.ts';

/** A record from a platform and its quality: the reasons why fields are not exact. */
interface Answer {
  record: unknown;
  quality: Record<string, string>;
}

/**
 * Compares an answer of a platform with the expected values of a canary request. Returns one sentence for each field
 * that differs, and an empty list when all are right. Skips fields that the platform does not show (quality
 * `not_exposed`).
 */
export function differencesOf({ expect }: Pick<Subject, 'expect'>, { record, quality }: Answer): string[] {
  return Object.entries(expect).flatMap(([path, expected]) => {
    if (quality[path] === 'not_exposed') return [];
    const [first = '', ...rest] = path.split('.');
    if (first !== '*') return differenceOf(path, dig(record, first, ...rest), expected);
    const rows = Array.isArray(record) ? record : [];
    const isThere = rows.some((row) => differenceOf(path, dig(row, ...rest), expected).length === 0);
    return isThere ? [] : [`${path}: no row of ${rows.length} has ${textOf(expected)}`];
  });
}

function differenceOf(path: string, value: unknown, expected: Expectation): string[] {
  if (value === undefined || value === null) return [`${path}: missing, expected ${textOf(expected)}`];
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } =
    typeof expected === 'object' ? expected : {};
  const isRight =
    typeof expected === 'object' ? typeof value === 'number' && value >= min && value <= max : value === expected;
  return isRight ? [] : [`${path}: ${textOf(value)}, expected ${textOf(expected)}`];
}

const maxText = 80;

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).slice(0, maxText);
  const { min, max } = value as { min?: number; max?: number };
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  return min === undefined ? `at most ${max}` : `at least ${min}`;
}
