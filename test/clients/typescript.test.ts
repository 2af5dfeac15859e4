import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ClientOptions, createClient, TidemarkError } from '../../clients/typescript/src/client.ts';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { inTransaction } from '../../db/transaction.ts';
import { errorTable } from '../../pipeline/errors.ts';
import { scenarios } from '../../server/sandbox/scenarios.ts';
import { type ListeningService, listeningService } from '../harness/listening-service.ts';
import { frontityPage } from '../pipeline/shortvideo/upstream.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import type { TestKeys } from '../server/test-service.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import { movingClock } from './moving-clock.ts';

const begin = new Date('2026-11-20T10:00:00.000Z');
const clock = movingClock(begin);
const upstream = inventedUpstream();
let db: TestDatabase;
let service: ListeningService;
let limited: ListeningService;
let keys: TestKeys;
/** The requests that the client has sent in the current test. */
let sent: Request[];

/**
 * An invented platform page of ten videos. The service returns some of the videos and stores the rest for ten minutes.
 */
const videoList = Array.from({ length: 10 }, (_, index) => ({
  id: `90071992547409${930 + index}`,
  desc: `invented ${index}`,
  playCount: 100 + index,
  authorUniqueId: `invented.${index}`,
  coverUrl: `https://invented.example/${index}.jpg`,
}));

const fetchUpstream: typeof upstream.fetch = async (request, signal) => {
  const { pathname } = new URL(request.url);
  if (!pathname.includes('/tag/')) return upstream.fetch(request, signal);
  const embedInfo = { id: 'tide', title: 'tide', statusCode: 0 };
  const page = frontityPage({ source: { data: { [pathname]: { isError: false, embedInfo, videoList } } } });
  return { status: 200, url: request.url, headers: {}, body: Buffer.from(page) };
};

beforeAll(async () => {
  db = await createTestDatabase();
  const options = { database_url: db.database_url, fetch: fetchUpstream, now: () => new Date(clock.at) };
  service = await listeningService(options);
  limited = await listeningService({ ...options, requests_per_minute: 3 });
});
beforeEach(async () => {
  sent = [];
  clock.slept.length = 0;
  clock.at = begin.getTime();
  keys = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'client', credits: 100 }));
});
afterAll(async () => {
  await Promise.all([service.close(), limited.close()]);
  expect((await checkLedger(db.sql)).mismatches).toEqual([]);
  await db.close();
});

/** Creates a TypeScript client that calls the real service with the development key. `sent` records its requests. */
function clientOf(options: Partial<ClientOptions> = {}) {
  const { fetch: send = fetch } = options;
  return createClient({
    apiKey: keys.test_key,
    baseUrl: service.base_url,
    clock,
    ...options,
    fetch: (request) => {
      sent.push(request.clone());
      return send(request);
    },
  });
}

async function failure(call: Promise<unknown>): Promise<TidemarkError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TidemarkError);
  return error as TidemarkError;
}

const sample = { handle: 'tidemark.sample' };
const keysSent = () => sent.map(({ headers }) => headers.get('idempotency-key'));

describe('an answer to the TypeScript client', () => {
  test('an answer in the TypeScript client has the JSON of the server and the metering', async () => {
    const { data, meta, metering } = await clientOf().get('/v1/photo/profile', sample);
    expect(data.profile?.username).toBe('tidemark.sample');
    expect(metering).toEqual({
      requestId: meta.request_id,
      creditsCharged: 0,
      creditsRemaining: 100,
      cached: false,
      replayed: false,
      sandbox: true,
      attempts: 1,
    });
  });

  test('an answer in the TypeScript client costs 1 credit when it is fresh, and 0 when it is cached', async () => {
    const client = clientOf({ apiKey: keys.live_key });
    const query = { handle: 'paper.kite', cache_max_age: '1d' } as const;
    const first = await client.get('/v1/photo/profile', query);
    const second = await client.get('/v1/photo/profile', query);
    expect(first.metering).toMatchObject({ creditsCharged: 1, creditsRemaining: 99, cached: false, sandbox: false });
    expect(second.metering).toMatchObject({ creditsCharged: 0, creditsRemaining: 99, cached: true });
  });

  test('the TypeScript client calls a route without parameters, an estimate, a workflow, a CSV and a route without a key', async () => {
    const client = clientOf({ apiKey: keys.live_key });
    expect((await client.get('/v1/credit/balance')).data.credits_remaining).toBe(100);
    expect((await client.estimate('/v1/photo/posts', sample)).data).toMatchObject({ cost: 2, cached: false });
    const url = ['one', 'two'].map((name) => `https://www.instagram.com/${name}/`);
    expect((await client.get('/v1/workflows/profile', { url })).data.rows).toHaveLength(2);
    const csv = await client.csv('/v1/workflows/profile', { url });
    expect(csv.text.split('\r\n')[0]).toMatch(/^url,status,platform/);
    expect(csv.metering).toMatchObject({ creditsCharged: 0, creditsRemaining: 98 });
    const { data, metering } = await client.get('/v1/status');
    expect([typeof data, metering.creditsRemaining]).toEqual(['object', null]);
  });
});

