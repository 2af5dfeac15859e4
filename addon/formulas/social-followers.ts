import type { Server } from '../platform/client.ts';
import { profileColumns } from './fields.ts';
import type { FormulaOffer } from './offer.ts';
import { type NumberRoute, numbersOf } from './rows/one-number.ts';

const route: NumberRoute = {
  formula: 'SOCIAL_FOLLOWERS',
  path: '/v1/workflows/profile',
  columns: profileColumns,
  what: 'profiles',
  example: 'a profile link or a column of them, such as A2:A50',
  handle_example: '=SOCIAL_FOLLOWERS("@nasa"; "instagram")',
  field: 'followers',
  label: 'the number of followers',
};

/**
 * Gets the number of followers or subscribers of a profile.
 * Returns a plain number, ready for arithmetic. An unknown number is an error, never 0; catch it with IFERROR. An empty cell gives an empty cell.
 * A range gives a column of numbers, in which unknown numbers are empty.
 *
 * @param {A2} profile The link of one profile, or a handle with its platform. Or a column of them.
 * @param {"instagram"} platform Only for handles: instagram, tiktok or youtube. Empty: the cell contains a link.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or the refresh cell. Empty: 1d.
 * @return {number} The number.
 * @customfunction
 */
export function SOCIAL_FOLLOWERS(
  api: Server,
  profile: unknown,
  platform: unknown,
  maxAge: unknown,
): ReturnType<typeof numbersOf> {
  return numbersOf({ urls: profile, platform, max_age: maxAge }, route, api);
}

export const offer: FormulaOffer = {
  order: 7,
  label: 'Followers, as a number',
  takes: 'Profile links',
  args: ['area', 'platform', 'max_age'],
  choices: [],
  usual: [],
  estimate: { route: 'profile', unit: 'profile', per_request_max: 50, rows_max: 200, most: 1 },
  gives: 'the number of followers or subscribers, a plain number',
  costs: 'as for SOCIAL_PROFILE, with which it shares cached data',
};
