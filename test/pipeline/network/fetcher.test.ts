import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFetcher } from '../../../pipeline/network/fetcher.ts';
import { AnswerTooLargeError } from '../../../pipeline/network/http-client.ts';
import { fetcherTo, home, startUpstream } from '../upstream.ts';

const answering =
  (headers: Record<string, string>, body: Buffer | string) => (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(200, headers).end(body);

describe('HTTP statuses of sources', () => {
  test.each([200, 404, 429, 500])(
    'an answer of a source with status %i is returned with header names in lower case and the body',
    async (status) => {
      const ask = await fetcherTo((_, response) =>
        response.writeHead(status, { 'Retry-After': '7', 'Set-Cookie': 'a=b' }).end('words'),
      );
      const answer = await ask();
      expect(answer).toMatchObject({ status, url: `${home}/page` });
      expect(answer.headers['retry-after']).toBe('7');
      expect(answer.headers).not.toHaveProperty('set-cookie');
      expect(answer.body.toString()).toBe('words');
    },
  );

  test('a byte order mark is removed from the body of an answer of a source', async () => {
    const ask = await fetcherTo(answering({}, '\ufeff{}'));
    expect((await ask()).body.toString()).toBe('{}');
  });

  test('requests to sources have an honest user agent and ask for English, unless the source sets other headers', async () => {
    const ask = await fetcherTo(({ headers }, response) =>
      response.end(`${headers['user-agent']}|${headers['accept-language']}`),
    );
    expect((await ask()).body.toString()).toMatch(/Tidemark.*\|en$/);
    expect((await ask({ headers: { 'User-Agent': 'other' } })).body.toString()).toBe('other|en');
  });

  test('a POST to a source sends its JSON text', async () => {
    const ask = await fetcherTo((request, response) => {
      response.setHeader('x-seen', `${request.method} ${request.headers['content-type']}`);
      request.pipe(response);
    });
    const answer = await ask({ method: 'POST', body: '{"id":1}' });
    expect(answer.headers['x-seen']).toBe('POST application/json');
    expect(answer.body.toString()).toBe('{"id":1}');
  });
});

describe('compressed bodies of sources', () => {
  const text = 'the same words '.repeat(100);
  test.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
  ])('a body of a source with the encoding %s is decoded', async (encoding, body) => {
    const ask = await fetcherTo(answering({ 'content-encoding': encoding }, body));
    expect((await ask()).body.toString()).toBe(text);
  });

  test.each([
    ['plain text called gzip', 'gzip', Buffer.from(text)],
    ['a gzip body that is cut', 'gzip', gzipSync(text).subarray(0, 40)],
    ['an encoding that was not requested', 'zstd', Buffer.from(text)],
    ['the name of an object member', 'constructor', Buffer.from(text)],
  ])('a body of a source with %s is SOURCE_RESPONSE_CHANGED', async (_, encoding, body) => {
    const ask = await fetcherTo(answering({ 'content-encoding': encoding }, body));
    await expect(ask()).rejects.toMatchObject({ name: 'SourceError', code: 'SOURCE_RESPONSE_CHANGED' });
  });
});

describe('the size limit of bodies of sources', () => {
  test('an answer of exactly max_bytes is accepted, and one byte more is SOURCE_RESPONSE_CHANGED', async () => {
    const ask = await fetcherTo(answering({}, 'x'.repeat(1000)));
    expect((await ask({ max_bytes: 1000 })).body).toHaveLength(1000);
    await expect(ask({ max_bytes: 999 })).rejects.toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED' });
  });

  test('a compressed body of a source that becomes too large is an AnswerTooLargeError', async () => {
    const ask = await fetcherTo(answering({ 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000))));
    await expect(ask()).rejects.toThrow(AnswerTooLargeError);
  });

  test('the fetcher stops reading an endless body and closes its connection', async () => {
    let left: Promise<unknown> | undefined;
    const ask = await fetcherTo((_, response) => {
      left = once(response, 'close');
      const more = () => response.write(Buffer.alloc(64_000), () => setImmediate(more));
      more();
    });
    await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED' });
    await left;
  });
});

describe('the time limit of requests to sources', () => {
  test.each<[string, RequestListener]>([
    ['headers', () => {}],
    ['body', (_, response) => response.writeHead(200).write('a')],
  ])('a source that sends no %s in time is SOURCE_TIMEOUT', async (_, listener) => {
    const ask = await fetcherTo(listener);
    await expect(ask({ timeout_ms: 50 })).rejects.toMatchObject({ code: 'SOURCE_TIMEOUT' });
  });

  test('the abort signal of the caller ends a request to a source', async () => {
    const caller = new AbortController();
    const ask = await fetcherTo(() => caller.abort());
    await expect(ask({}, caller.signal)).rejects.toMatchObject({ code: 'SOURCE_TIMEOUT' });
    await expect(ask({}, caller.signal)).rejects.toMatchObject({ code: 'SOURCE_TIMEOUT' });
  });
});

describe('connections to sources', () => {
  test('an incomplete body of a source is SOURCE_UNAVAILABLE', async () => {
    const ask = await fetcherTo((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half', () => response.destroy());
    });
    await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  });

  test('a source that cannot be reached is SOURCE_UNAVAILABLE, which keeps its cause', async () => {
    const upstream = await startUpstream(() => {});
    const fetcher = createFetcher({ dispatcher: upstream.dispatcher });
    await upstream.close();
    const failure = fetcher({ url: home }, new AbortController().signal);
    await expect(failure).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', cause: expect.any(Error) });
  });

  test('the fetcher never connects to a host that resolves to a private address', async () => {
    let reached = false;
    const upstream = await startUpstream(() => {
      reached = true;
    });
    onTestFinished(upstream.close);
    const failure = createFetcher({ hosts: ['localhost'] })(
      { url: 'https://localhost/' },
      new AbortController().signal,
    );
    await expect(failure).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      cause: { message: 'localhost has no public IP address' },
    });
    expect(reached).toBe(false);
  });
});

describe('the load on one host', () => {
  test('few requests to one host run at the same time, a few more wait, and with a full queue the next is SOURCE_CAPACITY', async () => {
    const held: ServerResponse[] = [];
    const ask = await fetcherTo((_, response) => held.push(response), { in_flight: 2, waiting: 1 });
    const answers = [ask(), ask(), ask()];
    await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_CAPACITY' });
    await expect.poll(() => held.length).toBe(2);
    held[0]?.end();
    await expect.poll(() => held.length).toBe(3);
    for (const response of held) response.end();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('a request that times out while it waits for its host is removed from the queue', async () => {
    const held: ServerResponse[] = [];
    const ask = await fetcherTo((_, response) => held.push(response), { in_flight: 1, waiting: 1 });
    const first = ask();
    await expect(ask({ timeout_ms: 20 })).rejects.toMatchObject({ code: 'SOURCE_TIMEOUT' });
    const caller = new AbortController();
    const waiting = ask({}, caller.signal);
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'SOURCE_TIMEOUT' });
    await expect.poll(() => held.length).toBe(1);
    held[0]?.end();
    expect((await first).status).toBe(200);
  });

  test('requests to different hosts do not wait for each other', async () => {
    const held: ServerResponse[] = [];
    const ask = await fetcherTo(
      ({ headers }, response) => (headers.host === 'www.tiktok.com' ? held.push(response) : response.end()),
      { in_flight: 1, waiting: 0 },
    );
    const first = ask();
    expect((await ask({ url: 'https://www.youtube.com/' })).status).toBe(200);
    await expect.poll(() => held.length).toBe(1);
    held[0]?.end();
    expect((await first).status).toBe(200);
  });
});
