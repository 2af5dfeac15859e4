import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { moveCredits, readBalance } from '../../../db/money/ledger.ts';
import { profileColumns } from '../../../pipeline/rows/columns.ts';
import { inventedId, inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch });
});
beforeEach(async () => {
  Object.assign(upstream, { answer: null, hold: Promise.resolve() });
  upstream.asked.length = 0;
  keys = await service.workspace(100);
});
afterAll(() => service.close());

const address = (handle: string) => `https://www.instagram.com/${handle}/`;
const workflow = (urls: string[], more = '') =>
  `/v1/workflows/profile?${new URLSearchParams(urls.map((url): [string, string] => ['url', url]))}${more}`;

function column(answer: { json: { data: { columns: string[]; rows: unknown[][] } } }, name: string): unknown[] {
  const index = answer.json.data.columns.indexOf(name);
  return answer.json.data.rows.map((row) => row[index]);
}

describe('GET /v1/workflows/profile', () => {
  test('the profile workflow gives one row for each url in order, with the same columns for every platform and unknown as null', async () => {
    const answer = await service.ask(workflow([address('one'), address('two')]), keys.live_key);
    expect(answer.json.data.columns).toEqual([...profileColumns]);
    expect(column(answer, 'username')).toEqual(['one', 'two']);
    expect(column(answer, 'account_id')).toEqual([inventedId('one'), inventedId('two')]);
    expect(column(answer, 'following')).toEqual([0, 0]);
    expect(column(answer, 'likes')).toEqual([null, null]);
    expect(column(answer, 'followers_quality')).toEqual(['exact', 'exact']);
    expect(answer.json.meta).toMatchObject({ credits_charged: 2, credits_remaining: 98, cached: false });
    expect(answer.headers.get('x-credits-charged')).toBe('2');
  });

  test('a failed row of the profile workflow has its error code and never fails the others', async () => {
    upstream.answer = ({ url }) => (url.includes('missing') ? { status: 404, body: Buffer.from('{}') } : null);
    const urls = [
      address('fine'),
      'https://example.com/who',
      address('missing'),
      '',
      'https://www.instagram.com/p/CExample123/',
    ];
    const answer = await service.ask(workflow(urls), keys.live_key);
    expect(answer.status).toBe(200);
    expect(column(answer, 'status')).toEqual([
      'OK',
      'INVALID_INPUT',
      'RESOURCE_NOT_FOUND',
      'INVALID_INPUT',
      'INVALID_INPUT',
    ]);
    expect(column(answer, 'credits_charged')).toEqual([1, 0, 0, 0, 0]);
    expect(column(answer, 'followers')).toEqual([4321, null, null, null, null]);
    expect(column(answer, 'url')).toEqual(urls);
  });

  test('the profile workflow is free for rows that are requested again within a day, and fresh=true gets new data', async () => {
    await service.ask(workflow([address('sheet')]), keys.live_key);
    const again = await service.ask(workflow([address('sheet')]), keys.live_key);
    expect(column(again, 'cached')).toEqual([true]);
    expect(again.headers.get('x-cache')).toBe('HIT');
    expect(again.json.meta.credits_charged).toBe(0);
    const fresh = await service.ask(workflow([address('sheet')], '&fresh=true'), keys.live_key);
    expect(fresh.json.meta.credits_charged).toBe(1);
    expect(upstream.asked).toHaveLength(2);
  });

  test('an answer of the profile workflow has the header Age only when all rows are cached: the age of the oldest', async () => {
    const later = (seconds: number) => {
      service.clock.now = new Date(service.clock.now.getTime() + seconds * 1_000);
    };
    const first = await service.ask(workflow([address('older')]), keys.live_key);
    later(90);
    const mixed = await service.ask(workflow([address('older'), address('newer')], '&fields=url'), keys.live_key);
    expect([first, mixed].map(({ headers }) => headers.get('age'))).toEqual([null, null]);
    later(30);
    for (const more of ['', '&fields=url', '&format=csv']) {
      const again = await service.ask(workflow([address('newer'), address('older')], more), keys.live_key);
      expect(['x-cache', 'age'].map((name) => again.headers.get(name))).toEqual(['HIT', '120']);
    }
  });

  test('the profile workflow fetches and charges the same url twice only once', async () => {
    const answer = await service.ask(workflow([address('twin'), address('twin')], '&fresh=true'), keys.live_key);
    expect(column(answer, 'credits_charged')).toEqual([1, 0]);
    expect(column(answer, 'username')).toEqual(['twin', 'twin']);
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(99);
  });

  test('fifty simultaneous requests for one url, and two for overlapping lists, are charged once for each url', async () => {
    const cells = Array.from({ length: 50 }, () => service.ask(workflow([address('cell')]), keys.live_key));
    await Promise.all(cells);
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(99);
    const urls = Array.from({ length: 30 }, (_, index) => address(`listed${index}`));
    const lists = [urls.slice(0, 20), urls.slice(10)].map((list) => service.ask(workflow(list), keys.live_key));
    const credits = (await Promise.all(lists)).map(({ json }) => Number(json.meta.credits_charged));
    expect(credits.reduce((sum, one) => sum + one)).toBe(30);
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(69);
  });

  test('rows of the profile workflow beyond the balance are INSUFFICIENT_CREDITS, and the others are answered', async () => {
    const poor = await service.workspace(2);
    const answer = await service.ask(workflow(['a1', 'b2', 'c3', 'd4'].map(address)), poor.live_key);
    expect(column(answer, 'status').sort()).toEqual(['INSUFFICIENT_CREDITS', 'INSUFFICIENT_CREDITS', 'OK', 'OK']);
    expect(answer.json.meta).toMatchObject({ credits_charged: 2, credits_remaining: 0 });
  });

  test('the profile workflow accepts handles with platform=', async () => {
    const answer = await service.ask('/v1/workflows/profile?url=@by.handle&platform=photo', keys.live_key);
    expect(column(answer, 'username')).toEqual(['by.handle']);
    const pasted = await service.ask('/v1/workflows/profile?url=%E2%80%8B@by.handle,%20&platform=photo', keys.live_key);
    expect(column(pasted, 'username')).toEqual(['by.handle']);
    const without = await service.ask('/v1/workflows/profile?url=@byhandle', keys.live_key);
    expect(column(without, 'message')).toEqual([expect.stringContaining('with platform')]);
  });

  test('the fields of the profile workflow select columns in their order, and an unknown one names the nearest and costs nothing', async () => {
    const answer = await service.ask(workflow([address('few')], '&fields=followers,username'), keys.live_key);
    expect(answer.json.data).toEqual({ columns: ['followers', 'username'], rows: [[4321, 'few']] });
    const typo = await service.ask(workflow([address('never')], '&fields=folowers'), keys.live_key);
    expect(typo.json.error.details[0]?.message).toContain('did you mean followers?');
    expect(upstream.asked).toHaveLength(1);
  });

  test.each([0, 51])('the profile workflow refuses %i urls', async (count) => {
    const urls = Array.from({ length: count }, (_, index) => address(`n${index}`));
    expect((await service.ask(workflow(urls), keys.live_key)).status).toBe(400);
  });

  test('fifty urls of the profile workflow return fifty rows and count as one request toward the rate limit', async () => {
    const urls = Array.from({ length: 50 }, (_, index) => address(`fifty${index}`));
    const answer = await service.ask(workflow(urls), keys.live_key);
    expect(answer.json.data.rows).toHaveLength(50);
    expect(answer.json.meta.credits_charged).toBe(50);
    const [window] = await service.db.sql`select used from rate_windows where workspace_id = ${keys.workspace_id}`;
    expect(window?.used).toBe(1);
  });

  test('the profile workflow with format=csv gives the same rows, safe from formulas', async () => {
    const answer = await service.ask(
      workflow([address('csv')], '&format=csv&fields=username,bio,followers,likes'),
      keys.live_key,
    );
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.text).toBe(
      'username,bio,followers,likes\r\ncsv,"\'=HYPERLINK(""http://invented.example"")",4321,\r\n',
    );
  });

  test('an Idempotency-Key makes every row of a repeated profile request free', async () => {
    const headers = { 'idempotency-key': 'sheet-1' };
    const path = workflow(['k1', 'k2'].map(address), '&fresh=true');
    await service.ask(path, keys.live_key, { headers });
    const again = await service.ask(path, keys.live_key, { headers });
    expect(again.json.meta.credits_charged).toBe(0);
    expect(upstream.asked).toHaveLength(2);
  });

  test('the profile workflow gives a development key samples, free', async () => {
    const answer = await service.ask(workflow([address('any'), 'https://www.tiktok.com/@any']), keys.test_key);
    expect(column(answer, 'status')).toEqual(['OK', 'OK']);
    expect(answer.json.meta).toMatchObject({ sandbox: true, credits_charged: 0 });
    expect(upstream.asked).toHaveLength(0);
  });
});

