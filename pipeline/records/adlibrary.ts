import { z } from 'zod';
import { count, decimal, text, texts } from './shared.ts';

const range = z.strictObject({ lower_bound: decimal, upper_bound: decimal }).nullable();

/** A company's ad (preview). The specification does not define this record, so its field names are our choice. */
export const ad = z
  .strictObject({
    id: text.describe('ID of the ad in the Ad Library'),
    page_id: text,
    page_name: text,
    created_at: text,
    started_at: text,
    ended_at: text,
    bodies: texts,
    titles: texts,
    descriptions: texts,
    captions: texts,
    permalink: text,
    languages: texts,
    platforms: texts,
    funding_entity: text.describe('who paid for the ad; only for political ads'),
    currency: text,
    spend: range,
    impressions: range,
    audience_size: range,
    demographics: z.array(z.strictObject({ age: text, gender: text, percentage: decimal })).nullable(),
    regions: z.array(z.strictObject({ region: text, percentage: decimal })).nullable(),
    eu_total_reach: count,
    target_ages: texts,
    target_gender: text,
    target_locations: z
      .array(z.strictObject({ name: text, type: text, excluded: z.boolean().nullable(), num_obfuscated: count }))
      .nullable(),
    age_country_gender_reach_breakdown: z
      .array(
        z.strictObject({
          country: text,
          age_gender_breakdowns: z
            .array(z.strictObject({ age_range: text, male: count, female: count, unknown: count }))
            .nullable(),
        }),
      )
      .nullable(),
    beneficiary_payers: z.array(z.strictObject({ beneficiary: text, payer: text })).nullable(),
    br_total_reach: count,
    total_reach_by_location: z.array(z.strictObject({ location: text, reach: count })).nullable(),
  })
  .meta({ id: 'Ad' });
export type Ad = z.infer<typeof ad>;
