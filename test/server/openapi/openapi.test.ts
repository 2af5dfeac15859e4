import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../../server/data/catalog.ts';
import { openApi } from '../../../server/openapi/document.ts';
import { workflows } from '../../../server/workflows/catalog.ts';
import type { Exchange } from '../../docs/recording-proxy.ts';
import { type ApiDocument, documentCheck } from '../../harness/document-check.ts';
import { exampleQuery } from '../data/queries.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

interface Described {
  name: string;
  schema: { default?: unknown; pattern?: string; items?: { pattern?: string } };
  example?: unknown;
}

const document = openApi('http://tidemark.test') as {
  openapi: string;
  info: { version: string };
  paths: Record<
    string,
    { get: { parameters?: (Described | { $ref: string })[]; responses: Record<string, Record<string, unknown>> } }
  >;
  components: Record<string, Record<string, unknown>> & { parameters: Record<string, Described> };
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'tidemark');

/**
 * Two validators: one uses the flag `u` in regular expressions, the other does not. Tests share them, because creating
 * a validator takes longer than using it.
 */
const validators = [true, false].map((unicodeRegExp) => {
  const strict = new Ajv2020({ strict: false, unicodeRegExp });
  addFormats.default(strict);
  return strict;
});

let service: TestService;
let keys: TestKeys;
beforeAll(async () => {
  service = await createTestService({ fetch: inventedUpstream().fetch, env: { KEYLESS_SOURCES: 'off' } });
  keys = await service.workspace(100);
});
afterAll(() => service.close());

test('the OpenAPI document is OpenAPI 3.1 and declares version 1.8.0', () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.info.version).toBe('1.8.0');
});

test('the OpenAPI document names every route of the catalog and the account, workflow and status routes', () => {
  const rows = ['profile', 'posts', 'post', 'tracked'];
  const named = [...rows, 'campaigns', 'campaign-report'].map((name) => `/v1/workflows/${name}`);
  const others = ['/v1/credit/balance', ...named, '/v1/status'];
  expect(Object.keys(document.paths).sort()).toEqual([...catalog.map(({ path }) => path), ...others].sort());
});

test('the OpenAPI document is valid under a strict linter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-openapi-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const lint = promisify(execFile)('redocly', ['lint', '--extends=recommended-strict', '--config=redocly.yaml', file], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  await expect(lint).resolves.toBeDefined();
  await rm(folder, { recursive: true });
});

test('the OpenAPI document is valid under an independent second validator', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect([valid, errors]).toEqual([true, undefined]);
});

/** Every parameter in the OpenAPI document, with the route that has it. */
const parameters = Object.entries(document.paths).flatMap(([path, { get }]) =>
  (get.parameters ?? []).map((parameter): [string, Described] => {
    if (!('$ref' in parameter)) return [`${path} ${parameter.name}`, parameter];
    const name = parameter.$ref.slice(parameter.$ref.lastIndexOf('/') + 1);
    return [`${path} ${name}`, document.components.parameters[name] as Described];
  }),
);

test.each(parameters)(
  'the OpenAPI example of %s is what its schema allows, with and without Unicode rules',
  (_, parameter) => {
    const { schema, example } = parameter;
    const pattern = schema.pattern ?? schema.items?.pattern ?? '';
    for (const flags of ['', 'u', 'v']) expect(() => new RegExp(pattern.replaceAll('-]', '\\-]'), flags)).not.toThrow();
    expect(pattern).not.toMatch(/\\[pPuUkK]|\(\?[^:]/);
    if (example === undefined) return;
    for (const strict of validators) {
      expect([strict.validate(schema, example), strict.errors]).toEqual([true, null]);
    }
  },
);

test.each([
  ['travel', '#caf\u00e9', '#\u{1f30a}\u{1f3fd}', 'a'.repeat(100), '\u{1f30a}'.repeat(100)],
  ['@youtube', 'caf\u00e9-bar', '\u6c34\u6c34\u6c34', 'a.b\u00b7c'],
])('the OpenAPI pattern of %s and other names of any script accepts them in every engine', (...names) => {
  const name = names[0] === 'travel' ? '/v1/shortvideo/hashtag tag' : '/v1/longvideo/channel handle';
  const { pattern = '' } = new Map(parameters).get(name)?.schema ?? {};
  for (const value of names) for (const flags of ['', 'u']) expect(value).toMatch(new RegExp(pattern, flags));
  for (const value of ['', 'a b', 'a/b', 'a?b', '<b>']) expect(value).not.toMatch(new RegExp(pattern, 'u'));
});

test('the OpenAPI document names the default of each optional parameter', () => {
  const { limit, trim, estimate } = document.components.parameters;
  expect([limit, trim, estimate].map((parameter) => parameter?.schema.default)).toEqual([3, false, false]);
});

test('the OpenAPI document has no two names that differ by case or underscores alone', () => {
  const { securitySchemes: _, responses: __, ...components } = document.components;
  const names = Object.values(components).flatMap((kind) => Object.keys(kind));
  const alike = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '');
  expect(names.filter((name, index) => names.findIndex((other) => alike(other) === alike(name)) !== index)).toEqual([]);
  for (const { get } of Object.values(document.paths)) {
    const sent = (get.parameters ?? []).map((one) =>
      alike('$ref' in one ? (one.$ref.split('/').at(-1) ?? '') : one.name),
    );
    expect(new Set(sent).size).toBe(sent.length);
  }
});

