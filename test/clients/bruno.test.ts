import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { inTransaction } from '../../db/transaction.ts';
import { catalog } from '../../server/data/catalog.ts';
import { openApi } from '../../server/openapi/document.ts';
import { ask, type Received } from '../harness/answers.ts';
import { type ListeningService, listeningService } from '../harness/listening-service.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import { type BruPair, bruValue, pairsOf, readBru } from './bru-language.ts';

const folder = join(import.meta.dirname, '../../clients/bruno');
const texts = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.bru'))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const),
);
const blocksOf = (path: string) => readBru(texts.get(path) ?? '');
const environment = blocksOf('environments/local-sandbox.bru');
const collection = blocksOf('collection.bru');
const requests = [...texts.keys()].filter((path) => path.includes('/') && !/^environments|folder\.bru$/.test(path));

const upstream = inventedUpstream();
let db: TestDatabase;
let service: ListeningService;
let testKey: string;

beforeAll(async () => {
  db = await createTestDatabase();
  service = await listeningService({ database_url: db.database_url, fetch: upstream.fetch });
  ({ test_key: testKey } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'bruno', credits: 0 })));
});
afterAll(async () => {
  await service.close();
  await db.close();
});

/** Returns the route, query and key of the request that Bruno sends, with the environment's variables filled in. */
function requestOf(path: string): { route: string; query: string; pairs: BruPair[]; key: string } {
  const blocks = blocksOf(path);
  const variables: Record<string, string> = { baseUrl: bruValue(environment, 'vars', 'baseUrl'), apiKey: testKey };
  const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables[name] ?? 'unknown');
  const { pathname, search } = new URL(filled(bruValue(blocks, 'get', 'url')));
  const inherits = bruValue(blocks, 'get', 'auth') === 'inherit';
  expect(bruValue(collection, 'auth:apikey', 'key')).toBe('x-api-key');
  const key = inherits ? filled(bruValue(collection, 'auth:apikey', 'value')) : '';
  return { route: pathname, query: search.slice(1), pairs: pairsOf(blocks, 'params:query'), key };
}

const planned = new Set<string>(
  catalog.filter(({ availability }) => availability === 'planned').map(({ path }) => path),
);
/** Routes that answer a development key with 403, because campaigns have no sample data. */
const productionOnly = new Set(['/v1/workflows/campaigns', '/v1/workflows/campaign-report']);

function expectDocumented(route: string, answer: Received): void {
  const expected = planned.has(route)
    ? [501, 'SOURCE_NOT_IMPLEMENTED']
    : productionOnly.has(route)
      ? [403, 'PRODUCTION_KEY_REQUIRED']
      : [200];
  const code = answer.status === 200 ? [] : [JSON.parse(answer.text).error.code];
  expect([answer.status, ...code], answer.text).toEqual(expected);
}

test('the Bruno collection has one request for every route of the OpenAPI document, in the folder of its family', () => {
  const { paths } = openApi('http://tidemark.test') as { paths: Record<string, { get: { tags: string[] } }> };
  const wanted = Object.entries(paths).map(([path, { get }]) => `${get.tags[0]} ${path}`);
  const found = requests.map((path) => `${path.split('/')[0]} ${requestOf(path).route}`);
  expect(found.sort()).toEqual(wanted.sort());
});

test('the names and settings of the Bruno collection are valid', () => {
  expect(JSON.parse(readFileSync(join(folder, 'bruno.json'), 'utf8'))).toMatchObject({
    version: '1',
    type: 'collection',
  });
  expect(bruValue(collection, 'auth', 'mode')).toBe('apikey');
  const names = requests.map((path) => `${path.split('/')[0]} ${bruValue(blocksOf(path), 'meta', 'name')}`);
  expect(new Set(names).size).toBe(requests.length);
  for (const path of requests) {
    expect(bruValue(blocksOf(path), 'meta', 'type')).toBe('http');
    expect(blocksOf(path).get('docs')?.length).toBeGreaterThan(2);
  }
});

test('the Bruno collection has the API key as a secret variable, which Bruno stores outside of the files', () => {
  expect(environment.get('vars:secret')).toEqual(['apiKey']);
  for (const text of texts.values()) expect(text).not.toMatch(/tide_(?:live|test)_/);
});

describe.each(requests)('the Bruno request %s', (path) => {
  test('a request of the Bruno collection gets the documented answer, and its URL agrees with its parameters', async () => {
    const { route, query, pairs, key } = requestOf(path);
    const enabled = pairs.filter((pair) => pair.enabled).map(({ name, value }) => `${name}=${value}`);
    expect(enabled.join('&')).toBe(query);
    expect(query).toMatch(/^[\w.~:/?@=&-]*$/);
    expectDocumented(route, await ask(service.base_url, `${route}?${query}`, key));
    expect(upstream.asked).toEqual([]);
  });

  test('a request of the Bruno collection gets the documented answer with each optional parameter', async () => {
    const { route, pairs, key } = requestOf(path);
    const docs = blocksOf(path).get('docs') ?? [];
    const isAlternative = ({ name }: BruPair) =>
      docs.some((line) => line.startsWith(`- \`${name}\`: Send exactly one`));
    for (const further of pairs.filter(({ enabled, value }) => !enabled && value !== '')) {
      const kept = pairs.filter((pair) => pair.enabled && !(isAlternative(further) && isAlternative(pair)));
      const query = new URLSearchParams([...kept, further].map(({ name, value }): [string, string] => [name, value]));
      expectDocumented(route, await ask(service.base_url, `${route}?${query}`, key));
    }
  });
});
