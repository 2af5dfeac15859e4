/** The options of a benchmark. Each benchmark has its own defaults. */
export interface BenchOptions {
  rounds?: number;
  /** Length of one measurement in seconds. */
  seconds?: number;
  /** Minutes that a benchmark with mixed traffic runs. */
  minutes?: number;
  /** Stops the benchmark when aborted, but only between two measurements. */
  signal: AbortSignal;
  print(line: string): void;
}

export type Benchmark = (options: BenchOptions) => Promise<void>;

/** Returns the median; for an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  if (low === undefined || high === undefined) throw new Error('The median of an empty list does not exist.');
  return (low + high) / 2;
}

/**
 * Returns each value divided by the other value of the same round. A slow moment of the machine affects both values, so
 * the ratio stays comparable.
 */
export function pairedRatios(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, round) => value / (others[round] as number));
}

/**
 * Measures every item once in each round, and begins each round with a different item. Returns the values of each item
 * in the order of the rounds.
 */
export async function interleaved<T, V>(
  items: readonly T[],
  rounds: number,
  signal: AbortSignal,
  measure: (item: T) => Promise<V>,
): Promise<Map<T, V[]>> {
  const measured = new Map<T, V[]>(items.map((item) => [item, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % items.length;
    for (const item of [...items.slice(first), ...items.slice(0, first)]) {
      signal.throwIfAborted();
      measured.get(item)?.push(await measure(item));
    }
  }
  return measured;
}

/** Returns the median, the lowest and the highest ratio as text, such as `1.05 (0.98-1.11)`. */
export function ratioText(ratios: readonly number[]): string {
  const two = (value: number) => value.toFixed(2);
  return `${two(median(ratios))} (${two(Math.min(...ratios))}-${two(Math.max(...ratios))})`;
}

/** A goal for a ratio: the ratio must be at least, or at most, this value. */
export interface Goal {
  at: 'least' | 'most';
  ratio: number;
}

/** Returns two table cells, the goal and whether the ratio reached it; both are empty when there is no goal. */
export function goalColumns(ratio: number, goal: Goal | undefined): [string, string] {
  if (goal === undefined) return ['', ''];
  const reached = goal.at === 'least' ? ratio >= goal.ratio : ratio <= goal.ratio;
  return [`${goal.at === 'least' ? '>=' : '<='} ${goal.ratio}`, reached ? 'yes' : 'no'];
}

/** Returns the rows as text with aligned columns. The first row is the heading. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
