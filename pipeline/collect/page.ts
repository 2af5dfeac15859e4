import { z } from 'zod';

/** Maximum number of rows in one answer, for list routes and for sources that accept a limit. */
export const limitMax = 20;
/** The limit that requests a whole page of a source: no source has longer pages. */
export const wholePage = 100;

/** The position in a list: `source` is the name of the source that made `at`, and only that source receives it. */
export const listCursor = z.strictObject({
  source: z.string(),
  at: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** The parameters of every list collector. */
export const page = {
  limit: z.int().min(1).max(wholePage).default(3),
  cursor: listCursor.nullable().default(null),
};
