import { z } from 'zod';
import type { Quality } from '../../pipeline/collect/quality.ts';
import { table } from './command.ts';

/** From the best that any row says of a field to the least. */
const states = ['rounded', 'given', 'hidden', 'not_exposed', 'null'] as const;
type State = (typeof states)[number];

export interface FieldCoverage {
  field: string;
  /** `rounded` where any row is; a field that no row gives says why. */
  state: State;
  /** Rows that give it, rounded or not, of {@link Coverage.rows}. */
  given: number;
}

/** What an answer gives of the fields that the specification has for its record. */
export interface Coverage {
  fields: FieldCoverage[];
  /** Fields that at least one row gives. */
  given: number;
  /** Rows of a list; null for a single record. */
  rows: number | null;
}

/** Compares a record, or all rows of a list, with the top-level fields of its schema. */
export function coverageOf(schema: z.ZodType, record: unknown, quality: Quality): Coverage {
  const rows: [string, unknown][] = Array.isArray(record)
    ? record.map((row, index) => [`${index}.`, row])
    : [['', record]];
  const fields = fieldsOf(schema).map((field) => {
    const seen = rows.map(([prefix, row]) => stateOf(row, field, quality[`${prefix}${field}`]));
    const state = states.find((one) => seen.includes(one)) ?? 'null';
    return { field, state, given: seen.filter(isGiven).length };
  });
  return {
    fields,
    given: fields.filter(({ given }) => given > 0).length,
    rows: Array.isArray(record) ? rows.length : null,
  };
}

function fieldsOf(schema: z.ZodType): string[] {
  const record = schema instanceof z.ZodArray ? schema.element : schema;
  if (record instanceof z.ZodObject) return Object.keys(record.shape);
  throw new Error('a record without fields has no coverage');
}

function stateOf(row: unknown, field: string, quality: Quality[string] | undefined): State {
  const value = (row as Record<string, unknown>)[field] ?? null;
  if (value !== null) return quality === 'rounded' ? 'rounded' : 'given';
  return quality === 'hidden' || quality === 'not_exposed' ? quality : 'null';
}

const isGiven = (state: State) => state === 'given' || state === 'rounded';

/** `31 of 40 given`, of a list with its number of rows. */
export function summaryOf({ fields, given, rows }: Coverage): string {
  const summary = `${given} of ${fields.length} given`;
  return rows === null ? summary : `${summary}, in ${rows} ${rows === 1 ? 'row' : 'rows'}`;
}

/** A line a field, then the summary. */
export function coverageText(coverage: Coverage): string {
  const { fields, rows } = coverage;
  const lines = fields.map(({ field, state, given }) =>
    rows === null ? { field, state } : { field, state, 'given in': `${given} of ${rows} rows` },
  );
  return `${table(lines)}\n\n${summaryOf(coverage)}`;
}
