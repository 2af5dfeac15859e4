import { beforeAll, expect, test } from 'vitest';
import { documents } from '../../server/docs/pages.ts';
import { createDocsSearch } from '../../server/docs/search.ts';

let search: (query: string) => Promise<string>;
beforeAll(() => {
  const page = createDocsSearch('http://tidemark.test');
  search = async (query) => String(await page(query));
});

/** Returns the addresses of the search results on a page, in the order shown. */
const addresses = (page: string) => [...page.matchAll(/<li><a href="(\/[^"]+)">/g)].map(([, href]) => href);

test('a search in the documentation for an error code opens its section first', async () => {
  expect(addresses(await search('CURSOR_EXPIRED'))[0]).toBe('/docs/errors#CURSOR_EXPIRED');
});

test('a search in the documentation finds a route by its path, a field of its answer or a word with a typing mistake', async () => {
  expect(addresses(await search('longvideo transcript'))).toContain('/docs/api/v1/longvideo/transcript');
  expect(addresses(await search('paid_partnership'))).toContain('/docs/api/v1/photo/post');
  expect(addresses(await search('webhoks'))[0]).toMatch(/^\/docs\/webhooks/);
});

test('a search in the documentation for single letters does not look up every word that begins with one of these letters', async () => {
  expect(await search('j')).toContain('Nothing found for “j”.');
  expect(addresses(await search('curs'))).not.toEqual([]);
});

test('a search in the documentation uses at most ten different words', async () => {
  const words = 'one two three four five six seven eight nine ten';
  expect(addresses(await search(`${words} webhooks`))).toEqual(addresses(await search(words)));
  expect(addresses(await search('webhooks webhooks'))).toEqual(addresses(await search('webhooks')));
});

test.each([
  ['how much does it cost', '/prices'],
  ['change my tier', '/prices'],
  ['how do I add credits?', '/prices'],
  ['how to get the add-on', '/addon'],
  ['does it work in Excel', '/docs/excel'],
  ['what is a credit', '/docs/credits#what-costs-credits'],
  ['why is a cell empty', '/docs/addon#formulas-by-example'],
  ['track an account every day', '/docs/tracking#checks'],
  ['what happens when an account is renamed', '/docs/tracking#when-an-account-is-renamed'],
  ['how do I get a report as PDF', '/docs/reports#page-print-links'],
  ['send a report to my client', '/docs/reports'],
  ['share a report without sign-in', '/docs/reports#page-print-links'],
  ['alert in Slack when followers fall', '/docs/alerts#alert-rules'],
  ['stop emails', '/docs/alerts'],
  ['upload a list of profiles', '/docs/batches'],
  ['invite a colleague', '/docs/dashboard'],
  ['how do I delete my account', '/docs/export#deleting-the-workspace-or-your-account'],
  ['test without paying', '/docs/sandbox'],
  ['python example', '/docs/clients#python'],
  ['rate limit', '/docs/errors#RATE_LIMITED'],
  ['back up my server', '/docs/operating#backup'],
  ['install with Docker', '/docs/deployment#docker'],
])('the everyday question "%s" finds %s among the first three results', async (question, address) => {
  expect(addresses(await search(question)).slice(0, 3)).toContain(address);
});

test.each([
  ['I work with spreadsheets', ['/addon', '/docs/addon', '/docs/tracking']],
  ['I write programs', ['/docs/api', '/docs/errors', '/docs/clients']],
  ['I run the server', ['/docs/quickstart', '/docs/operating']],
])('the section "%s" of the first documentation page links to the pages for its readers', async (part, first) => {
  const page = String(await documents('http://tidemark.test', new Map(), async () => new Map())['/docs']?.render());
  const parts = page.split('<h2').filter((text) => text.includes(part));
  const links = parts.flatMap((text) => [...text.matchAll(/href="([^"#]+)/g)].map(([, href]) => href));
  expect(links).toEqual(expect.arrayContaining(first));
});

test('a search in the documentation without a result says what to do, and shows the words as text', async () => {
  const page = await search('<script>zzqq');
  expect(page).toContain('Nothing found for “&lt;script&gt;zzqq”');
  expect(page).toContain('href="/docs/guides"');
  expect(addresses(page)).toEqual([]);
});

test('the excerpt of a search result begins and ends with whole words, and has no lines of a table', async () => {
  const page = await search('followers');
  expect(page).not.toContain('---');
  const excerpt = /photo\/profile">.*?<p>…(?<text>[^<]*)…<\/p>/.exec(page)?.groups?.text ?? expect.fail(page);
  const rendered = documents('http://tidemark.test', new Map(), async () => new Map())['/docs/api/v1/photo/profile'];
  const known = new Set(
    String(await rendered?.render())
      .replaceAll(/<wbr>/g, '')
      .match(/[a-z_[\].]+/g),
  );
  expect(excerpt.split(' ').filter((word) => !known.has(word))).toEqual([]);
});
