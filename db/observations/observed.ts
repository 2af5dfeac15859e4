import type { Metric } from '../schema/metrics.ts';

/**
 * The numbers that one successful tracking check found. A metric is null when the source does not state it. `quality`
 * has two bits for each metric, in the order of `metrics`: 0 exact, 1 rounded, 2 hidden, 3 not exposed.
 */
export interface Observed extends Readonly<Record<Metric, number | null>> {
  item_id: string;
  observed_at: Date;
  quality: number;
  source: string;
}
