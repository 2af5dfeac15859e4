import type { Observed } from '../../db/observations/observed.ts';
import { itemKinds, type Metric, metrics, metricUses } from '../../db/schema/metrics.ts';
import type { Quality } from '../collect/quality.ts';

/**
 * Returns the name of a metric for people, in lower case. `total_views` is the number that YouTube shows for a channel
 * and is called "channel views", because "total views" would look like a sum.
 */
export function metricName(metric: string): string {
  return metric === 'total_views' ? 'channel views' : metric.replaceAll('_', ' ');
}

function metricsByKind(use: 'of' | 'engagement'): Readonly<Record<string, readonly Metric[]>> {
  const entries = itemKinds.map(
    (kind) => [kind, metrics.filter((metric) => metricUses[metric][use]?.includes(kind))] as const,
  );
  return Object.fromEntries(entries.filter(([, names]) => names.length > 0));
}

const ownMetrics = metricsByKind('of');

/**
 * The metrics that are added up to compute the engagement rate. The key is the platform and the kind of item, such as
 * `photo post`. Kinds without an engagement rate are missing.
 */
export const engagementMetrics = metricsByKind('engagement');

/**
 * Returns the metrics to show for a tracked item: those that items of its kind always have, and any other metric with
 * an observed value.
 */
export function metricsOf(platform: string, kind: string, observations: readonly Observed[]): Metric[] {
  const own = ownMetrics[`${platform} ${kind}`] ?? [];
  return metrics.filter(
    (metric) => own.includes(metric) || observations.some((observation) => observation[metric] !== null),
  );
}

const qualities = ['exact', 'rounded', 'hidden', 'not_exposed'] as const;
export type MetricQuality = (typeof qualities)[number];

/**
 * Packs the quality of all metrics of a record into one number, with two bits for each metric in the order of {@link
 * metrics}.
 */
export function packQuality(quality: Quality): number {
  return metrics.reduce(
    (bits, metric, index) => bits | (qualities.indexOf(quality[metric] ?? 'exact') << (2 * index)),
    0,
  );
}

/** Returns the quality of each metric from a number that {@link packQuality} returned. */
export function unpackQuality(bits: number): Record<Metric, MetricQuality> {
  return Object.fromEntries(metrics.map((metric) => [metric, readQuality(bits, metric)])) as Record<
    Metric,
    MetricQuality
  >;
}

/** Returns the quality (exact, rounded, ...) of one metric in an observation. */
export function qualityOf(observation: Pick<Observed, 'quality'>, metric: Metric): MetricQuality {
  return readQuality(observation.quality, metric);
}

/**
 * Returns the quality of a metric as tables of tracked items show it. A missing value without a known reason is
 * `not_exposed`, never exact. Returns null for a missing value of a metric that this kind of item does not have.
 */
export function shownQuality(
  { platform, kind }: { platform: string; kind: string },
  observation: Observed,
  metric: Metric,
): MetricQuality | null {
  const quality = qualityOf(observation, metric);
  if (observation[metric] !== null || quality !== 'exact') return quality;
  return ownMetrics[`${platform} ${kind}`]?.includes(metric) ? 'not_exposed' : null;
}

function readQuality(bits: number, metric: Metric): MetricQuality {
  return qualities[(bits >> (2 * metrics.indexOf(metric))) & 3] as MetricQuality;
}

/**
 * Returns the value of each metric (followers, views, ...) in a fetched record. A metric that the record does not have
 * is null.
 */
export function metricValues(record: Record<string, unknown>): Record<Metric, number | null> {
  const entries = metrics.map((metric) => [metric, typeof record[metric] === 'number' ? record[metric] : null]);
  return Object.fromEntries(entries) as Record<Metric, number | null>;
}
