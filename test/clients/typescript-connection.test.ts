import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient, type RetryLimits, TidemarkError } from '../../clients/typescript/src/client.ts';
import { systemClock } from '../../clients/typescript/src/retry.ts';
import { listenLocally } from '../harness/local-server.ts';
import { freePort } from '../harness/service-process.ts';
import { movingClock } from './moving-clock.ts';

/** How the fake server answers a request. Each test sets its own answer. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let received: IncomingMessage[];
let baseUrl: string;
const server = createServer((request, response) => {
  received.push(request);
  answer(request, response);
});
const begin = new Date('2026-11-20T10:00:00.000Z');
let clock = movingClock(begin);

beforeAll(async () => {
  baseUrl = `http://127.0.0.1:${await listenLocally(server)}`;
});
beforeEach(() => {
  received = [];
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

const answerWithPage = (status: number, headers: Record<string, string> = {}) => {
  answer = (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Welcome</h1>');
  };
};

describe('an answer to the TypeScript client that does not come from the API', () => {
  test('a web page with status 200 is SERVER_ANSWER_UNREADABLE in the TypeScript client and is not retried', async () => {
    answerWithPage(200);
    const error = await failure(profile());
    expect(error).toMatchObject({ code: 'SERVER_ANSWER_UNREADABLE', status: 200, retryable: false });
    expect(error.message).toContain('text/html');
    expect(received).toHaveLength(1);
  });

  test('the TypeScript client retries a busy proxy after its Retry-After, which may be a date', async () => {
    answerWithPage(503, { 'retry-after': new Date(begin.getTime() + 7_000).toUTCString() });
    const error = await failure(profile({ attempts: 2 }));
    expect(error).toMatchObject({ code: 'SERVER_ANSWER_UNREADABLE', status: 503, retryable: true });
    expect([received.length, clock.slept]).toEqual([2, [7_125]]);
  });

  test('the TypeScript client retries an answer without Retry-After after random waits with a doubling limit', async () => {
    answerWithPage(502);
    await failure(profile({ attempts: 5 }));
    expect(clock.slept).toEqual([250, 500, 1_000, 2_000]);
  });

  test('the TypeScript client does not follow a redirect, so that no other server gets the key', async () => {
    answerWithPage(302, { location: '/elsewhere' });
    const error = await failure(profile());
    expect(error.message).toContain('a redirect');
    expect(received.map(({ url }) => url)).toEqual(['/v1/photo/profile?handle=tidemark.sample']);
  });

  test('incomplete JSON and an unknown error are SERVER_ANSWER_UNREADABLE in the TypeScript client', async () => {
    answer = (_, response) => response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no"}');
    expect(await failure(profile())).toMatchObject({ code: 'SERVER_ANSWER_UNREADABLE', status: 401 });
    answer = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":');
    expect(await failure(profile())).toMatchObject({ code: 'SERVER_ANSWER_UNREADABLE', status: 200 });
  });
});

describe('a connection of the TypeScript client', () => {
  test('a refused connection is SERVER_UNREACHABLE after all attempts of the TypeScript client', async () => {
    const client = clientOf({ attempts: 3 }, `http://127.0.0.1:${await freePort()}`);
    const error = await failure(client.get('/v1/credit/balance'));
    expect(error).toMatchObject({ code: 'SERVER_UNREACHABLE', status: null, retryable: true });
    expect(clock.slept).toHaveLength(2);
  });

  test('the TypeScript client retries a request whose connection breaks during the answer', async () => {
    const body = JSON.stringify({ data: { credits_remaining: 7 } });
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      if (received.length > 1) response.end(body);
      else response.write(body.slice(0, 9), () => response.destroy());
    };
    const { data, metering } = await clientOf().get('/v1/credit/balance');
    expect([data.credits_remaining, metering.attempts]).toEqual([7, 2]);
  });

  test.each([
    ['no answer', () => undefined],
    ['half an answer', (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"da')],
  ] as [string, typeof answer][])('a request that gets %s in time is SERVER_TIMEOUT', async (_, slow) => {
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

describe('the abort signal of the caller', () => {
  test('the abort signal ends a request of the TypeScript client with its own reason, without a retry', async () => {
    const controller = new AbortController();
    answer = () => controller.abort(new Error('enough'));
    await expect(profile({ attempts: 1 }, controller)).rejects.toThrow('enough');
    expect(received).toHaveLength(1);
  });

  test('the abort signal ends the wait of the TypeScript client before a retry', async () => {
    const controller = new AbortController();
    answerWithPage(503, { 'retry-after': '30' });
    clock.sleep = (milliseconds, signal) => {
      setImmediate(() => controller.abort(new Error('enough')));
      return systemClock.sleep(milliseconds, signal);
    };
    await expect(profile({}, controller)).rejects.toThrow('enough');
    expect(received).toHaveLength(1);
  });

  test('an abort signal that is already aborted prevents the request of the TypeScript client', async () => {
    await expect(profile({}, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    expect(received).toEqual([]);
  });
});

test.each([
  ['apiKey', { apiKey: '', baseUrl: 'http://127.0.0.1' }],
  ['apiKey', { apiKey: 'two\nlines', baseUrl: 'http://127.0.0.1' }],
  ['baseUrl', { apiKey: 'key', baseUrl: 'tidemark.example' }],
  ['baseUrl', { apiKey: 'key', baseUrl: 'ftp://tidemark.example' }],
])('createClient refuses a malformed %s', (name, options) => {
  expect(() => createClient(options)).toThrow(name);
});
