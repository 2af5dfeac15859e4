import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkLedger, readBalance } from '../../../db/money/ledger.ts';
import { removeExpired } from '../../../db/requests/responses.ts';
import type { Fetcher } from '../../../pipeline/network/fetcher.ts';
import { embedAnswer } from '../invented-embed.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

const started = new Date('2026-11-20T10:00:00.000Z');
const minuteMs = 60_000;
const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;

/** Fakes the platforms: twelve posts for a profile, and ten videos for a hashtag. */
const fetch: Fetcher = async (request, signal) => {
  if (!request.url.includes('tiktok')) return upstream.fetch(request, signal);
  upstream.asked.push(request.url);
  return embedAnswer(request.url);
};

beforeAll(async () => {
  service = await createTestService({ fetch });
});
beforeEach(async () => {
  upstream.asked.length = 0;
  upstream.answer = null;
  service.clock.now = started;
  keys = await service.workspace(100);
});
afterAll(async () => {
  expect((await checkLedger(service.db.sql)).mismatches).toEqual([]);
  await service.close();
});

const pass = (milliseconds: number) => {
  service.clock.now = new Date(started.getTime() + milliseconds);
};
const withCursor = (path: string, cursor: string | null) =>
  cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
const ask = (path: string, cursor: string | null = null, key = keys.live_key) =>
  service.ask(withCursor(path, cursor), key);
type Answer = Awaited<ReturnType<typeof ask>>;
const nextOf = ({ json }: Answer) => json.data.pagination.next_cursor;
const idsOf = ({ json }: Answer) => json.data.items.map(({ id }) => id);
const chargedOf = ({ headers }: Answer) => Number(headers.get('x-credits-charged'));
const balance = async (workspaceId = keys.workspace_id) => (await readBalance(service.db.sql, workspaceId)) ?? 0;

let made = 0;
/** Returns the path of a list that no other test requests, so that none of it is stored yet. */
function newPosts(limit: number): string {
  made += 1;
  return `/v1/photo/posts?handle=bought.${made}&limit=${limit}`;
}

/** Returns the platform's invented answer as an object. Tests change the object and let the fake platform send it. */
async function inventedPosts() {
  const request = { url: 'https://invented.example/?username=changed' };
  const { body } = await inventedUpstream().fetch(request, new AbortController().signal);
  return JSON.parse(body.toString());
}

async function wholeList(path: string): Promise<Answer[]> {
  const answers = [await ask(path)];
  for (let next = nextOf(answers[0] as Answer); next !== null; next = nextOf(answers.at(-1) as Answer)) {
    answers.push(await ask(path, next));
  }
  return answers;
}

