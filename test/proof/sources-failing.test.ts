import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { errorTable } from '../../pipeline/errors.ts';
import type { UpstreamAnswer } from '../../pipeline/network/fetcher.ts';
import { catalog } from '../../server/data/catalog.ts';
import type { Route } from '../../server/data/route.ts';
import { printFigure } from '../harness/proof.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../server/test-service.ts';

const credits = 1_000_000;
const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;
let answers = 0;

beforeAll(async () => {
  const env = {
    YOUTUBE_API_KEY: 'invented-youtube-key',
    INSTAGRAM_GRAPH_TOKEN: 'invented-token',
    INSTAGRAM_GRAPH_USER_ID: '17841400009990001',
  };
  service = await createTestService({ fetch: upstream.fetch, env });
  keys = await service.workspace(credits);
});
afterAll(async () => {
  printFigure('answers with a broken source', answers);
  await service.close();
});

const page = (text: string, type = 'text/html'): Partial<UpstreamAnswer> => ({
  status: 200,
  headers: { 'content-type': type },
  body: Buffer.from(text),
});
const json = (value: unknown) => page(JSON.stringify(value), 'application/json');
const status = (code: number, headers: Record<string, string> = {}): Partial<UpstreamAnswer> => ({
  status: code,
  headers: { 'content-type': 'text/html', ...headers },
  body: Buffer.from('<html>failed</html>'),
});
const networkError = (code: string) => () => {
  throw Object.assign(new Error(`invented ${code}`), { code });
};

/** Broken answers of a platform, none of which may cost credits. */
const breakages: Record<string, Partial<UpstreamAnswer> | (() => never)> = {
  ...Object.fromEntries(
    [
      204, 206, 300, 304, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 412, 413, 414, 418, 421, 425, 428, 429, 431,
      451, 500, 501, 502, 503, 504, 508, 520, 522, 525, 530, 599,
    ].map((code) => [`status ${code}`, status(code)]),
  ),
  'a redirect to the login page': status(302, { location: 'https://www.instagram.com/accounts/login/' }),
  'a redirect to another site': status(302, { location: 'https://elsewhere.example/' }),
  'Retry-After in the far future': status(429, { 'retry-after': '999999999' }),
  'Retry-After that is no number': status(429, { 'retry-after': 'soon' }),
  'an empty page': page(''),
  'an empty JSON object': json({}),
  'an empty JSON list': json([]),
  'JSON null': json(null),
  'a JSON number': json(7),
  'JSON cut off': page('{"data":{"user":{"id":"1","username":', 'application/json'),
  'JSON nested deeply': page('['.repeat(50_000), 'application/json'),
  'a very long number': page(`{"data":${'9'.repeat(100_000)}}`, 'application/json'),
  'bytes that are no text': {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from([0xff, 0xfe, 0, 1, 2]),
  },
  'an HTML page instead of JSON': page('<!doctype html><title>Hello</title>'),
  'a consent page': page('<html><form action="https://consent.youtube.com/save"></form></html>'),
  'a captcha': page(
    '<html><div id="captcha-verify-container"></div><script src="https://www.google.com/recaptcha/api.js"></script></html>',
  ),
  'members of the wrong types': json({ data: { user: 'me', items: 7 }, itemList: {}, comments: 'none', graphql: [] }),
  'only identifiers': json({ data: { user: { id: '90071992541', username: 'invented' } } }),
  'an error as JSON': json({ error: { code: 190, message: 'Invalid OAuth access token.' } }),
  'prototype members': page('{"__proto__":{"user":{"id":"1"}},"constructor":{"data":{}}}', 'application/json'),
  'a refused connection': networkError('ECONNREFUSED'),
  'a broken connection': networkError('ECONNRESET'),
  'an unknown host': networkError('ENOTFOUND'),
};

/**
 * Returns the query of a live request to a route. It contains one parameter, the first that identifies the record (such
 * as a handle), with the catalog's example value.
 */
function queryOf(route: Route): string {
  const [first] = Object.entries(route.identifiers);
  return first ? `${first[0]}=${encodeURIComponent(first[1].example)}` : '';
}

const live = catalog.filter(
  ({ availability, path }) => availability === 'available' && !path.startsWith('/v1/microblog'),
);

describe.each(live.map((route) => [route.path, route] as const))('the route %s', (path, route) => {
  test.each(Object.keys(breakages))(
    'a request costs nothing and names the true status when the source answers with %s',
    async (name) => {
      const breakage = breakages[name];
      upstream.answer = typeof breakage === 'function' ? breakage : () => breakage ?? null;
      const answer = await service.ask(`${path}?${queryOf(route)}`, keys.live_key);
      answers += 1;
      // Expects an error: an empty list could be a valid answer of a platform, but none of these broken answers is one.
      expect([answer.status, answer.text.slice(0, 300)]).not.toEqual([200, answer.text.slice(0, 300)]);
      const { code, message, retryable, retry_after_seconds } = answer.json.error;
      expect(errorTable[code as keyof typeof errorTable]?.status).toBe(answer.status);
      expect([code, message]).not.toEqual(['INTERNAL', message]);
      expect(retry_after_seconds ?? 0).toBeLessThanOrEqual(retryable ? 3_600 : 86_400);
      expect(answer.headers.get('x-credits-charged')).toBe('0');
    },
  );
});

test('after all failed requests, the balance is unchanged and the ledger is exact', async () => {
  expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(credits);
  expect((await checkLedger(service.db.sql)).mismatches).toEqual([]);
});
