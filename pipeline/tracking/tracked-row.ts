import type { Observed } from '../../db/campaigns/reports.ts';
import type { Metric } from '../../db/tracking/checks.ts';
import type { TrackedItem } from '../../db/tracking/items.ts';
import type { Cell } from '../rows/profile-row.ts';
import { metricsOf, type Quality, qualityOf } from './metrics.ts';

/** The columns of what tracking observed: a row is one metric at one moment. */
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

/** What the rows say of an item. */
export type ShownItem = Pick<TrackedItem, 'item_id' | 'platform' | 'kind' | 'url' | 'name' | 'identity_changed'>;

const takenOver = 'The address belongs to another account now: these are the observations of the earlier one.';

/**
 * One row for each observation and metric, in the order of both; a day without an observation has no row.
 * Without `metrics` those that the kind of the item has.
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

/** A value that no source said is not exact but not exposed. */
function qualityCell(observation: Observed, metric: Metric): Quality {
  const quality = qualityOf(observation, metric);
  return observation[metric] === null && quality === 'exact' ? 'not_exposed' : quality;
}

/** The row of an item that is not shown: its error stands in `status` and `message`. */
export function refusedItem(
  asked: { item_id: string | null; url: string | null },
  { code, message }: { code: string; message: string },
): TrackedRow {
  const nothing = { name: null, metric: null, observed_at: null, value: null, quality: null, source: null };
  return { ...asked, status: code, ...nothing, message };
}
