import { type CannedAnswer, canned, token } from '../../photo/canned.ts';

/** Invented: an ad as the archive sends it today, with what only ads of the EU, the UK and Brazil have. */
export const europeanAd = {
  id: '990000000000000101',
  page_id: '99000000000001',
  page_name: 'Invented Lighthouse Ltd',
  ad_creation_time: '2026-10-01',
  ad_delivery_start_time: '2026-10-02',
  ad_creative_bodies: ['See the light.', 'Two keepers wanted.'],
  ad_creative_link_titles: ['Lighthouse'],
  ad_creative_link_captions: ['lighthouse.example'],
  languages: ['de', 'en'],
  publisher_platforms: ['facebook', 'instagram'],
  eu_total_reach: 1234,
  br_total_reach: 0,
  target_ages: ['18', '65+'],
  target_gender: 'Women',
  target_locations: [{ name: 'Invented Bay', num_obfuscated: 0, type: 'regions', excluded: true }],
  age_country_gender_reach_breakdown: [
    {
      country: 'DE',
      age_gender_breakdowns: [
        { age_range: '18-24', male: 10, female: 20, unknown: 0 },
        { age_range: 'Unknown', unknown: 3 },
      ],
    },
  ],
  beneficiary_payers: [{ beneficiary: 'Invented Lighthouse Ltd', payer: 'Invented Agency', current: true }],
  total_reach_by_location: [
    { key: 'DE', value: 1234 },
    { key: 'FR', value: 0 },
  ],
};

/** Invented: a political ad in the singular form of 2019, whose id stands in the address of its snapshot alone. */
export const adOf2019 = {
  ad_creation_time: '2019-05-13T15:30:04+0000',
  ad_creative_body: 'Vote for the tide.',
  ad_creative_link_title: 'Tide',
  ad_creative_link_description: 'It comes twice a day.',
  ad_creative_link_caption: 'tide.example',
  ad_delivery_start_time: '2019-05-13T17:30:13+0200',
  ad_snapshot_url: `https://www.facebook.com/ads/archive/render_ad/?id=990000000000202&access_token=${token}`,
  currency: 'EUR',
  funding_entity: 'Invented Tide Party',
  spend: { lower_bound: '0', upper_bound: '99' },
  impressions: { lower_bound: '1000000' },
  demographic_distribution: [
    { percentage: '0.5155', age: '18-24', gender: 'female' },
    { percentage: '8.9E-5', age: '65+', gender: 'unknown' },
    { percentage: '1', age: '25-34', gender: 'male' },
  ],
  region_distribution: [{ percentage: '0', region: 'Île-Exemple' }],
};

/** A page of the archive; `after` is the cursor of the next one, whose address carries the token as the archive's do. */
export function archivePage(rows: readonly object[], after: string | null): object {
  if (after === null) return { data: rows };
  const next = `https://graph.facebook.com/v25.0/ads_archive?access_token=${token}&after=${after}`;
  return { data: rows, paging: { cursors: { after }, next } };
}

/** A refusal in the form of the Graph API. */
export function refusalBody(code: number, more: object = {}): object {
  return { error: { message: `(#${code}) invented`, type: 'OAuthException', code, fbtrace_id: 'AInvented', ...more } };
}

/** {@link canned} with the token of the archive. */
export function cannedArchive(...answers: CannedAnswer[]) {
  const { context, requests } = canned(...answers);
  return { context: { ...context, config: { ...context.config, meta_adlibrary_token: token } }, requests };
}
