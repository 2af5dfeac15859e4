import { channelId } from '../../pipeline/parse/identifiers.ts';
import { type Platform, platformOfAddress, platforms, profileKinds } from '../../pipeline/rows/profile-address.ts';
import { answeredRow, blankRow, type ProfileRow } from '../../pipeline/rows/profile-row.ts';
import { catalog } from '../data/catalog.ts';
import type { CursorSeal } from '../data/cursor.ts';
import { type DataRequest, type Query, readRequest } from '../data/request.ts';
import type { SourcedRoute } from '../data/route.ts';
import { invalidInput } from '../http/errors.ts';
import { type AskedAddress, agedQuery, type RowKind } from './rows.ts';

/** The row of the catalog that sells a path. */
export function sourcedRoute(path: string): SourcedRoute {
  const route = catalog.find((row) => row.path === path);
  if (!route || route.availability === 'planned') throw new Error(`nothing is sold at ${path}`);
  return route;
}

/** The route of each platform by its path. */
export function routesOf(paths: Readonly<Record<Platform, string>>): Record<Platform, SourcedRoute> {
  const rows = platforms.map((platform) => [platform, sourcedRoute(paths[platform])]);
  return Object.fromEntries(rows) as Record<Platform, SourcedRoute>;
}

const routes = routesOf({
  photo: profileKinds.photo.path,
  shortvideo: profileKinds.shortvideo.path,
  longvideo: profileKinds.longvideo.path,
});

/** Profiles as rows. */
export const profileRows: RowKind<ProfileRow> = {
  path: '/v1/workflows/profile',
  blank: blankRow,
  platformOf: (asked) => platformOf(asked, 'send a profile URL, or add platform= for a handle'),
  requestOf: profileRequest,
  answered: answeredRow,
};

/** What the profile route of the platform is asked; throws as that route does. */
export function profileRequest(asked: AskedAddress, platform: Platform, cursors: CursorSeal): DataRequest {
  return readRequest(routes[platform], agedQuery(queryOf(asked, platform), asked), cursors);
}

function queryOf({ url, platform }: AskedAddress, found: Platform): Query {
  if (platform === null || !isBare(url)) return { url: [url] };
  return found === 'longvideo' && channelId.pattern.test(url) ? { channel_id: [url] } : { handle: [url] };
}

/** A handle or an id: no address. */
export const isBare = (text: string) => !/[/:]/.test(text);

/** The platform that an address belongs to; throws INVALID_INPUT with the sentence of the platform it is nearest to. */
export function platformOf({ url, platform }: AskedAddress, instead: string): Platform {
  if (url.trim() === '') throw invalidInput([{ parameter: 'url', message: 'is empty' }]);
  if (platform !== null) return platform;
  if (isBare(url) && !url.includes('.')) throw invalidInput([{ parameter: 'url', message: instead }]);
  const found = platformOfAddress(url);
  if (found.ok) return found.platform;
  throw invalidInput([{ parameter: 'url', message: found.message }]);
}
