import type { Observed } from '../../db/campaigns/reports.ts';
import { type Metric, metrics } from '../../db/tracking/checks.ts';
import type { Quality as RecordQuality } from '../collect/quality.ts';

const kinds = [
  'photo profile',
  'photo post',
  'shortvideo profile',
  'shortvideo video',
  'longvideo channel',
  'longvideo video',
] as const;
type Kind = (typeof kinds)[number];

interface MetricUse {
  /** The kinds of item that have the metric. When an observation lacks it, its value is unknown. */
  of: readonly Kind[];
  /** The kinds whose engagement rate counts the metric. */
  engagement: readonly Kind[];
}

/** Where each tracked metric is used. Its name and column are in db/tracking and db/schema. */
const metricUses: Readonly<Record<Metric, MetricUse>> = {
  followers: { of: ['photo profile', 'shortvideo profile', 'longvideo channel'], engagement: [] },
  following: { of: ['photo profile', 'shortvideo profile'], engagement: [] },
  posts: { of: ['photo profile', 'shortvideo profile', 'longvideo channel'], engagement: [] },
  views: { of: ['photo post', 'shortvideo video', 'longvideo video'], engagement: [] },
  likes: {
    of: ['photo post', 'shortvideo profile', 'shortvideo video', 'longvideo video'],
    engagement: ['photo post', 'shortvideo video', 'longvideo video'],
  },
  comments: {
    of: ['photo post', 'shortvideo video', 'longvideo video'],
    engagement: ['photo post', 'shortvideo video', 'longvideo video'],
  },
  shares: { of: ['shortvideo video'], engagement: ['shortvideo video'] },
  favorites: { of: ['shortvideo video'], engagement: ['shortvideo video'] },
  total_views: { of: ['longvideo channel'], engagement: [] },
};

function metricsByKind(use: keyof MetricUse): Readonly<Record<string, readonly Metric[]>> {
  const entries = kinds.map(
    (kind) => [kind, metrics.filter((metric) => metricUses[metric][use].includes(kind))] as const,
  );
  return Object.fromEntries(entries.filter(([, names]) => names.length > 0));
}

const ownMetrics = metricsByKind('of');

/** The parts of the engagement rate, by `platform kind`; kinds without a rate are missing. */
export const engagementMetrics = metricsByKind('engagement');

/** Returns the metrics of an item: those of its kind, and any other that has an observation. */
export function metricsOf(platform: string, kind: string, observations: readonly Observed[]): Metric[] {
  const own = ownMetrics[`${platform} ${kind}`] ?? [];
  return metrics.filter(
    (metric) => own.includes(metric) || observations.some((observation) => observation[metric] !== null),
  );
}

const qualities = ['exact', 'rounded', 'hidden', 'not_exposed'] as const;
export type Quality = (typeof qualities)[number];

/** Returns the quality of a record as bits, two for each metric, in the order of {@link metrics}. */
export function packQuality(quality: RecordQuality): number {
  return metrics.reduce(
    (bits, metric, index) => bits | (qualities.indexOf(quality[metric] ?? 'exact') << (2 * index)),
    0,
  );
}

/** Returns the quality of each metric from its bits. */
export function unpackQuality(bits: number): Record<Metric, Quality> {
  return Object.fromEntries(metrics.map((metric) => [metric, readQuality(bits, metric)])) as Record<Metric, Quality>;
}

/** Returns the quality of a metric in an observation. */
export function qualityOf(observation: Pick<Observed, 'quality'>, metric: Metric): Quality {
  return readQuality(observation.quality, metric);
}

function readQuality(bits: number, metric: Metric): Quality {
  return qualities[(bits >> (2 * metrics.indexOf(metric))) & 3] as Quality;
}

/** Returns the tracked numbers of a record; a number that the record lacks is null. */
export function valuesOf(record: Record<string, unknown>): Record<Metric, number | null> {
  const entries = metrics.map((metric) => [metric, typeof record[metric] === 'number' ? record[metric] : null]);
  return Object.fromEntries(entries) as Record<Metric, number | null>;
}
