import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createKey, type KeyScope, revokeKey } from '../../../db/accounts/keys.ts';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { readBalance } from '../../../db/money/ledger.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { maxNetworks, readNetworks, readScopes } from '../../../server/http/key-limits.ts';
import { ask, codeOf, type Received } from '../../harness/answers.ts';
import { type ListeningOptions, type ListeningService, listeningService } from '../../harness/listening-service.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';
import { inventedUpstream } from '../invented-upstream.ts';

const data = '/v1/photo/profile?handle=limited.key';
const workflow = '/v1/workflows/profile?url=https%3A%2F%2Fwww.instagram.com%2Flimited.key%2F';
const campaigns = '/v1/workflows/campaigns';
const balance = '/v1/credit/balance';

let db: TestDatabase;
const upstream = inventedUpstream();
const opened: ListeningService[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((service) => service.close()));
});
afterAll(() => db.close());

async function serve(options: Partial<ListeningOptions> = {}): Promise<ListeningService> {
  const service = await listeningService({ database_url: db.database_url, fetch: upstream.fetch, ...options });
  opened.push(service);
  return service;
}

async function limitedKey(limits: Partial<Parameters<typeof createKey>[2]>) {
  const { workspace_id } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'limited', credits: 10 }));
  const made = await createKey(db.sql, workspace_id, { kind: 'live', name: 'limited', ...limits });
  return { ...made, workspace_id };
}

const outcome = (answer: Received) => (answer.status === 200 ? 'ok' : `${answer.status} ${codeOf(answer)}`);

/** Sends messages to /mcp over the socket. Returns the status and the text of the answer. */
async function mcp(service: ListeningService, key: string, message: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.base_url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': key,
      ...headers,
    },
    body: JSON.stringify(message),
  });
  return { status: response.status, text: await response.text() };
}
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const callTool = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('a key that is limited to some routes', () => {
  const refused = '403 KEY_NOT_ALLOWED';
  const expected: [KeyScope[] | null, string[]][] = [
    [null, ['ok', 'ok', 'ok', 'ok', 'ok', 'ok']],
    [['data'], ['ok', refused, refused, refused, refused, refused]],
    [['workflows'], [refused, 'ok', 'ok', 'ok', refused, refused]],
    [['mcp'], [refused, refused, refused, refused, 'ok', 'ok']],
    [
      ['data', 'mcp'],
      ['ok', refused, refused, refused, 'ok', 'ok'],
    ],
  ];

  test.each(expected)(
    'a key with the scopes %j works for these routes and gets 403 for the others',
    async (scopes, outcomes) => {
      const service = await serve();
      const { key } = await limitedKey({ scopes });
      const answers = [];
      for (const path of [data, workflow, campaigns, balance]) answers.push(await ask(service.base_url, path, key));
      const listed = await mcp(service, key, listTools);
      const called = await mcp(service, key, callTool('profile', { what: 'photo', handle: 'limited.key' }));
      expect([
        ...answers.map(outcome),
        listed.status === 200 ? 'ok' : `${listed.status} ${JSON.parse(listed.text).error.code}`,
        called.text.includes('"isError":true') ? `403 ${/[A-Z]+(_[A-Z]+)+/.exec(called.text)?.[0]}` : 'ok',
      ]).toEqual(outcomes);
    },
  );

  test('a key outside of its routes is refused for free: the refusal is logged, counted as usage and against the rate limit', async () => {
    const service = await serve({ requests_per_minute: 3 });
    const { key, workspace_id } = await limitedKey({ scopes: ['workflows'] });
    upstream.asked.length = 0;
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push(await ask(service.base_url, data, key));
    expect(answers.map(outcome)).toEqual([...Array(3).fill('403 KEY_NOT_ALLOWED'), '429 RATE_LIMITED']);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['2', '1', '0', '0']);
    expect(answers.map(({ credits_charged }) => credits_charged)).toEqual([0, 0, 0, 0]);
    expect(answers[0]?.text).toContain('may not use data routes');
    expect(upstream.asked).toEqual([]);
    expect(await readBalance(db.sql, workspace_id)).toBe(10);
    expect(service.logs[0]).toMatchObject({ status: 403, code: 'KEY_NOT_ALLOWED', workspace_id });
    await service.close();
    opened.splice(opened.indexOf(service), 1);
    const usage = await db.sql`
      select outcome, requests::int, credits::int from usage where workspace_id = ${workspace_id} order by outcome`;
    expect([...usage]).toEqual([
      { outcome: 'KEY_NOT_ALLOWED', requests: 3, credits: 0 },
      { outcome: 'RATE_LIMITED', requests: 1, credits: 0 },
    ]);
  });
});

