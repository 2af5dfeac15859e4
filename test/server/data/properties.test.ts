import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLedger, readBalance } from '../../../db/money/ledger.ts';
import { errorTable } from '../../../pipeline/errors.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { parametersOf, type Route } from '../../../server/data/route.ts';
import { workflows } from '../../../server/workflows/catalog.ts';
import { anyText } from '../../harness/text.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  upstream.answer = () => ({ status: 503, body: Buffer.from('') });
  service = await createTestService({ fetch: upstream.fetch });
  keys = await service.workspace(1_000_000);
});
afterAll(() => service.close());

/** Values that clients send by mistake or as an attack, in addition to arbitrary text. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '0',
  '-1',
  '3.5',
  '1e1',
  '0x10',
  'true',
  'null',
  '\u0000',
  '\ud800',
  "' or 1=1 --",
  '%00',
  '../../etc/passwd',
  '<script>',
  '__proto__',
  'constructor',
  'http://127.0.0.1:5432/',
  'file:///etc/passwd',
  'https://user:pass@www.instagram.com/x',
  'https://www.instagram.com:8443/x',
  '９９',
  '9'.repeat(400),
  'a'.repeat(9_000),
);
const value = fc.oneof(nasty, anyText(60), fc.webUrl(), fc.string({ maxLength: 20 }));

/**
 * Generates a query with known and unknown parameter names, with example values and arbitrary values, and with repeated
 * parameters.
 */
function queryOf(names: string[], examples: Map<string, string>): fc.Arbitrary<[string, string][]> {
  const known = fc
    .constantFrom(...names)
    .chain((name) =>
      fc.oneof(fc.constant(examples.get(name) ?? ''), value).map((text): [string, string] => [name, text]),
    );
  const unknown = fc.tuple(fc.string({ maxLength: 12 }), value);
  return fc.array(fc.oneof({ weight: 6, arbitrary: known }, { weight: 1, arbitrary: unknown }), { maxLength: 6 });
}

function routeQuery(route: Route): fc.Arbitrary<[string, string][]> {
  const parameters = { ...route.identifiers, ...parametersOf(route) };
  const examples = new Map(Object.entries(parameters).map(([name, { example }]) => [name, example]));
  return queryOf(Object.keys(parameters), examples);
}

function assertHonest(answer: Awaited<ReturnType<TestService['ask']>>): void {
  const { status, json, headers } = answer;
  if (status === 200) return;
  const code = json.error.code as keyof typeof errorTable;
  expect(errorTable[code].status).toBe(status);
  expect(code).not.toBe('INTERNAL');
  expect(headers.get('x-credits-charged')).toBe('0');
  expect(json.meta.credits_charged).toBe(0);
  expect(json.error.message).not.toMatch(/undefined|\[object|at .*\.ts:/);
}

test.each(catalog.map((route) => [route.path, route] as const))(
  'no query that a caller sends to %s gives a 500 or a charge',
  async (path, route) => {
    await fc.assert(
      fc.asyncProperty(routeQuery(route), fc.constantFrom('live', 'test'), async (pairs, mode) => {
        const key = mode === 'live' ? keys.live_key : keys.test_key;
        assertHonest(await service.ask(`${path}?${new URLSearchParams(pairs)}`, key));
      }),
      { numRuns: 40 },
    );
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(1_000_000);
  },
);

test.each(workflows.map((workflow) => [workflow.path, workflow] as const))(
  'no query that a caller sends to the workflow %s gives a 500 or a charge, and a bad row never fails the others',
  async (path, { required, parameters }) => {
    const examples = new Map([[required, 'https://www.instagram.com/invented/']]);
    await fc.assert(
      fc.asyncProperty(queryOf(Object.keys(parameters), examples), async (pairs) => {
        const answer = await service.ask(`${path}?${new URLSearchParams(pairs)}`, keys.live_key);
        assertHonest(answer);
        if (answer.status !== 200 || !answer.json?.data.rows) return;
        const asked = pairs.filter(([name]) => name === required).length;
        const oneEach = path !== '/v1/workflows/tracked';
        expect(answer.json.data.rows.flat()).not.toContain('INTERNAL');
        expect(answer.json.data.rows.length).toBeLessThanOrEqual(asked);
        if (oneEach) expect(answer.json.data.rows).toHaveLength(asked);
      }),
      { numRuns: 100 },
    );
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(1_000_000);
  },
);

test('no header that a caller sends gives a 500', async () => {
  const text = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_ ,;:"\\/'), maxLength: 140 });
  await fc.assert(
    fc.asyncProperty(text, text, text, async (id, idempotency, key) => {
      const headers = { 'x-request-id': id, 'idempotency-key': idempotency, 'x-api-key': key };
      assertHonest(await service.ask('/v1/photo/profile?handle=tidemark', undefined, { headers }));
      assertHonest(
        await service.ask('/v1/photo/profile?handle=tidemark', keys.test_key, {
          headers: { 'x-request-id': id, 'idempotency-key': idempotency },
        }),
      );
    }),
    { numRuns: 100 },
  );
});

test('after all arbitrary requests, the ledger matches every balance', async () => {
  expect((await checkLedger(service.db.sql)).mismatches).toEqual([]);
});
