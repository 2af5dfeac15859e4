import { errorTable } from '../pipeline/errors.ts';
import { type Platform, platformOfAddress, platforms, profileKinds } from '../pipeline/profile-address.ts';
import { answeredRow, blankRow, type ProfileRow, refusedRow } from '../pipeline/profile-row.ts';
import { catalog } from './catalog.ts';
import type { CursorSeal } from './cursor.ts';
import { asRequestError, invalidInput } from './errors.ts';
import type { Meter, MeteredRequest } from './meter.ts';
import { type Query, readRequest } from './request.ts';
import type { SourcedRoute } from './route.ts';

const routes = new Map(
  platforms.map((platform) => {
    const { path } = profileKinds[platform];
    return [platform, catalog.find((route) => route.path === path) as SourcedRoute];
  }),
);

export interface RowRequest extends Omit<MeteredRequest, 'request'> {
  /** A profile URL, or with `platform` a handle. */
  url: string;
  platform: Platform | null;
  /** One of the values of cache_max_age; null asks for fresh data. */
  cache_max_age: string | null;
}

export interface AnsweredRow {
  row: ProfileRow;
  /** The balance after this row, null when it never came to that. */
  credits_remaining: number | null;
}

/** One row, priced and answered on its own: whatever goes wrong stands in its `status` and `message`. */
export async function profileRow(asked: RowRequest, meter: Meter, cursors: CursorSeal): Promise<AnsweredRow> {
  let blank = blankRow(asked.url, null);
  try {
    const platform = platformOf(asked);
    blank = { ...blank, platform };
    const request = readRequest(routes.get(platform) as SourcedRoute, queryOf(asked, platform), cursors);
    const { url: _, platform: __, cache_max_age: ___, ...metering } = asked;
    const metered = await meter({ ...metering, request });
    return { row: answeredRow(blank, metered), credits_remaining: metered.credits_remaining };
  } catch (thrown) {
    const error = asRequestError(thrown);
    if (errorTable[error.code].status === 500) throw thrown;
    return { row: refusedRow(blank, error), credits_remaining: null };
  }
}

function queryOf({ url, platform, cache_max_age }: RowRequest, found: Platform): Query {
  const name = platform !== null && isHandle(url) ? 'handle' : 'url';
  const query: Query = { [name]: [url] };
  if (cache_max_age !== null) query.cache_max_age = [cache_max_age];
  if (found === 'longvideo' && name === 'handle') query.handle = [url];
  return query;
}

const isHandle = (text: string) => !/[/:]/.test(text);

/** The platform whose profile an address names; throws INVALID_INPUT with the sentence of the platform it is nearest to. */
function platformOf({ url, platform }: RowRequest): Platform {
  if (url.trim() === '') throw invalidInput([{ parameter: 'url', message: 'is empty' }]);
  if (platform !== null) return platform;
  if (isHandle(url) && !url.includes('.')) {
    throw invalidInput([{ parameter: 'url', message: 'send a profile URL, or add platform= for a handle' }]);
  }
  const found = platformOfAddress(url);
  if (found.ok) return found.platform;
  throw invalidInput([{ parameter: 'url', message: found.message }]);
}
