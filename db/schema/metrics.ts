/** The kinds of accounts and posts that can be tracked, written as `platform kind`. */
export const itemKinds = [
  'photo profile',
  'photo post',
  'shortvideo profile',
  'shortvideo video',
  'longvideo channel',
  'longvideo video',
] as const;
type ItemKind = (typeof itemKinds)[number];

interface MetricUse {
  /**
   * The kinds of tracked items that have this metric. If an observation of such an item has no value of the metric, the
   * value is unknown.
   */
  of: readonly ItemKind[];
  /** The kinds of tracked items whose engagement rate includes this metric. Default: none. */
  engagement?: readonly ItemKind[];
  /** Position of this metric's chart in the report spreadsheet. Default: the metric has no chart. */
  chart?: number;
}

const everyPost = ['photo post', 'shortvideo video', 'longvideo video'] as const;

/**
 * The metrics of tracked items. The table `observations` has one column per metric. Its column `quality` has two bits
 * per metric, in the order of this list, so new metrics must be added at the end.
 */
const trackedMetrics = {
  followers: { of: ['photo profile', 'shortvideo profile', 'longvideo channel'], chart: 1 },
  following: { of: ['photo profile', 'shortvideo profile'] },
  posts: { of: ['photo profile', 'shortvideo profile', 'longvideo channel'] },
  views: { of: everyPost, chart: 2 },
  likes: { of: ['shortvideo profile', ...everyPost], engagement: everyPost, chart: 4 },
  comments: { of: everyPost, engagement: everyPost },
  shares: { of: ['shortvideo video'], engagement: ['shortvideo video'] },
  favorites: { of: ['shortvideo video'], engagement: ['shortvideo video'] },
  total_views: { of: ['longvideo channel'], chart: 3 },
} as const satisfies Record<string, MetricUse>;

export type Metric = keyof typeof trackedMetrics;

export const metricUses: Readonly<Record<Metric, MetricUse>> = trackedMetrics;

/** The names of all metrics, in the order of their bits in the column `quality`. */
export const metrics = Object.keys(trackedMetrics) as readonly Metric[] as [Metric, ...Metric[]];
