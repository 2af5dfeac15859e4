import { dayMs } from '../../../db/durations.ts';
import type { Observed } from '../../../db/observations/observed.ts';
import { type Metric, metrics } from '../../../db/schema/metrics.ts';
import { packQuality } from '../../../pipeline/tracking/metrics.ts';
import type { ShownItem } from '../../../pipeline/tracking/tracked-row.ts';
import { handle } from './invented.ts';
import { shortvideoProfileSample } from './shortvideo.ts';

/** The only tracked item in the sandbox. */
export const trackedItem: ShownItem = {
  item_id: '00000000-0000-7000-8000-000000000001',
  platform: 'shortvideo',
  kind: 'profile',
  url: shortvideoProfileSample.profile_url as string,
  name: handle,
  identity_changed: false,
};

const firstObservedMs = Date.UTC(2026, 0, 11, 6, 30);
const nothing = Object.fromEntries(metrics.map((metric) => [metric, null])) as Record<Metric, null>;

function observation(day: number, counts: Partial<Record<Metric, number>>, quality: Parameters<typeof packQuality>[0]) {
  const observedAt = new Date(firstObservedMs + day * dayMs);
  const seen = { ...nothing, following: 120, posts: 228 + day, ...counts };
  return {
    item_id: trackedItem.item_id,
    observed_at: observedAt,
    ...seen,
    quality: packQuality(quality),
    source: 'sandbox',
  };
}

/**
 * Observations of one week. On one day the item was not checked, one count is rounded, and one count is hidden by the
 * account.
 */
export const trackedObservations: readonly Observed[] = [
  observation(0, { followers: 48_102, likes: 1_200_038 }, {}),
  observation(1, { followers: 48_217, likes: 1_201_377 }, {}),
  observation(2, { followers: 48_300, likes: 1_201_960 }, { followers: 'rounded' }),
  observation(4, { followers: 48_495 }, { likes: 'hidden' }),
  observation(5, { followers: 48_611, likes: 1_203_914 }, {}),
  observation(6, { followers: 48_702, likes: 1_204_611 }, {}),
];
