import type { Observed } from '../../db/campaigns/reports.ts';
import type { Metric } from '../../db/schema/metrics.ts';
import type { TrackedItem } from '../../db/tracking/items.ts';
import type { Cell } from '../rows/profile-row.ts';
import { metricsOf, type Quality, qualityOf } from './metrics.ts';

/** The columns of tracked history. A row is one metric at one time. */
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

/** The fields of an item that its rows show. */
export type ShownItem = Pick<TrackedItem, 'item_id' | 'platform' | 'kind' | 'url' | 'name' | 'identity_changed'>;

const takenOver = 'This handle now belongs to another account: these numbers are of the earlier account.';

/**
 * Returns one row for each observation and metric, in the order of both. A day without an observation has no row.
 * Null `metrics` selects the metrics of the kind of item.
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

/** Returns the quality of a value; a missing value without a quality is `not_exposed`. */
function qualityCell(observation: Observed, metric: Metric): Quality {
  const quality = qualityOf(observation, metric);
  return observation[metric] === null && quality === 'exact' ? 'not_exposed' : quality;
}

/** Returns the row of an item that cannot be shown, with its error in `status` and `message`. */
export function refusedItem(
  requested: { item_id: string | null; url: string | null },
  { code, message }: { code: string; message: string },
): TrackedRow {
  const nothing = { name: null, metric: null, observed_at: null, value: null, quality: null, source: null };
  return { ...requested, status: code, ...nothing, message };
}
