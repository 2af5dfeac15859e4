import { dig, timeToIso, toCount, toDecimal, toFlag, toFreeText, toList, toText } from '../parse/values.ts';
import type { Ad } from '../records/adlibrary.ts';

/**
 * Converts an entry of Meta's ad archive, in the current format or in the format of 2019, to an ad. Removes every text
 * that contains an access token.
 */
export function archivedAd(row: unknown): Ad {
  const id = textAt(row, 'id') ?? snapshotId(dig(row, 'ad_snapshot_url'));
  return {
    id,
    page_id: textAt(row, 'page_id'),
    page_name: textAt(row, 'page_name'),
    permalink: id === null ? null : `https://www.facebook.com/ads/library/?id=${encodeURIComponent(id)}`,
    created_at: timeToIso(dig(row, 'ad_creation_time')),
    started_at: timeToIso(dig(row, 'ad_delivery_start_time')),
    ended_at: timeToIso(dig(row, 'ad_delivery_stop_time')),
    ...creativeOf(row),
    languages: textsOf(dig(row, 'languages')),
    platforms: textsOf(dig(row, 'publisher_platforms')),
    funding_entity: textAt(row, 'bylines') ?? textAt(row, 'funding_entity'),
    currency: textAt(row, 'currency'),
    spend: rangeOf(dig(row, 'spend')),
    impressions: rangeOf(dig(row, 'impressions')),
    audience_size: rangeOf(dig(row, 'estimated_audience_size') ?? dig(row, 'potential_reach')),
    demographics: eachOf(dig(row, 'demographic_distribution'), (part) => ({
      age: textAt(part, 'age'),
      gender: textAt(part, 'gender'),
      percentage: shareOf(part),
    })),
    regions: eachOf(dig(row, 'delivery_by_region') ?? dig(row, 'region_distribution'), (part) => ({
      region: textAt(part, 'region'),
      percentage: shareOf(part),
    })),
    ...reachOf(row),
  };
}

function creativeOf(row: unknown) {
  const texts = (today: string, in2019: string) =>
    textsOf(dig(row, today), freeText) ?? textsOf(dig(row, in2019), freeText);
  return {
    bodies: texts('ad_creative_bodies', 'ad_creative_body'),
    titles: texts('ad_creative_link_titles', 'ad_creative_link_title'),
    descriptions: texts('ad_creative_link_descriptions', 'ad_creative_link_description'),
    captions: texts('ad_creative_link_captions', 'ad_creative_link_caption'),
  };
}

/** Returns the ad fields that exist only for ads delivered in the EU, the UK or Brazil. */
function reachOf(row: unknown) {
  return {
    eu_total_reach: toCount(dig(row, 'eu_total_reach')),
    br_total_reach: toCount(dig(row, 'br_total_reach')),
    target_ages: textsOf(dig(row, 'target_ages')),
    target_gender: textAt(row, 'target_gender'),
    target_locations: eachOf(dig(row, 'target_locations'), (location) => ({
      name: textAt(location, 'name'),
      type: textAt(location, 'type'),
      excluded: toFlag(dig(location, 'excluded')),
      num_obfuscated: toCount(dig(location, 'num_obfuscated')),
    })),
    age_country_gender_reach_breakdown: eachOf(dig(row, 'age_country_gender_reach_breakdown'), (country) => ({
      country: textAt(country, 'country'),
      age_gender_breakdowns: eachOf(dig(country, 'age_gender_breakdowns'), (part) => ({
        age_range: textAt(part, 'age_range'),
        male: toCount(dig(part, 'male')),
        female: toCount(dig(part, 'female')),
        unknown: toCount(dig(part, 'unknown')),
      })),
    })),
    beneficiary_payers: eachOf(dig(row, 'beneficiary_payers'), (part) => ({
      beneficiary: textAt(part, 'beneficiary'),
      payer: textAt(part, 'payer'),
    })),
    total_reach_by_location: eachOf(dig(row, 'total_reach_by_location'), (part) => ({
      location: textAt(part, 'key'),
      reach: toCount(dig(part, 'value')),
    })),
  };
}

function eachOf<T>(value: unknown, read: (part: unknown) => T): T[] | null {
  return toList(value)?.map(read) ?? null;
}

function textAt(value: unknown, ...path: string[]): string | null {
  return withoutToken(toText(dig(value, ...path)));
}

function freeText(value: unknown): string | null {
  return withoutToken(toFreeText(value));
}

function withoutToken(text: string | null): string | null {
  return text === null || /access_token/i.test(text) ? null : text;
}

/**
 * Returns the texts in a field of an ad. If the API sends one text instead of a list, returns a list with that text.
 */
function textsOf(value: unknown, read: (text: unknown) => string | null = (text) => textAt(text)): string[] | null {
  const texts = toList(value) ?? (value === undefined || value === null ? null : [value]);
  return texts?.map((text) => read(text)).filter((text) => text !== null) ?? null;
}

function rangeOf(value: unknown): Ad['spend'] {
  const range = {
    lower_bound: toDecimal(dig(value, 'lower_bound')),
    upper_bound: toDecimal(dig(value, 'upper_bound')),
  };
  return range.lower_bound === null && range.upper_bound === null ? null : range;
}

/**
 * Returns the share of an age group or region as a number from 0 to 1. The API writes very small numbers as text such
 * as `8.9E-5`.
 */
function shareOf(part: unknown): number | null {
  const percentage = dig(part, 'percentage');
  const isSmall = typeof percentage === 'string' && /^\d+(?:\.\d+)?E-\d{1,3}$/i.test(percentage);
  return isSmall ? Number(percentage) : toDecimal(percentage);
}

function snapshotId(address: unknown): string | null {
  return /[?&]id=(\d+)/.exec(toText(address) ?? '')?.[1] ?? null;
}