const codes = scenarios.flatMap(({ suffix, effect }) =>
  effect.kind === 'error' ? [[effect.code, suffix] as const] : [],
);
const retriedCodes = [
  'SOURCE_TIMEOUT',
  'RATE_LIMITED',
  'SOURCE_CAPACITY',
  'SOURCE_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
  'CHARGE_UNCONFIRMED',
];

describe('an error in the TypeScript client', () => {
  test.each(codes)(
    'the TypeScript client throws %s with its type, and retries 408, 429 and 503 only when a retry may succeed',
    async (code, suffix) => {
      const client = clientOf({ retry: { attempts: 3 } });
      const error = await failure(client.get('/v1/photo/profile', { handle: `sandbox_${suffix}` }));
      const { status, retryable, retry_after_seconds = null } = errorTable[code];
      const documentationUrl = `http://tidemark.test/docs/errors#${code}`;
      expect(error).toMatchObject({ code, status, retryable, documentationUrl });
      expect(error.requestId).toMatch(/^req_/);
      expect(error.retryAfterSeconds).toBe(status === 429 ? 20 : retry_after_seconds);
      expect(sent).toHaveLength(retriedCodes.includes(code) ? 3 : 1);
    },
  );

  test('an error in the TypeScript client names every bad parameter', async () => {
    const error = await failure(clientOf().get('/v1/photo/posts', { handle: 'a b', limit: 21 }));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.details.map(({ parameter }) => parameter).sort()).toEqual(['handle', 'limit']);
  });

  test('an error in the TypeScript client for a baseUrl with a wrong path is ROUTE_NOT_FOUND', async () => {
    const client = clientOf({ baseUrl: `${service.base_url}/api/` });
    expect((await failure(client.get('/v1/photo/profile', sample))).code).toBe('ROUTE_NOT_FOUND');
    expect(new URL(sent[0]?.url ?? '').pathname).toBe('/api/v1/photo/profile');
  });
});

describe('a refused request of the TypeScript client', () => {
  test.each(['/v1/photo/reels', '/v1/photo/hashtag/posts'] as const)(
    'a request to %s, which is unavailable, is not retried',
    async (path) => {
      const client = clientOf({ apiKey: keys.live_key });
      const query = path === '/v1/photo/reels' ? { handle: 'tide' } : { tag: 'tide' };
      const error = await failure(client.get(path, query as never));
      expect(error).toMatchObject({ code: 'SOURCE_UNAVAILABLE', retryable: false, retryAfterSeconds: null });
      expect([sent.length, clock.slept]).toEqual([1, []]);
    },
  );

  test('the TypeScript client retries a refused request after its Retry-After, not before', async () => {
    const client = clientOf({ baseUrl: limited.base_url });
    // Requests the balance, because balance requests count toward the limit. Samples are free answers, which have a
    // higher limit.
    const answers = [await client.get('/v1/credit/balance', {})];
    clock.at += 20_000;
    for (let more = 0; more < 3; more += 1) answers.push(await client.get('/v1/credit/balance', {}));
    expect(answers.map(({ metering }) => metering.attempts)).toEqual([1, 1, 1, 2]);
    expect(clock.slept).toHaveLength(1);
    expect(clock.slept[0]).toBeGreaterThanOrEqual(40_000);
    expect(clock.slept[0]).toBeLessThan(41_000);
  });

  test('the TypeScript client fails immediately when a wait would exceed the time limit of the call', async () => {
    const client = clientOf({ retry: { totalMs: 19_000 } });
    const error = await failure(client.get('/v1/photo/profile', { handle: 'sandbox_429' }));
    expect([error.code, sent.length, clock.slept]).toEqual(['RATE_LIMITED', 1, []]);
  });

  test('all attempts of a call of the TypeScript client have the same Idempotency-Key, and the next call has a different one', async () => {
    const client = clientOf({ retry: { attempts: 3 } });
    await failure(client.get('/v1/photo/profile', { handle: 'sandbox_503' }));
    await failure(client.get('/v1/photo/profile', { handle: 'sandbox_503' }));
    const [first, , , second] = keysSent();
    expect(keysSent()).toEqual([first, first, first, second, second, second]);
    expect(first).not.toBe(second);
  });
});