test('the OpenAPI document requires only the identity of a record, which fields and trim keep', () => {
  const { PhotoItem, Transcript, MediaVariant, Pagination } = document.components.schemas as Record<
    string,
    { required?: string[] }
  >;
  expect([PhotoItem, Transcript, MediaVariant, Pagination].map((schema) => schema?.required)).toEqual([
    ['id'],
    ['video_id'],
    undefined,
    ['next_cursor', 'limit'],
  ]);
});

test('the OpenAPI document names for each route the errors that every request can get, and none about a body', () => {
  const { '/v1/status': status, ...keyed } = document.paths;
  for (const { get } of Object.values(keyed)) {
    expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['401', '403', '429', '431', '500', '503']));
  }
  expect(Object.keys(status?.get.responses ?? {})).toEqual(['200', '405', '431', '500', '503']);
  expect(Object.values(document.paths).filter(({ get }) => get.responses[413])).toEqual([]);
});

/** Returns a JSON pointer to the schema of an answer in the OpenAPI document. */
function schemaOf(path: string, status: number, type: string): string {
  const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1');
  const answer = document.paths[path]?.get.responses[status];
  expect(answer, `${path} documents ${status}`).toBeDefined();
  const place = answer && '$ref' in answer ? answer.$ref : `#/paths/${escaped}/get/responses/${status}`;
  return `tidemark${place}/content/${type.replace('/', '~1')}/schema`;
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

test.each(asked)('%s answers as the OpenAPI document describes for its status: %s', async (path, address) => {
  for (const key of [keys.test_key, keys.live_key, 'no key']) {
    const { status, json, headers } = await service.ask(address, key);
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    const validate = ajv.getSchema(schemaOf(path, status, type));
    expect(validate, `${path} has a schema for ${status}`).toBeDefined();
    expect(validate?.(json) ? [] : validate?.errors).toEqual([]);
  }
});

const unconfirmed = [
  ['/v1/workflows/profile', 'https://www.instagram.com/sandbox_unc/'],
  ['/v1/workflows/posts', 'https://www.instagram.com/sandbox_unc/'],
  ['/v1/workflows/post', 'https://www.instagram.com/p/sandbox-unc/'],
] as const;

test.each(unconfirmed)(
  '%s answers as the OpenAPI document describes when a charge is not confirmed',
  async (path, url) => {
    const check = documentCheck(document as unknown as ApiDocument);
    for (const format of ['json', 'csv']) {
      const sent = new URL(`http://tidemark.test${path}?${new URLSearchParams({ url, format })}`);
      const { status, headers, text } = await service.ask(sent.pathname + sent.search, keys.test_key);
      expect([text.includes('CHARGE_UNCONFIRMED'), headers.has('x-credits-charged')]).toEqual([true, false]);
      expect(check({ url: sent, status, headers, body: text } as Exchange)).toEqual([]);
    }
  },
);

test('the summary of a route with one source does not mention several sources', () => {
  const wrong = catalog.filter(
    ({ collector, summary }) => collector?.sources.length === 1 && /some sources/.test(summary),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
