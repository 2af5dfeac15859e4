import { plainText } from '../../pipeline/parse/addresses.ts';
import { channelIdFormat } from '../../pipeline/parse/identifiers.ts';
import { type Platform, platformOfAddress } from '../../pipeline/rows/profile-address.ts';
import { answeredRow, blankRow, type ProfileRow } from '../../pipeline/rows/profile-row.ts';
import { rowRoutes } from '../../pipeline/rows/row-routes.ts';
import type { CursorSeal } from '../data/cursor.ts';
import { type DataRequest, readRequest } from '../data/request.ts';
import { sourcedRoutes } from '../data/sourced-route.ts';
import { invalidInput } from '../http/errors.ts';
import type { Query } from '../http/query.ts';
import { type RequestedAddress, type WorkflowRowKind, withMaxAge } from './answer-rows.ts';

const routes = sourcedRoutes(rowRoutes.profiles);

/** Describes how the rows of profiles in `/v1/workflows/profile` are requested and filled. */
export const profileRows: WorkflowRowKind<ProfileRow> = {
  path: '/v1/workflows/profile',
  blank: blankRow,
  platformOf: (input) => platformOf(input, 'use a profile URL, or a handle with platform'),
  requestOf: profileDataRequest,
  toRow: answeredRow,
};

/** Returns the request to the profile route of a platform. Throws the same errors as that route. */
export function profileDataRequest(input: RequestedAddress, platform: Platform, cursors: CursorSeal): DataRequest {
  return readRequest(routes[platform], withMaxAge(queryOf(input, platform), input), cursors);
}

function queryOf({ url, platform: requested }: RequestedAddress, platform: Platform): Query {
  if (requested === null || !isBare(url)) return { url: [url] };
  const text = plainText(url);
  return platform === 'longvideo' && channelIdFormat.pattern.test(text) ? { channel_id: [text] } : { handle: [text] };
}

/** Returns true when the text is a handle or an id, which has no `/`, `:` or space. Returns false for a URL. */
export const isBare = (text: string) => !/[/:\s]/.test(plainText(text));

/**
 * Returns the platform that the request names, else the platform of the URL. Throws INVALID_INPUT when neither names a
 * platform. The error message is `hint` for a handle or an id. For a URL, the message says what is wrong with the URL.
 * `unknown`: the message for a text that looks like no URL of a platform; null for a message about profiles.
 */
export function platformOf({ url, platform }: RequestedAddress, hint: string, unknown: string | null = null): Platform {
  if (url.trim() === '') throw invalidInput([{ parameter: 'url', message: 'must not be empty' }]);
  if (platform !== null) return platform;
  if (isBare(url) && !url.includes('.')) throw invalidInput([{ parameter: 'url', message: hint }]);
  const found = platformOfAddress(url);
  if (found.ok) return found.platform;
  const message = found.is_unknown ? (unknown ?? found.message) : found.message;
  throw invalidInput([{ parameter: 'url', message }]);
}
