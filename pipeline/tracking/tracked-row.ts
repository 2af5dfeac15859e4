import type { Observed } from '../../db/observations/observed.ts';
import type { Metric } from '../../db/schema/metrics.ts';
import type { TrackedItem } from '../../db/tracking/items.ts';
import type { Cell } from '../rows/profile-row.ts';
import { metricsOf, shownQuality } from './metrics.ts';

/** The columns of the table with the history of tracked items. Each row is one metric of one item at one time. */
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
type TrackedColumn = (typeof trackedColumns)[number];
export type TrackedRow = Record<TrackedColumn, Cell>;

/** The fields of a tracked item that are needed to create its rows in a sheet. */
export type ShownItem = Pick<TrackedItem, 'item_id' | 'platform' | 'kind' | 'url' | 'name' | 'identity_changed'>;

const takenOver = 'This handle now belongs to another account: these numbers are of the earlier account.';

/**
 * Returns one row for each observation and metric of a tracked item, sorted by observation and then by metric. A day
 * without an observation has no row. When `metrics` is null, uses the metrics that this kind of item has.
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
      quality: shownQuality(item, observation, metric) ?? 'not_exposed',
      source: observation.source,
    })),
  );
}

/**
 * Returns the row for a requested item that cannot be shown. `status` contains the error code and `message` the error
 * text.
 */
export function refusedItem(
  requested: { item_id: string | null; url: string | null },
  { code, message }: { code: string; message: string },
): TrackedRow {
  const nothing = { name: null, metric: null, observed_at: null, value: null, quality: null, source: null };
  return { ...requested, status: code, ...nothing, message };
}
