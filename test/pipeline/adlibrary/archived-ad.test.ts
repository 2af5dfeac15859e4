import { describe, expect, test } from 'vitest';
import { archivedAd } from '../../../pipeline/adlibrary/archived-ad.ts';
import { ad } from '../../../pipeline/records/adlibrary.ts';
import { adOf2019, europeanAd } from './fixtures/archive.ts';

const read = (row: unknown) => ad.parse(archivedAd(row));

describe('an ad in the current format of the archive', () => {
  test('the audience of an ad is its estimated size, or its potential reach in the format of 2020', () => {
    const reach = { potential_reach: { lower_bound: '1000', upper_bound: '5000' } };
    expect(read(reach).audience_size).toEqual({ lower_bound: 1000, upper_bound: 5000 });
    const size = { estimated_audience_size: { lower_bound: '7' } };
    expect(read({ ...reach, ...size }).audience_size).toEqual({ lower_bound: 7, upper_bound: null });
  });

  test('an ad in the current format has the fields of ads in the EU, the UK and Brazil, as numbers', () => {
    expect(read(europeanAd)).toMatchObject({
      eu_total_reach: 1234,
      br_total_reach: 0,
      target_ages: ['18', '65+'],
      target_gender: 'Women',
      target_locations: [{ name: 'Invented Bay', type: 'regions', excluded: true, num_obfuscated: 0 }],
      age_country_gender_reach_breakdown: [
        {
          country: 'DE',
          age_gender_breakdowns: [
            { age_range: '18-24', male: 10, female: 20, unknown: 0 },
            { age_range: 'Unknown', male: null, female: null, unknown: 3 },
          ],
        },
      ],
      beneficiary_payers: [{ beneficiary: 'Invented Lighthouse Ltd', payer: 'Invented Agency' }],
      total_reach_by_location: [
        { location: 'DE', reach: 1234 },
        { location: 'FR', reach: 0 },
      ],
    });
  });

  test('an ad in the current format keeps dates as dates, lists as lists, and null for missing fields', () => {
    expect(read(europeanAd)).toMatchObject({
      id: europeanAd.id,
      created_at: '2026-10-01',
      started_at: '2026-10-02',
      ended_at: null,
      bodies: europeanAd.ad_creative_bodies,
      titles: ['Lighthouse'],
      descriptions: null,
      captions: ['lighthouse.example'],
      languages: ['de', 'en'],
      platforms: ['facebook', 'instagram'],
      spend: null,
      impressions: null,
      audience_size: null,
      funding_entity: null,
      demographics: null,
    });
  });

  test('the name of the payer of an ad is read from the new field first', () => {
    expect(read({ bylines: 'Invented Agency', funding_entity: 'Old Agency' }).funding_entity).toBe('Invented Agency');
  });
});

describe('an ad in the format of 2019', () => {
  test('an ad of 2019 has its single texts as lists of one, and its times in UTC', () => {
    expect(read(adOf2019)).toMatchObject({
      bodies: ['Vote for the tide.'],
      titles: ['Tide'],
      descriptions: ['It comes twice a day.'],
      captions: ['tide.example'],
      created_at: '2019-05-13T15:30:04.000Z',
      started_at: '2019-05-13T15:30:13.000Z',
      funding_entity: 'Invented Tide Party',
    });
  });

  test('an ad of 2019 has the id of its snapshot, and the permalink built from that id', () => {
    expect(read(adOf2019)).toMatchObject({
      id: '990000000000202',
      permalink: 'https://www.facebook.com/ads/library/?id=990000000000202',
    });
    expect(read({ ...adOf2019, ad_snapshot_url: undefined })).toMatchObject({ id: null, permalink: null });
  });

  test('an ad of 2019 has ranges as numbers, and a range without an upper bound has null there', () => {
    expect(read(adOf2019)).toMatchObject({
      spend: { lower_bound: 0, upper_bound: 99 },
      impressions: { lower_bound: 1_000_000, upper_bound: null },
    });
  });

  test('an ad of 2019 has fractions as numbers, including fractions written with an exponent', () => {
    const { demographics, regions } = read(adOf2019);
    expect(demographics?.map(({ percentage }) => percentage)).toEqual([0.5155, 0.000089, 1]);
    expect(regions).toEqual([{ region: 'Île-Exemple', percentage: 0 }]);
  });
});

test('a field of an ad with an unexpected type is null, never a guess', () => {
  const broken = Object.fromEntries(Object.keys({ ...europeanAd, ...adOf2019 }).map((field) => [field, { other: 1 }]));
  const { bodies, titles, descriptions, captions, languages, platforms, target_ages, ...others } = read(broken);
  expect(new Set(Object.values(others))).toEqual(new Set([null]));
  expect([bodies, titles, descriptions, captions, languages, platforms, target_ages].flat()).toEqual([]);
});
