import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDataFolder, tidyUp } from '../harness/data-folder.ts';
import { type ServiceProcess, startService } from '../harness/service-process.ts';
import { openFolder, until } from '../setup/processes.ts';

let folder: string;
let dataDir: string;
let service: ServiceProcess;

beforeAll(async () => {
  folder = await openFolder();
  dataDir = join(folder, 'data');
  await copyDataFolder(dataDir);
  service = await startService({ DATA_DIR: dataDir });
});
afterAll(() => tidyUp(folder, dataDir));

/** Returns the log entry of a request, found by the request id in the body of its answer. */
async function logged(body: string): Promise<Record<string, unknown>> {
  const { request_id } = JSON.parse(body).meta;
  const find = () =>
    service
      .output()
      .split('\n')
      .find((line) => line.includes(request_id));
  await until(async () => find() !== undefined);
  return JSON.parse(find() as string);
}

/** Sends these bytes and returns everything that the server sends until it closes the connection. */
async function sent(bytes: string): Promise<{ head: string; body: string }> {
  const { hostname, port } = new URL(service.base_url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let text = '';
  socket.on('data', (part: string) => {
    text += part;
  });
  // Ignores errors, because the server may close the connection before it has read everything. The answer is what the
  // server sent before closing.
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { head, body };
}

test.each([
  ['an address of 17 kB', `/v1/workflows/profile?url=${'a'.repeat(17_000)}`, ''],
  ['headers of 17 kB', '/v1/credit/balance', `x-long: ${'a'.repeat(17_000)}\r\n`],
])('%s is REQUEST_TOO_LARGE with the error body of the service', async (_, path, headers) => {
  const { head, body } = await sent(`GET ${path} HTTP/1.1\r\nhost: tidemark.test\r\n${headers}\r\n`);
  expect(head).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  for (const line of ['content-type: application/json; charset=utf-8', 'x-credits-charged: 0', 'connection: close']) {
    expect(head).toContain(line);
  }
  const { error, meta } = JSON.parse(body);
  expect(error).toMatchObject({ code: 'REQUEST_TOO_LARGE', status: 431, retryable: false, details: [] });
  expect(error.documentation_url).toMatch(/\/docs\/errors#REQUEST_TOO_LARGE$/);
  expect(head).toContain(`x-request-id: ${meta.request_id}`);
  expect(await logged(body)).toMatchObject({ route: 'unknown', status: 431, code: 'REQUEST_TOO_LARGE' });
});

test('bytes that are not HTTP get INVALID_INPUT with the error body of the service, and the server keeps running', async () => {
  const { head, body } = await sent('hello\r\n\r\n');
  expect([head.split('\r\n')[0], JSON.parse(body).error.code]).toEqual(['HTTP/1.1 400 Bad Request', 'INVALID_INPUT']);
  expect((await fetch(`${service.base_url}/healthz`)).status).toBe(200);
});

test.each([
  ['a letter that is not encoded', '/v1/shortvideo/hashtag?tag=münchen'],
  ['a space', '/v1/longvideo/search?q=tide pools'],
])('a URL with %s gets an error that says to encode it', async (_, url) => {
  const { head, body } = await sent(`GET ${url} HTTP/1.1\r\nhost: tidemark.test\r\n\r\n`);
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(JSON.parse(body).error.message).toContain('percent-encoded');
});

test('a method of another protocol gets an error that does not blame the URL', async () => {
  const { body } = await sent('DESCRIBE /v1/status HTTP/1.1\r\nhost: tidemark.test\r\n\r\n');
  const { code, message } = JSON.parse(body).error;
  expect([code, message]).toEqual(['INVALID_INPUT', expect.stringContaining('not a valid HTTP request')]);
});

test.each([
  ['without a Host header', 'GET /v1/status HTTP/1.1\r\nconnection: close\r\n\r\n'],
  [
    'with a Host header that is no host',
    'GET /v1/status HTTP/1.1\r\nhost: evil.example"><b>\r\nconnection: close\r\n\r\n',
  ],
  ['with a number as its host', 'GET /sign-in HTTP/1.1\r\nhost: 1.2.3.4.5\r\nconnection: close\r\n\r\n'],
  ['for no path', 'OPTIONS * HTTP/1.1\r\nhost: tidemark.test\r\nconnection: close\r\n\r\n'],
])('a broken request %s gets INVALID_INPUT with the error body of the service', async (_what, bytes) => {
  const { head, body } = await sent(bytes);
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toContain('x-credits-charged: 0');
  expect(body).toContain('"code":"INVALID_INPUT"');
});

test('an Expect header that the server does not support gets INVALID_INPUT with the error body of the service', async () => {
  const { head, body } = await sent('GET /healthz HTTP/1.1\r\nhost: tidemark.test\r\nexpect: a miracle\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  const { error } = JSON.parse(body);
  expect([error.code, error.message]).toEqual(['INVALID_INPUT', expect.stringMatching(/^Expect: /)]);
  expect(await logged(body)).toMatchObject({ method: 'GET', route: 'unknown', status: 400, code: 'INVALID_INPUT' });
});

test('the Expect header 100-continue is supported', async () => {
  const { head } = await sent(
    'GET /healthz HTTP/1.1\r\nhost: tidemark.test\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n',
  );
  expect(head).toMatch(/^HTTP\/1\.1 (?:100 Continue|200 OK)/);
});

test('CONNECT gets METHOD_NOT_ALLOWED with the error body of the service, because the server is not a proxy', async () => {
  const { head, body } = await sent('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  expect(head).toContain('allow: GET');
  expect(JSON.parse(body).error.code).toBe('METHOD_NOT_ALLOWED');
  expect(await logged(body)).toMatchObject({ method: 'CONNECT', status: 405, code: 'METHOD_NOT_ALLOWED' });
});
