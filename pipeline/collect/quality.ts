/** Field path -> why its value is not exact. For a record: `followers`; for a list: `0.likes` (row index first). */
export type Quality = Record<string, 'rounded' | 'hidden' | 'not_exposed'>;

/** Returns the quality of the rows from `from` up to, not including, `to`, with indexes that start at 0 again. */
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
