import type { Report } from '../formulas/report-tables.ts';
import { asObject } from '../platform/client.ts';

/** Returns the objects in a list of a campaign report. Returns an empty list when the value is not a list. */
export function objects(value: unknown): Report[] {
  return Array.isArray(value) ? value.map((item: unknown) => asObject(item) ?? {}) : [];
}

/** Returns a value of a campaign report as a number; null when the number is unknown. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** Returns a value of a campaign report as text; null when the text is missing or empty. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * Returns a value of a campaign report as a time in Unix ms; null when it is missing or later than a JavaScript date
 * can be.
 */
export function timeOf(value: unknown): number | null {
  return typeof value === 'number' && Math.abs(value) <= timeMaxMs ? value : null;
}

const timeMaxMs = 8.64e15;
