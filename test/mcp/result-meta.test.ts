import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allTools } from '../../server/mcp/all-tools.ts';
import { tools } from '../../server/mcp/tools.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { type Answer, createTestService, type TestService } from '../server/test-service.ts';
import { post } from './mcp-session.ts';

const upstream = inventedUpstream();
let service: TestService;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch });
});
afterAll(() => service.close());

type Meta = Record<string, unknown>;
const keyOf = (key: string, idempotencyKey?: string) =>
  idempotencyKey === undefined ? { 'x-api-key': key } : { 'x-api-key': key, 'idempotency-key': idempotencyKey };

/** Calls a tool and returns `_meta` of its result. */
async function metaOf(key: string, name: string, args: object, path = '/mcp'): Promise<Meta> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const { result, text } = await post(service, message, keyOf(key), path);
  return (result as { _meta?: Meta } | null)?._meta ?? expect.fail(text);
}

/** Returns what the headers of an HTTP answer say about its cost and its origin, in the form of `_meta`. */
function headersOf({ headers }: Answer): Meta {
  const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : null);
  return {
    cached: headers.get('x-cache') === 'HIT',
    credits_charged: number('x-credits-charged'),
    credits_remaining: number('x-credits-remaining'),
    sandbox: headers.get('x-data-mode') === 'sandbox',
    idempotent_replay: headers.get('x-idempotent-replay') === 'true',
  };
}

describe('the credit headers of an MCP answer', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const credits = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'credits', arguments: {} } };
  const large = JSON.stringify({ ...list, params: { cursor: 'x'.repeat(300_000) } });

  test.each([
    ['a body that is too large', 413, large, {}],
    ['a body that is not JSON', 400, '{', {}],
    ['an origin that is not allowed', 403, list, { origin: 'https://evil.example' }],
    ['a media type that is not JSON', 415, credits, { 'content-type': 'text/plain' }],
    ['a media type that is not accepted', 406, credits, { accept: 'text/html' }],
  ])('a refusal of %s (%i) says that it cost nothing', async (_, status, message, headers) => {
    const { live_key } = await service.workspace(5);
    const answer = await post(service, message, { 'x-api-key': live_key, ...headers } as Record<string, string>);
    expect([answer.status, answer.headers.get('x-credits-charged')]).toEqual([status, '0']);
  });

  test('an answer without a tool call has the credits, and an answer with a tool call leaves them to _meta', async () => {
    const { live_key } = await service.workspace(5);
    const names = ['x-credits-charged', 'x-credits-remaining'];
    const headersTo = async (message: object) => {
      const { headers } = await post(service, message, { 'x-api-key': live_key });
      return names.map((name) => headers.get(name));
    };
    expect(await headersTo(list)).toEqual(['0', '5']);
    expect(await headersTo(credits)).toEqual([null, null]);
  });
});

describe('_meta of the result of a tool call', () => {
  test.each([
    ['/mcp', tools],
    ['/mcp?tools=all', allTools],
  ])('every tool of %s says in _meta what its call cost and how it was answered', async (path, all) => {
    const { test_key } = await service.workspace(5);
    for (const { name } of all) {
      expect(await metaOf(test_key, name, {}, path), name).toMatchObject({
        request_id: expect.stringMatching(/^req_/),
        cached: false,
        credits_charged: 0,
        credits_remaining: 5,
        sandbox: true,
        idempotent_replay: false,
      });
    }
  });

  test.each([
    ['a charged answer', {}, undefined],
    ['a cached answer', { cache_max_age: '1d' }, undefined],
    ['a repeated answer', {}, 'meta-1'],
    ['an estimate', { estimate: 'true' }, undefined],
    ['an error', { limit: '3' }, undefined],
  ])('%s has the same values in _meta as in the headers of HTTP', async (_, parameters, key) => {
    const { live_key } = await service.workspace(20);
    const inputs = { handle: 'meta.kite', ...parameters };
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    await service.ask('/v1/photo/profile?handle=meta.kite', live_key, { headers });
    const byHttp = await service.ask(`/v1/photo/profile?${new URLSearchParams(inputs)}`, live_key, { headers });
    const args = { path: '/v1/photo/profile', parameters: inputs, projection: 'full' };
    const byTool = await metaOf(live_key, 'routes', key === undefined ? args : { ...args, idempotency_key: key });
    const { credits_charged: charged, credits_remaining: left, ...same } = headersOf(byHttp);
    expect(byTool).toMatchObject({ ...same, credits_charged: charged });
    expect(byTool.credits_remaining).toBe(Number(left) - Number(charged));
  });

  test('a call without enough credits says the balance, and a call from a refused address does not', async () => {
    const { live_key, workspace_id } = await service.workspace(1);
    expect(await metaOf(live_key, 'posts', { what: 'photo', handle: 'meta.poor' })).toMatchObject({
      error: { code: 'INSUFFICIENT_CREDITS' },
      credits_charged: 0,
      credits_remaining: 1,
    });
    const { key } = await service.key(workspace_id, { kind: 'live', name: 'test', networks: ['10.0.0.0/8'] });
    expect(await metaOf(key, 'credits', {})).toMatchObject({
      error: { code: 'ADDRESS_NOT_ALLOWED' },
      credits_charged: 0,
      credits_remaining: null,
    });
  });
});