describe('the credits of one request to the profile workflow', () => {
  /** Returns fifty URLs. Each test has its own, because the workspaces share the cache. */
  const fifty = (name: string) => Array.from({ length: 50 }, (_, index) => address(`${name}${index}`));
  const numberOf = (statuses: unknown[]) => ({
    ok: statuses.filter((status) => status === 'OK').length,
    unpaid: statuses.filter((status) => status === 'INSUFFICIENT_CREDITS').length,
  });

  test('rows that the balance does not cover are refused without a request to the source', async () => {
    const poor = await service.workspace(3);
    const answer = await service.ask(workflow(fifty('balance')), poor.live_key);
    expect(numberOf(column(answer, 'status'))).toEqual({ ok: 3, unpaid: 47 });
    expect(upstream.asked).toHaveLength(3);
    expect(answer.json.meta).toMatchObject({ credits_charged: 3, credits_remaining: 0 });
  });

  test('rows that the monthly cap does not cover are refused without a request to the source', async () => {
    await service.db.sql`update api_keys set monthly_cap = 3 where workspace_id = ${keys.workspace_id}`;
    const answer = await service.ask(workflow(fifty('cap')), keys.live_key);
    expect(numberOf(column(answer, 'status'))).toEqual({ ok: 3, unpaid: 47 });
    expect(upstream.asked).toHaveLength(3);
    expect(answer.json.meta).toMatchObject({ credits_charged: 3, credits_remaining: 97 });
  });

  test('rows are refused without a request to the source after another request has spent the credits', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const asking = service.ask(workflow(fifty('spent')), keys.live_key);
    await expect.poll(() => upstream.asked.length).toBe(10);
    const spent = { kind: 'adjustment', credits: -90, reason: 'spent elsewhere' } as const;
    await moveCredits(service.db.sql, keys.workspace_id, spent);
    resolve();
    expect(numberOf(column(await asking, 'status'))).toEqual({ ok: 10, unpaid: 40 });
    expect(upstream.asked).toHaveLength(10);
  });

  test('one credit pays for the only row that succeeds, even if it comes after rows that fail', async () => {
    upstream.answer = ({ url }) => (url.includes('only') ? null : { status: 404, body: Buffer.from('{}') });
    const poor = await service.workspace(1);
    const urls = [...fifty('missing').slice(0, 12), address('only')];
    const answer = await service.ask(workflow(urls), poor.live_key);
    expect(column(answer, 'status')).toEqual([...Array(12).fill('RESOURCE_NOT_FOUND'), 'OK']);
    expect(await readBalance(service.db.sql, poor.workspace_id)).toBe(0);
  });

  test('credits that are added during a request pay for its later rows', async () => {
    const poor = await service.workspace(10);
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const asking = service.ask(workflow(fifty('added')), poor.live_key);
    await expect.poll(() => upstream.asked.length).toBe(10);
    await moveCredits(service.db.sql, poor.workspace_id, { kind: 'adjustment', credits: 40, reason: 'added' });
    resolve();
    expect(numberOf(column(await asking, 'status'))).toEqual({ ok: 50, unpaid: 0 });
  });
});

test.each(['profile', 'posts'])(
  'when it is unknown whether a row of the %s workflow was charged, the answer states no total cost',
  async (table) => {
    const path = workflow([address('sandbox_unc')]).replace('profile', table);
    const answer = await service.ask(path, keys.test_key);
    expect(column(answer, 'status')).toEqual(['CHARGE_UNCONFIRMED']);
    expect(column(answer, 'credits_charged')).toEqual([null]);
    expect(answer.json.meta.credits_charged).toBeNull();
    expect(answer.headers.has('x-credits-charged')).toBe(false);
  },
);
