import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../server/config.ts';
import { announceHttps } from '../../../server/http/strict-transport.ts';
import { createTestService, type TestService } from '../test-service.ts';

const unusedFetch = () => Promise.reject(new Error('No source is used here.'));
let service: TestService;
beforeAll(async () => {
  service = await createTestService({ fetch: unusedFetch, security_contact: 'mailto:security@social.example' });
});
afterAll(() => service.close());

/** Starts a server with this public address, and returns the headers of one of its answers. */
async function answerOf(baseUrl: string): Promise<Headers> {
  const listener = getRequestListener(() => new Response('{}', { headers: { 'x-request-id': 'a' } }));
  const server = createServer(listener);
  announceHttps(server, baseUrl);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return headers;
}

describe('security headers', () => {
  test('a server behind https tells browsers to use https for a year', async () => {
    const headers = await answerOf('https://social.example');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.get('x-request-id')).toBe('a');
  });

  test('a server without https does not send Strict-Transport-Security, after which browsers could no longer reach it', async () => {
    expect((await answerOf('http://127.0.0.1:8787')).has('strict-transport-security')).toBe(false);
  });

  test.each(['/', '/docs', '/prices', '/v1/status', '/v1/photo/profile?handle=a', '/nowhere'])(
    'no other site can show %s in a frame',
    async (path) => {
      const { headers } = await service.ask(path, undefined, { headers: { accept: 'text/html' } });
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    },
  );
});

describe('security.txt', () => {
  test('security.txt names the contact of the operator and expires in the future', async () => {
    const { status, text } = await service.ask('/.well-known/security.txt');
    expect(status).toBe(200);
    expect(text).toContain('Contact: mailto:security@social.example\n');
    const expires = new Date(/^Expires: (.+)$/m.exec(text)?.[1] ?? '');
    expect(expires.getTime()).toBeGreaterThan(service.clock.now.getTime());
  });

  test('a SECURITY_CONTACT that is neither an email nor a web address is refused at startup', () => {
    expect(() => readConfig({ SECURITY_CONTACT: 'me' })).toThrow('SECURITY_CONTACT must begin with mailto: or https:');
    expect(readConfig({ SECURITY_CONTACT: 'https://social.example/security' }).security_contact).toBe(
      'https://social.example/security',
    );
    expect(readConfig({}).security_contact).toBeNull();
  });
});
