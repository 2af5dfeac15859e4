import { z } from 'zod';

/**
 * Maximum number of rows in one API response with a list. Several data sources also request at most this many rows per
 * page.
 */
export const maxLimit = 20;
/** Number of rows of a list when the user chooses none: in API requests, formulas, sheet imports and data links. */
export const defaultLimit = 3;
/** Value of `limit` that requests a complete page of a data source. No source has pages with more rows. */
export const wholePage = 100;

/**
 * Schema of the `cursor` parameter of a list. `at` is the position where the next page begins. `source` is the name of
 * the data source that created `at`; only this source can read it.
 */
export const listCursor = z.strictObject({
  source: z.string(),
  at: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** Paging parameters of a request for a list: the maximum number of rows, and the position where the list continues. */
export const page = {
  limit: z.int().min(1).max(wholePage).default(defaultLimit),
  cursor: listCursor.nullable().default(null),
};
