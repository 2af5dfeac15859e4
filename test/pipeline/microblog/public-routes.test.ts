import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorCollectors } from '../../../pipeline/operator-collectors.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { inventedUpstream } from '../../server/invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../../server/test-service.ts';

const addresses = [
  '/v1/microblog/profile?handle=paper_kite',
  '/v1/microblog/user/posts?handle=paper_kite',
  '/v1/microblog/post?id=9900000000000001000',
  '/v1/microblog/post/transcript?id=9900000000000001000',
  '/v1/microblog/community?id=1800000000000000001',
  '/v1/microblog/community/posts?id=1800000000000000001',
];
const credits = 100;
const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch, env: { X_BEARER_TOKEN: 'invented-token' } });
  keys = await service.workspace(credits);
});
afterAll(() => service.close());

test.each(addresses)('a configured token does not activate %s', async (address) => {
  for (const key of [keys.live_key, keys.test_key]) {
    const { status, headers, json } = await service.ask(address, key);
    expect([status, json.error.code]).toEqual([501, 'SOURCE_NOT_IMPLEMENTED']);
    expect(headers.get('x-credits-charged')).toBe('0');
  }
  const { json } = await service.ask('/v1/credit/balance', keys.live_key);
  expect(json.data.credits_remaining).toBe(credits);
  expect(upstream.asked).toEqual([]);
});

test('the list of microblog routes is complete, and none of them has a collector', () => {
  const routes = catalog.filter(({ path }) => path.includes('/microblog/'));
  expect(routes.map(({ path }) => path).sort()).toEqual(addresses.map((address) => address.split('?')[0]).sort());
  expect(routes.every(({ availability, collector }) => availability === 'planned' && !collector)).toBe(true);
});

test('the operator has four microblog collectors, without transcripts and community feeds', () => {
  const microblog = operatorCollectors.filter(({ name }) => name.startsWith('microblog'));
  expect(microblog.map(({ name }) => name)).toEqual([
    'microblogProfile',
    'microblogUserPosts',
    'microblogPost',
    'microblogCommunity',
  ]);
});
