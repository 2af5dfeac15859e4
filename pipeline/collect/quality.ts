/**
 * Maps fields to the reason why the value is inexact or missing: rounded, hidden by the account, or not exposed by the
 * data source. A key is a field name such as `followers`; in a list it begins with the row index, such as `0.likes`.
 */
export type Quality = Record<string, 'rounded' | 'hidden' | 'not_exposed'>;

/**
 * Returns the `quality` entries of the list rows from index `from` up to, but not including, `to`. The row indexes in
 * the result start at 0.
 */
export function qualityOfRows<Q extends string>(
  quality: Record<string, Q>,
  from: number,
  to: number,
): Record<string, Q> {
  const rows: Record<string, Q> = {};
  for (const [path, state] of Object.entries(quality)) {
    const dot = path.indexOf('.');
    const index = Number(path.slice(0, dot));
    if (index >= from && index < to) rows[`${index - from}${path.slice(dot)}`] = state;
  }
  return rows;
}
