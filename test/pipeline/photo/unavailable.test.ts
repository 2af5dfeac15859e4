import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBalance } from '../../../db/money/ledger.ts';
import { createTestService, type TestKeys, type TestService } from '../../server/test-service.ts';

let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  const env = { INSTAGRAM_GRAPH_TOKEN: 'invented', INSTAGRAM_GRAPH_USER_ID: '17841400000000001' };
  service = await createTestService({
    env,
    fetch: ({ url }) => Promise.reject(new Error(`unexpected request: ${url}`)),
  });
  keys = await service.workspace(100);
});
afterAll(() => service.close());

test.each([
  '/v1/photo/reels?handle=paper.kite',
  '/v1/photo/user/reels?handle=paper.kite',
  '/v1/photo/hashtag?tag=papierdrachen',
  '/v1/photo/hashtag?hashtag=papierdrachen',
  '/v1/photo/hashtag/posts?tag=papierdrachen',
  '/v1/photo/comments?id=CExample123',
  '/v2/photo/post/comments?url=https://www.instagram.com/p/CExample123/',
])('%s stays unavailable and free, even with the credentials of the official API', async (path) => {
  const { status, headers, json } = await service.ask(path, keys.live_key);
  expect([status, json.error.code]).toEqual([503, 'SOURCE_UNAVAILABLE']);
  expect(headers.get('x-credits-charged')).toBe('0');
  expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(100);
});
