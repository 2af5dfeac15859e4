import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../db/ids.ts';
import { createDashboardSetup, type DashboardSetup } from './dashboard-server.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup?.close());

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('a browser that opens an unknown address gets a page with links to other pages', async () => {
  const answer = await setup.send('/no-such-page', '', { headers: browser });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(await answer.text()).toMatch(/Page not found[\s\S]*href="\/dashboard"/);
});

test('an unknown address is a JSON error for an API client, and below /v1 and /v2 also for a browser', async () => {
  const answers = [
    await setup.send('/no-such-page', ''),
    await setup.send('/v1/no/such', '', { headers: browser }),
    await setup.send('/v2/no/such', '', { headers: browser }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(answer.headers.get('x-credits-charged')).toBe('0');
    expect((await answer.json()) as object).toHaveProperty('error');
  }
});

describe('a wrong method of a page', () => {
  test.each([
    ['POST', '/docs/quickstart', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
    ['DELETE', '/docs/search', 'GET, HEAD'],
    ['POST', '/dashboard', 'GET, HEAD'],
    ['POST', `/dashboard/tracking/${newId()}/print`, null],
    ['PUT', '/dashboard/keys', 'GET, HEAD, POST'],
    ['PATCH', '/sign-in', 'GET, HEAD, POST'],
    ['POST', '/shared/reports/some-token', 'GET, HEAD'],
    ['DELETE', '/payments/stripe', null],
    ['POST', '/links/some-secret.csv', 'GET, HEAD'],
    ['POST', '/assets/no-such-file.js', null],
    ['POST', '/dashboard/no-such-page', null],
    ['POST', '/dashboard/keys/', null],
  ])('%s %s is answered with the methods of the page (%s), or 404 without a page', async (method, path, allow) => {
    const answer = await setup.send(path, '', { method, headers: browser });
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    expect([answer.status, answer.headers.get('allow')]).toEqual([allow === null ? 404 : 405, allow]);
    expect(error.code).toBe(allow === null ? 'ROUTE_NOT_FOUND' : 'METHOD_NOT_ALLOWED');
    if (allow !== null) expect(error.message).toContain(`not ${method}.`);
  });
});

test.each(['/sign-in', '/dashboard/keys', '/no-such-page', '/join/unknown'])(
  'the answer to %s has the request id that its log entry has',
  async (path) => {
    const { headers } = await setup.send(path, '', { headers: { ...browser, 'x-request-id': 'page-1' } });
    expect([headers.get('x-request-id'), setup.logs.at(-1)?.request_id]).toEqual(['page-1', 'page-1']);
  },
);

test('a dashboard address with a trailing slash redirects to the address without the slash', async () => {
  const ann = await setup.member();
  const answer = await ann.get('/dashboard/keys/?a=b');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/keys?a=b']);
});

test('a server without online payment shows tiers without prices, says who changes tiers, and computes monthly credits', async () => {
  const page = await (await setup.send('/prices?items=10&profiles=700', '')).text();
  const words = page.replace(/<[^>]+>/g, ' ');
  expect(words).toMatch(/1,000 credits[\s\S]*The smallest tier for this is Pro\./);
  expect(words).toContain('Your Tidemark administrator adds credits and sets the tier of your workspace.');
  expect(words).toMatch(/Transcript of a YouTube video\s+4/);
  expect(words).not.toMatch(/\$\d|Get Pro|Get Ultra/);
});

test('the prices page shows no price for data that has no source yet', async () => {
  const page = await (await setup.send('/prices', '')).text();
  const words = page.replace(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(words).toContain('TikTok playlist not available yet –');
  expect(words).toContain('Videos of a TikTok playlist not available yet –');
  expect(words).not.toContain('no source yet');
  expect(words).toContain('TikTok sound preview 1');
});

test('the front page says once what is free, and names the tier that daily checks and weekly reports need', async () => {
  const page = await (await setup.send('/', '')).text();
  const words = page.replace(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(words).toContain('Free: 100 credits, once, and 1 tracked item, checked by hand.');
  expect(words).toContain('Daily checks and weekly reports need the tier Pro or a higher one.');
  expect(words).toMatch(/One key for \d+ kinds of data/);
});

test('scripts and styles of pages are compressed, and the browser caches them', async () => {
  const page = await (await setup.send('/', '')).text();
  const style = /href="(\/assets\/[^"]+style\.css)"/.exec(page)?.[1] ?? '';
  const answer = await setup.send(style, '', { headers: { 'accept-encoding': 'br' } });
  expect(answer.headers.get('cache-control')).toContain('immutable');
  expect(answer.headers.get('content-encoding')).toBe('br');
  const text = await answer.text();
  const defined = new Set([...text.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name));
  const used = [...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  expect(used.filter((name) => !defined.has(name))).toEqual([]);
});

test('the front page and the prices page name a preview picture for social networks, a PNG of the given size', async () => {
  for (const path of ['/', '/prices']) {
    const page = await (await setup.send(path, '')).text();
    const tag = (name: string) => new RegExp(`<meta property="og:${name}" content="([^"]+)">`).exec(page)?.[1] ?? '';
    expect(page).toMatch(/<meta name="description" content="[^"]{40,200}">/);
    expect(tag('image')).toMatch(new RegExp(`^${setup.base_url}/assets/`));
    const answer = await fetch(tag('image'));
    expect(answer.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)].map(String)).toEqual([
      tag('image:width'),
      tag('image:height'),
    ]);
    expect(bytes.length).toBeLessThan(300_000);
  }
});
