import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { adsArchive } from '../../../pipeline/adlibrary/ads-archive.ts';
import { archivedAd } from '../../../pipeline/adlibrary/archived-ad.ts';
import { companyAdsParams } from '../../../pipeline/adlibrary/params.ts';
import { ad } from '../../../pipeline/records/adlibrary.ts';
import { describeRecorded, recordedFetcher, recordedFolder } from '../../recorded.ts';
import { refusalOf } from '../photo/fixed-answers.ts';
import { fixedArchive } from './fixtures/archive.ts';

type Share = { percentage: string };
type Range = { lower_bound: string; upper_bound?: string };
type Texts = 'id' | 'page_id' | 'page_name' | 'currency' | 'bylines' | 'funding_entity' | 'ad_snapshot_url';
type Times = 'ad_creation_time' | 'ad_delivery_start_time' | 'ad_delivery_stop_time';
type LinkTexts = `ad_creative_link_${'title' | 'description' | 'caption'}`;

/** The fields of a recorded ad that these tests compare with our record. */
type Row = Partial<
  Record<Texts | Times | LinkTexts | 'ad_creative_body', string> &
    Record<`${LinkTexts}s` | 'ad_creative_bodies' | 'languages' | 'publisher_platforms', string[]> &
    Record<'spend' | 'impressions' | 'estimated_audience_size', Range> &
    Record<'demographic_distribution' | 'delivery_by_region' | 'region_distribution', Share[]>
>;

const day = (time: string | undefined) => time && (time.length === 10 ? time : new Date(time).toISOString());
const list = (many: string[] | undefined, one: string | undefined) => many ?? (one === undefined ? null : [one]);
const shares = (parts: Share[] | undefined) =>
  parts?.map((part) => ({ ...part, percentage: Number(part.percentage) })) ?? null;
const range = (sent: Range | undefined) =>
  sent
    ? { lower_bound: Number(sent.lower_bound), upper_bound: sent.upper_bound ? Number(sent.upper_bound) : null }
    : null;
const snapshotId = (row: Row) => row.ad_snapshot_url?.split('id=')[1]?.split('&')[0];

/** Converts a recorded ad to our format, independently of the product code. */
function plain(row: Row): object {
  return {
    id: row.id ?? snapshotId(row) ?? null,
    page_id: row.page_id ?? null,
    page_name: row.page_name ?? null,
    created_at: day(row.ad_creation_time) ?? null,
    started_at: day(row.ad_delivery_start_time) ?? null,
    ended_at: day(row.ad_delivery_stop_time) ?? null,
    bodies: list(row.ad_creative_bodies, row.ad_creative_body),
    titles: list(row.ad_creative_link_titles, row.ad_creative_link_title),
    descriptions: list(row.ad_creative_link_descriptions, row.ad_creative_link_description),
    captions: list(row.ad_creative_link_captions, row.ad_creative_link_caption),
    languages: row.languages ?? null,
    platforms: row.publisher_platforms ?? null,
    funding_entity: row.bylines ?? row.funding_entity ?? null,
    currency: row.currency ?? null,
    spend: range(row.spend),
    impressions: range(row.impressions),
    audience_size: range(row.estimated_audience_size),
    demographics: shares(row.demographic_distribution),
    regions: shares(row.delivery_by_region ?? row.region_distribution),
    eu_total_reach: null,
    target_ages: null,
  };
}

describeRecorded('the recordings of the archive', () => {
  const json = (file: string) => JSON.parse(readFileSync(join(recordedFolder, file), 'utf8'));
  const page = (file: string): { data: Row[]; paging?: { cursors: { after: string } } } => json(file);
  const recorded = recordedFetcher();
  const requestedUrls: string[] = [];

  function collected(pageId: string, limit: number, at: object | null = null) {
    const { context } = fixedArchive();
    const fetch: typeof context.fetch = (request, signal) => {
      requestedUrls.push(request.url);
      return recorded(request, signal);
    };
    const cursor = at === null ? null : { source: 'meta-adlibrary', at };
    return adsArchive.collect(companyAdsParams.parse({ page_id: pageId, limit, cursor, country: 'GB' }), {
      ...context,
      fetch,
    });
  }

  test.each([
    ['100000000000001', 'adlibrary/ads_archive.uk-2019.woking-1.json'],
    ['100000000000003', 'adlibrary/ads_archive.uk-2019.woking.json'],
    ['2400740980159579', 'rebuilt/adlibrary/ads_archive.eu-political-2019.json'],
    ['6756153498', 'rebuilt/adlibrary/ads_archive.modern-fields.json'],
  ])('the ads of the page %s have every recorded value', async (pageId, file) => {
    const { data, paging } = page(file);
    const { record, next, partial } = await collected(pageId, 20);
    expect(record).toHaveLength(data.length);
    for (const [index, row] of data.entries()) expect(ad.parse(record[index])).toMatchObject(plain(row));
    expect(next).toEqual(paging ? { after: paging.cursors.after, skip: 0 } : null);
    expect(partial).toBe(paging !== undefined || record.some(({ id }) => id === null));
    expect(JSON.stringify(record)).not.toContain('access_token');
  });

  test('every recorded ad has its own permalink', async () => {
    const { record } = await collected('2400740980159579', 20);
    expect(new Set(record.map(({ permalink }) => permalink)).size).toBe(record.length);
    for (const { id, permalink } of record) expect(permalink).toBe(`https://www.facebook.com/ads/library/?id=${id}`);
  });

  test('the recorded list of ads ends with the empty page after the last cursor', async () => {
    const first = await collected('100000000000001', 1);
    expect(await collected('100000000000001', 1, first.next)).toMatchObject({ record: [], next: null, partial: false });
  });

  test('a recorded page of ads that is longer than the limit is returned in parts', async () => {
    const first = await collected('2400740980159579', 10);
    const second = await collected('2400740980159579', 10, first.next);
    const { data } = page('rebuilt/adlibrary/ads_archive.eu-political-2019.json');
    expect([...first.record, ...second.record].map(({ id }) => id)).toEqual(data.map(snapshotId));
    expect(second.next).toBeNull();
  });

  test('the recorded refusal of an application without permission is SOURCE_NOT_CONFIGURED', async () => {
    const refusal = await refusalOf(collected('100000000000009', 3));
    expect(refusal).toMatchObject({ code: 'SOURCE_NOT_CONFIGURED', about: 'operator' });
  });

  test('every recorded ad of the European election of 2019 has every value, including the smallest fractions', () => {
    const rows: Row[] = json('adlibrary/ads_archive.eu-political-2019.json');
    for (const row of rows) expect(ad.parse(archivedAd(row))).toMatchObject(plain(row));
    expect(rows.some((row) => row.demographic_distribution?.some(({ percentage }) => percentage.includes('E-')))).toBe(
      true,
    );
  });

  afterAll(() => {
    const exchanges: { url: string; example: { url: string } }[] = json('manifest.json').exchanges;
    const recorded = exchanges.filter(({ url }) => url.includes('ads_archive')).map(({ example }) => example.url);
    const identity = (url: string) =>
      ['search_page_ids', 'after'].map((name) => new URL(url).searchParams.get(name)).join();
    expect([...new Set(requestedUrls.map(identity))].sort()).toEqual([...new Set(recorded.map(identity))].sort());
  });
});
