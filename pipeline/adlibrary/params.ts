import { z } from 'zod';
import { page } from '../collect/page.ts';
import { pageIdFormat } from '../parse/identifiers.ts';
import { languagePattern } from '../parse/languages.ts';

/** Matches a country code, or ALL for all countries. */
export const adCountryPattern = /^(?:[A-Z]{2}|ALL)$/;
export const adStatuses = ['ALL', 'ACTIVE', 'INACTIVE'] as const;
export const adMediaTypes = ['ALL', 'IMAGE', 'MEME', 'VIDEO', 'NONE'] as const;

const date = z.iso.date('must be a date as YYYY-MM-DD').nullable().default(null);

/**
 * Parameters of a request for the ads of one Facebook page. The data source (ads-archive.ts) refuses a request with
 * `company_name`, because it cannot look up a company's page.
 */
export const companyAdsParams = z
  .strictObject({
    page_id: z.string().regex(pageIdFormat.pattern, 'must be 5 to 20 digits').nullable().default(null),
    company_name: z.string().nullable().default(null),
    country: z
      .string()
      .regex(adCountryPattern, 'must be two uppercase letters, or ALL')
      .nullable()
      .default(null)
      .describe('country where the ads were shown; null and ALL mean all countries'),
    status: z.enum(adStatuses).default('ACTIVE'),
    media_type: z.enum(adMediaTypes).default('ALL'),
    language: z
      .string()
      .regex(languagePattern, 'must be two lowercase letters, zh-Hans or zh-Hant')
      .nullable()
      .default(null),
    start_date: date.describe('delivered on this day or later'),
    end_date: date.describe('delivered on this day or earlier'),
    ...page,
  })
  .refine(({ page_id, company_name }) => (page_id === null) !== (company_name === null), {
    error: 'send exactly one of page_id, company_name',
  });
export type CompanyAdsParams = z.infer<typeof companyAdsParams>;
