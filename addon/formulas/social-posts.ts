import { deadlineOf, type Server } from '../platform/client.ts';
import { type Cell, formulaCell } from '../platform/grid.ts';
import { checkCount, readList, readWhole } from './arguments.ts';
import { postColumns, readFields } from './fields.ts';
import { readFreshness } from './max-age.ts';
import type { FormulaOffer } from './offer.ts';
import {
  guessed,
  handleAlone,
  hasPlatform,
  isHandle,
  platformParameter,
  readPlatform,
  refusedRow,
} from './rows/handles.ts';
import { fetchLists, rowsOfLists } from './rows/lists.ts';
import { findRows } from './rows/local-rows.ts';
import type { Row, TableQuery } from './tables.ts';

/**
 * Maximum number of profiles in one formula. Each profile needs its own request, and all formulas together may send 60
 * requests a minute.
 */
const maxProfiles = 40;
const maxPosts = 20;
const handleExample = '=SOCIAL_POSTS("@nasa"; 3; "caption,likes"; "1d"; "instagram")';

/** The arguments of SOCIAL_POSTS as Google Sheets passes them, not checked yet. */
type PostsArguments = { profiles: unknown; limit: unknown; fields: unknown; max_age: unknown; platform: unknown };

/**
 * Gets the latest posts of one or more profiles, one row for each post, with its status first, then the fields you name.
 * A profile that could not be read has one row that says why. Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {A2} profile One profile link, or a range of up to 40. Empty cells are skipped.
 * @param {10} limit How many posts of each profile, 1 to 20. Empty: 3.
 * @param {"published_at,caption,likes"} fields The fields to show, separated by commas or as a row of headings. Empty: the usual fields.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or fresh for new data each time; or the refresh cell. Empty: 1d.
 * @param {"instagram"} platform Only for handles such as @nasa: instagram, tiktok or youtube. Empty: the cells contain links.
 * @return {Array<Array<string|number|boolean>>} One row for each post.
 * @customfunction
 */
export function SOCIAL_POSTS(
  api: Server,
  profile: unknown,
  limit: unknown,
  fields: unknown,
  maxAge: unknown,
  platform: unknown,
): Cell[][] {
  return latestPosts({ profiles: profile, limit, fields, max_age: maxAge, platform }, api);
}

/**
 * Returns the latest posts of the profiles, one row for each post.
 *
 * @throws Error, before any request, when an argument is not valid.
 */
function latestPosts(args: PostsArguments, api: Server): Cell[][] {
  const cells = readList(args.profiles, 'a profile link or a range of them, such as A2:A20');
  const profiles = cells.filter(({ fault }) => fault === null).map(({ text }) => text);
  const limit = readWhole(args.limit, 'limit', 1, maxPosts);
  const columns = readFields(args.fields, postColumns);
  const freshness = readFreshness(args.max_age, api.network.now());
  checkCount(profiles.length, maxProfiles, 'profiles');
  const platform = readPlatform(args.platform, profiles);
  const deadlineMs = deadlineOf(api.network);
  const sent = [...new Set([...columns, 'retrieved_at', 'cached'])];
  const ofLimit = limit === null ? '' : `&limit=${limit}`;
  const latest = (parameter: string, values: readonly string[]): Row[] => {
    const query: TableQuery = {
      ...{ path: '/v1/workflows/posts', query: `fields=${sent.join(',')}${ofLimit}${parameter}` },
      ...{ name: 'url', per_request_max: 1, columns: sent, deadline_ms: deadlineMs },
    };
    const lists = findRows({ query, freshness, one_cell: null, load: fetchLists }, values, api);
    return rowsOfLists(values.map((value) => lists.get(value) ?? {}));
  };
  const handles = profiles.filter(isHandle);
  const urls = profiles.filter((profile) => !isHandle(profile));
  const known = handles.filter((handle) => hasPlatform(handle, platform));
  const alone = handles.filter((handle) => !known.includes(handle));
  const ofHandles =
    platform === null ? [] : latest(platformParameter(platform.name), known).map((row) => guessed(row, platform));
  const rows: Row[] = [
    ...[...latest('', urls), ...ofHandles],
    ...alone.map((url) => ({ url, ...handleAlone(handleExample) })),
    ...cells.filter(({ fault }) => fault !== null).map((cell) => refusedRow(cell, true)),
  ];
  if (rows.length === 0) return [columns.map(() => '')];
  return rows.map((row) => columns.map((column) => formulaCell(row[column])));
}

export const offer: FormulaOffer = {
  order: 2,
  label: 'Latest posts of profiles',
  takes: 'Profile links, up to 40',
  args: ['area', 'limit', 'fields', 'max_age', 'platform'],
  choices: postColumns.known,
  usual: postColumns.usual,
  // The highest cost of one profile (`most`) is 4 credits: up to 3 for its posts, and one to find the list of videos of
  // a YouTube channel.
  estimate: { route: 'posts', unit: 'profile', per_request_max: 1, rows_max: 10, most: 4 },
  gives:
    'the latest posts of up to 40 profiles, one row for each post. limit is 1 to 20 posts for each profile; without it you get 3',
  costs:
    '2 credits for each profile with new data; on YouTube 3. For a YouTube link without a channel ID (such as /@name), the channel must first be found, for 1 more credit at most once a day',
};
