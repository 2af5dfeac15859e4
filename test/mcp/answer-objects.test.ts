import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestService, type TestService } from '../server/test-service.ts';
import { call } from './mcp-session.ts';

const upstream = inventedUpstream();
let service: TestService;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch });
});
afterAll(() => service.close());

/** Runs `work`. Returns its result, and how many times it parsed the `data` of a profile answer. */
async function countParses<T>(work: () => Promise<T>): Promise<{ result: T; parses: number }> {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    const result = await work();
    const parses = parse.mock.calls.filter(([text]) => String(text).startsWith('{"profile":')).length;
    return { result, parses };
  } finally {
    parse.mockRestore();
  }
}

test('an MCP tool call parses no text for a fresh answer, and one text for a cached answer', async () => {
  const { live_key } = await service.workspace(20);
  const args = { what: 'photo', handle: 'objects.kite', cache_max_age: '1d', projection: 'full' };
  const fresh = await countParses(() => call(service, live_key, 'profile', args));
  const cached = await countParses(() => call(service, live_key, 'profile', args));
  expect([fresh.result.meta.cached, fresh.parses]).toEqual([false, 0]);
  expect([cached.result.meta.cached, cached.parses]).toEqual([true, 1]);
  expect(cached.result.data).toEqual(fresh.result.data);
});

/** Replaces the cursor, which is encrypted and differs in each answer. */
function withoutCursor(data: object): unknown {
  return JSON.parse(JSON.stringify(data, (name, value) => (name === 'next_cursor' ? typeof value : value)));
}

test.each([
  [
    'all fields',
    'profile',
    { what: 'photo', handle: 'same.kite', projection: 'full' },
    '/v1/photo/profile?handle=same.kite',
  ],
  [
    'some fields',
    'profile',
    { what: 'photo', handle: 'same.kite', fields: ['profile.followers'] },
    '/v1/photo/profile?handle=same.kite&fields=profile.followers',
  ],
  [
    'a list',
    'posts',
    { what: 'photo', handle: 'same.kite', limit: 3, projection: 'full' },
    '/v1/photo/posts?handle=same.kite&limit=3',
  ],
])('an MCP tool call and an HTTP request return the same answer with %s', async (_, tool, args, path) => {
  const { live_key } = await service.workspace(20);
  const byTool = await call(service, live_key, tool, args);
  expect(byTool.error).toBeNull();
  const byHttp = await service.ask(path, live_key);
  expect(withoutCursor(byHttp.json.data)).toEqual(withoutCursor(byTool.data));
  expect(Object.keys(byTool.meta)).toEqual(Object.keys(byHttp.json.meta));
  const { request_id: _id, credits_remaining: _balance, ...meta } = byHttp.json.meta;
  expect(byTool.meta).toMatchObject(meta);
});
