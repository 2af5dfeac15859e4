import type { Answer } from '../test-service.ts';

/** The cells of a column of an answer with columns and rows, top down. */
export function column({ json }: Answer, name: string): unknown[] {
  const index = json.data.columns.indexOf(name);
  if (index === -1) throw new Error(`no column ${name}`);
  return json.data.rows.map((row) => row[index]);
}

/** What the rows say that they cost. */
export function sumOfRows(answer: Answer): number {
  return column(answer, 'credits_charged').reduce<number>((sum, cell) => sum + Number(cell), 0);
}

/** A workflow's address with the same parameter as often as there are values. */
export function workflowPath(name: string, parameter: string, values: readonly string[], more = ''): string {
  return `/v1/workflows/${name}?${new URLSearchParams(values.map((value): [string, string] => [parameter, value]))}${more}`;
}
