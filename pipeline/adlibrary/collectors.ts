import { z } from 'zod';
import type { Collector } from '../collect/collect.ts';
import { type Ad, ad } from '../records/adlibrary.ts';
import { adsArchive } from './ads-archive.ts';
import { type CompanyAdsParams, companyAdsParams } from './params.ts';

export const adlibraryCompanyAds: Collector<CompanyAdsParams, Ad[]> = {
  name: 'adlibraryCompanyAds',
  params: companyAdsParams,
  record: z.array(ad),
  sources: [adsArchive],
};