describe('rows of an already charged page', () => {
  test('rows of an already charged page are free through its cursor, with the source and time of the first answer', async () => {
    const path = newPosts(5);
    const first = await ask(path);
    pass(3 * minuteMs);
    const second = await ask(path, nextOf(first));
    expect([first, second].map(chargedOf)).toEqual([2, 0]);
    expect(second.headers.get('x-cache')).toBe('HIT');
    expect(second.headers.get('age')).toBe('180');
    expect(second.json.meta).toMatchObject({
      cached: true,
      credits_charged: 0,
      credits_remaining: 98,
      source: 'instagram-web',
      retrieved_at: started.toISOString(),
      cache_age_seconds: 180,
    });
    expect([upstream.asked.length, await balance()]).toEqual([1, 98]);
  });

  test('rows of an already charged page cost the same with any limit, and are complete and in order', async () => {
    const expected = idsOf(await ask(newPosts(20)));
    expect(expected).toHaveLength(12);
    const anyLimit = fc.asyncProperty(fc.integer({ min: 1, max: 20 }), async (limit) => {
      const before = await balance();
      const answers = await wholeList(newPosts(limit));
      expect(answers.flatMap(idsOf)).toEqual(expected);
      expect(answers.map(chargedOf)).toEqual(answers.map((_, page) => (page === 0 ? 2 : 0)));
      expect(before - (await balance())).toBe(2);
    });
    await fc.assert(anyLimit, { numRuns: 10 });
  });

  test('rows of an already charged page are free with a balance of 0', async () => {
    keys = await service.workspace(2);
    const path = newPosts(3);
    const first = await ask(path);
    const second = await ask(path, nextOf(first));
    expect([second.status, chargedOf(second), await balance()]).toEqual([200, 0, 0]);
    expect((await ask(newPosts(3))).status).toBe(402);
  });

  test('rows of an already charged page are free when they are requested repeatedly and concurrently', async () => {
    const path = newPosts(4);
    const cursor = nextOf(await ask(path));
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(path, cursor)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.reduce((sum, answer) => sum + chargedOf(answer), 0)).toBe(0);
    expect(new Set(answers.map((answer) => JSON.stringify(idsOf(answer)))).size).toBe(1);
    expect([upstream.asked.length, await balance()]).toEqual([1, 98]);
  });

  test('rows of an already charged page cost 0 according to estimate=true, which fetches and stores nothing', async () => {
    const path = newPosts(4);
    const cursor = nextOf(await ask(path));
    pass(minuteMs);
    const { json } = await ask(`${path}&estimate=true`, cursor);
    expect(json.data).toEqual({ cost: 0, cached: true, cache_age_seconds: 60, availability: 'available' });
    pass(10 * minuteMs);
    expect((await ask(`${path}&estimate=true`, cursor)).json.data).toMatchObject({ cost: 2, cached: false });
    expect(upstream.asked).toHaveLength(1);
  });

  test('rows of an already charged page are cached for later requests that accept cached answers', async () => {
    const path = newPosts(4);
    const cursor = nextOf(await ask(path));
    const free = await ask(path, cursor);
    pass(60 * minuteMs);
    const later = await ask(`${path}&cache_max_age=1d`, cursor);
    expect([chargedOf(later), later.headers.get('age')]).toEqual([0, '3600']);
    expect(idsOf(later)).toEqual(idsOf(free));
    expect(upstream.asked).toHaveLength(1);
  });

  test('rows of an already charged page are replayed under an Idempotency-Key like any answer', async () => {
    const path = newPosts(4);
    const cursor = nextOf(await ask(path));
    const init = { headers: { 'idempotency-key': 'bought' } };
    const one = await service.ask(withCursor(path, cursor), keys.live_key, init);
    pass(20 * minuteMs);
    const again = await service.ask(withCursor(path, cursor), keys.live_key, init);
    expect([again.headers.get('x-idempotent-replay'), again.json.data]).toEqual(['true', one.json.data]);
    expect(await balance()).toBe(98);
  });
});

describe('a hundred comments of a source that returns as many as requested', () => {
  const total = 100;
  let official: TestService;

  /** Fakes the comments of a video. The page token is the number of rows before the page. */
  const comments: Fetcher = async ({ url }) => {
    upstream.asked.push(url);
    const { searchParams } = new URL(url);
    const begin = Number(searchParams.get('pageToken') ?? 0);
    const end = Math.min(total, begin + Number(searchParams.get('maxResults')));
    const items = Array.from({ length: end - begin }, (_, row) => ({
      id: `UgxInvented${String(begin + row).padStart(5, '0')}`,
      snippet: { topLevelComment: { snippet: { textOriginal: 'tide', likeCount: 1 } }, totalReplyCount: 0 },
    }));
    const kind = 'youtube#commentThreadListResponse';
    const body = { kind, items, ...(end < total ? { nextPageToken: String(end) } : {}) };
    const headers = { 'content-type': 'application/json' };
    return { status: 200, url, headers, body: Buffer.from(JSON.stringify(body)) };
  };

  beforeAll(async () => {
    official = await createTestService({ fetch: comments, env: { YOUTUBE_API_KEY: 'invented' } });
  });
  afterAll(() => official.close());

  test.each([3, 7, 13, 20])('a hundred comments cost 5 credits with limit=%i, with each row once', async (limit) => {
    const { live_key, workspace_id } = await official.workspace(100);
    const path = `/v1/longvideo/comments?id=example${String(limit).padStart(4, '0')}&limit=${limit}`;
    const rows: unknown[] = [];
    let next: string | null = null;
    do {
      const answer = await official.ask(withCursor(path, next), live_key);
      expect(answer.status).toBe(200);
      const { length } = answer.json.data.items;
      next = nextOf(answer);
      // A page of the platform may end before the limit. The answer then has a warning, and the list continues on the
      // next page.
      expect(answer.json.meta.partial).toBe(next !== null && length < limit);
      rows.push(...idsOf(answer));
    } while (next !== null);
    expect([new Set(rows).size, rows.length, upstream.asked.length]).toEqual([total, total, 5]);
    expect(await readBalance(official.db.sql, workspace_id)).toBe(95);
  });
});

