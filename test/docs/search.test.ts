import { beforeAll, expect, test } from 'vitest';
import { createDocsSearch } from '../../server/docs/search.ts';

let search: (query: string) => Promise<string>;
beforeAll(() => {
  const page = createDocsSearch('http://tidemark.test');
  search = async (query) => String(await page(query));
});

/** Returns the addresses of the results in order. */
const addresses = (page: string) => [...page.matchAll(/<li><a href="(\/docs\/[^"]+)">/g)].map(([, href]) => href);

test('a search for an error code opens its section first', async () => {
  expect(addresses(await search('CURSOR_EXPIRED'))[0]).toBe('/docs/errors#CURSOR_EXPIRED');
});

test('a search finds a route by its path, a field of its answer or a word with a typing mistake', async () => {
  expect(addresses(await search('longvideo transcript'))).toContain('/docs/api/v1/longvideo/transcript');
  expect(addresses(await search('paid_partnership'))).toContain('/docs/api/v1/photo/post');
  expect(addresses(await search('webhoks'))[0]).toMatch(/^\/docs\/webhooks/);
});

test('a search without a result says what to do, and shows the words as text', async () => {
  const page = await search('<script>zzqq');
  expect(page).toContain('Nothing found for “&lt;script&gt;zzqq”');
  expect(page).toContain('href="/docs/guides"');
  expect(addresses(page)).toEqual([]);
});
