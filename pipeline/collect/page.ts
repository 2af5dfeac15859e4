import { z } from 'zod';

/** Maximum number of rows in one answer of a list route. It is also the largest page that is requested from a source with a page size. */
export const limitMax = 20;
/** The `limit` that requests a whole page of a source. No source has pages with more rows. */
export const wholePage = 100;

/** The `cursor` parameter of a list. `source` is the name of the source that created the position `at`; only that source receives it. */
export const listCursor = z.strictObject({
  source: z.string(),
  at: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** The parameters that every list collector has. */
export const page = {
  limit: z.int().min(1).max(wholePage).default(3),
  cursor: listCursor.nullable().default(null),
};
