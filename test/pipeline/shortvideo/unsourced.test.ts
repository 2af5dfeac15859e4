import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBalance } from '../../../db/money/ledger.ts';
import { createTestService, type TestKeys, type TestService } from '../../server/test-service.ts';

let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: ({ url }) => Promise.reject(new Error(`unexpected request: ${url}`)) });
  keys = await service.workspace(100);
});
afterAll(() => service.close());

test.each([
  ['/v1/shortvideo/playlist?id=7000000000000000001', 'SOURCE_NOT_CONFIGURED'],
  ['/v1/shortvideo/playlist/videos?id=7000000000000000001&limit=5&region=NZ', 'SOURCE_NOT_CONFIGURED'],
  ['/v1/shortvideo/pinned?handle=invented.pottery', 'SOURCE_UNAVAILABLE'],
])('%s sends no request, is 503 %s and costs nothing', async (path, code) => {
  const { status, headers, json } = await service.ask(path, keys.live_key);
  expect([status, json.error.code]).toEqual([503, code]);
  expect(headers.get('x-credits-charged')).toBe('0');
  expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(100);
});

test.each(['/v1/shortvideo/playlist', '/v1/shortvideo/playlist/videos'])(
  '%s says that no public source exists, and that a later retry does not help',
  async (path) => {
    const { json } = await service.ask(`${path}?id=7000000000000000001`, keys.live_key);
    expect(json.error).toMatchObject({ retryable: false, message: expect.stringContaining('No public source exists') });
  },
);

test('a TikTok hashtag with emoji is requested and is not an internal error', async () => {
  const requestedUrls: string[] = [];
  const other = await createTestService({
    db: service.db,
    async fetch({ url }) {
      requestedUrls.push(url);
      return { status: 404, url, headers: {}, body: Buffer.from('') };
    },
  });
  const { status } = await other.ask(`/v1/shortvideo/hashtag?tag=${encodeURIComponent('töpfern🏺')}`, keys.live_key);
  expect([status, requestedUrls.length]).toEqual([404, 1]);
});
