import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../db/accounts/keys.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../server/test-service.ts';
import { call, post } from './mcp-session.ts';

let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: inventedUpstream().fetch });
  keys = await service.workspace(10);
});
afterAll(() => service.close());

const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
const callOf = (name: unknown, args: unknown) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: args },
});
const errorOf = (text: string) => (JSON.parse(text) as { error: { code: unknown; message: string } }).error;

describe('an API key of the MCP server', () => {
  test.each([list, callOf('credits', {})])(
    'without an API key, %j gets 401 and a challenge from the MCP server',
    async (message) => {
      const { status, headers, text } = await post(service, message, {});
      const metadata = 'http://tidemark.test/.well-known/oauth-protected-resource/mcp';
      const challenge = `Bearer realm="tidemark", resource_metadata="${metadata}"`;
      expect([status, headers.get('www-authenticate')]).toEqual([401, challenge]);
      expect(errorOf(text)).toMatchObject({ code: 'INVALID_API_KEY' });
      expect(errorOf(text).message).toContain('Authorization: Bearer');
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    },
  );

  test.each(['Bearer nonsense', `Bearer tide_live_${'a'.repeat(49)}`, 'Basic abc'])(
    'the MCP server refuses the malformed API key %s',
    async (authorization) => {
      expect((await post(service, list, { authorization })).status).toBe(401);
    },
  );

  test('the MCP server reads the API key from Authorization and from x-api-key', async () => {
    expect((await post(service, list, { authorization: `Bearer ${keys.live_key}` })).status).toBe(200);
    expect((await post(service, list, { 'x-api-key': keys.live_key })).status).toBe(200);
  });

  test('an MCP answer names the mode of its key and must not be stored', async () => {
    for (const [key, mode] of [
      [keys.live_key, 'live'],
      [keys.test_key, 'sandbox'],
    ] as const) {
      const { headers } = await post(service, callOf('credits', {}), { 'x-api-key': key });
      expect([headers.get('x-data-mode'), headers.get('cache-control')]).toEqual([mode, 'no-store, no-transform']);
    }
  });

  test('a revoked API key cannot call an MCP tool, even right after it listed the tools', async () => {
    const { workspace_id } = keys;
    const made = await service.key(workspace_id, { kind: 'live', name: 'soon gone' });
    expect((await post(service, list, { 'x-api-key': made.key })).status).toBe(200);
    await revokeKey(service.db.sql, made.key_id, service.clock.now);
    expect((await post(service, callOf('credits', {}), { 'x-api-key': made.key })).status).toBe(401);
  });

  test('a sheet key works only for the MCP workflow tools and the balance', async () => {
    const { key } = await service.key(keys.workspace_id, { kind: 'sheet', name: 'sheet', monthly_cap: 5 });
    const refused = await call(service, key, 'profile', { what: 'photo', handle: 'nasa' });
    expect(refused.error?.code).toBe('SHEET_KEY_RESTRICTED');
    expect(refused.text).toContain('what=rows');
    const rows = await call(service, key, 'profile', { what: 'rows', url: 'https://www.instagram.com/sheet.kite/' });
    expect([rows.error, rows.meta.credits_charged]).toEqual([null, 1]);
    expect((await call(service, key, 'credits')).error).toBeNull();
  });
});

describe('an MCP request from a page of another site', () => {
  test.each([
    [{ host: 'evil.example' }, 403],
    [{ host: 'evil.example:8787' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: 'tidemark.test', origin: 'http://tidemark.test' }, 200],
    [{ host: 'localhost:8787', origin: 'http://localhost:6274' }, 200],
    [{ host: '192.168.1.5:8787' }, 200],
  ])('an MCP request is checked by its host and origin: %j gets %i', async (headers, status) => {
    const answer = await post(service, list, { 'x-api-key': keys.live_key, ...headers } as Record<string, string>);
    expect(answer.status).toBe(status);
  });
});

