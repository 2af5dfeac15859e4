import type { Answer } from '../test-service.ts';

/** Returns the cells of one column of a table. */
export function column({ json }: Answer, name: string): unknown[] {
  const index = json.data.columns.indexOf(name);
  if (index === -1) throw new Error(`no column ${name}`);
  return json.data.rows.map((row) => row[index]);
}

/** Returns the sum of the column credits_charged of a workflow answer. */
export function sumOfRows(answer: Answer): number {
  return column(answer, 'credits_charged').reduce<number>((sum, cell) => sum + Number(cell), 0);
}

/** Returns the path of a workflow request that repeats the parameter, once for each value. */
export function workflowPath(name: string, parameter: string, values: readonly string[], more = ''): string {
  return `/v1/workflows/${name}?${new URLSearchParams(values.map((value): [string, string] => [parameter, value]))}${more}`;
}
