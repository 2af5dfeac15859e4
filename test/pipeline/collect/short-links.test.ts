import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createLinkResolver, isShortLink, resolveAll } from '../../../pipeline/collect/short-links.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import type { Fetcher } from '../../../pipeline/network/fetcher.ts';
import { createRecordedFetcher, NoRecordingError } from '../../../pipeline/network/recorded-fetcher.ts';
import { parsePhotoUrl, parseShortvideoUrl } from '../../../pipeline/parse/urls.ts';

const folder = mkdtempSync(join(tmpdir(), 'short-links-'));
afterAll(() => rmSync(folder, { recursive: true }));

const short = 'https://vm.tiktok.com/ZMinvented/';
const video = 'https://www.tiktok.com/@tidepool/video/7000000000000000001';
const redirect = (url: string, location: string, more: object = {}) => ({
  ...{ method: 'GET', match: 'exact', url, status: 302, headers: { location }, ...more },
});

/**
 * Creates a resolver of short links that gets invented answers. Also returns the list of URLs that the resolver
 * requests.
 */
function resolverOf(exchanges: object[], env: Record<string, string> = {}, timeoutMs = 5_000) {
  const manifest = join(folder, 'manifest.json');
  writeFileSync(manifest, JSON.stringify({ exchanges }));
  const recorded = createRecordedFetcher(manifest);
  const requestedUrls: string[] = [];
  const fetch: Fetcher = (request, signal) => {
    requestedUrls.push(request.url);
    return recorded(request, signal);
  };
  return {
    requestedUrls,
    resolve: createLinkResolver({ fetch, config: readSourcesConfig(env), now: () => new Date() }, timeoutMs),
  };
}

