import type { Server } from '../platform/client.ts';
import { postColumns } from './fields.ts';
import type { FormulaOffer } from './offer.ts';
import { type NumberRoute, numbersOf } from './rows/one-number.ts';

const route: NumberRoute = {
  formula: 'SOCIAL_VIEWS',
  path: '/v1/workflows/post',
  columns: postColumns,
  what: 'posts',
  example: 'the link of a post or a column of them, such as A2:A50',
  handle_example: null,
  field: 'views',
  label: 'the number of views',
};

/**
 * Gets the number of views of a post or video.
 * Returns a plain number, ready for arithmetic. An unknown number is an error, never 0; catch it with IFERROR. An empty cell gives an empty cell.
 * A range gives a column of numbers, in which unknown numbers are empty.
 *
 * @param {A2} post The link of one post or video. Or a column of them.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or the refresh cell. Empty: 1d.
 * @return {number} The number.
 * @customfunction
 */
export function SOCIAL_VIEWS(api: Server, post: unknown, maxAge: unknown): ReturnType<typeof numbersOf> {
  return numbersOf({ urls: post, max_age: maxAge }, route, api);
}

export const offer: FormulaOffer = {
  order: 8,
  label: 'Views, as a number',
  takes: 'Post and video links',
  args: ['area', 'max_age'],
  choices: [],
  usual: [],
  estimate: { route: 'post', unit: 'post', per_request_max: 50, rows_max: 200, most: 1 },
  gives: 'the number of views of a post or video, a plain number',
  costs: 'as for SOCIAL_POST, with which it shares cached data',
};