describe('a charge of the TypeScript client', () => {
  test('when an answer is lost on the network, the retry gets the same answer and is not charged again', async () => {
    let lost = 0;
    const client = clientOf({
      apiKey: keys.live_key,
      fetch: async (request) => {
        const response = await fetch(request);
        if (lost > 0) return response;
        lost = Number(response.headers.get('x-credits-charged'));
        throw new TypeError('the connection broke');
      },
    });
    const { data, metering } = await client.get('/v1/photo/profile', { handle: 'lost.answer' });
    expect(data.profile?.username).toBe('lost.answer');
    expect([lost, metering.creditsCharged, metering.replayed, metering.attempts]).toEqual([1, 0, true, 2]);
    expect(await readBalance(db.sql, keys.workspace_id)).toBe(99);
  });

  test('the same idempotencyKey of the caller is charged once, and is refused for another request', async () => {
    const client = clientOf({ apiKey: keys.live_key });
    const options = { idempotencyKey: 'report-2026-47' };
    const first = await client.get('/v1/photo/profile', { handle: 'own.key' }, options);
    const second = await client.get('/v1/photo/profile', { handle: 'own.key' }, options);
    expect([first, second].map(({ metering }) => [metering.creditsCharged, metering.replayed])).toEqual([
      [1, false],
      [0, true],
    ]);
    expect(second.data).toEqual(first.data);
    const other = await failure(client.get('/v1/photo/profile', { handle: 'other.handle' }, options));
    expect(other.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await readBalance(db.sql, keys.workspace_id)).toBe(99);
  });
});

describe('a list in the TypeScript client', () => {
  test('the TypeScript client iterates a list to its end, with every row once and an Idempotency-Key for every page', async () => {
    const ids: unknown[] = [];
    for await (const { id } of clientOf().items('/v1/photo/posts', { ...sample, limit: 5 })) ids.push(id);
    expect([ids.length, new Set(ids).size, sent.length, new Set(keysSent()).size]).toEqual([24, 24, 5, 5]);
  });

  test('the TypeScript client stops a list at max and requests no further page', async () => {
    const read = async (max: number) => {
      sent.length = 0;
      const rows = await Array.fromAsync(clientOf().items('/v1/photo/posts', { ...sample, limit: 5 }, { max }));
      return [rows.length, sent.length];
    };
    expect([await read(10), await read(11), await read(0), await read(99)]).toEqual([
      [10, 2],
      [11, 3],
      [0, 0],
      [24, 5],
    ]);
  });

  test('the TypeScript client reads a list by pages, and continues from a stored cursor', async () => {
    const sizes: number[] = [];
    let cursor: string | null = null;
    for await (const { data } of clientOf().pages('/v1/photo/posts', { ...sample, limit: 10 })) {
      sizes.push(data.items.length);
      cursor ??= data.pagination.next_cursor;
    }
    expect(sizes).toEqual([10, 10, 4]);
    const rest = clientOf().items('/v1/photo/posts', { ...sample, limit: 10, cursor: cursor ?? '' });
    expect(await Array.fromAsync(rest)).toHaveLength(14);
  });

  test('a list in the TypeScript client throws CURSOR_EXPIRED when its cursor expires, and never restarts', async () => {
    const rows = clientOf({ apiKey: keys.live_key }).items('/v1/shortvideo/hashtag/videos', { tag: 'tide', limit: 4 });
    const seen: unknown[] = [];
    const reading = async () => {
      for await (const { id } of rows) {
        seen.push(id);
        if (seen.length === 4) clock.at += 10 * 60_000;
      }
    };
    expect((await failure(reading())).code).toBe('CURSOR_EXPIRED');
    expect([seen.length, sent.length]).toEqual([4, 2]);
    expect(await readBalance(db.sql, keys.workspace_id)).toBe(98);
  });
});
