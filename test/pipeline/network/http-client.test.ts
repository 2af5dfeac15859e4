import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { fetcherTo, home } from '../upstream.ts';

describe('URLs that the HTTP client may request', () => {
  test.each([
    'http://www.tiktok.com/page',
    'https://user:word@www.tiktok.com/page',
    'https://www.tiktok.com:8443/page',
    'https://www.tiktok.com.example.com/page',
    'https://example.com/',
    'https://127.0.0.1/',
  ])('a request to %s is an internal error, not an error of the source', async (url) => {
    const ask = await fetcherTo((_, response) => response.end());
    const failure = ask({ url });
    await expect(failure).rejects.toThrow('may not be fetched');
    await expect(failure).rejects.not.toHaveProperty('code');
  });
});

describe('redirects of the HTTP client', () => {
  const redirecting =
    (location: string, status = 302): RequestListener =>
    (request, response) =>
      request.url === '/page'
        ? response.writeHead(status, { location }).end()
        : response.end(`${request.method} ${request.url}`);

  test('without `follow`, the HTTP client returns the redirect itself', async () => {
    const ask = await fetcherTo(redirecting('/login'));
    expect(await ask()).toMatchObject({ status: 302, headers: { location: '/login' } });
    expect(await ask({ follow: () => false })).toMatchObject({ status: 302 });
  });

  test('with `follow`, the HTTP client returns the answer of the redirect target', async () => {
    const ask = await fetcherTo(redirecting('/moved?a=1'));
    const answer = await ask({ follow: (target) => target.pathname === '/moved' });
    expect(answer).toMatchObject({ status: 200, url: `${home}/moved?a=1` });
    expect(answer.body.toString()).toBe('GET /moved?a=1');
  });

  test.each([
    'https://example.com/',
    'http://www.tiktok.com/a',
    'https://a@www.tiktok.com/',
    'https://www.tiktok.com:444/',
    'https://',
  ])('a redirect to %s is never followed, and `follow` is not called', async (location) => {
    const ask = await fetcherTo(redirecting(location));
    const targets: URL[] = [];
    expect(await ask({ follow: (target) => targets.push(target) > 0 })).toMatchObject({ status: 302 });
    expect(targets).toEqual([]);
  });

  test('after three redirects the HTTP client returns the redirect itself', async () => {
    let hops = 0;
    const ask = await fetcherTo((_, response) => response.writeHead(302, { location: `/hop/${++hops}` }).end());
    expect(await ask({ follow: () => true })).toMatchObject({ status: 302, url: `${home}/hop/3` });
    expect(hops).toBe(4);
  });

  test('the HTTP client sends cookies and authorization only to the first host', async () => {
    const ask = await fetcherTo((request, response) =>
      request.url === '/page'
        ? response.writeHead(302, { location: '/moved', 'set-cookie': 'a=b' }).end()
        : response.end(JSON.stringify(request.headers)),
    );
    const headers = { cookie: 'a=b', authorization: 'Bearer word', accept: 'text/html' };
    const seen: unknown = JSON.parse((await ask({ headers, follow: () => true })).body.toString());
    expect(seen).toMatchObject({ accept: 'text/html' });
    expect(seen).not.toHaveProperty('cookie');
    expect(seen).not.toHaveProperty('authorization');
  });

  test.each([
    [303, 'GET /moved'],
    [302, 'GET /moved'],
    [307, 'POST /moved'],
    [308, 'POST /moved'],
  ])('a POST redirected by %i continues as %s', async (status, seen) => {
    const ask = await fetcherTo(redirecting('/moved', status));
    const answer = await ask({ method: 'POST', body: '{}', follow: () => true });
    expect(answer.body.toString()).toBe(seen);
  });
});
