import { parseShortvideoUrl } from '../../pipeline/parse/urls.ts';
import { blankPostRow, type PostRow, postRow } from '../../pipeline/rows/post-row.ts';
import type { Platform } from '../../pipeline/rows/profile-address.ts';
import type { CursorSeal } from '../data/cursor.ts';
import { address } from '../data/parameter.ts';
import { type DataRequest, type Query, readParameters, readRequest } from '../data/request.ts';
import { invalidInput } from '../http/errors.ts';
import { isBare, platformOf, routesOf } from './profile-rows.ts';
import { type AskedAddress, agedQuery, type RowKind } from './rows.ts';

const routes = routesOf({
  photo: '/v1/photo/post',
  shortvideo: '/v1/shortvideo/video',
  longvideo: '/v1/longvideo/video',
});

/** Posts and videos as rows. */
export const postsByAddress: RowKind<PostRow> = {
  path: '/v1/workflows/post',
  blank: blankPostRow,
  platformOf: (asked) => platformOf(asked, 'send the URL of a post or video, or add platform= for an id'),
  requestOf: postRequest,
  answered: postRow,
};

function postRequest(asked: AskedAddress, platform: Platform, cursors: CursorSeal): DataRequest {
  return readRequest(routes[platform], agedQuery(queryOf(asked, platform), asked), cursors);
}

function queryOf({ url, platform }: AskedAddress, found: Platform): Query {
  if (platform !== null && isBare(url)) return { id: [url] };
  return found === 'shortvideo' ? { id: [shortvideoIdOf(url)] } : { url: [url] };
}

const shortvideoUrl = address(
  parseShortvideoUrl,
  (target) => (target.kind === 'video' ? { id: target.id } : null),
  'a short video',
  'https://www.tiktok.com/@tiktok/video/7200000000000000001',
);

/** The short-video route takes ids alone. */
function shortvideoIdOf(url: string): string {
  const { values, details } = readParameters({ url: [url] }, { url: shortvideoUrl });
  if (details.length > 0) throw invalidInput(details);
  return (values.url as { id: string }).id;
}
