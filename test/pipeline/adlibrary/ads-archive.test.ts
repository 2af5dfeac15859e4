import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adsArchive as archive } from '../../../pipeline/adlibrary/ads-archive.ts';
import { type CompanyAdsParams, companyAdsParams } from '../../../pipeline/adlibrary/params.ts';
import { ad } from '../../../pipeline/records/adlibrary.ts';
import { type FixedAnswer, refusalOf, token } from '../photo/fixed-answers.ts';
import { adOf2019, archivePage, europeanAd, fixedArchive, refusalBody } from './fixtures/archive.ts';

const pageId = '99000000000001';
const params = (changes: Partial<CompanyAdsParams> = {}) => companyAdsParams.parse({ page_id: pageId, ...changes });
const ads = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ ...europeanAd, id: `9900000000000${from + index}` }));
const idsOf = (record: { id: string | null }[]) => record.map(({ id }) => id);

async function requestFor(changes: Partial<CompanyAdsParams>) {
  const { context, requests } = fixedArchive({ body: archivePage([], null) });
  await archive.collect(params(changes), context);
  const url = new URL(requests[0]?.url ?? '');
  return { url, query: Object.fromEntries(url.searchParams), headers: requests[0]?.headers };
}

describe("the request to Meta's ads archive", () => {
  test('the request to the ads archive sends the page as a JSON list, and all countries by default', async () => {
    const { url, query } = await requestFor({});
    expect(url.origin + url.pathname).toBe('https://graph.facebook.com/v25.0/ads_archive');
    expect(query).toMatchObject({
      search_page_ids: `["${pageId}"]`,
      ad_reached_countries: '["ALL"]',
      ad_type: 'ALL',
      ad_active_status: 'ACTIVE',
      media_type: 'ALL',
      limit: '3',
    });
    expect(Object.keys(query)).not.toContain('languages');
    expect(Object.keys(query)).not.toContain('after');
    expect((await requestFor({ country: 'ALL' })).query.ad_reached_countries).toBe('["ALL"]');
  });

  test('the request to the ads archive sends every filter', async () => {
    const filters = { country: 'DE', status: 'ALL', media_type: 'VIDEO', language: 'zh-Hans' } as const;
    const { query } = await requestFor({ ...filters, start_date: '2026-01-01', end_date: '2026-01-31', limit: 20 });
    expect(query).toMatchObject({
      ad_reached_countries: '["DE"]',
      ad_active_status: 'ALL',
      media_type: 'VIDEO',
      languages: '["zh"]',
      ad_delivery_date_min: '2026-01-01',
      ad_delivery_date_max: '2026-01-31',
      limit: '20',
    });
  });

  test('the request to the ads archive has the token only in a header, and omits the field that contains it', async () => {
    const { url, query, headers } = await requestFor({});
    expect(headers).toEqual({ authorization: `Bearer ${token}` });
    expect(url.href).not.toContain(token);
    expect(query.fields?.split(',')).not.toContain('ad_snapshot_url');
  });

  test('a company name without a verified page sends no request to the ads archive', async () => {
    const { context, requests } = fixedArchive();
    const byName = companyAdsParams.parse({ company_name: 'Invented Lighthouse Ltd' });
    expect(await refusalOf(archive.collect(byName, context))).toMatchObject({ code: 'INVALID_INPUT' });
    expect(requests).toEqual([]);
  });
});

test.each([
  ['no identifier', {}],
  ['two identifiers', { page_id: pageId, company_name: 'Invented Lighthouse Ltd' }],
  ['a page id of four digits', { page_id: '1234' }],
  ['a page id of letters', { page_id: 'lighthouse' }],
  ['an invalid day', { page_id: pageId, start_date: '2026-02-31' }],
  ['a country in lower case', { page_id: pageId, country: 'de' }],
  ['an unknown parameter', { page_id: pageId, search_terms: 'light' }],
])('a request for ads with %s is refused', (_name, values) => {
  expect(companyAdsParams.safeParse(values).success).toBe(false);
});

