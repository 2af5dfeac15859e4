import type { Server } from '../platform/client.ts';
import type { Cell } from '../platform/grid.ts';
import { postColumns } from './fields.ts';
import type { FormulaOffer } from './offer.ts';
import { type RowsRoute, rowsOfUrls } from './rows/url-rows.ts';

const route: RowsRoute = {
  formula: 'SOCIAL_POST',
  path: '/v1/workflows/post',
  columns: postColumns,
  what: 'posts',
  example: 'the link of a post or a column of them, such as A2:A50',
  handle_example: null,
};

/**
 * Gets public numbers of single posts and videos: one row for each, with its status first, then the fields you name.
 * The status is OK or says why the row is empty. A cell is empty when the platform does not publish the value.
 * Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {A2:A50} urls The link of one post or video, or a column of them. An empty cell gives an empty row.
 * @param {"views,likes,comments"} fields The fields to show, separated by commas or as a row of headings. Empty: the usual fields.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or fresh for new data each time; or the refresh cell. Empty: 1d.
 * @return {Array<Array<string|number|boolean>>} One row for each post.
 * @customfunction
 */
export function SOCIAL_POST(api: Server, urls: unknown, fields: unknown, maxAge: unknown): Cell[][] {
  return rowsOfUrls({ urls, fields, max_age: maxAge }, route, api);
}

export const offer: FormulaOffer = {
  order: 3,
  label: 'Single posts and videos',
  takes: 'Post and video links',
  args: ['area', 'fields', 'max_age'],
  choices: postColumns.known,
  usual: postColumns.usual,
  estimate: { route: 'post', unit: 'post', per_request_max: 50, rows_max: 200, most: 1 },
  gives: 'one row for each link of a post or video',
  costs: '1 credit for each row of new data; 0 while the cached data is younger than max_age',
};
