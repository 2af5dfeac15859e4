import { afterAll, beforeAll, expect, test } from 'vitest';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: inventedUpstream().fetch });
  keys = await service.workspace(100, 'pro');
});
afterAll(() => service.close());

const path = '/v1/credit/balance';

test('the balance route returns the remaining credits, the workspace and the key, free', async () => {
  const { status, json, headers } = await service.ask(path, keys.live_key);
  expect(status).toBe(200);
  const key = { kind: 'live', name: expect.any(String), last_four: keys.live_key.slice(-4) };
  expect(json.data).toEqual({
    credits_remaining: 100,
    workspace: 'test',
    tier: 'pro',
    key: { ...key, monthly_cap: null, cap_used: null },
  });
  expect([headers.get('x-credits-charged'), headers.get('x-credits-remaining')]).toEqual(['0', '100']);
});

test('the balance route shows a sheet key its monthly cap and the used part, which resets on the 1st (UTC)', async () => {
  const { key } = await service.key(keys.workspace_id, { kind: 'sheet', name: 'Sheet of May', monthly_cap: 5 });
  await service.ask('/v1/workflows/posts?url=https://www.instagram.com/invented/', key);
  const asked = async () => (await service.ask(path, key)).json.data;
  const facts = { kind: 'sheet', name: 'Sheet of May', last_four: key.slice(-4), monthly_cap: 5 };
  expect(await asked()).toMatchObject({ credits_remaining: 98, key: { ...facts, cap_used: 2 } });
  service.clock.now = new Date('2026-12-01T00:00:00.000Z');
  expect(await asked()).toMatchObject({ key: { ...facts, cap_used: 0 } });
});

test('the balance route works for a development key, too, and no answer ever shows a key', async () => {
  const { json, text } = await service.ask(path, keys.test_key);
  expect(json.meta.sandbox).toBe(true);
  expect(json.data.key).toMatchObject({ kind: 'test', last_four: keys.test_key.slice(-4) });
  expect(text).not.toContain(keys.test_key);
  expect(text).not.toContain(keys.test_key.slice(-8));
});

test('the balance route takes no parameter', async () => {
  const { status, json } = await service.ask(`${path}?workspace=other`, keys.live_key);
  expect([status, json.error.details[0]?.parameter]).toEqual([400, 'workspace']);
});
