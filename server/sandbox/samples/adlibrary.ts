import type { Ad } from '../../../pipeline/records/adlibrary.ts';
import { caption, countOf, daysEarlier, displayName, pad, sampleRows, website } from './invented.ts';

function day(days: number): string {
  return daysEarlier(days).slice(0, 10);
}

/**
 * Returns the fields that only political ads have: funding, spend, impressions and demographics. Other ads have null in
 * these fields.
 */
function politicalFields(index: number) {
  return {
    funding_entity: 'Invented Harbour Association',
    currency: 'EUR',
    spend: { lower_bound: 100, upper_bound: 199 },
    impressions: { lower_bound: countOf(5_000, index), upper_bound: null },
    demographics: [
      { age: '25-34', gender: 'female', percentage: 0.31 },
      { age: '65+', gender: 'unknown', percentage: 0.02 },
    ],
    regions: [{ region: 'Île-Exemple', percentage: 0.87 }],
  };
}

const commercialFields = {
  funding_entity: null,
  currency: null,
  spend: null,
  impressions: null,
  demographics: null,
  regions: null,
};

const reach = {
  target_ages: ['18', '65+'],
  target_gender: 'All',
  target_locations: [{ name: 'Germany', type: 'countries', excluded: false, num_obfuscated: 0 }],
  age_country_gender_reach_breakdown: [
    {
      country: 'DE',
      age_gender_breakdowns: [{ age_range: '25-34', male: 1_204, female: 1_311, unknown: 17 }],
    },
  ],
  beneficiary_payers: [{ beneficiary: 'Invented Harbour Ltd', payer: 'Invented Media Agency' }],
  total_reach_by_location: [{ location: 'DE', reach: 2_532 }],
};

function ad(index: number): Ad {
  const political = index % 4 === 0;
  const id = `99000000000007${pad(index, 3)}`;
  return {
    id,
    page_id: '99000000000006001',
    page_name: displayName,
    created_at: day(index + 1),
    started_at: day(index),
    ended_at: index % 3 === 2 ? null : day(index - 5),
    bodies: [caption(index + 1).text, caption(index + 2).text],
    titles: ['Tide tables for 2026'],
    descriptions: index === 3 ? null : ['Printed on paper that survives salt water.'],
    captions: ['example.com'],
    permalink: `${website}&ad=${id}`,
    languages: ['de', 'en'],
    platforms: ['facebook', 'instagram'],
    audience_size: { lower_bound: 100_000, upper_bound: 500_000 },
    eu_total_reach: countOf(2_532, index),
    br_total_reach: index === 0 ? 0 : null,
    ...(political ? politicalFields(index) : commercialFields),
    ...reach,
  };
}

export const ads: Ad[] = sampleRows(ad);
