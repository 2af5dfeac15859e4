import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assets } from '../../../server/design/assets.ts';
import type { RequestLog } from '../../../server/http/handle-request.ts';
import { answerKeyless } from '../../../server/http/keyless.ts';
import { createRequestMetrics } from '../../../server/http/request-metrics.ts';
import { createTestService, type TestService } from '../test-service.ts';

const unusedFetch = () => Promise.reject(new Error('No source is used here.'));
let service: TestService;
beforeAll(async () => {
  service = await createTestService({ fetch: unusedFetch, security_contact: 'mailto:security@social.example' });
});
beforeEach(() => {
  service.logs.length = 0;
});
afterAll(() => service.close());

async function countOf(route: string, outcome: string): Promise<number> {
  const families = await service.readMetrics();
  const samples = families.find(({ name }) => name === 'requests_total')?.samples ?? [];
  return samples.find(({ labels }) => labels?.route === route && labels.outcome === outcome)?.value ?? 0;
}

describe('routes without an API key', () => {
  test.each([
    ['/', '/', 200, 'OK'],
    ['/docs', '/docs', 200, 'OK'],
    ['/docs/search?q=credit', '/docs/search', 200, 'OK'],
    ['/openapi.json', '/openapi.json', 200, 'OK'],
    ['/v1/status', '/v1/status', 200, 'OK'],
    ['/prices', '/prices', 200, 'OK'],
    ['/.well-known/security.txt', '/.well-known/security.txt', 200, 'OK'],
    ['/addon/Code.js', '/addon/Code.js', 200, 'OK'],
    ['/addon/Tidemark.xlsx', '/addon/Tidemark.xlsx', 200, 'OK'],
    ['/media/unsigned/target', '/media/:signature/:target', 404, 'ROUTE_NOT_FOUND'],
  ])('%s is logged, measured and counted as %s with its request id', async (path, route, status, outcome) => {
    const before = await countOf(route, outcome);
    const { headers, ...answer } = await service.ask(path, undefined, { headers: { 'x-request-id': 'one-request' } });
    expect([answer.status, headers.get('x-request-id')]).toEqual([status, 'one-request']);
    expect(service.logs).toHaveLength(1);
    expect(service.logs[0]).toMatchObject({ request_id: 'one-request', method: 'GET', route, status });
    expect(service.logs[0]?.duration_ms).toBeGreaterThanOrEqual(0);
    expect(await countOf(route, outcome)).toBe(before + 1);
  });

  test('a picture that this server did not sign is refused with the error body of the API', async () => {
    const { json, headers } = await service.ask('/media/unsigned/target');
    expect(json.error.code).toBe('ROUTE_NOT_FOUND');
    expect(json.meta).toEqual({ request_id: headers.get('x-request-id'), credits_charged: 0, sandbox: false });
  });

  test.each([
    ...['/healthz', '/readyz', '/docs/style.css', '/docs/try.js'].map((path) => [path, 'quiet']),
    ...[assets.style, assets.latin].map((path) => [path, null]),
  ] as [string, string | null][])(
    '%s is neither logged nor counted while it works, and has the request id %o',
    async (path, requestId) => {
      const counted = await service.readMetrics();
      const { status, headers } = await service.ask(path, undefined, { headers: { 'x-request-id': 'quiet' } });
      expect([status, headers.get('x-request-id')]).toEqual([200, requestId]);
      expect(service.logs).toEqual([]);
      const requests = (families: typeof counted) => families.find(({ name }) => name === 'requests_total')?.samples;
      expect(requests(await service.readMetrics())).toEqual(requests(counted));
    },
  );

  test('a failed readiness check and a failed document are logged and counted', async () => {
    const down = await createTestService({ fetch: unusedFetch });
    await down.close();
    for (const path of ['/readyz', '/v1/status']) await down.ask(path);
    expect(down.logs.map(({ route, status, code }) => [route, status, code])).toEqual([
      ['/readyz', 503, 'SERVICE_UNAVAILABLE'],
      ['/v1/status', 503, 'SERVICE_UNAVAILABLE'],
    ]);
    expect(down.logs.every(({ error }) => error instanceof Error)).toBe(true);
  });

  test.each([true, false])('an unknown error becomes INTERNAL without details (quiet: %s)', async (quiet) => {
    const logs: RequestLog[] = [];
    const metrics = createRequestMetrics();
    const error = new Error('invented detail');
    const response = await answerKeyless(
      {
        request: new Request('http://tidemark.test/file', { headers: { 'x-request-id': 'failed' } }),
        route: '/file',
        quiet,
        answer: () => Promise.reject(error),
      },
      {
        base_url: 'http://tidemark.test',
        requests_per_minute: 1,
        now: () => new Date(),
        log: (entry) => logs.push(entry),
        metrics,
      },
    );
    const text = await response.text();
    expect([response.status, response.headers.get('x-request-id')]).toEqual([500, 'failed']);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'INTERNAL' }, meta: { request_id: 'failed' } });
    expect(text).not.toContain('invented detail');
    expect(logs).toMatchObject([{ route: '/file', status: 500, code: 'INTERNAL', error }]);
    expect(metrics.read()).toMatchObject({
      in_flight: 0,
      requests: [{ route: '/file', outcome: 'INTERNAL', count: 1 }],
    });
  });
});
