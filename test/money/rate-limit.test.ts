import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../db/accounts/keys.ts';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ask, codeOf, type Received, statusCounts } from '../harness/answers.ts';
import { type ListeningService, listeningService } from '../harness/listening-service.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const startsAt = new Date('2026-11-20T10:00:00.000Z');
const clock = { now: startsAt };
let db: TestDatabase;
const opened: ListeningService[] = [];

/** Starts two processes of the service with this rate limit on one database, with the clock of the test. */
async function twoProcesses(requestsPerMinute: number, { fetch } = inventedUpstream()): Promise<ListeningService[]> {
  const { database_url } = db;
  const options = {
    database_url,
    fetch,
    now: () => clock.now,
    requests_per_minute: requestsPerMinute,
  };
  const pair = await Promise.all([listeningService(options), listeningService(options)]);
  opened.push(...pair);
  return pair;
}

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => {
  clock.now = startsAt;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((service) => service.close()));
});
afterAll(() => db.close());

const workspace = () => inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'rate', credits: 0 }));
const address = (pair: ListeningService[], index: number) => pair[index % 2]?.base_url ?? '';
const failuresOf = (pair: ListeningService[]) => pair.map((service) => service.failures()).join('\n');
const later = (seconds: number) => {
  clock.now = new Date(clock.now.getTime() + seconds * 1000);
};

describe('the rate limit of 60 requests a minute for each workspace', () => {
  const minuteOf200 = (pair: ListeningService[], keys: string[]) =>
    Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        ask(address(pair, index), '/v1/credit/balance', keys[Math.floor(index / 2) % keys.length] ?? ''),
      ),
    );

  test('the rate limit is exact for 200 parallel requests over two processes and all keys of the workspace, minute after minute', async () => {
    const pair = await twoProcesses(60);
    const { workspace_id, live_key, test_key } = await workspace();
    const sheet = await createKey(db.sql, workspace_id, { kind: 'sheet', name: 'sheet', monthly_cap: 1 });
    for (let minute = 0; minute < 3; minute += 1) {
      const answers = await minuteOf200(pair, [live_key, test_key, sheet.key]);
      expect(statusCounts(answers), failuresOf(pair)).toEqual({ 200: 60, 429: 140 });
      later(60);
    }
  });

  test('every answer shows the rate limit in its headers, and further requests are refused with the seconds to wait', async () => {
    const pair = await twoProcesses(60);
    const { live_key } = await workspace();
    await ask(address(pair, 0), '/v1/credit/balance', live_key);
    later(20.5);
    const answers = await minuteOf200(pair, [live_key]);
    const served = answers.filter(({ status }) => status === 200);
    const remaining = served.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 59 }, (_, index) => 58 - index));
    for (const answer of served) expect(rateHeaders(answer)).toEqual(expectedHeaders(answer));
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect([answer.status, codeOf(answer), answer.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '40']);
      expect(rateHeaders(answer)).toEqual(expectedHeaders(answer));
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(answer.credits_charged).toBe(0);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { retryable: true, retry_after_seconds: 40 } });
    }
  });
});

