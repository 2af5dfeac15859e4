import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fetcher } from '../../../pipeline/network/fetcher.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

const playlistPage = readFileSync(
  join(import.meta.dirname, '../../pipeline/longvideo/fixtures/playlist-page.json'),
  'utf8',
);
const pageOfComments = 5;

/** Fakes the platforms: a playlist of YouTube with 3 videos on its first page, and 5 comments on a page of TikTok. */
const fetch: Fetcher = async ({ url }) => {
  const comments = Array.from({ length: pageOfComments }, (_, n) => ({
    cid: `700000000000000060${n}`,
    text: `text ${n}`,
    reply_id: '0',
    digg_count: n,
  }));
  const list = JSON.stringify({ status_code: 0, comments, has_more: 1, cursor: pageOfComments });
  const headers = { 'content-type': 'application/json' };
  return { status: 200, url, headers, body: Buffer.from(url.includes('tiktok') ? list : playlistPage) };
};

let service: TestService;
let keys: TestKeys;
beforeAll(async () => {
  service = await createTestService({ fetch });
  keys = await service.workspace(100);
});
afterAll(() => service.close());

/** Returns the answers to `count` requests that read the platform's first page in parts of `limit` rows. */
async function answersOf(path: string, limit: number, count: number) {
  const answers = [];
  let next = '';
  while (answers.length < count) {
    const answer = await service.ask(`${path}&limit=${limit}${next}`, keys.live_key);
    expect(answer.status).toBe(200);
    const cursor: string = answer.json.data.pagination.next_cursor ?? expect.fail('the list has ended');
    next = `&cursor=${encodeURIComponent(cursor)}`;
    answers.push({ rows: answer.json.data.items.length, ...answer.json.meta });
  }
  return answers;
}

const pageEnds =
  'This answer has fewer rows than limit, because a page of the source ends here. Where it has a next_cursor, the list continues.';
const fewerFields = 'This source has fewer fields than the route: the missing values are empty (null).';

describe('a page of the platform that ends before the limit', () => {
  test('an answer with fewer rows than limit says so, even when the source has fewer fields', async () => {
    const [full, short] = await answersOf('/v1/longvideo/playlist/items?playlist_id=PLinvented0000000000001', 2, 2);
    expect(full).toMatchObject({ rows: 2, partial: true, warnings: [fewerFields] });
    expect(short).toMatchObject({ rows: 1, partial: true, warnings: [fewerFields, pageEnds] });
  });

  test('an answer with fewer rows than limit is compared with the limit of the request', async () => {
    const [full, short] = await answersOf('/v1/shortvideo/comments?id=7000000000000000501', 3, 2);
    expect(full).toMatchObject({ rows: 3, partial: false, warnings: [] });
    expect(short).toMatchObject({ rows: 2, partial: true, warnings: [pageEnds] });
  });

  test('an answer with as many rows as limit is complete, even when the page of the platform is short', async () => {
    const [answer] = await answersOf('/v1/shortvideo/comments?id=7000000000000000502', pageOfComments, 1);
    expect(answer).toMatchObject({ rows: pageOfComments, partial: false, warnings: [] });
  });
});
