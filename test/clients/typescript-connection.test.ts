import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient, type RetryLimits, TidemarkError } from '../../clients/typescript/src/client.ts';
import { systemClock } from '../../clients/typescript/src/retry.ts';
import { freePort } from '../harness/service-process.ts';
import { movingClock } from './moving-clock.ts';

/** What stands where the API should: the tests say how it answers. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: IncomingMessage[];
let baseUrl: string;
const server = createServer((request, response) => {
  asked.push(request);
  answer(request, response);
});
const begin = new Date('2026-11-20T10:00:00.000Z');
let clock = movingClock(begin);

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  baseUrl = `http://127.0.0.1:${address.port}`;
});
beforeEach(() => {
  asked = [];
  clock = movingClock(begin);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const clientOf = (retry: Partial<RetryLimits> = {}, address = baseUrl) =>
  createClient({ apiKey: 'tide_test_key', baseUrl: address, clock, retry });

async function failure(call: Promise<unknown>): Promise<TidemarkError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TidemarkError);
  return error as TidemarkError;
}

const profile = (retry?: Partial<RetryLimits>, options?: { signal: AbortSignal }) =>
  clientOf(retry).get('/v1/photo/profile', { handle: 'tidemark.sample' }, options);

const page = (status: number, headers: Record<string, string> = {}) => {
  answer = (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Welcome</h1>');
  };
};

describe('an answer that is not of the API', () => {
  test('a page with status 200 is SERVER_ANSWER_UNREADABLE, and not asked for again', async () => {
    page(200);
    const error = await failure(profile());
    expect(error).toMatchObject({ code: 'SERVER_ANSWER_UNREADABLE', status: 200, retryable: false });
    expect(error.message).toContain('text/html');
    expect(asked).toHaveLength(1);
  });

  test("a proxy's page that says busy is asked for again after its Retry-After, a date too", async () => {
    page(503, { 'retry-after': new Date(begin.getTime() + 7_000).toUTCString() });
    const error = await failure(profile({ attempts: 2 }));
    expect(error).toMatchObject({ code: 'SERVER_ANSWER_UNREADABLE', status: 503, retryable: true });
    expect([asked.length, clock.slept]).toEqual([2, [7_125]]);
  });

  test('without Retry-After the waits double, by chance', async () => {
    page(502);
    await failure(profile({ attempts: 5 }));
    expect(clock.slept).toEqual([250, 500, 1_000, 2_000]);
  });

  test('a redirect is not followed, so the key goes nowhere else', async () => {
    page(302, { location: '/elsewhere' });
    const error = await failure(profile());
    expect(error.message).toContain('a redirect');
    expect(asked.map(({ url }) => url)).toEqual(['/v1/photo/profile?handle=tidemark.sample']);
  });

  test('an error in JSON that is not ours, and a JSON cut short, are unreadable', async () => {
    answer = (_, response) => response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no"}');
    expect(await failure(profile())).toMatchObject({ code: 'SERVER_ANSWER_UNREADABLE', status: 401 });
    answer = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":');
    expect(await failure(profile())).toMatchObject({ code: 'SERVER_ANSWER_UNREADABLE', status: 200 });
  });
});

describe('a connection', () => {
  test('that nobody takes is SERVER_UNREACHABLE after all attempts', async () => {
    const client = clientOf({ attempts: 3 }, `http://127.0.0.1:${await freePort()}`);
    const error = await failure(client.get('/v1/credit/balance'));
    expect(error).toMatchObject({ code: 'SERVER_UNREACHABLE', status: null, retryable: true });
    expect(clock.slept).toHaveLength(2);
  });

  test('that breaks inside an answer is tried again', async () => {
    const body = JSON.stringify({ data: { credits_remaining: 7 } });
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      if (asked.length > 1) response.end(body);
      else response.write(body.slice(0, 9), () => response.destroy());
    };
    const { data, metering } = await clientOf().get('/v1/credit/balance');
    expect([data.credits_remaining, metering.attempts]).toEqual([7, 2]);
  });

  test.each([
    ['no answer', () => undefined],
    ['half an answer', (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"da')],
  ] as [string, typeof answer][])('that gives %s in time is SERVER_TIMEOUT', async (_, slow) => {
    answer = slow;
    let sent = 0;
    const send = (request: Request) => {
      sent += 1;
      return fetch(request);
    };
    const retry = { attempts: 2, attemptMs: 50 };
    const client = createClient({ apiKey: 'tide_test_key', baseUrl, clock, retry, fetch: send });
    const error = await failure(client.get('/v1/credit/balance'));
    expect(error).toMatchObject({ code: 'SERVER_TIMEOUT', status: null, retryable: true });
    expect(sent).toBe(2);
  });
});

describe('the signal of the caller', () => {
  test('ends a request under way with its own reason, and nothing is sent again', async () => {
    const controller = new AbortController();
    answer = () => controller.abort(new Error('enough'));
    await expect(profile({ attempts: 1 }, controller)).rejects.toThrow('enough');
    expect(asked).toHaveLength(1);
  });

  test('ends the wait before a repetition', async () => {
    const controller = new AbortController();
    page(503, { 'retry-after': '30' });
    clock.sleep = (milliseconds, signal) => {
      setImmediate(() => controller.abort(new Error('enough')));
      return systemClock.sleep(milliseconds, signal);
    };
    await expect(profile({}, controller)).rejects.toThrow('enough');
    expect(asked).toHaveLength(1);
  });

  test('that has already fired sends nothing', async () => {
    await expect(profile({}, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    expect(asked).toEqual([]);
  });
});

test.each([
  ['apiKey', { apiKey: '', baseUrl: 'http://127.0.0.1' }],
  ['apiKey', { apiKey: 'two\nlines', baseUrl: 'http://127.0.0.1' }],
  ['baseUrl', { apiKey: 'key', baseUrl: 'tidemark.example' }],
  ['baseUrl', { apiKey: 'key', baseUrl: 'ftp://tidemark.example' }],
])('a client is not made with an %s that cannot be right', (name, options) => {
  expect(() => createClient(options)).toThrow(name);
});