const names = ['ratelimit-policy', 'ratelimit', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const rateHeaders = ({ headers }: Received) => names.map((name) => headers.get(name));
function expectedHeaders({ headers }: Received): string[] {
  const remaining = headers.get('x-ratelimit-remaining') ?? 'none';
  const free = /"free";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
  return [
    '"default";q=60;w=60, "free";q=600;w=60',
    `"default";r=${remaining};t=40, "free";r=${free};t=40`,
    ...['60', remaining, '40'],
  ];
}

/** Returns a simple model of a workspace's rate limit, with which the service is compared. */
function createModel(limit: number) {
  let used = 0;
  let endsAt = 0;
  return (requests: number): number => {
    const now = clock.now.getTime();
    if (now >= endsAt) [used, endsAt] = [0, now + 60_000];
    const served = Math.max(0, Math.min(requests, limit - used));
    used += requests;
    return served;
  };
}

test('a clock that is set back by an hour ends the rate-limit window, so that no one waits longer than a minute', async () => {
  const pair = await twoProcesses(1);
  const { live_key } = await workspace();
  const answers = async () => [
    await ask(address(pair, 0), '/v1/credit/balance', live_key),
    await ask(address(pair, 0), '/v1/credit/balance', live_key),
  ];
  expect((await answers()).map(({ status }) => status)).toEqual([200, 429]);
  later(-3_600);
  const [served, refused] = await answers();
  expect([served?.status, refused?.status, refused?.headers.get('retry-after')]).toEqual([200, 429, '60']);
  later(-30);
  const waiting = await ask(address(pair, 1), '/v1/credit/balance', live_key);
  expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([429, '60']);
});

test('two workspaces over two processes never share their rate limit, in any order of requests', async () => {
  const limit = 5;
  const pair = await twoProcesses(limit);
  const burst = fc.record({
    seconds: fc.constantFrom(0, 0, 1, 30, 59.999, 60),
    requests: fc.array(fc.record({ workspace: fc.nat(1), process: fc.nat(1) }), { minLength: 1, maxLength: 14 }),
  });
  const property = fc.asyncProperty(fc.array(burst, { minLength: 1, maxLength: 5 }), async (bursts) => {
    const keys = [(await workspace()).live_key, (await workspace()).live_key];
    const models = keys.map(() => createModel(limit));
    for (const { seconds, requests } of bursts) {
      later(seconds);
      const sent = requests.map((to) => ask(address(pair, to.process), '/v1/credit/balance', keys[to.workspace] ?? ''));
      const answers = await Promise.all(sent);
      const expected = models.map((model, index) => {
        const count = requests.filter(({ workspace }) => workspace === index).length;
        return count === 0 ? 0 : model(count);
      });
      const served = keys.map(
        (_, index) => answers.filter(({ status }, at) => status === 200 && requests[at]?.workspace === index).length,
      );
      expect(served).toEqual(expected);
    }
  });
  await fc.assert(property, { numRuns: 30 });
});

describe('the rate limit of requests for new data', () => {
  const data = (handle: string) => `/v1/photo/profile?handle=${handle}`;
  const funded = () => inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'new', credits: 1_000 }));
  const used = async (workspaceId: string) => {
    const [row] = await db.sql`select used, total from rate_windows where workspace_id = ${workspaceId}`;
    return row;
  };

  test('requests for new data count once toward both limits, exact over two processes, and are refused before a platform is called', async () => {
    const pair = await twoProcesses(6);
    const { live_key, workspace_id } = await funded();
    const sent = Array.from({ length: 20 }, (_, index) => ask(address(pair, index), data(`fresh.${index}`), live_key));
    expect(statusCounts(await Promise.all(sent))).toEqual({ 200: 6, 429: 14 });
    const [row] = await db.sql`select count(*)::int as charges from ledger_entries
      where workspace_id = ${workspace_id} and kind = 'charge'`;
    expect(row).toEqual({ charges: 6 });
  });

  test('identical requests for new data at the same time count toward the limit once', async () => {
    const upstream = inventedUpstream();
    const { promise, resolve: answerAll } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const pair = await twoProcesses(6, upstream);
    const { live_key, workspace_id } = await funded();
    const sent = Promise.all(Array.from({ length: 10 }, () => ask(address(pair, 0), data('popular'), live_key)));
    await until(async () => (await used(workspace_id))?.total === 10).finally(answerAll);
    expect(statusCounts(await sent), failuresOf(pair)).toEqual({ 200: 10 });
    expect(await used(workspace_id)).toEqual({ used: 1, total: 10 });
  });

  test('estimates, samples and cached answers do not count toward the limit of new data', async () => {
    const pair = await twoProcesses(6);
    const { live_key, test_key, workspace_id } = await funded();
    await ask(address(pair, 0), data('once'), live_key);
    await ask(address(pair, 0), `${data('once')}&estimate=true`, live_key);
    await ask(address(pair, 0), `${data('once')}&c%61che_max_age=1d`, live_key);
    await ask(address(pair, 0), data('once'), test_key);
    expect(await used(workspace_id)).toEqual({ used: 1, total: 4 });
  });
});

