import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { collect } from '../../../pipeline/collect/collect.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import type { Fetcher, UpstreamRequest } from '../../../pipeline/network/fetcher.ts';
import { createRecordedFetcher, NoRecordingError } from '../../../pipeline/network/recorded-fetcher.ts';
import { photoProfileRecord } from '../../../pipeline/records/photo.ts';
import { describeRecorded, recordedFolder, recordedManifest } from '../../recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Invented recordings of a platform, with which the recorded fetcher answers. */
const home = 'https://www.tiktok.com';
const exchange = (members: object) => ({ method: 'GET', match: 'prefix', url: home, status: 200, ...members });
const signal = () => new AbortController().signal;

function recorded(...exchanges: object[]): Fetcher {
  const manifest = join(folder, 'manifest.json');
  writeFileSync(manifest, JSON.stringify({ about: 'invented', exchanges }));
  return createRecordedFetcher(manifest);
}
const textOf = async (fetcher: Fetcher, request: string | UpstreamRequest) =>
  (await fetcher(typeof request === 'string' ? { url: request } : request, signal())).body.toString();

describe('finding the recorded answer of a request', () => {
  test('the first recorded exchange that matches a request answers it', async () => {
    const fetcher = recorded(
      exchange({ url: `${home}/b`, text: 'b' }),
      exchange({ text: 'first' }),
      exchange({ text: 'second' }),
    );
    expect(await textOf(fetcher, `${home}/a`)).toBe('first');
  });

  test('a recorded URL matches as a whole (`exact`), by its beginning (`prefix`) or as a regular expression (`pattern`)', async () => {
    const fetcher = recorded(
      exchange({ match: 'exact', url: `${home}/a?x=1`, text: 'exact' }),
      exchange({ match: 'prefix', url: `${home}/a`, text: 'prefix' }),
      exchange({ match: 'pattern', url: '/b(?:\\?|$)', text: 'pattern' }),
    );
    expect(await textOf(fetcher, `${home}/a?x=1`)).toBe('exact');
    expect(await textOf(fetcher, `${home}/a?x=12`)).toBe('prefix');
    expect(await textOf(fetcher, `${home}/b?y`)).toBe('pattern');
    await expect(textOf(fetcher, `${home}/bc`)).rejects.toThrow(NoRecordingError);
  });

  test('query parameters are decoded before they are compared with a recording, in which a list allows each of its values and null means absent', async () => {
    const fetcher = recorded(
      exchange({ query: { q: 'low tide', page: [null, '1'] }, text: 'one' }),
      exchange({ query: { q: 'low tide', page: null }, text: 'never' }),
      exchange({ query: { q: ['a', 'b'], page: null }, text: 'ab' }),
    );
    expect(await textOf(fetcher, `${home}/?q=low+tide&other=9`)).toBe('one');
    expect(await textOf(fetcher, `${home}/?page=1&q=low%20tide`)).toBe('one');
    expect(await textOf(fetcher, `${home}/?q=b`)).toBe('ab');
    await expect(textOf(fetcher, `${home}/?q=b&page=`)).rejects.toThrow(NoRecordingError);
  });

  test('members of a JSON body match by their dot path in a recorded exchange, and so does the method', async () => {
    const post = (body: unknown): UpstreamRequest => ({ method: 'POST', url: home, body: JSON.stringify(body) });
    const fetcher = recorded(
      exchange({ method: 'POST', body: { 'context.client': ['WEB', 'APP'], token: null }, text: 'client' }),
      exchange({ method: 'POST', body: { token: 7 }, text: 'seven' }),
    );
    expect(await textOf(fetcher, post({ context: { client: 'APP', other: 1 } }))).toBe('client');
    expect(await textOf(fetcher, post({ context: { client: 'APP' }, token: 7 }))).toBe('seven');
    await expect(textOf(fetcher, post({ token: '7' }))).rejects.toThrow(NoRecordingError);
    await expect(textOf(fetcher, { method: 'POST', url: home, body: 'no JSON' })).rejects.toThrow(NoRecordingError);
    await expect(textOf(recorded(exchange({ method: 'POST', text: 'posted' })), home)).rejects.toThrow(
      NoRecordingError,
    );
  });
});

describe('the recorded answer', () => {
  test('a recorded answer has status, lower-case header names, URL and body of its exchange', async () => {
    const fetcher = recorded(exchange({ status: 429, headers: { 'Retry-After': '5' }, text: 'wait' }));
    const answer = await fetcher({ url: `${home}/a` }, signal());
    expect(answer).toMatchObject({ status: 429, url: `${home}/a`, headers: { 'retry-after': '5' } });
    expect(answer.body.toString()).toBe('wait');
    expect(await textOf(recorded(exchange({})), home)).toBe('');
  });

  test('a file with a recorded answer is read from the folder of the manifest, without its byte order mark', async () => {
    writeFileSync(join(folder, 'page.html'), '\ufeff<p>');
    expect(await textOf(recorded(exchange({ file: 'page.html' })), home)).toBe('<p>');
  });

  test('`unwrap` returns that part of a file with a recorded answer, with long integers unchanged', async () => {
    writeFileSync(
      join(folder, 'wrapped.json'),
      '{"log":{"id":1},"data":[{"body": {"id":12345678901234567890,"n":1.0}}]}',
    );
    const fetcher = recorded(exchange({ file: 'wrapped.json', unwrap: 'data.0.body' }));
    expect(await textOf(fetcher, home)).toBe('{"id":12345678901234567890,"n":1.0}');
    expect(await textOf(fetcher, home)).toBe('{"id":12345678901234567890,"n":1.0}');
    await expect(textOf(recorded(exchange({ file: 'wrapped.json', unwrap: 'other' })), home)).rejects.toThrow('other');
  });

  test('a recorded delay longer than the time limit of the request is SOURCE_TIMEOUT', async () => {
    const fetcher = recorded(exchange({ delay_ms: 60_000, text: 'late' }));
    await expect(textOf(fetcher, { url: home, timeout_ms: 10 })).rejects.toMatchObject({ code: 'SOURCE_TIMEOUT' });
    expect(await textOf(recorded(exchange({ delay_ms: 1, text: 'soon' })), home)).toBe('soon');
  });

  test('recorded redirects follow the same rules as live requests', async () => {
    const fetcher = recorded(
      exchange({ match: 'exact', url: `${home}/a`, status: 302, headers: { location: '/b' } }),
      exchange({ match: 'exact', url: `${home}/b`, text: 'there' }),
    );
    expect(await fetcher({ url: `${home}/a` }, signal())).toMatchObject({ status: 302 });
    expect(await textOf(fetcher, { url: `${home}/a`, follow: () => true })).toBe('there');
  });

  test('a recorded body over max_bytes is SOURCE_RESPONSE_CHANGED', async () => {
    const failure = textOf(recorded(exchange({ text: 'words' })), { url: home, max_bytes: 4 });
    await expect(failure).rejects.toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED' });
  });
});

