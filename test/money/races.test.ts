import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../db/accounts/keys.ts';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { checkLedger, moveCredits, readBalance } from '../../db/money/ledger.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ask, codeOf, type Received, statusCounts } from '../harness/answers.ts';
import { type ListeningService, listeningService } from '../harness/listening-service.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const upstream = inventedUpstream();
let db: TestDatabase;
let processes: ListeningService[];

beforeAll(async () => {
  db = await createTestDatabase();
  const { database_url } = db;
  processes = await Promise.all([1, 2].map(() => listeningService({ database_url, fetch: upstream.fetch })));
});
beforeEach(() => {
  upstream.asked.length = 0;
  upstream.hold = Promise.resolve();
  upstream.answer = null;
});
afterAll(async () => {
  await Promise.all(processes.map((service) => service.close()));
  await db.close();
});

const profile = (handle: string) => `/v1/photo/profile?handle=${handle}`;
const posts = (handle: string) => `/v1/photo/posts?handle=${handle}`;
const serviceUrl = (index: number, among: number) => processes[index % among]?.base_url ?? '';
const workspaceOf = (credits: number) => inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'races', credits }));

/** Returns the causes of all answers of the services with a status of 500 or higher. */
const failures = () => processes.map((service) => service.failures()).join('\n');

let made = 0;
/** Returns handles that no other test requests, so that no answer is cached. */
function newHandles(count: number): string[] {
  made += 1;
  return Array.from({ length: count }, (_, index) => `race.${made}.${index}`);
}

/**
 * Sends all requests at once. The source delays its answers until `fetches` requests wait for them, so that all charges
 * happen at the same time.
 */
async function racing(fetches: number, send: () => Promise<Received>[]): Promise<Received[]> {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  upstream.hold = promise;
  const answers = Promise.all(send());
  await until(async () => upstream.asked.length >= fetches).finally(release);
  return answers;
}

const charged = (answers: readonly Received[]) => answers.filter(({ credits_charged }) => credits_charged > 0);

/** Returns the credits of each charge by its request id. */
async function chargesOf(workspaceId: string): Promise<Map<string, number>> {
  const rows = await db.sql<{ request_id: string; credits: number }[]>`
    select request_id, credits from ledger_entries where workspace_id = ${workspaceId} and kind = 'charge'`;
  return new Map(rows.map(({ request_id, credits }) => [request_id, -credits]));
}

/**
 * Expects one ledger entry for each charged answer, no entry for other requests, and a balance that matches the
 * entries.
 */
async function expectLedgerMatches(workspaceId: string, answers: readonly Received[], balance: number): Promise<void> {
  const said = charged(answers).map(({ request_id, credits_charged }) => [request_id, credits_charged] as const);
  expect(await chargesOf(workspaceId)).toEqual(new Map(said));
  expect(await readBalance(db.sql, workspaceId)).toBe(balance);
  expect((await checkLedger(db.sql)).mismatches).toEqual([]);
}