describe('the stored rows of a list after ten minutes', () => {
  test('after ten minutes the list is fetched again after the last row and charged, and its following rows are free', async () => {
    const path = newPosts(4);
    const first = await ask(path);
    pass(10 * minuteMs);
    const second = await ask(path, nextOf(first));
    const third = await ask(path, nextOf(second));
    expect([first, second, third].map(chargedOf)).toEqual([2, 2, 0]);
    expect(second.json.meta).toMatchObject({ cached: false, retrieved_at: service.clock.now.toISOString() });
    expect(new Set([first, second, third].flatMap(idsOf)).size).toBe(12);
    expect([nextOf(third), upstream.asked.length, await balance()]).toEqual([null, 2, 96]);
  });

  test('after ten minutes a row that was added meanwhile does not repeat a returned row', async () => {
    const path = newPosts(4);
    const first = await ask(path);
    const { next_cursor } = first.json.data.pagination;
    const body = await inventedPosts();
    const { edges } = body.data.user.edge_owner_to_timeline_media;
    const newest = structuredClone(edges[0]);
    Object.assign(newest.node, { id: '90071992547499999', shortcode: 'InventedNew0' });
    edges.unshift(newest);
    upstream.answer = () => ({ body: Buffer.from(JSON.stringify(body)) });
    pass(11 * minuteMs);
    const second = await ask(path, next_cursor);
    expect(idsOf(second).filter((id) => idsOf(first).includes(id))).toEqual([]);
    expect(idsOf(second)).toHaveLength(4);
  });

  test('after ten minutes a list that became too short refuses the cursor and charges nothing', async () => {
    const path = newPosts(4);
    const first = await ask(path);
    const body = await inventedPosts();
    body.data.user.edge_owner_to_timeline_media.edges.splice(0, 10);
    upstream.answer = () => ({ body: Buffer.from(JSON.stringify(body)) });
    pass(11 * minuteMs);
    const { status, json } = await ask(path, nextOf(first));
    expect([status, json.error.code, json.error.details[0]?.parameter]).toEqual([400, 'INVALID_INPUT', 'cursor']);
    expect(await balance()).toBe(98);
  });

  test('after ten minutes the list is also fetched and charged when the cleanup has already deleted the stored rows', async () => {
    const path = newPosts(4);
    const cursor = nextOf(await ask(path));
    await removeExpired(service.db.sql, new Date(started.getTime() + 11 * minuteMs));
    const answer = await ask(path, cursor);
    expect([answer.status, chargedOf(answer), await balance()]).toEqual([200, 2, 96]);
  });
});

describe('another workspace with the cursor of a charged page', () => {
  test('another workspace pays once for rows that it reads through a cursor of the first workspace', async () => {
    const other = await service.workspace(100);
    const path = newPosts(3);
    const cursor = nextOf(await ask(path));
    const theirs = await ask(path, cursor, other.live_key);
    const rest = await ask(path, nextOf(theirs), other.live_key);
    expect([theirs, rest].map(chargedOf)).toEqual([2, 0]);
    expect([await balance(), await balance(other.workspace_id), upstream.asked.length]).toEqual([98, 98, 1]);
    const mine = await ask(path, nextOf(theirs));
    expect([chargedOf(mine), await balance()]).toEqual([2, 96]);
  });

  test('another workspace does not extend the expiry of a page by paying for it', async () => {
    const other = await service.workspace(100);
    const path = '/v1/shortvideo/hashtag/videos?tag=bought&limit=3';
    const cursor = nextOf(await ask(path));
    pass(9 * minuteMs);
    const theirs = await ask(path, cursor, other.live_key);
    pass(10 * minuteMs);
    expect((await ask(path, nextOf(theirs), other.live_key)).json.error.code).toBe('CURSOR_EXPIRED');
  });

  test('another workspace gets its own price from estimate=true', async () => {
    const other = await service.workspace(100);
    const path = newPosts(3);
    const cursor = nextOf(await ask(path));
    expect((await ask(`${path}&estimate=true`, cursor, other.live_key)).json.data).toMatchObject({ cost: 2 });
    expect((await ask(`${path}&estimate=true`, cursor)).json.data).toMatchObject({ cost: 0 });
  });
});

test('a page whose charge was refused returns no cursor', async () => {
  keys = await service.workspace(1);
  const refused = await ask(newPosts(3));
  expect([refused.status, refused.text.includes('next_cursor')]).toEqual([402, false]);
});

test('the last rows of a list that the source cuts off are partial, with a warning', async () => {
  const body = await inventedPosts();
  body.data.user.edge_owner_to_timeline_media.page_info.has_next_page = true;
  upstream.answer = () => ({ body: Buffer.from(JSON.stringify(body)) });
  const answers = await wholeList(newPosts(5));
  expect(answers.map(({ json }) => json.meta.partial)).toEqual([false, false, true]);
  expect(answers.at(-1)?.json.meta.warnings).toEqual([expect.stringContaining('only the newest posts')]);
});