describe('the list of ads', () => {
  const onwards = (next: object | null | undefined) =>
    params({ limit: 2, cursor: { source: 'meta-adlibrary', at: { ...next } } });

  test('the list of ads continues with cursors.after, one call for each page, to a page without next', async () => {
    const pages = [archivePage(ads(0, 2), 'QVFI'), archivePage(ads(2, 4), 'QVFJ'), archivePage(ads(4, 5), null)];
    const { context, requests } = fixedArchive(...pages.map((body) => ({ body })));
    const first = await archive.collect(params({ limit: 2 }), context);
    const second = await archive.collect(onwards(first.next), context);
    const third = await archive.collect(onwards(second.next), context);
    expect([first, second, third].flatMap(({ record }) => idsOf(record))).toEqual(idsOf(ads(0, 5)));
    expect(requests.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual([null, 'QVFI', 'QVFJ']);
    expect(third).toMatchObject({ next: null, partial: false });
  });

  test.each([
    ['an empty page', archivePage([], 'QVFI')],
    ['a page with a cursor and no next', { data: ads(0, 1), paging: { cursors: { after: 'QVFI' } } }],
    ['a page whose next cursor is its own', archivePage(ads(0, 1), 'SAME')],
  ])('the list of ads ends with %s', async (_name, body) => {
    const { context } = fixedArchive({ body });
    expect((await archive.collect(onwards({ after: 'SAME', skip: 0 }), context)).next).toBeNull();
  });

  test('the list of ads returns no more rows than requested, and the rest before the next page', async () => {
    const page = { body: archivePage(ads(0, 5), 'QVFI') };
    const { context } = fixedArchive(page, page, page);
    const first = await archive.collect(params({ limit: 2 }), context);
    const second = await archive.collect(onwards(first.next), context);
    const third = await archive.collect(onwards(second.next), context);
    expect([first, second, third].map(({ record }) => record.length)).toEqual([2, 2, 1]);
    expect(third).toMatchObject({ next: { after: 'QVFI', skip: 0 }, partial: true });
  });

  test('the list of ads keeps ads of 2019 without id, page and funding entity, and leaves out rows that are no ads', async () => {
    const { funding_entity: _, ad_snapshot_url: __, ...undisclosed } = adOf2019;
    const { context } = fixedArchive({ body: archivePage([undisclosed, { other: 'x' }], null) });
    const { record, warnings } = await archive.collect(params({ limit: 5 }), context);
    expect(record).toMatchObject([{ id: null, funding_entity: null, bodies: ['Vote for the tide.'] }]);
    expect(warnings).toContain('Left out 1 of 2 rows: unknown format, or a text that is too long.');
  });

  test('a cursor of another list is refused by the ads archive without a request', async () => {
    const { context, requests } = fixedArchive();
    for (const at of [{ after: 'a&b' }, { after: 3 }, { skip: -1 }, { skip: '1' }]) {
      expect((await refusalOf(archive.collect(onwards(at), context))).code).toBe('INVALID_INPUT');
    }
    expect(requests).toEqual([]);
  });
});

describe('the error table of the ads archive', () => {
  const table: [string, FixedAnswer, string][] = [
    [
      'code 10, subcode 2332002',
      { status: 400, body: refusalBody(10, { error_subcode: 2332002 }) },
      'SOURCE_NOT_CONFIGURED',
    ],
    ...[190, 102, 200, 3].map((code): [string, FixedAnswer, string] => [
      `code ${code}`,
      { status: 400, body: refusalBody(code) },
      'SOURCE_NOT_CONFIGURED',
    ]),
    ...[4, 17, 32, 613].map((code): [string, FixedAnswer, string] => [
      `code ${code}`,
      { status: 400, body: refusalBody(code, { is_transient: true }) },
      'SOURCE_CAPACITY',
    ]),
    ['HTTP 429', { status: 429 }, 'SOURCE_CAPACITY'],
    [
      'code 100 that names a value of the customer',
      { status: 400, body: refusalBody(100, { message: '(#100) Param ad_reached_countries[0] must be one of …' }) },
      'INVALID_INPUT',
    ],
    [
      'code 100 that names a value of ours',
      { status: 400, body: refusalBody(100, { message: '(#100) Tried accessing nonexisting field (spend)' }) },
      'SOURCE_UNAVAILABLE',
    ],
    ['an unknown error', { status: 400, body: refusalBody(9999) }, 'SOURCE_RESPONSE_CHANGED'],
    ['HTML instead of JSON', { body: '<html>hello</html>' }, 'SOURCE_RESPONSE_CHANGED'],
    ['an answer without a list', { body: { ads: [] } }, 'SOURCE_RESPONSE_CHANGED'],
    ['a list of something else', { body: { data: ['ad'] } }, 'SOURCE_RESPONSE_CHANGED'],
    [
      'a next page without a cursor',
      { body: { data: ads(0, 1), paging: { next: 'https://graph.facebook.com/next' } } },
      'SOURCE_RESPONSE_CHANGED',
    ],
  ];

  test.each(table)('an answer of the ads archive has its own error: %s', async (_name, answer, code) => {
    const { context, requests } = fixedArchive(answer);
    expect((await refusalOf(archive.collect(params(), context))).code).toBe(code);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['code 1', refusalBody(1)],
    ['code 2', refusalBody(2)],
    ['is_transient', refusalBody(9999, { is_transient: true })],
  ])('the ads archive error %s is retried once, then unavailable', async (_name, body) => {
    const fault = { status: 500, body };
    const twice = fixedArchive(fault, fault);
    expect((await refusalOf(archive.collect(params(), twice.context))).code).toBe('SOURCE_UNAVAILABLE');
    expect(twice.requests).toHaveLength(2);
    const once = fixedArchive(fault, { body: archivePage(ads(0, 1), null) });
    expect((await archive.collect(params(), once.context)).record).toHaveLength(1);
  });

  test('a throttle by the ads archive has the seconds to wait', async () => {
    const usage = '{"99":[{"type":"ads_archive","call_count":100,"estimated_time_to_regain_access":12}]}';
    const headers = { 'x-business-use-case-usage': usage };
    const { context } = fixedArchive({ status: 400, headers, body: refusalBody(613) });
    expect((await refusalOf(archive.collect(params(), context))).retry_after_seconds).toBe(12 * 60);
  });
});

describe('texts of the ads archive with access_token', () => {
  const tokenAddress = `https://www.facebook.com/ads/archive/render_ad/?id=990000000000303&access_token=${token}`;
  const members = [...Object.keys(europeanAd), ...Object.keys(adOf2019), 'bylines', 'estimated_audience_size'];
  const inner = ['key', 'value', 'name', 'type', 'age', 'gender', 'region', 'percentage', 'country', 'age_range'];
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(tokenAddress, `access_token=${token}`, '1', '2019-05-13', ''),
      fc.nat(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...inner, 'lower_bound', 'beneficiary', 'age_gender_breakdowns'), tie('value')),
    ),
  }));

  test('an ad never contains an access_token, whatever field the ads archive sends it in', async () => {
    const anyRow = fc.dictionary(fc.constantFrom(...members), value, { maxKeys: 12 });
    const row = anyRow.map((one) => ({ ...one, page_name: 'Invented Lighthouse Ltd' }));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 3 }), async (rows) => {
        const { context } = fixedArchive({ body: archivePage(rows, 'QVFI') });
        const answer = await archive.collect(params({ limit: 20 }), context);
        for (const one of answer.record) ad.parse(one);
        const said = JSON.stringify(answer);
        expect(said).not.toContain(token);
        expect(said).not.toContain('access_token');
      }),
    );
  });
});
