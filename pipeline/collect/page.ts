import { z } from 'zod';

/** Rows of one answer, the limit of every list route, and of every source that gives as many as it is asked for. */
export const limitMax = 20;
/** The limit that asks a source for all rows of one of its own pages: none is longer. */
export const wholePage = 100;

/** Where a list goes on: `source` names the source whose cursor `at` is; a source is only given one of its own. */
export const placeInList = z.strictObject({
  source: z.string(),
  at: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** The parameters of every list collector. */
export const page = {
  limit: z.int().min(1).max(wholePage).default(3),
  cursor: placeInList.nullable().default(null),
};
