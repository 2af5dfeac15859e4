import type { SourceContext } from '../collect/collect.ts';
import type { SourceError } from '../errors.ts';
import { type Categories, createCategories } from './data-api/categories.ts';
import type { DataApi } from './data-api/client.ts';
import { createMemoryQuota } from './data-api/quota.ts';
import { createWeb, type Web } from './web/innertube.ts';

/** Stores the error of YouTube's website while the website blocks our caption requests; null otherwise. */
interface CaptionBlock {
  refusal: SourceError | null;
}

/**
 * State that all YouTube sources of one running service share: quota counter, session with the website, category names,
 * and the error when YouTube blocks caption requests.
 */
export interface Surfaces {
  api: DataApi;
  web: Web;
  categories: Categories;
  caption_block: CaptionBlock;
  /** Maximum milliseconds for a request that uses the YouTube Data API and YouTube's website in parallel. */
  shared_deadline_ms: number;
}

const retryDelayMs = 500;
const sharedDeadlineMs = 8_000;

/**
 * Creates the shared state of the YouTube sources, in which no quota is used yet and no session with the website is
 * open.
 */
function createSurfaces(): Surfaces {
  return {
    api: { quota: createMemoryQuota(), retry_delay_ms: retryDelayMs },
    web: createWeb(),
    categories: createCategories(),
    caption_block: { refusal: null },
    shared_deadline_ms: sharedDeadlineMs,
  };
}

const surfacesByService = new WeakMap<SourceContext['breakers'], Surfaces>();

/**
 * Returns the YouTube state that all requests of one service share, and creates the state at the first call. The key is
 * the `breakers` object, because each service has its own.
 */
export function surfacesOfService({ breakers }: SourceContext): Surfaces {
  const existing = surfacesByService.get(breakers);
  if (existing !== undefined) return existing;
  const surfaces = createSurfaces();
  surfacesByService.set(breakers, surfaces);
  return surfaces;
}