describe('an invalid MCP request', () => {
  test.each(['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS'])(
    'an MCP request with %s gets 405 and the header Allow: POST',
    async (method) => {
      const response = await service.app.request('http://tidemark.test/mcp', { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      if (method !== 'HEAD') expect(errorOf(await response.text())).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
    },
  );

  test('an MCP request with a too large body gets 413', async () => {
    const message = callOf('profile', { what: 'photo', handle: 'x'.repeat(300_000) });
    expect((await post(service, message, { 'x-api-key': keys.live_key })).status).toBe(413);
  });

  test.each([
    ['not JSON', '{', 400],
    ['an empty body', '', 400],
    ['an empty batch', '[]', 400],
    ['a batch with one id for two requests', JSON.stringify([list, list]), 400],
    ['a batch of eleven', JSON.stringify(Array.from({ length: 11 }, () => list)), 400],
    ['null', 'null', 400],
    ['an object that is not a message', '{"a":1}', 400],
  ])('an MCP request with %s as its body is refused', async (_, body, status) => {
    expect((await post(service, body, { 'x-api-key': keys.live_key })).status).toBe(status);
  });

  test('an MCP request with an unsupported content type gets 415, and one with an unknown tool set gets 400', async () => {
    const headers = { 'x-api-key': keys.live_key };
    expect((await post(service, list, { ...headers, 'content-type': 'text/plain' })).status).toBe(415);
    const { status, text } = await post(service, list, headers, '/mcp?tools=every');
    expect([status, errorOf(text).message]).toEqual([
      400,
      'tools: must be "all". To get only the fifteen main tools, leave out the parameter tools.',
    ]);
  });

  test('an MCP request with an unknown tool, method or page gets a protocol error', async () => {
    const headers = { 'x-api-key': keys.live_key };
    const unknown = await post(service, callOf('profil', {}), headers);
    expect(unknown.error).toMatchObject({ code: -32_602, message: 'There is no tool profil: did you mean profile?' });
    for (const params of [{ cursor: 'x' }, { cursor: '5' }, { cursor: '1000' }]) {
      expect((await post(service, { ...list, params }, headers)).error?.code).toBe(-32_602);
    }
    expect((await post(service, { ...list, method: 'tools/sell' }, headers)).error?.code).toBe(-32_601);
    expect((await post(service, callOf(5, {}), headers)).error).not.toBeNull();
    expect((await post(service, callOf('profile', 'text'), headers)).error).not.toBeNull();
  });
});

describe('arguments of MCP tools', () => {
  const refused: [string, Record<string, unknown>, string][] = [
    ['profile', {}, 'what: is required: photo, shortvideo, longvideo, rows'],
    ['profile', { what: 'myspace' }, 'what: must be one of photo, shortvideo, longvideo, rows'],
    ['profile', { what: 'photo' }, 'handle: send exactly one of handle, url'],
    ['profile', { what: 'photo', handle: 5, url: {} }, 'url: must be text'],
    ['profile', { what: 'photo', handle: null }, 'handle: must not be null: leave it out'],
    ['profile', { what: 'photo', handle: [] }, 'handle: must be text'],
    ['profile', { what: 'photo', handle: 'nasa', region: 'DE' }, 'region: is not a parameter of this route'],
    ['profile', { what: 'photo', handle: 'nasa', projection: 'tiny' }, 'projection: must be minimal or full'],
    ['profile', { what: 'photo', handle: 'nasa', projction: 'full' }, 'did you mean projection?'],
    ['profile', { what: 'photo', handle: 'nasa', idempotency_key: 'with space' }, 'idempotency_key: must be'],
    [
      'profile',
      { what: 'photo', handle: 'nasa', idempotency_key: 'k'.repeat(129) },
      'idempotency_key: must be 1 to 128',
    ],
    ['profile', { what: 'photo', handle: 'nasa', constructor: 'x' }, 'constructor: is not an argument of profile'],
    ['posts', { what: 'photo', handle: 'nasa', limit: 21 }, 'limit: '],
    ['posts', { what: 'photo', handle: 'nasa', cursor: 'mine' }, 'cursor must be an unchanged next_cursor'],
    ['transcript', { id: 'x' }, 'id: must be the ID of a video'],
    ['estimate', { tool: 'credits', arguments: {} }, 'tool: must be one of profile'],
    ['estimate', { tool: 'profile', arguments: 'x' }, 'arguments: must be an object'],
    ['estimate', { tool: 'profile', arguments: { what: 'photo', handel: 'x' } }, 'did you mean handle?'],
    ['routes', { about: 'zebra' }, 'about: matches no route'],
    ['routes', { path: '/v1/photo/profil' }, 'did you mean /v1/photo/profile?'],
    ['routes', { path: '/metrics' }, 'path: is not a route'],
    [
      'routes',
      { path: '/v1/workflows/profile', parameters: { url: ['a'], format: 'csv' } },
      'format: is not supported here',
    ],
    [
      'routes',
      { path: '/v1/photo/profile', parameters: { handle: 'nasa', idempotency_key: 'order-1' } },
      'idempotency_key: send it beside parameters',
    ],
    [
      'routes',
      { path: '/v1/photo/profile', parameters: { handle: 'nasa', projection: 'full' } },
      'projection: send it beside parameters',
    ],
  ];

  test.each(refused)(
    'invalid arguments of the MCP tool %s are refused in one sentence that names them: %j',
    async (name, args, sentence) => {
      const { error, text, meta } = await call(service, keys.live_key, name, args);
      expect(error?.code).toBe('INVALID_INPUT');
      expect(text).toContain(sentence);
      expect(meta.credits_charged).toBe(0);
    },
  );

  test('thousands of invalid MCP tool arguments get a short error', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`name${'x'.repeat(20)}${index}`, '']));
    const { error, text } = await call(service, keys.live_key, 'profile', many);
    expect(error?.code).toBe('INVALID_INPUT');
    expect(text.length).toBeLessThan(5_000);
  });

  test('an MCP tool accepts numbers, booleans and lists where its route takes text', async () => {
    const args = { what: 'longvideo', query: 'tide pools', type: ['video', 'channel'], limit: 2 };
    const { data, error } = await call(service, keys.test_key, 'search', args);
    expect([error, (data.items as unknown[]).length]).toEqual([null, 2]);
  });

  test('an MCP tool refuses an ID that was sent as a number too long to be read exactly', async () => {
    const long = 7.2e18;
    for (const [tool, args, name] of [
      ['video', { what: 'shortvideo', id: long }, 'id'],
      ['profile', { what: 'rows', platform: 'longvideo', url: ['@tidemark', long] }, 'url'],
      ['routes', { path: '/v1/shortvideo/video', parameters: { id: -long } }, 'id'],
    ] as const) {
      const { error } = await call(service, keys.test_key, tool, args);
      expect(error?.code).toBe('INVALID_INPUT');
      expect(error?.message).toContain(`${name}: must be text in quotation marks`);
    }
  });
});

test('every error code reaches the MCP client as a tool error', async () => {
  for (const [suffix, code] of [
    ['402', 'INSUFFICIENT_CREDITS'],
    ['403', 'SOURCE_RESTRICTED'],
    ['404', 'RESOURCE_NOT_FOUND'],
    ['408', 'SOURCE_TIMEOUT'],
    ['429', 'RATE_LIMITED'],
    ['500', 'INTERNAL'],
    ['503', 'SOURCE_UNAVAILABLE'],
  ]) {
    const { error, text } = await call(service, keys.test_key, 'profile', {
      what: 'photo',
      handle: `sandbox_${suffix}`,
    });
    expect(error?.code).toBe(code);
    if (suffix === '429') expect(text).toContain('Wait 20 seconds first.');
  }
});
