import type { Observed } from '../../db/campaigns/reports.ts';
import type { Metric } from '../../db/schema/metrics.ts';
import type { TrackedItem } from '../../db/tracking/items.ts';
import type { Cell } from '../rows/profile-row.ts';
import { metricsOf, type Quality, qualityOf } from './metrics.ts';

/** The columns of tracked history. Each row is one metric of an item at one time. */
export const trackedColumns = [
  'item_id',
  'url',
  'status',
  'name',
  'metric',
  'observed_at',
  'value',
  'quality',
  'source',
  'message',
] as const;
export type TrackedColumn = (typeof trackedColumns)[number];
export type TrackedRow = Record<TrackedColumn, Cell>;

/** The fields of an item from which its rows are made. */
export type ShownItem = Pick<TrackedItem, 'item_id' | 'platform' | 'kind' | 'url' | 'name' | 'identity_changed'>;

const takenOver = 'This handle now belongs to another account: these numbers are of the earlier account.';

/**
 * Returns one row for each observation and metric, in the order of the observations and then of the metrics. A day without an
 * observation has no row. If `metrics` is null, uses the metrics of the item's kind.
 */
export function trackedRows(
  item: ShownItem,
  observations: readonly Observed[],
  metrics: readonly Metric[] | null,
): TrackedRow[] {
  const { item_id, url, name, platform, kind } = item;
  const shown = metrics ?? metricsOf(platform, kind, observations);
  const common = { item_id, url, status: 'OK', name, message: item.identity_changed ? takenOver : null };
  return observations.flatMap((observation) =>
    shown.map((metric) => ({
      ...common,
      metric,
      observed_at: observation.observed_at.toISOString(),
      value: observation[metric],
      quality: qualityCell(observation, metric),
      source: observation.source,
    })),
  );
}

/** Returns the quality of a value. A missing value is `not_exposed` unless its quality is known. */
function qualityCell(observation: Observed, metric: Metric): Quality {
  const quality = qualityOf(observation, metric);
  return observation[metric] === null && quality === 'exact' ? 'not_exposed' : quality;
}

/** Returns the row for an item that cannot be shown, with the error in `status` and `message`. */
export function refusedItem(
  requested: { item_id: string | null; url: string | null },
  { code, message }: { code: string; message: string },
): TrackedRow {
  const nothing = { name: null, metric: null, observed_at: null, value: null, quality: null, source: null };
  return { ...requested, status: code, ...nothing, message };
}
