import { expect, test } from 'vitest';
import type { BatchKind } from '../../../db/deliveries/batches.ts';
import { rowKinds } from '../../../pipeline/batches/row-requests.ts';
import { answerKey } from '../../../pipeline/collect/answer-key.ts';
import { cacheKeyOf } from '../../../server/data/meter.ts';
import { readRequest } from '../../../server/data/request.ts';
import { sourcedRoute } from '../../../server/data/sourced-route.ts';

const plan = { posts_each: 7, max_age_seconds: 0, import_id: null };
const cursors = { seal: () => '', open: () => expect.fail('no cursor was sent') };
const channel = 'UCabcdefghijklmnopqrstuv';

test.each<[BatchKind, string, string, Record<string, string>]>([
  ['profiles', 'https://www.instagram.com/someone/', '/v1/photo/profile', { handle: 'someone' }],
  ['profiles', 'https://www.tiktok.com/@someone', '/v1/shortvideo/profile', { handle: 'someone' }],
  ['profiles', 'https://www.youtube.com/@someone', '/v1/longvideo/channel', { handle: '@someone' }],
  [
    'posts',
    'https://www.instagram.com/p/CExample123/',
    '/v1/photo/post',
    { url: 'https://www.instagram.com/p/CExample123/' },
  ],
  [
    'posts',
    'https://www.tiktok.com/@a.b/video/7200000000000000001',
    '/v1/shortvideo/video',
    { id: '7200000000000000001' },
  ],
  ['posts', 'https://youtu.be/example0001', '/v1/longvideo/video', { id: 'example0001' }],
  ['latest_posts', 'https://www.instagram.com/someone/', '/v1/photo/posts', { handle: 'someone', limit: '7' }],
  ['latest_posts', 'https://www.tiktok.com/@someone', '/v1/shortvideo/videos', { handle: 'someone', limit: '7' }],
  [
    'latest_posts',
    `https://www.youtube.com/channel/${channel}`,
    '/v1/longvideo/channel/videos',
    { channel_id: channel, limit: '7' },
  ],
])('a row of %s for %s has the cached answer of %s', (kind, url, path, query) => {
  const parsed = rowKinds[kind].parse(url, { ...plan, kind });
  if (!parsed.ok) return expect.fail(parsed.message);
  const { params, limit } = parsed.request;
  const route = sourcedRoute(path);
  const sent = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));
  expect(parsed.request.path).toBe(path);
  expect(rowKinds[kind].container).toBe(route.container);
  expect(answerKey({ path, params, limit, position: null })).toBe(cacheKeyOf(readRequest(route, sent, cursors)));
});