describe('a short link', () => {
  test.each([
    ['https://vm.tiktok.com/ZMinvented', 'https://vm.tiktok.com/ZMinvented/', `${video}?_r=1&_t=abc`],
    ['vt.tiktok.com/ZSinvented/?k=1', 'https://vt.tiktok.com/ZSinvented/', video],
    [
      'http://tiktok.com/t/ZTinvented',
      'https://www.tiktok.com/t/ZTinvented/',
      'https://m.tiktok.com/v/7000000000000000001.html',
    ],
    ['https://vm.tiktok.com/ZMprofile/', 'https://vm.tiktok.com/ZMprofile/', 'https://www.tiktok.com/@tidepool?_d=1'],
    ['https://vt.tiktok.com/ZSinvented12-AbCde/', 'https://vt.tiktok.com/ZSinvented12-AbCde/', video],
    [
      'https://lite.tiktok.com/t/ZTinvented/',
      'https://www.tiktok.com/t/ZTinvented/',
      'https://t.tiktok.com/i18n/share/video/7000000000000000001/?_r=1',
    ],
    [
      `https://l.facebook.com/l.php?u=${encodeURIComponent('https://www.instagram.com/share/BAprofile/')}&h=abc`,
      'https://www.instagram.com/share/BAprofile/',
      'https://www.instagram.com/tidepool/',
    ],
    [
      'https://www.instagram.com/share/reel/BAinvented_1-x?igsh=1',
      'https://www.instagram.com/share/reel/BAinvented_1-x/',
      'https://www.instagram.com/reel/AbC-_123xyz/?igsh=1',
    ],
    [
      'instagram.com/share/BAprofile/',
      'https://www.instagram.com/share/BAprofile/',
      'https://www.instagram.com/tidepool/',
    ],
    [`https://l.instagram.com/?u=${encodeURIComponent(short)}&e=abc`, short, 'https://www.tiktok.com/@tidepool'],
  ])('the short link %s resolves to the target of its redirect', async (link, address, target) => {
    const { resolve, requestedUrls } = resolverOf([redirect(address, target)]);
    expect([isShortLink(link), await resolve(link)]).toEqual([true, target]);
    expect(requestedUrls).toEqual([address]);
  });

  test('a short link may redirect through another short link, and its target is never fetched', async () => {
    const next = 'https://www.tiktok.com/t/ZTinvented/';
    const { resolve } = resolverOf([redirect(short, '/t/elsewhere'), redirect(next, video)]);
    expect(await resolve(short)).toBe(short);
    const through = resolverOf([redirect(short, next, { status: 301 }), redirect(next, video)]);
    expect(await through.resolve(short)).toBe(video);
  });

  test('the sign-in page to which a short link redirects is never fetched, although it contains the short link', async () => {
    const shared = 'https://www.instagram.com/share/BAprofile/';
    const signIn = 'https://www.instagram.com/accounts/login/?next=%2Fshare%2FBAprofile%2F';
    const { resolve } = resolverOf([redirect(shared, signIn), redirect(signIn, 'https://www.instagram.com/kelp/')]);
    expect(await resolve(shared)).toBe(shared);
  });

  test('a short link is fetched once for all spellings and concurrent requests', async () => {
    const { resolve, requestedUrls } = resolverOf([redirect(short, video, { delay_ms: 20 })]);
    const written = [short, 'vm.tiktok.com/ZMinvented', 'http://vm.tiktok.com/ZMinvented?x=1', ` ${short} `];
    expect(await Promise.all(written.map(resolve))).toEqual([video, video, video, video]);
    expect(await resolve(short)).toBe(video);
    expect(requestedUrls).toEqual([short]);
  });

  test('a short link is not followed when the operator has switched off the keyless source of its platform', async () => {
    const { resolve, requestedUrls } = resolverOf([redirect(short, video)], { KEYLESS_SOURCES: '-tiktok-web' });
    await expect(resolve(short)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', retryable: false });
    expect(requestedUrls).toEqual([]);
  });

  test('a short link without a recorded answer throws an error', async () => {
    await expect(resolverOf([]).resolve(short)).rejects.toThrow(NoRecordingError);
  });
});

describe('a short link without a valid target stays unchanged, and its error says what to send:', () => {
  const answer = (members: object) => ({ method: 'GET', match: 'exact', url: short, status: 200, ...members });
  test.each([
    ['to a private address', redirect(short, 'http://127.0.0.1:8080/@tidepool')],
    ['to a metadata service', redirect(short, 'https://169.254.169.254/latest/meta-data/')],
    ['to a host that only looks alike', redirect(short, 'https://www.tiktok.com.example.com/@tidepool')],
    ['to another host', redirect(short, 'https://example.com/@tidepool')],
    ['to another platform', redirect(short, 'https://www.instagram.com/tidepool/')],
    ['to an address with a user name', redirect(short, 'https://www.tiktok.com@example.com/@tidepool')],
    ['to itself', redirect(short, short)],
    ['to a script', redirect(short, 'javascript:alert(1)')],
    ['to a file', redirect(short, 'file:///etc/passwd')],
    ['to no address', redirect(short, 'https://')],
    ['to the home page', redirect(short, 'https://www.tiktok.com/')],
    ['to the sign-in page', redirect(short, 'https://www.tiktok.com/login?redirect_url=x')],
    ['to a page', answer({ text: '<p>open the app</p>' })],
    ['to a page that names an address', answer({ headers: { location: video } })],
    ['to nothing', answer({ status: 404 })],
    ['to a block', answer({ status: 403 })],
    ['to 4 MB', redirect(short, video, { text: 'x'.repeat(4 * 1024 * 1024) })],
  ])('a short link that leads %s is not followed, and its error says what to send', async (_, exchange) => {
    const { resolve, requestedUrls } = resolverOf([exchange]);
    expect(await resolve(short)).toBe(short);
    expect(parseShortvideoUrl(short)).toMatchObject({ ok: false, message: expect.stringContaining('full link') });
    expect(await resolve(short)).toBe(short);
    expect(requestedUrls).toEqual([short]);
  });

  test('a short link stays unchanged when there are more than 3 redirects', async () => {
    const hop = (n: number) => `https://vm.tiktok.com/ZMhop${n}/`;
    const hops = [0, 1, 2, 3, 4].map((n) => redirect(hop(n), n === 4 ? video : hop(n + 1)));
    expect(await resolverOf(hops).resolve(hop(0))).toBe(hop(0));
    expect(await resolverOf(hops).resolve(hop(1))).toBe(video);
  });
});

describe('a short link that cannot be followed now', () => {
  const busy = { method: 'GET', match: 'exact', url: short, text: '', headers: { 'retry-after': '9' } };
  test.each([
    ['SOURCE_CAPACITY', { ...busy, status: 429 }, 9],
    ['SOURCE_UNAVAILABLE', { ...busy, status: 503 }, 9],
    ['SOURCE_TIMEOUT', redirect(short, video, { delay_ms: 60_000 }), null],
  ])('a short link fails with %s, and the failure is not remembered', async (code, exchange, retryAfter) => {
    const { resolve, requestedUrls } = resolverOf([exchange], {}, 50);
    for (let count = 1; count <= 2; count++) {
      const expected = { code, retryable: true, retry_after_seconds: retryAfter };
      await expect(resolve(short)).rejects.toMatchObject(expected);
      await expect(resolve(short)).rejects.toThrow('This short link could not be followed now.');
    }
    expect(requestedUrls).toHaveLength(4);
  });

  const pleaseWait = 'Please wait a few minutes before you try again.';
  test.each([
    ['JSON with status 401', { status: 401, text: JSON.stringify({ message: pleaseWait, require_login: true }) }, 300],
    ['JSON with status 400', { status: 400, text: JSON.stringify({ message: pleaseWait }) }, 300],
    ['a text with status 401', { status: 401, text: pleaseWait }, 300],
    ['a page with status 403', { status: 403, text: `<html><p>${pleaseWait}</p></html>` }, 300],
    ['a page with status 200', { status: 200, text: `<html><p>${pleaseWait}</p></html>` }, 300],
    ['a text with a time', { status: 401, text: pleaseWait, headers: { 'retry-after': '40' } }, 40],
  ])('a short link is tried again after the answer "please wait" in %s', async (_, answer, wait) => {
    const shared = 'https://www.instagram.com/share/BAprofile/';
    const { resolve, requestedUrls } = resolverOf([{ method: 'GET', match: 'exact', url: shared, ...answer }]);
    const expected = { code: 'SOURCE_CAPACITY', retryable: true, retry_after_seconds: wait };
    await expect(resolve(shared)).rejects.toMatchObject(expected);
    await expect(resolve(shared)).rejects.toThrow('This short link could not be followed now.');
    expect(requestedUrls).toHaveLength(2);
  });

  test('the other links of a list are followed when one short link cannot be followed now', async () => {
    const other = 'https://vm.tiktok.com/ZMother/';
    const { resolve } = resolverOf([{ ...busy, status: 429 }, redirect(other, video)]);
    const { texts, failures } = await resolveAll([short, other, '@plain'], resolve);
    expect(texts).toEqual([short, video, '@plain']);
    expect([...failures].map(([text, { code }]) => [text, code])).toEqual([[short, 'SOURCE_CAPACITY']]);
  });

  test('the short links of a list for which no time is left fail with SOURCE_TIMEOUT', async () => {
    const { resolve, requestedUrls } = resolverOf([]);
    const { failures } = await resolveAll([short], resolve, 0);
    expect([failures.get(short)?.code, requestedUrls]).toEqual(['SOURCE_TIMEOUT', []]);
  });
});

test.each([
  'https://www.tiktok.com/@tidepool',
  'https://www.instagram.com/share/',
  'https://www.instagram.com/s/aGlnaGxpZ2h0',
  'https://vm.tiktok.com/',
  'https://vm.tiktok.com/@tidepool/video/7000000000000000001',
  'https://example.com/t/ZTinvented',
  'https://user@vm.tiktok.com/ZMinvented',
  'https://vm.tiktok.com:8443/ZMinvented',
  '/t/',
  '',
])('%j is not a short link and causes no request', async (text) => {
  const { resolve, requestedUrls } = resolverOf([]);
  expect([await resolve(text), requestedUrls]).toEqual([text, []]);
  expect(parsePhotoUrl(text).ok && parseShortvideoUrl(text).ok).toBe(false);
});

test('the short links of a list are resolved in order, and the other lines stay unchanged', async () => {
  const links = Array.from({ length: 30 }, (_, n) => `https://vm.tiktok.com/ZMmany${n}/`);
  const target = (n: number) => `https://www.tiktok.com/@tide.pool${n}`;
  const { resolve } = resolverOf(links.map((link, n) => redirect(link, target(n))));
  const lines = links.flatMap((link) => [link, '@plain', '']);
  expect((await resolveAll(lines, resolve)).texts).toEqual(links.flatMap((_, n) => [target(n), '@plain', '']));
});
