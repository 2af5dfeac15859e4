import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UpstreamAnswer } from '../../../pipeline/network/fetcher.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

/**
 * Paths of the fake Instagram that redirect to its login page, as the real Instagram does for visitors without a
 * session.
 */
const loginPaths = ['/', '/accounts/', '/explore/'];

let service: TestService;
let ann: TestKeys;
let bob: TestKeys;

/** Acts as an Instagram whose profile endpoint throttles requests. Profile pages still show the counts. */
async function throttlingInstagram({ url }: { url: string }): Promise<UpstreamAnswer> {
  const { pathname } = new URL(url);
  if (pathname.startsWith('/api/')) return { status: 429, url, headers: {}, body: Buffer.from('{}') };
  if (loginPaths.includes(pathname)) {
    return { status: 302, url, headers: { location: '/accounts/login/' }, body: Buffer.alloc(0) };
  }
  const page = `<meta property="og:url" content="https://www.instagram.com${pathname}">
<meta property="og:description" content="12 Followers, 3 Following, 4 Posts - invented">`;
  return { status: 200, url, headers: {}, body: Buffer.from(page) };
}

beforeAll(async () => {
  service = await createTestService({ fetch: throttlingInstagram, breakers: true });
  ann = await service.workspace(100);
  bob = await service.workspace(100);
});
afterAll(() => service.close());

test('handles that Instagram uses for its own pages are refused, and do not pause the source for other workspaces', async () => {
  for (const handle of ['..', '.', '@..', 'accounts', 'Explore']) {
    const { status, json } = await service.ask(`/v1/photo/profile?handle=${handle}`, bob.live_key);
    expect([status, json.error.message]).toEqual([
      400,
      'handle: must be the handle of an account, not the name of a page of Instagram.',
    ]);
  }
  const { status, json } = await service.ask('/v1/photo/profile?handle=paper.kite', ann.live_key);
  expect([status, json.data.profile.followers]).toEqual([200, 12]);
});
