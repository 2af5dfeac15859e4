import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDataLink } from '../../../db/deliveries/data-links.ts';
import { readBalance } from '../../../db/money/ledger.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestService } from '../test-service.ts';
import { env, inventedPosts, listOf } from '../workflows/invented-posts.ts';

const upstream = inventedUpstream();
let service: TestService;
beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch, env });
});
afterAll(() => service.close());

const channels = ['https://www.youtube.com/@one', 'https://www.youtube.com/@two'];

/** Creates and opens a data link with the newest videos of two YouTube channels. Its monthly cap is `cap` credits. */
async function openPostsLink(credits: number, cap: number) {
  const { workspace_id } = await service.workspace(credits);
  const content = { kind: 'posts', urls: channels, limit: 2 } as const;
  const link = { label: 'Posts', content, refresh: { max_age: '1d', monthly_cap: cap }, expires_at: null } as const;
  const added = await addDataLink(service.db.sql, workspace_id, link, service.clock.now);
  const answer = await service.ask(`/links/${added.token}.json`);
  const rows = answer.json as unknown as { url: string; status: string }[];
  const charged = Number(answer.headers.get('x-credits-charged'));
  return { rows, charged, balance: await readBalance(service.db.sql, workspace_id) };
}

test.each([
  ['credits of the workspace', { credits: 5, cap: 50 }],
  ['monthly cap of the link', { credits: 50, cap: 5 }],
])(
  'a data link charges no channel lookup when the %s does not also cover the list that follows',
  async (_limit, { credits, cap }) => {
    service.clock.now = new Date(service.clock.now.getTime() + 3 * 86_400_000);
    upstream.asked.length = 0;
    upstream.answer = inventedPosts;
    const { rows, charged, balance } = await openPostsLink(credits, cap);
    expect(rows.map(({ url, status }) => [url, status])).toEqual([
      [channels[0], 'OK'],
      [channels[0], 'OK'],
      [channels[1], 'INSUFFICIENT_CREDITS'],
    ]);
    expect([charged, balance]).toEqual([4, credits - 4]);
    expect(upstream.asked.filter((url) => url.includes('two'))).toEqual([]);
  },
);

test('a data link of profiles requests only the profiles that its monthly cap covers', async () => {
  upstream.asked.length = 0;
  upstream.answer = null;
  const { workspace_id } = await service.workspace(50);
  const urls = Array.from({ length: 30 }, (_, index) => `https://www.instagram.com/capped${index}/`);
  const content = { kind: 'profiles', urls, fields: null } as const;
  const link = { label: 'Profiles', content, refresh: { max_age: '1d', monthly_cap: 2 }, expires_at: null } as const;
  const { token } = await addDataLink(service.db.sql, workspace_id, link, service.clock.now);
  const rows = (await service.ask(`/links/${token}.json`)).json as unknown as { status: string }[];
  expect(rows.filter(({ status }) => status === 'OK')).toHaveLength(2);
  expect(rows.filter(({ status }) => status === 'INSUFFICIENT_CREDITS')).toHaveLength(28);
  expect(upstream.asked).toHaveLength(2);
});

test('a data link reports the credits of an account without posts', async () => {
  service.clock.now = new Date(service.clock.now.getTime() + 3 * 86_400_000);
  upstream.answer = (request) =>
    request.url.includes('playlistItems') ? { body: listOf('playlistItems', []) } : inventedPosts(request);
  const { rows, charged, balance } = await openPostsLink(50, 50);
  expect(rows).toEqual([]);
  // Both channel links lead to the same invented channel, so the list is charged only once.
  expect([charged, balance]).toEqual([1 + 3 + 1, 45]);
});
