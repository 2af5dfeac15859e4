import { z } from 'zod';
import type { Quality } from '../../../pipeline/collect/quality.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { textTable } from '../command.ts';

/** The states that a field can have in a row, the most informative state first. */
const states = ['rounded', 'given', 'hidden', 'not_exposed', 'null'] as const;
type State = (typeof states)[number];

interface FieldCoverage {
  field: string;
  /** The first of {@link states} that occurs in at least one row. */
  state: State;
  /** Number of rows in which the field has a value, exact or rounded. */
  given: number;
}

/** Describes which fields of a record have a value in an answer. The fields are those in docs/openapi.json. */
interface Coverage {
  fields: FieldCoverage[];
  /** Number of fields that have a value in at least one row. */
  given: number;
  /** Number of rows of a list; null for a single record. */
  rows: number | null;
}

/** Compares a record, or all rows of a list, with the top-level fields of its schema. */
export function coverageOf(schema: z.ZodType, record: unknown, quality: Quality): Coverage {
  const rows: [string, unknown][] = Array.isArray(record)
    ? record.map((row, index) => [`${index}.`, row])
    : [['', record]];
  const fields = fieldsOf(schema).map((field) => {
    const seen = rows.map(([prefix, row]) => stateOf(row, field, quality[`${prefix}${field}`]));
    const state = states.find((state) => seen.includes(state)) ?? 'null';
    return { field, state, given: seen.filter(isFilled).length };
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
  throw new Error('The record of this collector is not an object, so it has no fields to count.');
}

function stateOf(row: unknown, field: string, quality: Quality[string] | undefined): State {
  const value = (row as Record<string, unknown>)[field] ?? null;
  if (value !== null) return quality === 'rounded' ? 'rounded' : 'given';
  return quality === 'hidden' || quality === 'not_exposed' ? quality : 'null';
}

const isFilled = (state: State) => state === 'given' || state === 'rounded';

/** Returns a summary such as `31 of 40 given`; for a list also the number of rows. */
export function summaryOf({ fields, given, rows }: Coverage): string {
  const summary = `${given} of ${fields.length} given`;
  return rows === null ? summary : `${summary}, in ${quantity(rows, 'row')}`;
}

/** Returns one line per field, then the summary. */
export function coverageText(coverage: Coverage): string {
  const { fields, rows } = coverage;
  const lines = fields.map(({ field, state, given }) =>
    rows === null ? { field, state } : { field, state, 'given in': `${given} of ${rows} rows` },
  );
  return `${textTable(lines)}\n\n${summaryOf(coverage)}`;
}
