import { z } from 'zod';

/** Rows of one page, the limit of every list route. */
const limit_max = 20;

/** Where a list goes on: `source` names the source whose cursor `at` is; a source is only given one of its own. */
export const placeInList = z.strictObject({
  source: z.string(),
  at: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** The parameters of every list collector. */
export const page = {
  limit: z.int().min(1).max(limit_max).default(3),
  cursor: placeInList.nullable().default(null),
};