describe('a key that is limited to IP addresses', () => {
  const hasIpv6 = Object.values(networkInterfaces()).some((found) => found?.some(({ address }) => address === '::1'));

  test.each([
    [['127.0.0.1'], 'ok'],
    [['10.0.0.0/8', '127.0.0.0/8'], 'ok'],
    [['0.0.0.0/0'], 'ok'],
    [['10.0.0.0/8'], '403 ADDRESS_NOT_ALLOWED'],
    [['2001:db8::/32'], '403 ADDRESS_NOT_ALLOWED'],
  ])('a key that is limited to %j answers a client at 127.0.0.1 with %s', async (networks, expected) => {
    const service = await serve();
    const { key } = await limitedKey({ networks });
    expect(outcome(await ask(service.base_url, balance, key))).toBe(expected);
  });

  test.skipIf(!hasIpv6)(
    'a key that is limited to IP addresses works for IPv6 clients, and IPv4 clients of a server that listens on both',
    async () => {
      const service = await serve({ host: '::' });
      const from = async (networks: string[], host: string) =>
        outcome(await ask(`http://${host}:${service.port}`, balance, (await limitedKey({ networks })).key));
      expect(await from(['::1'], '[::1]')).toBe('ok');
      expect(await from(['2001:db8::/32', '::/64'], '[::1]')).toBe('ok');
      expect(await from(['2001:db8::/32'], '[::1]')).toBe('403 ADDRESS_NOT_ALLOWED');
      expect(await from(['127.0.0.1'], '[::1]')).toBe('403 ADDRESS_NOT_ALLOWED');
      expect(await from(['127.0.0.1'], '127.0.0.1')).toBe('ok');
      expect(await from(['::1'], '127.0.0.1')).toBe('403 ADDRESS_NOT_ALLOWED');
    },
  );

  test('the limit to IP addresses uses the address that a trusted proxy wrote, and ignores earlier addresses that the client wrote', async () => {
    const [direct, proxied] = [await serve(), await serve({ trust_proxy: 1 })];
    const { key } = await limitedKey({ networks: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = async (service: ListeningService, forwarded: string) =>
      outcome(await ask(service.base_url, balance, key, { 'x-forwarded-for': forwarded }));
    expect(await from(proxied, '203.0.113.7')).toBe('ok');
    expect(await from(proxied, '2001:db8::7')).toBe('ok');
    expect(await from(proxied, '203.0.113.7, 198.51.100.7')).toBe('403 ADDRESS_NOT_ALLOWED');
    expect(await from(direct, '203.0.113.7')).toBe('403 ADDRESS_NOT_ALLOWED');
  });

  test('a client refused by its IP address learns neither the allowed addresses nor the balance, and is charged nothing', async () => {
    const service = await serve();
    const { key, workspace_id } = await limitedKey({ networks: ['203.0.113.0/24'] });
    const { headers, text } = await ask(service.base_url, data, key);
    expect(text).toContain('IP address');
    expect(text + JSON.stringify([...headers])).not.toContain('203.0.113');
    expect([headers.get('x-credits-remaining'), headers.get('x-credits-charged')]).toEqual([null, '0']);
    expect(await readBalance(db.sql, workspace_id)).toBe(10);
    expect(service.logs[0]).toMatchObject({ status: 403, code: 'ADDRESS_NOT_ALLOWED', workspace_id });
  });

  describe.each([data, workflow, balance])('of %s', (path) => {
    const [inside, outside] = [{ 'x-forwarded-for': '203.0.113.7' }, { 'x-forwarded-for': '198.51.100.7' }];
    // More than both limits of a server that allows 2 requests for new data, and 20 requests in total.
    const many = 22;

    test('a client refused by its IP address learns no balance, even after the rate limit is used up', async () => {
      const service = await serve({ requests_per_minute: 2, trust_proxy: 1 });
      const { key } = await limitedKey({ networks: ['203.0.113.7'] });
      for (let request = 1; request < many; request += 1) await ask(service.base_url, path, key, inside);
      expect(outcome(await ask(service.base_url, path, key, inside))).toBe('429 RATE_LIMITED');
      const answer = await ask(service.base_url, path, key, outside);
      expect([outcome(answer), answer.headers.get('x-credits-remaining')]).toEqual(['403 ADDRESS_NOT_ALLOWED', null]);
    });

    test('a client refused by its IP address cannot use up the rate limit of the workspace', async () => {
      const service = await serve({ requests_per_minute: 2, trust_proxy: 1 });
      const { key } = await limitedKey({ networks: ['203.0.113.7'] });
      for (let request = 1; request <= many; request += 1) {
        const answer = await ask(service.base_url, path, key, outside);
        expect([request, outcome(answer)]).toEqual([request, '403 ADDRESS_NOT_ALLOWED']);
      }
      expect(outcome(await ask(service.base_url, path, key, inside))).toBe('ok');
    });
  });

  test.each([data, balance])(
    'a client refused by its IP address sees the current rate limit, and that the key was revoked, in the next minute of %s',
    async (path) => {
      const clock = { now: new Date('2026-11-20T10:00:00Z') };
      const nextMinute = () => {
        clock.now = new Date(clock.now.getTime() + 60_000);
      };
      const service = await serve({ requests_per_minute: 2, now: () => clock.now });
      const { key, key_id } = await limitedKey({ networks: ['203.0.113.7'] });
      const refused = async () => {
        const answer = await ask(service.base_url, path, key);
        return [outcome(answer), ...['remaining', 'reset'].map((name) => answer.headers.get(`x-ratelimit-${name}`))];
      };
      await refused();
      for (let minute = 1; minute <= 3; minute += 1) {
        nextMinute();
        for (const _ of [1, 2, 3]) expect(await refused()).toEqual(['403 ADDRESS_NOT_ALLOWED', '2', '60']);
      }
      await revokeKey(db.sql, key_id, clock.now);
      nextMinute();
      expect(await refused()).toEqual(['401 INVALID_API_KEY', null, null]);
    },
  );

  test('the limit to IP addresses also applies to MCP messages that share the count of an earlier one, and each tool call', async () => {
    const service = await serve({ trust_proxy: 1 });
    const { key, workspace_id } = await limitedKey({ networks: ['203.0.113.7'] });
    const [inside, outside] = [{ 'x-forwarded-for': '203.0.113.7' }, { 'x-forwarded-for': '198.51.100.7' }];
    expect((await mcp(service, key, listTools, inside)).status).toBe(200);
    for (const message of [
      listTools,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } },
    ]) {
      const answer = await mcp(service, key, message, outside);
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([403, 'ADDRESS_NOT_ALLOWED']);
    }
    const profile = callTool('profile', { what: 'photo', handle: 'by.mcp' });
    const refused = await mcp(service, key, [profile, { ...profile, id: 3 }], outside);
    expect(refused.text.match(/"isError":true/g)).toHaveLength(2);
    expect(refused.text).toContain('ADDRESS_NOT_ALLOWED');
    expect(await readBalance(db.sql, workspace_id)).toBe(10);
    expect((await mcp(service, key, listTools, inside)).status).toBe(200);
    expect((await mcp(service, key, profile, inside)).text).not.toContain('"isError":true');
    expect(await readBalance(db.sql, workspace_id)).toBe(9);
  });

  test('another IP address cannot cancel the running MCP calls of a limited key with a batch', async () => {
    const [started, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const service = await serve({
      trust_proxy: 1,
      async fetch(request, limits) {
        started.resolve();
        await answered.promise;
        return upstream.fetch(request, limits);
      },
    });
    const { key } = await limitedKey({ networks: ['203.0.113.7'] });
    const running = mcp(service, key, callTool('profile', { what: 'photo', handle: 'slow.call' }), {
      'x-forwarded-for': '203.0.113.7',
    });
    await started.promise;
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    await mcp(service, key, [cancelled, { ...callTool('credits'), id: 9 }], { 'x-forwarded-for': '198.51.100.7' });
    answered.resolve();
    expect((await running).text).not.toContain('"isError":true');
  });
});

describe('the limits of a new key', () => {
  test('the limits of a new key are read from lines, spaces and commas, without duplicates, and an empty text means no limit', () => {
    expect(readNetworks(' 203.0.113.7,2001:DB8::/32\n10.0.0.0/8 203.0.113.7 ')).toEqual([
      '203.0.113.7',
      '2001:db8::/32',
      '10.0.0.0/8',
    ]);
    expect([readNetworks(' '), readScopes([], 'live')]).toEqual([null, null]);
    expect(readScopes(['mcp', 'data'], 'sheet')).toEqual(['data', 'mcp']);
  });

  test.each(['10.0.0.0/33', '2001:db8::/129', '10.0.0', 'office.example', '10.0.0.0/', 'fe80::1%eth0', '-1', '1'])(
    '%s is refused as a network of a new key, and the error names it',
    (entry) => {
      expect(() => readNetworks(`203.0.113.7, ${entry}`)).toThrow(`${entry} is not an IP address or a network`);
    },
  );

  test('a new key is refused with only separators, too many networks, unknown scopes, or, for a sheet key, only data routes', () => {
    expect(() => readNetworks(' , ')).toThrow('contains no IP address');
    const many = Array.from({ length: maxNetworks + 1 }, (_, n) => `10.0.0.${n}`).join(' ');
    expect(() => readNetworks(many)).toThrow('at most 20');
    expect(() => readScopes(['data', 'root'], 'live')).toThrow(
      'root is not a scope: use one or more of data, workflows, mcp',
    );
    expect(() => readScopes(['data'], 'sheet')).toThrow('A sheet key cannot call data routes');
  });
});
