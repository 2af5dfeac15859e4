import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestService, type TestService } from '../server/test-service.ts';
import { until } from '../setup/processes.ts';
import { call, calledOf, connect, type ListeningApp, listen, post } from './mcp-session.ts';

const upstream = inventedUpstream();
const requestsPerMinute = 60;
/** Number of connections on which requests are counted (`pipelinedConnections` in db/connect.ts). */
const requestConnections = 2;
let service: TestService;
let site: ListeningApp;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch, requests_per_minute: requestsPerMinute });
  site = await listen(service.app);
});
beforeEach(() => {
  upstream.asked.length = 0;
  upstream.hold = Promise.resolve();
  service.logs.length = 0;
});
afterAll(async () => {
  await site.close();
  await service.close();
});

const photo = (handle: string, more: Record<string, unknown> = {}) => ({ what: 'photo', handle, ...more });

async function charges(workspaceId: string): Promise<number[]> {
  const rows = await service.db.sql<{ credits: number }[]>`
    select credits::int as credits from ledger_entries where workspace_id = ${workspaceId} and kind = 'charge' order by entry_no`;
  return rows.map(({ credits }) => credits);
}

/** Returns the usage counters of a workspace that the service has already written. */
const usageOf = (workspaceId: string) => service.db.sql`
  select route, outcome, requests::int as requests, credits::int as credits from usage where workspace_id = ${workspaceId}`;

const messageOf = (id: number, name: string, args: Record<string, unknown>) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('an MCP tool call', () => {
  test('an MCP tool call costs the same as the equivalent HTTP request, and shares its cache', async () => {
    const { live_key, workspace_id } = await service.workspace(20);
    const priced = [
      ['profile', photo('money.one'), '/v1/photo/profile?handle=money.two', 1],
      ['posts', photo('money.one'), '/v1/photo/posts?handle=money.two', 2],
    ] as const;
    for (const [tool, args, path, cost] of priced) {
      expect((await call(service, live_key, tool, args)).meta.credits_charged).toBe(cost);
      expect((await service.ask(path, live_key)).json.meta.credits_charged).toBe(cost);
    }
    const cached = await call(service, live_key, 'profile', photo('money.two', { cache_max_age: '1d' }));
    expect(cached.meta).toMatchObject({ credits_charged: 0, cached: true, credits_remaining: 14 });
    expect(await charges(workspace_id)).toEqual([-1, -1, -2, -2]);
    expect((await checkLedger(service.db.sql)).mismatches).toEqual([]);
  });

  test('MCP tool calls of one batch with the same id are refused and not charged, because only one of them would be answered', async () => {
    const { live_key, workspace_id } = await service.workspace(20);
    const calls = (ids: number[]) => ids.map((id) => messageOf(id, 'profile', photo(`money.batch${id}`)));
    const headers = { 'x-api-key': live_key };
    const refused = await post(service, calls([7, 8, 7]), headers);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('Each request of a batch must have its own id.'),
    ]);
    expect(await charges(workspace_id)).toEqual([]);
    expect((await post(service, calls([7, 8]), headers)).status).toBe(200);
    expect(await charges(workspace_id)).toEqual([-1, -1]);
  });

  test('an MCP tool call is charged once per idempotency key, and a different call with the same key is refused', async () => {
    const { live_key, workspace_id } = await service.workspace(20);
    const once = photo('money.once', { idempotency_key: 'first' });
    const [paid, again] = [
      await call(service, live_key, 'profile', once),
      await call(service, live_key, 'profile', once),
    ];
    expect([paid.meta.credits_charged, again.meta.credits_charged]).toEqual([1, 0]);
    expect(again.data).toEqual(paid.data);
    const meta = { idempotency_key: 'second' };
    for (const credits of [1, 0]) {
      const called = await call(service, live_key, 'profile', photo('money.once'), { meta });
      expect(called.meta.credits_charged).toBe(credits);
    }
    const long = { meta: { idempotency_key: 'k'.repeat(129) } };
    const refused = await call(service, live_key, 'profile', photo('money.once'), long);
    expect(refused.error?.message).toContain('_meta.idempotency_key: must be 1 to 128 printable');
    const other = await call(service, live_key, 'profile', photo('money.other'), { meta });
    expect(other.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await charges(workspace_id)).toEqual([-1, -1]);
  });

  test('an idempotency key in _meta can be a number as in an argument, and any other value is refused', async () => {
    const { live_key, workspace_id } = await service.workspace(20);
    const withKey = (key: unknown) =>
      call(service, live_key, 'profile', photo('money.typed'), { meta: { idempotency_key: key } });
    for (const credits of [1, 0]) expect((await withKey(17)).meta.credits_charged).toBe(credits);
    for (const key of [null, '', ['a'], { a: 1 }, 2 ** 53]) {
      expect((await withKey(key)).error?.message).toContain('_meta.idempotency_key: must be 1 to 128 printable');
    }
    expect(await charges(workspace_id)).toEqual([-1]);
  });

  test('an MCP tool call without enough credits reaches no source', async () => {
    const { live_key } = await service.workspace(1);
    const { error, text } = await call(service, live_key, 'posts', photo('money.poor'));
    expect(error?.code).toBe('INSUFFICIENT_CREDITS');
    expect(text).toContain('costs 2 credits and the balance is 1');
    expect(upstream.asked).toEqual([]);
  });

  test('an MCP tool call is logged and counted in the same way as the equivalent HTTP request', async () => {
    const { live_key, workspace_id } = await service.workspace(5);
    await call(service, live_key, 'profile', photo('money.tool'));
    await service.ask('/v1/photo/profile?handle=money.http', live_key);
    const lines = service.logs.filter(({ route }) => route === '/v1/photo/profile');
    const line = { method: 'GET', status: 200, code: null, workspace_id, credits_charged: 1 };
    expect(lines).toMatchObject([line, line]);
    expect(lines.map((one) => Object.keys(one))).toEqual([Object.keys(lines[0] ?? {}), Object.keys(lines[0] ?? {})]);
    expect(JSON.stringify(service.logs)).not.toContain(live_key);
    await until(async () => (await usageOf(workspace_id))[0]?.requests === 2);
    const usage = { route: '/v1/photo/profile', outcome: 'OK', requests: 2, credits: 2 };
    expect(await usageOf(workspace_id)).toEqual([usage]);
  });

  test('an MCP tool call with wrong arguments is logged and counted as a refused request', async () => {
    const { live_key, workspace_id } = await service.workspace(5);
    const { error, meta } = await call(service, live_key, 'profile', photo('money.wrong', { color: 'red' }));
    expect([error?.code, meta.sandbox]).toEqual(['INVALID_INPUT', false]);
    const refused = { route: '/mcp', status: 400, code: 'INVALID_INPUT', workspace_id, request_id: meta.request_id };
    expect(service.logs).toContainEqual(expect.objectContaining(refused));
    await until(async () => (await usageOf(workspace_id)).length > 0);
    const usage = { route: '/mcp', outcome: 'INVALID_INPUT', requests: 1, credits: 0 };
    expect(await usageOf(workspace_id)).toEqual([usage]);
  });

  test('an MCP tool call replays an answer that was charged over HTTP, and HTTP replays an answer of a tool', async () => {
    const { live_key, workspace_id } = await service.workspace(5);
    const path = (handle: string) => `/v1/photo/profile?handle=${handle}`;
    const full = { projection: 'full' };
    const overHttp = await service.ask(path('money.first'), live_key, { headers: { 'idempotency-key': 'both-1' } });
    const replayed = await call(service, live_key, 'profile', {
      ...photo('money.first', full),
      idempotency_key: 'both-1',
    });
    expect([overHttp.json.meta.credits_charged, replayed.meta.credits_charged]).toEqual([1, 0]);
    expect(replayed.data).toEqual(overHttp.json.data);
    await call(service, live_key, 'profile', { ...photo('money.second', full), idempotency_key: 'both-2' });
    const again = await service.ask(path('money.second'), live_key, { headers: { 'idempotency-key': 'both-2' } });
    expect(again.headers.get('x-idempotent-replay')).toBe('true');
    expect(await charges(workspace_id)).toEqual([-1, -1]);
  });
});

