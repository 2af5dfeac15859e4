import type { Source, SourceContext } from '../collect/collect.ts';
import { isPageToken, nextPlace, placeOf } from '../collect/source-cursor.ts';
import { partialAtEnd, readRows, shortPage } from '../collect/source-rows.ts';
import { SourceError } from '../errors.ts';
import { askGraph, type GraphAnswer, graphUrl } from '../graph/ask.ts';
import { dig, toList, toText } from '../parse/values.ts';
import type { Ad } from '../records/adlibrary.ts';
import { archivedAd } from './archived-ad.ts';
import type { CompanyAdsParams } from './params.ts';

const name = 'meta-adlibrary';

/** Without `ad_snapshot_url`: that address carries the token of whoever asks. */
const fields = [
  'id,page_id,page_name,ad_creation_time,ad_delivery_start_time,ad_delivery_stop_time',
  'ad_creative_bodies,ad_creative_link_titles,ad_creative_link_descriptions,ad_creative_link_captions',
  'languages,publisher_platforms,bylines,currency,spend,impressions,estimated_audience_size',
  'demographic_distribution,delivery_by_region,eu_total_reach,target_ages,target_gender,target_locations',
  'age_country_gender_reach_breakdown,beneficiary_payers,br_total_reach,total_reach_by_location',
].join(',');

/** The official archive: political ads of all countries, all ads of the EU and the UK. For most other pages it is empty. */
export const adsArchive: Source<CompanyAdsParams, Ad[]> = {
  name,
  credentials: (config) => config.meta_adlibrary_token !== null,
  async collect(params, context) {
    const place = placeOf(params.cursor?.at ?? {});
    const { rows: sent, next } = await archivePage(params, place.after, context);
    const { rows, unread } = readRows(name, sent, knownAd);
    const end = place.skip + params.limit;
    const record = rows.slice(place.skip, end);
    const following = nextPlace(place, end, rows.length, next);
    const short = shortPage(record.length, params.limit, following);
    return { record, next: following, ...partialAtEnd(short, unread, unidentified(record)) };
  },
};

/** Answers of 2019 leave the ID and the page out; a row that does not even say who paid is of an unknown form. */
function knownAd(row: unknown): Ad | null {
  const ad = archivedAd(row);
  return [ad.id, ad.page_id, ad.page_name, ad.funding_entity].every((field) => field === null) ? null : ad;
}

function unidentified(ads: readonly Ad[]): string | null {
  const count = ads.filter(({ id }) => id === null).length;
  return count === 0 ? null : `${count} of ${ads.length} ads came without their ID.`;
}

/** One page of the archive, tried once more after a passing fault; `next` is the token of the page behind it. */
async function archivePage(params: CompanyAdsParams, after: string | null, context: SourceContext) {
  const url = graphUrl('ads_archive', queryOf(params, after));
  const request = { url, headers: { authorization: `Bearer ${context.config.meta_adlibrary_token}` } };
  let answer = await askGraph(name, request, context);
  if (answer.refusal?.meaning === 'transient') answer = await askGraph(name, request, context);
  if (answer.refusal !== null) throw refusalOf(answer);
  const rows = toList(dig(answer.body, 'data'));
  if (rows === null) throw changed('no list of ads');
  return { rows, next: nextToken(answer.body, rows, after) };
}

function queryOf(params: CompanyAdsParams, after: string | null): Record<string, string> {
  if (params.page_id === null) {
    const message = 'Only companies with an operator-verified page have ads here: send the page ID.';
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

/** The list ends with an empty page, or with one that names no next; the address of the next carries the token and is left unread. */
function nextToken(body: unknown, rows: readonly unknown[], after: string | null): string | null {
  if (rows.length === 0 || toText(dig(body, 'paging', 'next')) === null) return null;
  const next = toText(dig(body, 'paging', 'cursors', 'after'));
  if (next === null || !isPageToken(next)) throw changed('a next page without a cursor');
  return next === after ? null : next;
}

/** The API names the parameter that it refuses in its words only; these have a value of the customer's. */
const customerParameters =
  /\b(?:search_page_ids|ad_reached_countries|ad_delivery_date_m(?:in|ax)|languages|media_type|ad_active_status|Param after|cursors?)\b/;

function refusalOf({ body, refusal }: GraphAnswer): SourceError | undefined {
  if (refusal?.meaning !== 'invalid_parameter') return refusal?.error;
  const reason = refusal.error.reason ?? name;
  const ofCustomer = customerParameters.test(toText(dig(body, 'error', 'message')) ?? '');
  if (!ofCustomer) return new SourceError('SOURCE_UNAVAILABLE', { reason });
  return new SourceError('INVALID_INPUT', { reason, message: 'The source does not take a value of this request.' });
}

function changed(reason: string): SourceError {
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `${name}: ${reason}` });
}
