import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../server/catalog.ts';
import { openApi } from '../../server/openapi.ts';
import { workflows } from '../../server/routes/workflows/catalog.ts';
import { inventedUpstream } from './invented-upstream.ts';
import { exampleQuery } from './queries.ts';
import { createTestService, type TestKeys, type TestService } from './test-service.ts';

const document = openApi('http://tidemark.test') as {
  openapi: string;
  info: { version: string };
  paths: Record<string, { get: { responses: Record<string, Record<string, unknown>> } }>;
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'tidemark');

let service: TestService;
let keys: TestKeys;
beforeAll(async () => {
  service = await createTestService({ fetch: inventedUpstream().fetch, env: { KEYLESS_SOURCES: 'off' } });
  keys = await service.workspace(100);
});
afterAll(() => service.close());

test('is OpenAPI 3.1 and declares version 1.8.0', () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.info.version).toBe('1.8.0');
});

test('names every route of the catalog and the account, workflow and status routes', () => {
  const rows = ['profile', 'posts', 'post', 'tracked'];
  const named = [...rows, 'campaigns', 'campaign-report'].map((name) => `/v1/workflows/${name}`);
  const others = ['/v1/credit/balance', ...named, '/v1/status'];
  expect(Object.keys(document.paths).sort()).toEqual([...catalog.map(({ path }) => path), ...others].sort());
});

test('is valid under a strict linter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-openapi-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const lint = promisify(execFile)('redocly', ['lint', '--extends=recommended-strict', '--config=redocly.yaml', file], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  await expect(lint).resolves.toBeDefined();
  await rm(folder, { recursive: true });
});

/** The schema of an answer's body in the document, as a pointer into it. */
function schemaOf(path: string, status: number): string {
  const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1');
  const answer = document.paths[path]?.get.responses[status];
  expect(answer, `${path} documents ${status}`).toBeDefined();
  if (answer && '$ref' in answer) return `tidemark${answer.$ref}/content/application~1json/schema`;
  return `tidemark#/paths/${escaped}/get/responses/${status}/content/application~1json/schema`;
}

const asked = [
  ...catalog.map((route) => [route.path, `${route.path}?${exampleQuery(route)}`] as const),
  ...catalog.map((route) => [route.path, `${route.path}?${exampleQuery(route)}&estimate=true`] as const),
  ...catalog.map((route) => [route.path, `${route.path}?nonsense=1`] as const),
  ['/v1/credit/balance', '/v1/credit/balance'] as const,
  ['/v1/shortvideo/profile', '/v1/shortvideo/profile?handle=tidemark.sample&format=compact'] as const,
  ...workflows.flatMap(({ path, required, parameters }) => {
    const example = `${path}?${required}=${encodeURIComponent(parameters[required]?.example ?? '')}`;
    const estimate = Object.hasOwn(parameters, 'estimate') ? [`${example}&estimate=true`] : [];
    return [example, ...estimate, `${path}?nonsense=1`].map((address) => [path, address] as const);
  }),
  ['/v1/workflows/campaigns', '/v1/workflows/campaigns?status=active'] as const,
  ['/v1/workflows/campaigns', '/v1/workflows/campaigns?status=gone'] as const,
  ['/v1/workflows/campaign-report', '/v1/workflows/campaign-report'] as const,
  [
    '/v1/workflows/campaign-report',
    '/v1/workflows/campaign-report?id=00000000-0000-7000-8000-000000000000&format=csv',
  ] as const,
  ['/v1/status', '/v1/status'] as const,
];

test.each(asked)('%s answers in the documented shape for its status: %s', async (path, address) => {
  for (const key of [keys.test_key, keys.live_key, 'no key']) {
    const { status, json } = await service.ask(address, key);
    const validate = ajv.getSchema(schemaOf(path, status));
    expect(validate, `${path} has a schema for ${status}`).toBeDefined();
    expect(validate?.(json) ? [] : validate?.errors).toEqual([]);
  }
});
