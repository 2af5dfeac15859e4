import type { BatchKind, BatchPlan } from '../../db/deliveries/batches.ts';
import { parseLongvideoUrl, parsePhotoUrl, parseShortvideoUrl } from '../parse/urls.ts';
import { postColumns, profileColumns } from '../rows/columns.ts';
import { blankPostRow, postRow, postRows } from '../rows/post-row.ts';
import {
  type Platform,
  type ProfileAddress,
  parseProfileAddress,
  platformOfAddress,
  usePostLink,
} from '../rows/profile-address.ts';
import { answeredRow, blankRow, type Cell, type RowSource } from '../rows/profile-row.ts';
import { type RowRoute, rowRoutes } from '../rows/row-routes.ts';
import { postTargetParams } from '../rows/target-params.ts';

/**
 * The data request that answers one line of a batch (bulk analysis). It has the same path and parameters as a request
 * to the API route, so that the batch and the API share cached answers.
 */
export interface RowRequest extends RowRoute {
  platform: Platform;
  params: Record<string, unknown>;
  /** Number of posts to fetch. Null when the request returns one profile or one post. */
  limit: number | null;
  /**
   * The YouTube channel whose ID must be found before the request can be sent. Finding the ID costs
   * {@link creditsPerChannel} in addition to `cost`. Null when `params` are complete.
   */
  channel: ProfileAddress | null;
}

export type BatchCells = Record<string, Cell>;

/**
 * The columns and functions of one kind of batch (bulk analysis). The functions convert a submitted line to a request,
 * and the answer to result rows.
 */
export interface BatchRowKind {
  columns: readonly string[];
  /** The JSON key that contains the record or the list in an answer of the API route. */
  container: 'profile' | 'item' | 'items';
  parse(url: string, plan: BatchPlan): { ok: true; request: RowRequest } | { ok: false; message: string };
  /** Returns a result row in which only the URL and the platform are filled. */
  blank(url: string, platform: Platform | null): BatchCells;
  /** Returns the result cells for an answer: one row for one record, or a list of rows for a list of posts. */
  cells(blank: BatchCells, source: RowSource): BatchCells | BatchCells[];
}

/** Number of credits that finding the ID of a YouTube channel costs. */
export const creditsPerChannel = rowRoutes.profiles.longvideo.cost;

/** Returns the data request that fetches one profile. */
export function profileRowRequest({ platform, params }: ProfileAddress): RowRequest {
  return { ...rowRoutes.profiles[platform], platform, params, limit: null, channel: null };
}

const parsePost: Readonly<Record<Platform, (url: string) => Record<string, unknown> | null>> = {
  photo(url) {
    const parsed = parsePhotoUrl(url);
    return parsed.ok ? postTargetParams.photo(parsed.target) : null;
  },
  shortvideo(url) {
    const parsed = parseShortvideoUrl(url);
    const params = parsed.ok ? postTargetParams.shortvideo(parsed.target) : null;
    return params && { ...params, region: null };
  },
  longvideo(url) {
    const parsed = parseLongvideoUrl(url);
    return parsed.ok ? postTargetParams.longvideo(parsed.target) : null;
  },
};

function postRequest(url: string): ReturnType<BatchRowKind['parse']> {
  const found = platformOfAddress(url);
  if (!found.ok) return { ok: false, message: found.is_unknown ? usePostLink : found.message };
  const { platform } = found;
  const params = parsePost[platform](url);
  if (!params) return { ok: false, message: usePostLink };
  return { ok: true, request: { ...rowRoutes.posts[platform], platform, params, limit: null, channel: null } };
}

function latestPostsRequest(url: string, { posts_each }: BatchPlan): ReturnType<BatchRowKind['parse']> {
  const parsed = parseProfileAddress(url);
  if (!parsed.ok) return parsed;
  const { platform, params } = parsed.profile;
  const channel = platform === 'longvideo' && !('channel_id' in params) ? parsed.profile : null;
  const request = { ...rowRoutes.latest_posts[platform], platform, params, limit: posts_each, channel };
  return { ok: true, request };
}

export const rowKinds: Readonly<Record<BatchKind, BatchRowKind>> = {
  profiles: {
    columns: profileColumns,
    container: 'profile',
    parse(url) {
      const parsed = parseProfileAddress(url);
      return parsed.ok ? { ok: true, request: profileRowRequest(parsed.profile) } : parsed;
    },
    blank: blankRow,
    cells: (blank, source) => answeredRow(blank as ReturnType<typeof blankRow>, source),
  },
  posts: {
    columns: postColumns,
    container: 'item',
    parse: postRequest,
    blank: blankPostRow,
    cells: (blank, source) => postRow(blank as ReturnType<typeof blankPostRow>, source),
  },
  latest_posts: {
    columns: postColumns,
    container: 'items',
    parse: latestPostsRequest,
    blank: blankPostRow,
    cells: (blank, source) => postRows(blank as ReturnType<typeof blankPostRow>, source),
  },
};
