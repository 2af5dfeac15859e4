import type { Source, SourceContext } from '../collect/collect.ts';
import { isPageToken, nextPosition, readPosition } from '../collect/source-cursor.ts';
import { partialAtEnd, readRows, shortPage } from '../collect/source-rows.ts';
import { responseChanged, SourceError } from '../errors.ts';
import { fetchGraph, type GraphAnswer, graphUrl } from '../graph/fetch-graph.ts';
import { dig, toList, toText } from '../parse/values.ts';
import type { Ad } from '../records/adlibrary.ts';
import { archivedAd } from './archived-ad.ts';
import type { CompanyAdsParams } from './params.ts';

const name = 'meta-adlibrary';

/**
 * Ad fields that are requested from Meta's ad archive. `ad_snapshot_url` is not requested, because that URL contains
 * the access token.
 */
const fields = [
  'id,page_id,page_name,ad_creation_time,ad_delivery_start_time,ad_delivery_stop_time',
  'ad_creative_bodies,ad_creative_link_titles,ad_creative_link_descriptions,ad_creative_link_captions',
  'languages,publisher_platforms,bylines,currency,spend,impressions,estimated_audience_size',
  'demographic_distribution,delivery_by_region,eu_total_reach,target_ages,target_gender,target_locations',
  'age_country_gender_reach_breakdown,beneficiary_payers,br_total_reach,total_reach_by_location',
].join(',');

/**
 * Collects ads from Meta's official ad archive, which has political ads of all countries and all ads in the EU and the
 * UK. Outside the EU and the UK, advertisers without political ads usually have none.
 */
export const adsArchive: Source<CompanyAdsParams, Ad[]> = {
  name,
  credentials: (config) => config.meta_adlibrary_token !== null,
  async collect(params, context) {
    const position = readPosition(params.cursor?.at ?? {});
    const { rows: sent, next } = await archivePage(params, position.after, context);
    const { rows, unread } = readRows(name, sent, knownAd);
    const end = position.skip + params.limit;
    const record = rows.slice(position.skip, end);
    const nextCursor = nextPosition(position, end, rows.length, next);
    const short = shortPage(record.length, params.limit, nextCursor);
    return { record, next: nextCursor, ...partialAtEnd(short, unread, missingIds(record)) };
  },
};

/**
 * Converts an entry of Meta's ad archive to an ad; returns null for an entry in an unknown format. Entries of 2019 may
 * lack the ID, the page and the funding entity, but always have dates.
 */
function knownAd(row: unknown): Ad | null {
  const ad = archivedAd(row);
  const signs = [ad.id, ad.page_id, ad.page_name, ad.funding_entity, ad.created_at, ad.started_at];
  return signs.every((sign) => sign === null) ? null : ad;
}

function missingIds(ads: readonly Ad[]): string | null {
  const count = ads.filter(({ id }) => id === null).length;
  return count === 0 ? null : `${count} of ${ads.length} ads have no ID.`;
}

/**
 * Fetches one page of Meta's ad archive: the page after the token `after`, or the first page when `after` is null.
 * Retries once after a transient error. The returned `next` is the token of the next page.
 */
async function archivePage(params: CompanyAdsParams, after: string | null, context: SourceContext) {
  const url = graphUrl('ads_archive', queryOf(params, after));
  const request = { url, headers: { authorization: `Bearer ${context.config.meta_adlibrary_token}` } };
  let answer = await fetchGraph(name, request, context);
  if (answer.refusal?.meaning === 'transient') answer = await fetchGraph(name, request, context);
  if (answer.refusal !== null) throw refusalOf(answer);
  const rows = toList(dig(answer.body, 'data'));
  if (rows === null) throw changed('no list of ads');
  return { rows, next: nextToken(answer.body, rows, after) };
}

function queryOf(params: CompanyAdsParams, after: string | null): Record<string, string> {
  if (params.page_id === null) {
    const message =
      'This server does not know which Facebook page belongs to this company: send its page_id instead of company_name.';
    throw new SourceError('INVALID_INPUT', { message });
  }
  const optional = {
    languages: params.language === null ? null : JSON.stringify([params.language.slice(0, 2)]),
    ad_delivery_date_min: params.start_date,
    ad_delivery_date_max: params.end_date,
    after,
  };
  return {
    search_page_ids: JSON.stringify([params.page_id]),
    ad_reached_countries: JSON.stringify([params.country ?? 'ALL']),
    ad_type: 'ALL',
    ad_active_status: params.status,
    media_type: params.media_type,
    ...Object.fromEntries(Object.entries(optional).flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
    fields,
    limit: String(params.limit),
  };
}

/**
 * Returns the token of the next page of ads; null at the end of the list. The URL of the next page, which the API also
 * sends, is not used because it contains the access token.
 */
function nextToken(body: unknown, rows: readonly unknown[], after: string | null): string | null {
  if (rows.length === 0 || toText(dig(body, 'paging', 'next')) === null) return null;
  const next = toText(dig(body, 'paging', 'cursors', 'after'));
  if (next === null || !isPageToken(next)) throw changed('a next page without a cursor');
  return next === after ? null : next;
}

/**
 * Matches the names of request parameters whose value comes from the customer. When the API refuses a parameter, only
 * the text of its error message contains the name.
 */
const customerParameters =
  /\b(?:search_page_ids|ad_reached_countries|ad_delivery_date_m(?:in|ax)|languages|media_type|ad_active_status|Param after|cursors?)\b/;

function refusalOf({ body, refusal }: GraphAnswer): SourceError | undefined {
  if (refusal?.meaning !== 'invalid_parameter') return refusal?.error;
  const reason = refusal.error.reason ?? name;
  const ofCustomer = customerParameters.test(toText(dig(body, 'error', 'message')) ?? '');
  if (!ofCustomer) return new SourceError('SOURCE_UNAVAILABLE', { reason });
  return new SourceError('INVALID_INPUT', {
    reason,
    message: 'The ad library does not accept one of the values in this request: check the parameters.',
  });
}

function changed(reason: string): SourceError {
  return responseChanged(`${name}: ${reason}`);
}
