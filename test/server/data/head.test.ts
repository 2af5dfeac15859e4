import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBalance } from '../../../db/money/ledger.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { workflows } from '../../../server/workflows/catalog.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';
import { exampleQuery } from './queries.ts';

const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch });
  keys = await service.workspace(1_000);
});
afterAll(() => service.close());

const head = (path: string) => service.ask(path, keys.live_key, { method: 'HEAD' });

test('HEAD on a data route is answered with 405, sends no request to a source and charges nothing, even after an answered GET', async () => {
  for (const route of catalog) {
    const path = `${route.path}?${exampleQuery(route)}`;
    const { status, headers, text } = await head(path);
    expect([path, status, headers.get('allow'), text]).toEqual([path, 405, 'GET', '']);
  }
  expect(upstream.asked).toEqual([]);
  const paid = '/v1/photo/profile?handle=invented.head';
  expect((await service.ask(paid, keys.live_key)).status).toBe(200);
  expect((await head(`${paid}&cache_max_age=1d`)).status).toBe(405);
  expect(upstream.asked).toHaveLength(1);
  expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(999);
});

test('HEAD on a workflow is answered with 405 and charges nothing', async () => {
  const before = await readBalance(service.db.sql, keys.workspace_id);
  for (const path of [
    ...workflows.map((row) => row.path),
    '/v1/workflows/campaigns',
    '/v1/workflows/campaign-report',
  ]) {
    const { status, headers } = await head(`${path}?url=https%3A%2F%2Fwww.instagram.com%2Finvented%2F`);
    expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET']);
  }
  expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(before);
});
