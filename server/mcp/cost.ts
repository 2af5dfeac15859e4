import { quantity } from '../../pipeline/quantity.ts';
import type { Route } from '../data/route.ts';
import { type Json, textType } from '../openapi/parts.ts';
import type { Workflow } from '../workflows/catalog.ts';
import { argumentSchemas, tableData } from './schemas.ts';

/** Returns the price of a call in words. When the route is not `available`, the text also states the availability. */
export function costOf({ cost, availability }: Route): string {
  const credits = quantity(cost, 'credit');
  return availability === 'available' ? credits : `${credits}, ${availability}`;
}

/**
 * Returns the arguments of the tool for a spreadsheet route, without `estimate` and `format`. `format` is left out
 * because the answer of a tool is always JSON.
 */
export function workflowParameters({ parameters }: Workflow): Record<string, Json> {
  const { format: _, estimate: __, ...others } = parameters;
  return argumentSchemas(others);
}

export const workflowOutput: Json = tableData;

/** JSON Schemas of the fields of `data` in a cost estimate. Only the estimate of a spreadsheet route has `rows`. */
export const estimateData: Json = {
  cost: { type: 'integer', description: 'maximum cost in credits' },
  cached: { type: 'boolean' },
  availability: textType,
  rows: { type: 'integer' },
};
