import { z } from 'zod';
import { coreFields } from './core.ts';
import { count, decimal, identifier, identifiers, text, texts, url } from './shared.ts';

const range = z.strictObject({ lower_bound: decimal, upper_bound: decimal }).nullable();

/** An ad from Meta's Ad Library (preview). The field names are Tidemark's, not Meta's. */
export const ad = z
  .strictObject({
    id: identifier.describe('ID of the ad in the Ad Library'),
    page_id: identifier,
    page_name: text,
    created_at: identifier,
    started_at: identifier,
    ended_at: identifier,
    bodies: texts,
    titles: texts,
    descriptions: texts,
    captions: texts,
    permalink: url,
    languages: identifiers,
    platforms: identifiers,
    funding_entity: text.describe('who paid for the ad; only for political ads'),
    currency: identifier,
    spend: range,
    impressions: range,
    audience_size: range,
    demographics: z.array(z.strictObject({ age: text, gender: text, percentage: decimal })).nullable(),
    regions: z.array(z.strictObject({ region: identifier, percentage: decimal })).nullable(),
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
  .meta({ id: 'Ad' })
  .register(coreFields, {
    fields: ['created_at', 'started_at', 'page_name', 'bodies', 'titles', 'descriptions', 'captions'],
  });
export type Ad = z.infer<typeof ad>;
