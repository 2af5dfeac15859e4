import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDashboardSetup, type DashboardSetup } from '../../dashboard/dashboard-server.ts';
import { until } from '../../setup/processes.ts';

let setup: DashboardSetup;

beforeAll(async () => {
  setup = await createDashboardSetup({
    payments: { secret_key: 'sk_test_invented', webhook_secret: 'whsec_invented' },
  });
});
afterAll(() => setup.close());

const form = 'application/x-www-form-urlencoded';

/**
 * Posts a body of `bytes` bytes. With `known`, the header Content-Length states this length. With `unknown`, the body
 * is a stream and has no such header.
 */
function post(path: string, bytes: number, length: 'known' | 'unknown'): Promise<Response> {
  const text = new Uint8Array(bytes).fill(97);
  const body = length === 'known' ? text : new Blob([text]).stream();
  const headers = { origin: setup.base_url, 'content-type': form };
  return setup.send(path, '', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
}

describe.each(['known', 'unknown'] as const)('a body of %s length over the limit', (length) => {
  beforeAll(() => {
    setup.logs.length = 0;
  });

  test.each([
    ['/sign-in', 16, '16 kB'],
    ['/sign-up', 16, '16 kB'],
  ])('a too large body is refused with 413 and a page by the form %s', async (path, kilobytes, limit) => {
    const answer = await post(path, kilobytes * 1024 + 1, length);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain(`You can send at most ${limit} at once: send less data.`);
    expect(setup.logs.at(-1)).toMatchObject({ method: 'POST', route: path, status: 413, code: 'BODY_TOO_LARGE' });
  });

  test.each(['token', 'register', 'revoke'])(
    'a too large body is refused with 413 and an OAuth error by the endpoint %s',
    async (name) => {
      const path = `/api/auth/oauth2/${name}`;
      const answer = await post(path, 64 * 1024 + 1, length);
      expect(answer.status).toBe(413);
      expect(await answer.json()).toEqual({
        error: 'invalid_request',
        error_description: 'You can send at most 64 kB at once: send less data.',
      });
      expect(setup.logs.at(-1)).toMatchObject({ method: 'POST', route: path, status: 413, code: 'BODY_TOO_LARGE' });
    },
  );

  test('a too large payment event is refused with 413 and the error body of the service', async () => {
    const answer = await post('/payments/stripe', 512 * 1024 + 1, length);
    const { error, meta } = (await answer.json()) as { error: Record<string, unknown>; meta: { request_id: string } };
    expect(error).toMatchObject({ code: 'BODY_TOO_LARGE', status: 413, retryable: false });
    expect([answer.status, meta.request_id]).toEqual([413, answer.headers.get('x-request-id')]);
    const route = '/payments/stripe';
    const entry = { request_id: meta.request_id, method: 'POST', route, status: 413, code: 'BODY_TOO_LARGE' };
    expect(setup.logs.at(-1)).toMatchObject(entry);
  });

  test('a body of exactly the limit is not refused for its length', async () => {
    expect((await post('/sign-in', 16 * 1024, length)).status).toBe(401);
    expect((await post('/payments/stripe', 512 * 1024, length)).status).toBe(400);
  });
});

test('a form with too many fields is refused with 413 and a page before its fields are read', async () => {
  const ann = await setup.member();
  const headers = { origin: setup.base_url, 'content-type': form };
  const post = (body: string) => setup.send('/dashboard/keys', ann.cookie, { method: 'POST', body, headers });
  const answer = await post('a&'.repeat(1_000_000));
  expect(answer.status).toBe(413);
  expect(await answer.text()).toContain('A form can have at most 10000 fields: send fewer at once.');
  expect((await post('a&'.repeat(9_999))).status).toBe(400);
});

test('a form with a file and too many parts is refused with 413 and a page before its parts are read', async () => {
  const ann = await setup.member();
  const part = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n';
  const body = (parts: number) => `${part.repeat(parts)}--x--\r\n`;
  for (const type of ['multipart/form-data; boundary=x', 'Multipart/Form-Data; charset=utf-8; boundary="x"']) {
    const headers = { origin: setup.base_url, 'content-type': type };
    const post = (parts: number) =>
      setup.send('/dashboard/branding', ann.cookie, { method: 'POST', body: body(parts), headers });
    const answer = await post(101);
    expect(answer.status).toBe(413);
    expect(await answer.text()).toContain('A form with a file can have at most 100 fields: send fewer at once.');
    expect((await post(100)).status).toBe(303);
  }
});

test.each(['/dashboard/keys', '/sign-in', '/sign-up', '/join'])(
  'the form %s, which cannot contain a file, is refused as multipart/form-data with 400 and a page',
  async (path) => {
    const ann = await setup.member();
    const body = new FormData();
    body.set('name', 'Invented');
    const answer = await setup.send(path, ann.cookie, { method: 'POST', body, headers: { origin: setup.base_url } });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('This form cannot contain a file');
  },
);

test.each(['known', 'unknown'] as const)(
  'a large form of %s length is refused with 413 and a page when its sender is signed out',
  async (length) => {
    expect((await post('/dashboard/keys', 64 * 1024, length)).status).toBe(303);
    const answer = await post('/dashboard/keys', 64 * 1024 + 1, length);
    expect(answer.status).toBe(413);
    expect(await answer.text()).toContain('You were signed out, and this form is too large to be kept');
    const ann = await setup.member();
    const body = 'a'.repeat(2 * 1024 * 1024 + 1);
    const headers = { origin: setup.base_url, 'content-type': form };
    const tooLarge = await setup.send('/dashboard/keys', ann.cookie, { method: 'POST', body, headers });
    expect(tooLarge.status).toBe(413);
    expect(await tooLarge.text()).toContain('You can send at most 2 MB at once: send less data.');
  },
);

test.each([
  ['/sign-in', form],
  ['/api/auth/oauth2/token', form],
  ['/payments/stripe', 'application/json'],
])('a client that disconnects while it sends its body to %s is no error of the server', async (path, type) => {
  setup.logs.length = 0;
  const { host, hostname, port } = new URL(setup.base_url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${setup.base_url}\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\nhalf`,
  );
  await new Promise((resolve) => socket.on('connect', resolve));
  // Ends the connection when the server has begun to read the body.
  await setup.send('/v1/status', '');
  socket.destroy();
  await until(async () => setup.logs.some(({ method }) => method === 'POST'));
  expect(setup.logs.find(({ method }) => method === 'POST')).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
});