describe('an MCP client that disconnects during a tool call', () => {
  /** Sends a tool call, waits until it reaches the source, and returns a function that disconnects the client. */
  async function startCall(key: string, handle: string): Promise<() => Promise<void>> {
    const controller = new AbortController();
    const response = fetch(`${site.origin}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(messageOf(1, 'profile', photo(handle))),
      signal: controller.signal,
    }).then((answer) => answer.text());
    response.catch(() => undefined);
    await until(async () => upstream.asked.some((url) => url.includes(handle)));
    return async () => {
      controller.abort();
      await expect(response).rejects.toThrow();
    };
  }

  /**
   * Waits until every connection that counts requests has answered a new statement. Because a connection answers its
   * statements in order, the service then knows the result of every earlier count.
   */
  async function untilAnswered(): Promise<void> {
    const answered = new Set<number>();
    while (answered.size < requestConnections) {
      const sent = Array.from({ length: 4 * requestConnections }, () => {
        return service.db.pipelined<{ pid: number }[]>`select pg_backend_pid() as pid`;
      });
      for (const [row] of await Promise.all(sent)) if (row) answered.add(row.pid);
    }
  }

  /**
   * Waits until this number of requests of a workspace has been counted, and each has joined the identical request in
   * flight.
   */
  async function counted(workspaceId: string, requests: number): Promise<void> {
    await until(async () => {
      const [row] = await service.db.sql<{ total: number }[]>`
        select total from rate_windows where workspace_id = ${workspaceId}`;
      return (row?.total ?? 0) >= requests;
    });
    await untilAnswered();
    // After a request has been counted, it joins the request in flight within one turn of the event loop, because it
    // waits for nothing else.
    await nextTurn();
  }

  const untilLogged = () => until(async () => service.logs.some(({ route }) => route === '/v1/photo/profile'));

  test('a tool call whose client disconnects is charged nothing, and the request to the source is aborted', async () => {
    const { live_key, workspace_id } = await service.workspace(5);
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const disconnect = await startCall(live_key, 'money.gone');
    await disconnect();
    await untilLogged();
    resolve();
    expect(service.logs.find(({ route }) => route === '/v1/photo/profile')).toMatchObject({
      code: 'SOURCE_TIMEOUT',
      credits_charged: 0,
    });
    expect([await readBalance(service.db.sql, workspace_id), await charges(workspace_id)]).toEqual([5, []]);
  });

  test('when a client disconnects, identical requests of other clients are answered, and one of them is charged', async () => {
    const { live_key, workspace_id } = await service.workspace(5);
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const disconnect = await startCall(live_key, 'money.shared');
    const followers = [1, 2, 3].map(() => service.ask('/v1/photo/profile?handle=money.shared', live_key));
    await counted(workspace_id, 4);
    await disconnect();
    await until(async () => upstream.asked.length > 1);
    resolve();
    const answers = await Promise.all(followers);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ json }) => json.meta.credits_charged).sort()).toEqual([0, 0, 1]);
    expect(await charges(workspace_id)).toEqual([-1]);
  });
});

describe('a cancelled MCP tool call', () => {
  test.each(['legacy', 'modern'] as const)(
    'a cancelled tool call of the %s revision ends and is charged nothing',
    async (era) => {
      const { live_key, workspace_id } = await service.workspace(5);
      const client = await connect(`${site.origin}/mcp`, live_key, era);
      const { promise, resolve } = Promise.withResolvers<void>();
      upstream.hold = promise;
      const controller = new AbortController();
      const called = client.callTool(
        { name: 'profile', arguments: photo(`money.${era}`) },
        { signal: controller.signal },
      );
      await until(async () => upstream.asked.length > 0);
      controller.abort();
      await expect(called).rejects.toThrow();
      await until(async () => service.logs.some(({ route }) => route === '/v1/photo/profile'));
      resolve();
      expect(await charges(workspace_id)).toEqual([]);
      expect(await readBalance(service.db.sql, workspace_id)).toBe(5);
      await client.close();
    },
  );

  test('cancelling a tool call does not cancel the call of another client with the same key and message id', async () => {
    const { live_key } = await service.workspace(5);
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const headers = { 'x-api-key': live_key };
    const both = ['money.left', 'money.right'].map((handle) =>
      post(service, messageOf(9, 'profile', photo(handle)), headers),
    );
    await until(async () => upstream.asked.length === 2);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } };
    expect((await post(service, cancelled, headers)).status).toBe(202);
    resolve();
    const answers = await Promise.all(both);
    expect(answers.map(({ result }) => calledOf(result).error)).toEqual([null, null]);
  });
});

describe('the rate limit of sixty requests a minute for MCP', () => {
  const left = (headers: Headers) => Number(headers.get('x-ratelimit-remaining'));

  test('the rate limit counts each MCP tool call, and every twenty other messages as one request', async () => {
    const { live_key } = await service.workspace(5);
    const headers = { 'x-api-key': live_key };
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const first = await post(service, list, headers);
    expect(left(first.headers)).toBe(59);
    for (let index = 0; index < 19; index += 1) expect((await post(service, list, headers)).status).toBe(200);
    expect(left((await post(service, list, headers)).headers)).toBe(58);
    expect(left((await post(service, messageOf(1, 'credits', {}), headers)).headers)).toBe(57);
    await post(
      service,
      [1, 2, 3].map((id) => messageOf(id, 'credits', {})),
      headers,
    );
    expect(left((await service.ask('/v1/credit/balance', live_key)).headers)).toBe(53);
  });

  test('the rate limit counts every message of an MCP batch, so that lists of tools are no cheaper in batches', async () => {
    const { live_key } = await service.workspace(5);
    const headers = { 'x-api-key': live_key };
    const lists = Array.from({ length: 10 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    const remaining: number[] = [];
    for (let sent = 0; sent < 5; sent += 1) {
      expect((await post(service, lists, headers)).status).toBe(200);
      remaining.push(left((await service.ask('/v1/credit/balance', live_key)).headers));
    }
    expect(remaining).toEqual([58, 57, 55, 54, 52]);
  });

  test('a tool call that is refused by the rate limit gets an error result that says how long to wait', async () => {
    const { live_key, test_key } = await service.workspace(5);
    for (let index = 0; index < 60; index += 1) await service.ask('/v1/credit/balance', live_key);
    const { error, text } = await call(service, live_key, 'profile', photo('money.late'));
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    expect(error?.retry_after_seconds).toBeGreaterThan(0);
    expect(text).toMatch(/Wait \d+ seconds first\./);
    const other = await post(service, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'x-api-key': test_key });
    expect([other.status, other.headers.get('retry-after')]).toEqual([429, String(error?.retry_after_seconds)]);
    expect(Object.fromEntries(other.headers)).toMatchObject({
      'x-data-mode': 'sandbox',
      'x-credits-charged': '0',
      'x-credits-remaining': '5',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      ratelimit: expect.stringContaining('"default";r=0;'),
    });
    expect(JSON.parse(other.text).meta).toMatchObject({ credits_charged: 0, sandbox: true });
  });
});
