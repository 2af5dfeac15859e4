import type { Observed } from '../../db/campaigns/reports.ts';
import { type Metric, metrics } from '../../db/tracking/checks.ts';

export type Quality = 'exact' | 'rounded' | 'hidden' | 'not_exposed';

const qualities = ['exact', 'rounded', 'hidden', 'not_exposed'] as const satisfies readonly Quality[];

/** Returns the quality of a metric in an observation. */
export function qualityOf(observation: Observed, metric: Metric): Quality {
  return qualities[(observation.quality >> (2 * metrics.indexOf(metric))) & 3] as Quality;
}

/** The metrics of each kind of item. One that is missing from an observation is unknown; all others do not apply. */
const applicable: Readonly<Record<string, readonly Metric[]>> = {
  'photo profile': ['followers', 'following', 'posts'],
  'photo post': ['views', 'likes', 'comments'],
  'shortvideo profile': ['followers', 'following', 'posts', 'likes'],
  'shortvideo video': ['views', 'likes', 'comments', 'shares', 'favorites'],
  'longvideo channel': ['followers', 'posts', 'total_views'],
  'longvideo video': ['views', 'likes', 'comments'],
};

/** Returns the metrics of an item: those of its kind, and any other that has an observation. */
export function metricsOf(platform: string, kind: string, observations: readonly Observed[]): Metric[] {
  const own = applicable[`${platform} ${kind}`] ?? [];
  return metrics.filter(
    (metric) => own.includes(metric) || observations.some((observation) => observation[metric] !== null),
  );
}
