import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkLedger, readBalance } from '../../../db/money/ledger.ts';
import { removeExpired } from '../../../db/requests/responses.ts';
import type { Fetcher } from '../../../pipeline/network/fetcher.ts';
import { embedAnswer, embedRows as rows } from '../invented-embed.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

const started = new Date('2026-11-20T10:00:00.000Z');
const minuteMs = 60_000;
const asked: string[] = [];
let service: TestService;
let keys: TestKeys;

const fetch: Fetcher = async (request) => {
  asked.push(request.url);
  return embedAnswer(request.url);
};

beforeAll(async () => {
  service = await createTestService({ fetch });
});
beforeEach(async () => {
  asked.length = 0;
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

function ask(path: string, cursor?: string | null) {
  return service.ask(cursor ? `${path}&cursor=${encodeURIComponent(cursor)}` : path, keys.live_key);
}

async function firstCursor(path: string): Promise<string> {
  const { json } = await ask(path);
  return json.data.pagination.next_cursor as string;
}

describe.each([
  ['hashtag videos', '/v1/shortvideo/hashtag/videos?tag=tide', 'tag=ebb'],
  ['sound videos', '/v1/shortvideo/music/videos?id=7000000000000000201', 'id=7000000000000000202'],
])('paging of %s', (_, list, others) => {
  const path = `${list}&limit=4`;

  test('a source page longer than limit is paged by cursor: complete, in order, charged once, with one request to the source', async () => {
    const pages: Awaited<ReturnType<typeof ask>>[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof ask>> = await ask(path, cursor);
      expect([page.status, page.headers.get('x-credits-charged'), page.headers.get('x-cache')]).toEqual(
        cursor === null ? [200, '2', 'MISS'] : [200, '0', 'HIT'],
      );
      expect(page.json.data.pagination.limit).toBe(4);
      pages.push(page);
      cursor = page.json.data.pagination.next_cursor;
    } while (cursor !== null);
    expect(pages.map(({ json }) => json.data.items.map(({ id }) => id))).toEqual(
      [rows.slice(0, 4), rows.slice(4, 8), rows.slice(8)].map((page) => page.map(({ id }) => id)),
    );
    expect(asked).toHaveLength(1);
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(98);
  });

  test('the quality of a later page of a list uses the row indexes of that page', async () => {
    const first = await ask(path);
    const second = await ask(path, first.json.data.pagination.next_cursor);
    const rounded = (page: typeof first) =>
      Object.entries(page.json.meta.quality as object).flatMap(([field, state]) => (state === 'rounded' ? field : []));
    expect([rounded(first), rounded(second)]).toEqual([['2.views'], ['1.views']]);
    const hidden = [0, 1, 2, 3].map((row) => `${row}.likes`);
    for (const { json } of [first, second]) {
      const likes = Object.entries(json.meta.quality as object).filter(([field]) => field.endsWith('.likes'));
      expect(likes).toEqual(hidden.map((field) => [field, 'not_exposed']));
    }
  });

  test('a later page of a list has the source and time of the first answer, not of its own request', async () => {
    const cursor = await firstCursor(path);
    pass(5 * minuteMs);
    const { json } = await ask(path, cursor);
    expect(json.meta).toMatchObject({
      source: 'tiktok-embed',
      retrieved_at: started.toISOString(),
      cache_age_seconds: 300,
      cached: true,
      credits_charged: 0,
      partial: true,
    });
  });

  test('the cursor of a stored page expires after ten minutes with CURSOR_EXPIRED and charges nothing', async () => {
    const cursor = await firstCursor(path);
    pass(10 * minuteMs - 1);
    expect((await ask(path, cursor)).status).toBe(200);
    pass(10 * minuteMs);
    const { status, headers, json } = await ask(path, cursor);
    expect([status, json.error.code, headers.get('x-credits-charged')]).toEqual([400, 'CURSOR_EXPIRED', '0']);
    expect(asked).toHaveLength(1);
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(98);
  });

  test('stored rows of a list are deleted by the cleanup, not before ten minutes', async () => {
    const cursor = await firstCursor(path);
    await removeExpired(service.db.sql, new Date(started.getTime() + 10 * minuteMs));
    expect((await ask(path, cursor)).status).toBe(200);
    await removeExpired(service.db.sql, new Date(started.getTime() + 10 * minuteMs + 1));
    expect((await ask(path, cursor)).json.error.code).toBe('CURSOR_EXPIRED');
  });

  test('a cached first page of a list still has its old cursor, which is CURSOR_EXPIRED on use', async () => {
    const cursor = await firstCursor(path);
    pass(11 * minuteMs);
    const cached = await ask(`${path}&cache_max_age=1d`);
    expect([cached.headers.get('x-cache'), cached.json.data.pagination.next_cursor]).toEqual(['HIT', cursor]);
    expect((await ask(path, cursor)).json.error.code).toBe('CURSOR_EXPIRED');
    const again = await ask(path);
    expect((await ask(path, again.json.data.pagination.next_cursor)).status).toBe(200);
  });

  test('a later page of a list is cached like any other answer', async () => {
    const cursor = await firstCursor(path);
    const bought = await ask(path, cursor);
    const free = await ask(`${path}&cache_max_age=1d`, cursor);
    expect([free.headers.get('x-cache'), free.headers.get('x-credits-charged')]).toEqual(['HIT', '0']);
    expect(free.json.data.items).toEqual(bought.json.data.items);
  });

  test.each([
    ['another identifier', `${list.split('?')[0]}?${others}&limit=4`],
    ['another limit', `${list}&limit=5`],
    ['another route', '/v1/shortvideo/videos?handle=invented&limit=4'],
  ])('a cursor of a list that is used with %s is refused', async (_, other) => {
    const { status, json } = await ask(other, await firstCursor(path));
    expect([status, json.error.code, json.error.details[0]?.parameter]).toEqual([400, 'INVALID_INPUT', 'cursor']);
    expect(asked).toHaveLength(1);
  });

  test('a page with the whole list has no cursor', async () => {
    const { json } = await ask(`${list}&limit=10`);
    expect(json.data.items).toHaveLength(10);
    expect(json.data.pagination).toEqual({ next_cursor: null, limit: 10 });
  });
});
