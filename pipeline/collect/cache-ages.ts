import { daySeconds } from '../../db/durations.ts';
import { cachedSeconds } from '../../db/requests/responses.ts';

/** The maximum ages of cached answers that users can choose, in seconds. */
export const cacheAges = {
  '1d': daySeconds,
  '3d': 3 * daySeconds,
  '7d': 7 * daySeconds,
  '14d': 14 * daySeconds,
  '30d': cachedSeconds,
} as const;
export type CacheAge = keyof typeof cacheAges;
export const cacheAgeNames = Object.keys(cacheAges) as [CacheAge, ...CacheAge[]];
