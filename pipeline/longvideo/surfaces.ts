import type { SourceError } from '../errors.ts';
import { type Categories, createCategories } from './data-api/categories.ts';
import type { DataApi } from './data-api/client.ts';
import { createMemoryQuota } from './data-api/quota.ts';
import { createWeb, type Web } from './web/innertube.ts';

/** The refusal of the last caption request to the web; null when it was not blocked. */
export interface CaptionBlock {
  refusal: SourceError | null;
}

/** State that the sources of one process share: the web session, category names, the caption block, and the quota without a ledger. */
export interface Surfaces {
  api: DataApi;
  web: Web;
  categories: Categories;
  caption_block: CaptionBlock;
  /** Deadline for the official source and the web together. */
  shared_deadline_ms: number;
}

const retryDelayMs = 500;
const sharedDeadlineMs = 8_000;

export function createSurfaces(): Surfaces {
  return {
    api: { quota: createMemoryQuota(), retry_delay_ms: retryDelayMs },
    web: createWeb(),
    categories: createCategories(),
    caption_block: { refusal: null },
    shared_deadline_ms: sharedDeadlineMs,
  };
}