describe('the rate limit of answers from the cache', () => {
  const profile = (handle: string) => `/v1/workflows/profile?url=https://www.instagram.com/${handle}/`;
  const funded = () => inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'free', credits: 1_000 }));
  /** Sends `count` requests in parallel, alternately to both processes. */
  const times = (count: number, pair: ListeningService[], path: (index: number) => string, key: string) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(address(pair, index), path(index), key)));

  test('answers from the cache do not count toward the limit of new data, and have a limit ten times as high, exact over two processes', async () => {
    const pair = await twoProcesses(6);
    const { live_key } = await funded();
    expect((await ask(address(pair, 0), profile('cached.one'), live_key)).status).toBe(200);
    const cached = await times(70, pair, () => profile('cached.one'), live_key);
    expect(statusCounts(cached)).toEqual({ 200: 59, 429: 11 });
    const refused = cached.find(({ status }) => status === 429);
    expect([refused && codeOf(refused), refused?.headers.get('retry-after')]).toEqual(['RATE_LIMITED', '60']);
    expect(refused?.text).toContain('More than 60 requests');
    expect(refused?.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(refused?.headers.get('ratelimit')).toBe('"default";r=0;t=60, "free";r=0;t=60');
    for (const seconds of [0, 1]) {
      later(seconds);
      const fetched = await ask(address(pair, 0), '/v1/photo/profile?handle=cached.one', live_key);
      expect(fetched.text).toContain('More than 60 requests');
    }
    later(60);
    expect((await ask(address(pair, 1), profile('cached.one'), live_key)).headers.get('x-ratelimit-remaining')).toBe(
      '6',
    );
  });

  test('answers from the cache stay available after the limit of new data, and new data stays exact over two processes', async () => {
    const pair = await twoProcesses(6);
    const { live_key, workspace_id } = await funded();
    await ask(address(pair, 0), profile('cached.two'), live_key);
    const fresh = await times(20, pair, (index) => profile(`new.${index}`), live_key);
    expect(statusCounts(fresh)).toEqual({ 200: 5, 429: 15 });
    for (const answer of fresh.filter(({ status }) => status === 429)) expect(codeOf(answer)).toBe('RATE_LIMITED');
    const cached = await ask(address(pair, 1), profile('cached.two'), live_key);
    expect([cached.status, cached.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
    const [row] = await db.sql`select count(*)::int as charges from ledger_entries
      where workspace_id = ${workspace_id} and kind = 'charge'`;
    expect(row).toEqual({ charges: 6 });
  });

  test('a request with many new URLs counts once toward the limit of new data, unlike answers from the cache', async () => {
    const pair = await twoProcesses(6);
    const { live_key } = await funded();
    const urls = Array.from({ length: 20 }, (_, index) => `url=https://www.instagram.com/many.${index}/`);
    const answer = await ask(address(pair, 0), `/v1/workflows/profile?${urls.join('&')}`, live_key);
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, '5']);
  });

  test('refused requests count toward the limit of new data, unlike answers from the cache', async () => {
    const pair = await twoProcesses(6);
    const { live_key } = await funded();
    const invalid = await times(10, pair, () => '/v1/workflows/profile?wrong=1', live_key);
    expect(statusCounts(invalid)).toEqual({ 400: 6, 429: 4 });
    const unknown = await times(3, pair, () => profile('any'), 'tide_live_invented0000000000None');
    expect(statusCounts(unknown)).toEqual({ 401: 3 });
  });
});
