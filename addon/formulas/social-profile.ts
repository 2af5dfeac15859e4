import type { Server } from '../platform/client.ts';
import type { Cell } from '../platform/grid.ts';
import { profileColumns } from './fields.ts';
import type { FormulaOffer } from './offer.ts';
import { type RowsRoute, rowsOfUrls } from './rows/url-rows.ts';

const route: RowsRoute = {
  formula: 'SOCIAL_PROFILE',
  path: '/v1/workflows/profile',
  columns: profileColumns,
  what: 'profiles',
  example: 'a profile link or a column of them, such as A2:A50',
  handle_example: '=SOCIAL_PROFILE("@nasa"; "followers,posts"; "1d"; "instagram")',
};

/**
 * Gets public numbers of social profiles: one row for each profile, with its status first, then the fields you name.
 * The status is OK or says why the row is empty. A cell is empty when the platform does not publish the value.
 * Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {A2:A50} urls One profile link, or a column of them. An empty cell gives an empty row.
 * @param {"followers,posts"} fields The fields to show, separated by commas or as a row of headings. Empty: the usual fields.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or fresh for new data each time; or the refresh cell. Empty: 1d.
 * @param {"instagram"} platform Only for handles such as @nasa: instagram, tiktok or youtube. Empty: the cells contain links.
 * @return {Array<Array<string|number|boolean>>} One row for each profile.
 * @customfunction
 */
export function SOCIAL_PROFILE(
  api: Server,
  urls: unknown,
  fields: unknown,
  maxAge: unknown,
  platform: unknown,
): Cell[][] {
  return rowsOfUrls({ urls, fields, max_age: maxAge, platform }, route, api);
}

export const offer: FormulaOffer = {
  order: 1,
  label: 'Profiles',
  takes: 'Profile links',
  args: ['area', 'fields', 'max_age', 'platform'],
  choices: profileColumns.known,
  usual: profileColumns.usual,
  // One estimate of the cost has at most 200 URLs (`rows_max`), so that it is ready while the sidebar waits for it.
  estimate: { route: 'profile', unit: 'profile', per_request_max: 50, rows_max: 200, most: 1 },
  gives: 'one row for each profile link',
  costs: '1 credit for each row of new data; 0 while the cached data is younger than max_age',
};
