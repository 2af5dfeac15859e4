import { plainText } from '../../pipeline/parse/addresses.ts';
import { parseShortvideoUrl } from '../../pipeline/parse/urls.ts';
import { blankPostRow, type PostRow, postRow } from '../../pipeline/rows/post-row.ts';
import { type Platform, usePostLink } from '../../pipeline/rows/profile-address.ts';
import { rowRoutes } from '../../pipeline/rows/row-routes.ts';
import { postTargetParams } from '../../pipeline/rows/target-params.ts';
import type { CursorSeal } from '../data/cursor.ts';
import { address } from '../data/parameter.ts';
import { readParameters } from '../data/read-parameters.ts';
import { type DataRequest, readRequest } from '../data/request.ts';
import { sourcedRoutes } from '../data/sourced-route.ts';
import { invalidInput } from '../http/errors.ts';
import type { Query } from '../http/query.ts';
import { type RequestedAddress, type WorkflowRowKind, withMaxAge } from './answer-rows.ts';
import { isBare, platformOf } from './profile-rows.ts';

const routes = sourcedRoutes(rowRoutes.posts);

/** Describes how the rows of posts and videos in `/v1/workflows/post` are requested and filled. */
export const postsByAddress: WorkflowRowKind<PostRow> = {
  path: '/v1/workflows/post',
  blank: blankPostRow,
  platformOf: (input) => platformOf(input, 'use the URL of a post or video, or an ID with platform', usePostLink),
  requestOf: postRequest,
  toRow: postRow,
};

function postRequest(input: RequestedAddress, platform: Platform, cursors: CursorSeal): DataRequest {
  return readRequest(routes[platform], withMaxAge(queryOf(input, platform), input), cursors);
}

function queryOf({ url, platform: requested }: RequestedAddress, platform: Platform): Query {
  if (requested !== null && isBare(url)) return { id: [plainText(url)] };
  return platform === 'shortvideo' ? { id: [shortvideoIdOf(url)] } : { url: [url] };
}

const shortvideoUrl = address(
  parseShortvideoUrl,
  postTargetParams.shortvideo,
  'a TikTok video',
  'https://www.tiktok.com/@tiktok/video/7200000000000000001',
);

/** Returns the id in the URL of a TikTok video. The data route for TikTok videos takes only an id, not a URL. */
function shortvideoIdOf(url: string): string {
  const { values, details } = readParameters({ url: [url] }, { url: shortvideoUrl });
  if (details.length > 0) throw invalidInput(details);
  return (values.url as { id: string }).id;
}
