import type { Server } from '../platform/client.ts';
import type { Cell } from '../platform/grid.ts';
import { profileColumns } from './fields.ts';
import { type RowsQuestion, type RowsRoute, rowsOfUrls } from './url-rows.ts';

const route: RowsRoute = {
  path: '/v1/workflows/profile',
  columns: profileColumns,
  what: 'profiles',
  example: 'a profile URL or a column of them, such as A2:A50',
};

/** One row for each profile URL, as {@link rowsOfUrls} says. */
export function socialProfile(question: RowsQuestion, server: Server): Cell[][] {
  return rowsOfUrls(question, route, server);
}
