import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyPage } from '../../../db/requests/verified-pages.ts';
import { wholePage } from '../../../pipeline/collect/page.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { createCursorSeal } from '../../../server/data/cursor.ts';
import { collectorParams, readRequest } from '../../../server/data/request.ts';
import { inventedUpstream } from '../../server/invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../../server/test-service.ts';

const path = '/v1/adlibrary/company/ads';
const company = 'Invented Lighthouse Ltd';
const addresses = [`${path}?pageId=99000000000001`, `${path}?companyName=${encodeURIComponent(company)}`];
const credits = 100;
const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch, env: { META_ADLIBRARY_TOKEN: 'invented-token' } });
  keys = await service.workspace(credits);
  await verifyPage(service.db.sql, { company, page_id: '99000000000001', verified_at: service.clock.now });
});
afterAll(() => service.close());

describe.each(addresses)('with a token and a verified page configured, %s', (address) => {
  test('an ads route returns 503 SOURCE_NOT_CONFIGURED without a request or a charge, even with a token configured', async () => {
    const { status, headers, json } = await service.ask(address, keys.live_key);
    expect([status, json.error.code]).toEqual([503, 'SOURCE_NOT_CONFIGURED']);
    expect(headers.get('x-credits-charged')).toBe('0');
    expect(headers.get('x-credits-remaining')).toBe(String(credits));
    expect(upstream.asked).toEqual([]);
  });

  test('an ads route returns its sample to a development key', async () => {
    const { status, json } = await service.ask(address, keys.test_key);
    expect([status, json.meta.sandbox, json.meta.source]).toEqual([200, true, 'sandbox']);
    expect(json.data.items).toHaveLength(3);
    expect(upstream.asked).toEqual([]);
  });
});

describe('the parameters of the route are valid for its collector', () => {
  const route = catalog.find((row) => row.path === path);
  if (!route?.collector) throw new Error('the route has no collector');
  const filters = Object.entries(route.optional ?? {}).map(([name, { example }]) => [name, [example]]);
  const seal = createCursorSeal('00'.repeat(32), () => new Date());

  test.each(Object.entries(route.identifiers))(
    'the ads route accepts %s, with every filter and without any',
    (name, { example }) => {
      for (const query of [{}, Object.fromEntries(filters)]) {
        const request = readRequest(route, { ...query, [name]: [example] }, seal);
        expect(collectorParams(request, null)).toMatchObject({ limit: wholePage, cursor: null });
      }
    },
  );
});
