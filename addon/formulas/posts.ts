import type { Server } from '../platform/client.ts';
import { type Cell, formulaCell } from '../platform/grid.ts';
import { checkCount, readList, readWhole } from './arguments.ts';
import { postColumns, readFields } from './fields.ts';
import { maxAgeParameter } from './max-age.ts';
import { askStack, type TableQuestion } from './tables.ts';
import { type RowsQuestion, type RowsRoute, rowsOfUrls } from './url-rows.ts';

/** Each profile is a request of its own, and sixty a minute must leave some for other formulas. */
const profilesMax = 40;
const postsMax = 20;

/** The arguments of the formula as Sheets hands them over. */
export type PostsQuestion = { profiles: unknown; limit: unknown; fields: unknown; max_age: unknown };

const postRoute: RowsRoute = {
  path: '/v1/workflows/post',
  columns: postColumns,
  what: 'posts',
  example: 'the URL of a post or a column of them, such as A2:A50',
};

/** One row for each post URL, as {@link rowsOfUrls} says. */
export function socialPost(question: RowsQuestion, server: Server): Cell[][] {
  return rowsOfUrls(question, postRoute, server);
}

/**
 * The latest posts of each profile below each other: the status, then the asked fields. A profile that was not
 * answered has one row with its code. Blank cells and repeated profiles are passed over.
 *
 * @throws Error only for a formula that must be typed differently, before anything is asked.
 */
export function socialPosts(asked: PostsQuestion, server: Server): Cell[][] {
  const profiles = readList(asked.profiles, 'a profile URL or a range of them, such as A2:A20');
  const limit = readWhole(asked.limit, 'limit', 1, postsMax);
  const columns = readFields(asked.fields, postColumns);
  const maxAge = maxAgeParameter(asked.max_age, server.network.now());
  checkCount(profiles.length, profilesMax, 'profiles');
  const question: TableQuestion = {
    path: '/v1/workflows/posts',
    query: `${maxAge}${limit === null ? '' : `&limit=${limit}`}&fields=${columns.join(',')}`,
    name: 'url',
    per_request_max: 1,
    columns,
  };
  const rows = askStack(question, profiles, server);
  if (rows.length === 0) return [columns.map(() => '')];
  return rows.map((row) => columns.map((column) => formulaCell(row[column])));
}