describe.each([1, 2])('hundreds of parallel requests on ten credits, over %i processes', (among) => {
  test('of hundreds of parallel requests on ten credits, ten are charged, the others get 402, and no unpaid answer is cached', async () => {
    const { workspace_id, live_key } = await workspaceOf(10);
    const handles = newHandles(300);
    const answers = await racing(300, () =>
      handles.map((handle, index) => ask(serviceUrl(index, among), profile(handle), live_key)),
    );
    expect(statusCounts(answers), failures()).toEqual({ 200: 10, 402: 290 });
    expect(charged(answers).map(({ status, credits_charged }) => [status, credits_charged])).toEqual(
      Array(10).fill([200, 1]),
    );
    await expectLedgerMatches(workspace_id, answers, 0);

    const cached = await Promise.all(
      handles.map((handle, index) => ask(serviceUrl(index, 2), `${profile(handle)}&cache_max_age=30d`, live_key)),
    );
    expect(cached.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
    expect(charged(cached)).toEqual([]);
    const refused = handles.find((_, index) => answers[index]?.status === 402) ?? '';
    await moveCredits(db.sql, workspace_id, { kind: 'adjustment', credits: 1, reason: 'one more' });
    const paid = await ask(serviceUrl(0, among), `${profile(refused)}&cache_max_age=30d`, live_key);
    expect([paid.status, paid.headers.get('x-cache'), paid.credits_charged]).toEqual([200, 'MISS', 1]);
  });

  test('with a balance of 3, exactly three of five concurrent requests are served', async () => {
    const { workspace_id, live_key } = await workspaceOf(3);
    const answers = await racing(5, () =>
      newHandles(5).map((handle, index) => ask(serviceUrl(index, among), profile(handle), live_key)),
    );
    expect(statusCounts(answers), failures()).toEqual({ 200: 3, 402: 2 });
    await expectLedgerMatches(workspace_id, answers, 0);
  });

  test('parallel requests with different costs never overspend, and none is refused that the final balance could pay for', async () => {
    const races = fc.asyncProperty(
      fc.integer({ min: 1, max: 25 }),
      fc.array(fc.constantFrom(1, 2), { minLength: 2, maxLength: 20 }),
      async (credits, costs) => {
        const { workspace_id, live_key } = await workspaceOf(credits);
        const handles = newHandles(costs.length);
        const path = (index: number) => (costs[index] === 1 ? profile : posts)(handles[index] ?? '');
        upstream.asked.length = 0;
        const affordable = costs.filter((cost) => cost <= credits).length;
        const answers = await racing(affordable, () =>
          costs.map((_, index) => ask(serviceUrl(index, among), path(index), live_key)),
        );
        const spent = charged(answers).reduce((sum, { credits_charged }) => sum + credits_charged, 0);
        await expectLedgerMatches(workspace_id, answers, credits - spent);
        const refused = costs.filter((_, index) => answers[index]?.status === 402);
        expect(refused.length + charged(answers).length).toBe(costs.length);
        expect(refused.filter((cost) => cost <= credits - spent)).toEqual([]);
      },
    );
    await fc.assert(races, { numRuns: 15 });
  });

  test('parallel requests never exceed the monthly cap of a key, and do not limit other keys of the workspace', async () => {
    const { workspace_id, live_key } = await workspaceOf(100);
    const capped = await createKey(db.sql, workspace_id, { kind: 'live', name: 'capped', monthly_cap: 5 });
    const answers = await racing(40, () =>
      newHandles(40).map((handle, index) =>
        ask(serviceUrl(index, among), profile(handle), index % 4 === 0 ? live_key : capped.key),
      ),
    );
    const free = answers.filter((_, index) => index % 4 === 0);
    expect([statusCounts(free), statusCounts(answers)]).toEqual([{ 200: 10 }, { 200: 15, 402: 25 }]);
    await expectLedgerMatches(workspace_id, answers, 85);
  });

  test('parallel requests with failed sources are charged nothing while others are charged', async () => {
    const { workspace_id, live_key } = await workspaceOf(1_000);
    const failures = [
      { status: 404 },
      { status: 500 },
      { status: 429 },
      { body: Buffer.from('<html>') },
      { body: Buffer.from('{"data"') },
    ];
    upstream.answer = ({ url }) => failures[Number(url.split('.').at(-1)) % 10] ?? null;
    const answers = await racing(200, () =>
      newHandles(200).map((handle, index) => ask(serviceUrl(index, among), profile(handle), live_key)),
    );
    expect(answers.map(({ status }) => status === 200)).toEqual(
      answers.map((_, index) => index % 10 >= failures.length),
    );
    expect(charged(answers)).toHaveLength(100);
    expect(answers.filter(({ status }) => status === 500)).toEqual([]);
    await expectLedgerMatches(workspace_id, answers, 900);
  });
});

describe('simultaneous identical requests', () => {
  test('simultaneous identical requests share one fetch and one charge', async () => {
    const { workspace_id, live_key } = await workspaceOf(10);
    const [handle = ''] = newHandles(1);
    const { promise, resolve: release } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const asking = Array.from({ length: 50 }, () => ask(serviceUrl(0, 1), profile(handle), live_key));
    await until(() => authenticated(workspace_id, 50)).finally(release);
    const answers = await Promise.all(asking);
    expect([statusCounts(answers), upstream.asked.length]).toEqual([{ 200: 50 }, 1]);
    expect(charged(answers).map(({ credits_charged }) => credits_charged)).toEqual([1]);
    await expectLedgerMatches(workspace_id, answers, 9);
  });

  test('simultaneous identical requests of different workspaces are charged to each workspace', async () => {
    const workspaces = await Promise.all([workspaceOf(5), workspaceOf(5)]);
    const [handle = ''] = newHandles(1);
    const answers = await racing(2, () =>
      workspaces.map(({ live_key }) => ask(serviceUrl(0, 1), profile(handle), live_key)),
    );
    expect(answers.map(({ credits_charged }) => credits_charged)).toEqual([1, 1]);
  });
});

/**
 * Returns true when the service has authenticated this number of requests of a workspace. First waits until the service
 * has answered a request sent after those.
 */
async function authenticated(workspaceId: string, requests: number): Promise<boolean> {
  const [window] = await db.sql<
    { total: number }[]
  >`select total from rate_windows where workspace_id = ${workspaceId}`;
  if (window?.total !== requests) return false;
  const { test_key } = await workspaceOf(0);
  return (await ask(serviceUrl(0, 1), '/v1/credit/balance', test_key)).status === 200;
}

describe.each([1, 2])('two simultaneous requests with one Idempotency-Key, over %i processes', (among) => {
  const asBoth = (paths: string[], key: string, name: string) =>
    paths.map((path, index) => ask(serviceUrl(index, among), path, key, { 'idempotency-key': name }));

  test('two simultaneous identical requests with one Idempotency-Key are charged once and get the same data', async () => {
    const { workspace_id, live_key } = await workspaceOf(30);
    const answers: Received[] = [];
    for (const handle of newHandles(10)) {
      upstream.asked.length = 0;
      const path = profile(handle);
      const both = await racing(among, () => asBoth([path, path], live_key, `key-of-${handle}`));
      expect(statusCounts(both)).toEqual({ 200: 2 });
      expect(both.map(({ credits_charged }) => credits_charged).sort()).toEqual([0, 1]);
      const [first, second] = both.map(({ text }) => (JSON.parse(text) as { data: unknown }).data);
      expect(second).toEqual(first);
      answers.push(...both);
    }
    await expectLedgerMatches(workspace_id, answers, 20);
  });

  test('of two different requests with one Idempotency-Key, one is charged and the other gets 422 IDEMPOTENCY_KEY_REUSED', async () => {
    const { workspace_id, live_key } = await workspaceOf(30);
    const answers: Received[] = [];
    for (const handle of newHandles(10)) {
      upstream.asked.length = 0;
      const both = await racing(2, () => asBoth([profile(handle), posts(handle)], live_key, `key-of-${handle}`));
      expect(statusCounts(both)).toEqual({ 200: 1, 422: 1 });
      expect(both.filter(({ status }) => status === 422).map(codeOf)).toEqual(['IDEMPOTENCY_KEY_REUSED']);
      answers.push(...both);
    }
    const spent = charged(answers).reduce((sum, { credits_charged }) => sum + credits_charged, 0);
    await expectLedgerMatches(workspace_id, answers, 30 - spent);
  });
});

describe.each([1, 2])('the stored rows of a paid page, over %i processes', (among) => {
  const whole = 12;
  const cursorOf = (answer: Received) =>
    (JSON.parse(answer.text) as { data: { pagination: { next_cursor: string | null } } }).data.pagination.next_cursor;
  const rowsOf = (answer: Received) =>
    (JSON.parse(answer.text) as { data: { items: { id: string }[] } }).data.items.map(({ id }) => id);

  test('the stored rows of a paid page are free for concurrent readers, and every fetched page is charged once', async () => {
    const lists = fc.asyncProperty(
      fc.integer({ min: 1, max: 11 }),
      fc.integer({ min: 1, max: 6 }),
      async (limit, readers) => {
        const { workspace_id, live_key } = await workspaceOf(100);
        const paths = newHandles(3).map((handle) => `${posts(handle)}&limit=${limit}`);
        const answers: Received[] = [];
        const read = async (path: string, reader: number, cursor: string): Promise<void> => {
          const answer = await ask(serviceUrl(reader, among), `${path}&cursor=${encodeURIComponent(cursor)}`, live_key);
          answers.push(answer);
          const next = cursorOf(answer);
          if (next !== null) await read(path, reader + 1, next);
        };
        const firsts = await Promise.all(paths.map((path, index) => ask(serviceUrl(index, among), path, live_key)));
        answers.push(...firsts);
        const all = firsts.flatMap((first, index) =>
          Array.from({ length: readers }, (_, reader) => read(paths[index] ?? '', reader, cursorOf(first) ?? '')),
        );
        await Promise.all(all);
        expect(statusCounts(answers), failures()).toEqual({ 200: answers.length });
        expect(charged(answers)).toHaveLength(3);
        expect(new Set(answers.flatMap(rowsOf)).size).toBe(whole);
        await expectLedgerMatches(workspace_id, answers, 94);
      },
    );
    await fc.assert(lists, { numRuns: 5 });
  });

  test('the stored rows of a paid page are charged to each other workspace that requests them, even at the same time', async () => {
    const owner = await workspaceOf(10);
    const others = await Promise.all([1, 2, 3].map(() => workspaceOf(10)));
    const path = `${posts(newHandles(1)[0] ?? '')}&limit=4`;
    const first = await ask(serviceUrl(0, among), path, owner.live_key);
    const next = `${path}&cursor=${encodeURIComponent(cursorOf(first) ?? '')}`;
    const theirs = await Promise.all(
      others.map(({ live_key }, index) => ask(serviceUrl(index, among), next, live_key)),
    );
    const mine = await ask(serviceUrl(1, among), next, owner.live_key);
    expect(theirs.map(({ credits_charged }) => credits_charged)).toEqual([2, 2, 2]);
    await expectLedgerMatches(owner.workspace_id, [first, mine], 8);
    for (const [index, { workspace_id }] of others.entries()) {
      await expectLedgerMatches(workspace_id, [theirs[index] as Received], 8);
    }
  });

  test('the rows of a page that the balance could not pay are not available, because only paid first pages have cursors', async () => {
    const { workspace_id, live_key } = await workspaceOf(6);
    const paths = newHandles(10).map((handle) => `${posts(handle)}&limit=4`);
    const firsts = await racing(10, () => paths.map((path, index) => ask(serviceUrl(index, among), path, live_key)));
    expect(statusCounts(firsts)).toEqual({ 200: 3, 402: 7 });
    const rest = await Promise.all(
      firsts.flatMap((first, index) =>
        first.status === 200
          ? [
              ask(
                serviceUrl(index + 1, among),
                `${paths[index]}&cursor=${encodeURIComponent(cursorOf(first) ?? '')}`,
                live_key,
              ),
            ]
          : [],
      ),
    );
    expect(statusCounts(rest)).toEqual({ 200: 3 });
    await expectLedgerMatches(workspace_id, [...firsts, ...rest], 0);
  });
});
