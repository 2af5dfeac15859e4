import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOutbound, publicAddresses, refusedAddress } from '../../../pipeline/network/outbound.ts';
import { startUpstream } from '../upstream.ts';

const url = 'https://hooks.invented.example/in?team=1';
const local = { https_only: false, private_addresses: true };

/**
 * Returns a function that posts a webhook. All of its connections reach a local server, which closes after the test.
 */
async function postTo(listener: RequestListener, options: Parameters<typeof createOutbound>[0] = {}) {
  const upstream = await startUpstream(listener);
  onTestFinished(upstream.close);
  const post = createOutbound({ dispatcher: upstream.dispatcher, ...options });
  return (headers: Record<string, string> = {}) => post({ url, headers, body: '{"a":1}' });
}

describe('an address for webhooks', () => {
  test.each([
    ['not an address', 'hooks'],
    ['another scheme', 'ftp://hooks.example/'],
    ['plain http', 'http://hooks.example/'],
    ['user information', 'https://me:secret@hooks.example/'],
    ['a port for something else', 'https://hooks.example:5432/'],
    ['loopback', 'https://127.0.0.1/'],
    ['loopback as one number', 'https://2130706433/'],
    ['loopback in hexadecimal', 'https://0x7f.1/'],
    ['loopback as IPv6', 'https://[::1]/'],
    ['loopback as IPv4 in IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['the metadata service', 'https://169.254.169.254/latest/meta-data'],
    ['a private network', 'https://10.1.2.3/'],
    ['a unique local address', 'https://[fd12::1]/'],
    ['localhost', 'https://localhost/'],
    ['a name below localhost', 'https://api.localhost./'],
    ['a name without a dot', 'https://database/'],
    ['a name of a private network', 'https://vault.service.internal/'],
    ['loopback as IPv4-compatible IPv6', 'https://[::127.0.0.1]/'],
    ['loopback behind NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['6to4', 'https://[2002:7f00:1::]/'],
    ['Teredo', 'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
    ['a backslash before another host', 'https://hooks.example\\\\@127.0.0.1/'],
    ['one backslash', 'https://hooks.example\\@127.0.0.1/'],
    ['a line break', 'https://hooks.example/\n'],
    ['too long', `https://hooks.example/${'a'.repeat(2_000)}`],
  ])('a webhook address is refused for %s: %s', (_, address) => {
    expect(refusedAddress(address, publicAddresses)).toMatch(/^(Send|Use) .*\.$/);
  });

  test.each([
    'https://hooks.example/in?x=1#y',
    'https://hooks.example:8443/',
    'https://93.184.215.14/',
    'https://[2a03:2880::1]/',
  ])('a webhook address is allowed: %s', (address) => {
    expect(refusedAddress(address, publicAddresses)).toBeNull();
  });

  test('a webhook address in a private network is allowed only by the rules, and never with user information', () => {
    expect(refusedAddress('http://127.0.0.1:4000/', local)).toBeNull();
    expect(refusedAddress('http://me@127.0.0.1:4000/', local)).not.toBeNull();
    expect(refusedAddress('file:///etc/passwd', local)).not.toBeNull();
  });
});

describe('a webhook post', () => {
  test('a webhook post sends its body and headers, and returns the answer', async () => {
    let seen = '';
    const post = await postTo((request, response) => {
      request.on('data', (chunk) => {
        seen += chunk;
      });
      request.on('end', () => {
        const { method, url: path, headers } = request;
        response.end(`${method} ${path} ${headers.host} ${headers['content-type']} ${headers['webhook-id']}`);
      });
    });
    expect(await post({ 'webhook-id': 'msg_1' })).toEqual({
      status: 200,
      message: 'POST /in?team=1 hooks.invented.example application/json msg_1',
      retry_after_seconds: null,
    });
    expect(seen).toBe('{"a":1}');
  });

  test('a webhook post does not follow a redirect', async () => {
    const paths: string[] = [];
    const post = await postTo((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect((await post()).status).toBe(307);
    expect(paths).toEqual(['/in?team=1']);
  });

  test('a webhook post reads only the beginning of an answer that never ends', async () => {
    let sent = 0;
    const post = await postTo((_, response) => {
      response.writeHead(500);
      const more = () => {
        sent += 1_024;
        if (!response.destroyed) response.write('x'.repeat(1_024), () => setImmediate(more));
      };
      more();
    });
    const { status, message } = await post();
    expect([status, message]).toEqual([500, 'x'.repeat(300)]);
    expect(sent).toBeLessThan(8 * 1024 * 1024);
  });

  test('a webhook post returns one line of the answer without control characters', async () => {
    const post = await postTo((_, response) => response.writeHead(400).end('no\u0000t\n\n  today\u001b[31m '));
    expect((await post()).message).toBe('no t today [31m');
  });

  test('a webhook post returns the Retry-After of the receiver', async () => {
    const now = () => new Date('2026-11-20T10:00:00.000Z');
    const post = await postTo((_, response) => response.writeHead(503, { 'retry-after': '120' }).end(), { now });
    expect((await post()).retry_after_seconds).toBe(120);
  });

  test('a webhook post ends at its time limit', async () => {
    const post = await postTo(() => {}, { timeout_ms: 100 });
    expect(await post()).toEqual({ status: null, message: 'No answer within 0.1 seconds.', retry_after_seconds: null });
  });

  test('a webhook post with an incomplete answer returns the status that was read', async () => {
    const post = await postTo((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => request.socket.destroy());
    });
    expect(await post()).toMatchObject({ status: 200, message: 'half [connection lost]' });
  });

  test('a webhook post never throws network errors', async () => {
    const post = await postTo((request) => request.socket.destroy());
    expect(await post()).toMatchObject({ status: null, message: expect.stringMatching(/^No connection: /) });
  });

  test('a webhook post to a refused address sends nothing', async () => {
    const dispatcher = (await startUpstream(() => expect.fail('something was sent'))).dispatcher;
    const post = createOutbound({ dispatcher });
    expect((await post({ url: 'https://10.0.0.1/', headers: {}, body: '' })).status).toBeNull();
  });
});

describe('the connections of webhook posts', () => {
  test('webhook posts reach a receiver on this machine when the rules allow it', async () => {
    const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const post = createOutbound({ rules: local });
    expect(await post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '' })).toMatchObject({ status: 200 });
  });

  test('webhook posts never reach a private address through a host name', async () => {
    const { lookup } = dns;
    onTestFinished(() => {
      dns.lookup = lookup;
      syncBuiltinESMExports();
    });
    const answers = (_name: string, _options: unknown, done: (error: null, addresses: unknown) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    dns.lookup = answers as unknown as typeof dns.lookup;
    syncBuiltinESMExports();
    expect(await createOutbound()({ url, headers: {}, body: '' })).toMatchObject({
      status: null,
      message: 'No connection: hooks.invented.example has no public IP address',
    });
  });
});