describe('a request without a recorded answer', () => {
  const request = { method: 'POST', url: `${home}/a?b=1`, body: '{"id":"x"}' } as const;

  test('a request without a recorded answer throws an error with method, URL and body', async () => {
    const failure = recorded()(request, signal());
    await expect(failure).rejects.toThrow(NoRecordingError);
    await expect(failure).rejects.toThrow(`POST ${home}/a?b=1 {"id":"x"}`);
  });

  const secret = 'invented-secret-51c0';
  const missOf = async (request: UpstreamRequest): Promise<NoRecordingError> => {
    const answered = await recorded()(request, signal()).catch((error: unknown) => error);
    return answered instanceof NoRecordingError ? answered : expect.fail('it was answered');
  };
  const allOf = (error: Error) => JSON.stringify(error, Object.getOwnPropertyNames(error));

  test.each(['access_token', 'key', 'appsecret_proof', 'Access_Token'])(
    'the error about a missing recorded answer never shows the value of %s',
    async (name) => {
      const miss = await missOf({ url: `${home}/a?${name}=${secret}&fields=id%2Cname&b=+1` });
      expect(String(miss)).toContain(`GET ${home}/a?${name}=…&fields=id%2Cname&b=+1 (no body)`);
      const last = await missOf({ url: `${home}/a?monkey=1&${name}=${secret}#${name}=${secret}` });
      expect(String(last)).toContain(`${home}/a?monkey=1&${name}=…#${name}=…`);
      const body = JSON.stringify({ id: 'x', inner: { [name]: `"${secret}\\"${secret}`, key_count: 3 } });
      expect(String(await missOf({ method: 'POST', url: home, body }))).toContain(
        `{"id":"x","inner":{"${name}":"…","key_count":3}}`,
      );
      const form = await missOf({ method: 'POST', url: home, body: `${name}=${secret}&id=x` });
      expect(String(form)).toContain(`${name}=…&id=x`);
      for (const error of [miss, last, form]) {
        expect(allOf(error)).not.toContain(secret);
      }
    },
  );

  test('the error about a missing recorded answer never shows a header', async () => {
    const headers = { Authorization: `Bearer ${secret}`, 'x-goog-api-key': secret };
    const miss = await missOf({ ...request, headers });
    expect(allOf(miss)).not.toContain(secret);
  });

  test('the error about a missing recorded answer passes through collect unchanged, and no other source is tried', async () => {
    const context = {
      fetch: recorded(),
      config: readSourcesConfig({}),
      now: () => new Date(),
      signal: signal(),
      breakers: createBreakers({ enabled: false }),
    };
    const asking = {
      name: 'tiktok-web',
      credentials: null,
      collect: async () => context.fetch(request, context.signal).then(() => Promise.reject(new Error('answered'))),
    };
    const collector = {
      name: 'invented',
      params: z.strictObject({}),
      record: photoProfileRecord,
      sources: [asking, asking],
    };
    await expect(collect(collector, {}, context)).rejects.toThrow(NoRecordingError);
  });
});

test('a missing or invalid manifest of recordings fails immediately', () => {
  expect(() => createRecordedFetcher(join(folder, 'missing.json'))).toThrow('ENOENT');
  expect(() => recorded(exchange({ match: 'glob' }))).toThrow('match');
});

interface Recorded {
  method: 'GET' | 'POST';
  status: number;
  headers?: Record<string, string>;
  file?: string;
  text?: string;
  unwrap?: string;
  example: { url: string; body?: unknown };
}

describeRecorded('the recorded manifest', () => {
  const { exchanges } = JSON.parse(readFileSync(recordedManifest, 'utf8')) as { exchanges: Recorded[] };
  const fetcher = createRecordedFetcher(recordedManifest);

  test('the client answers the example of every recorded exchange with its status, headers and body', async () => {
    for (const { method, status, headers, file, text, unwrap, example } of exchanges) {
      const body = example.body === undefined ? {} : { body: JSON.stringify(example.body) };
      const answer = await fetcher({ method, url: example.url, ...body }, signal());
      expect(answer, example.url).toMatchObject({ status, headers: headers ?? {} });
      const recorded = file === undefined ? Buffer.from(text ?? '') : readFileSync(join(recordedFolder, file));
      const same =
        unwrap === undefined ? answer.body.equals(recorded) : recorded.includes(answer.body) && answer.body.length > 2;
      expect(same, example.url).toBe(true);
    }
    expect(exchanges.length).toBeGreaterThan(200);
  });
});
