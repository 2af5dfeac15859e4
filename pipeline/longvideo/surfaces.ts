import type { SourceError } from '../errors.ts';
import { type Categories, createCategories } from './data-api/categories.ts';
import type { DataApi } from './data-api/client.ts';
import { createMemoryQuota } from './data-api/quota.ts';
import { createWeb, type Web } from './web/innertube.ts';

/** The refusal of the last request for captions from the web. Null: it was not refused. */
export interface CaptionWall {
  refusal: SourceError | null;
}

/** What the sources of one process share: its session, the names it keeps, the wall it stands at, and its quota for want of a ledger. */
export interface Surfaces {
  api: DataApi;
  web: Web;
  categories: Categories;
  caption_wall: CaptionWall;
  /** How long the official source and the web may take together. */
  shared_deadline_ms: number;
}

const retryDelayMs = 500;
const sharedDeadlineMs = 8_000;

export function createSurfaces(): Surfaces {
  return {
    api: { quota: createMemoryQuota(), retry_delay_ms: retryDelayMs },
    web: createWeb(),
    categories: createCategories(),
    caption_wall: { refusal: null },
    shared_deadline_ms: sharedDeadlineMs,
  };
}
