import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BatchId, insertBatch } from '../../../db/deliveries/batches.ts';
import { newId } from '../../../db/ids.ts';
import { checkLedger } from '../../../db/money/ledger.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createTestService, type TestKeys, type TestService } from '../../server/test-service.ts';
import { address, type BatchSetup, createBatchSetup } from './batch-workspace.ts';

let setup: BatchSetup;
let service: TestService;

beforeAll(async () => {
  setup = await createBatchSetup();
  service = await createTestService({ fetch: setup.upstream.fetch, db: setup.db });
});
beforeEach(() => setup.reset());
afterAll(async () => {
  expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
  await service.stop();
  await setup.close();
});

/** Fetches the latest posts of profiles with a batch, as a run of a sheet import does. */
async function importPosts(workspaceId: string, handles: readonly string[], postsEach: number): Promise<BatchId> {
  const batch = { workspace_id: workspaceId, batch_id: newId() };
  const plan = { kind: 'latest_posts', posts_each: postsEach, max_age_seconds: 86_400, import_id: null } as const;
  const rows = handles.map((handle, index) => ({
    ...{ row_no: index + 1, url: address(handle), duplicate_of: null, status: null, cells: null },
  }));
  const now = setup.clock.now;
  await inTransaction(setup.db.sql, (tx) => insertBatch(tx, { ...batch, name: null, now, plan }, rows));
  await setup.run(batch);
  return batch;
}

const formulaPath = (handle: string, limit: number) =>
  `/v1/workflows/posts?url=${encodeURIComponent(address(handle))}&limit=${limit}`;
const dataPath = (handle: string, limit: number) => `/v1/photo/posts?handle=${handle}&limit=${limit}`;

async function workspaceKeys(): Promise<TestKeys> {
  return service.workspace(20, 'ultra');
}

describe('latest posts that were already paid for', () => {
  test('posts that a sheet import fetched are free for a formula and for the data route', async () => {
    const keys = await workspaceKeys();
    await importPosts(keys.workspace_id, ['imported.first'], 3);
    expect(await setup.balance(keys.workspace_id)).toBe(18);
    const formula = await service.ask(formulaPath('imported.first', 3), keys.live_key);
    expect(formula.json.meta).toMatchObject({ cached: true, credits_charged: 0, credits_remaining: 18 });
    expect(formula.json.data.rows).toHaveLength(3);
    const cached = '&cache_max_age=1d';
    const estimate = `${dataPath('imported.first', 3)}${cached}&estimate=true`;
    expect((await service.ask(estimate, keys.live_key)).text).toContain('"cost":0,"cached":true');
    const list = await service.ask(`${dataPath('imported.first', 3)}${cached}`, keys.live_key);
    expect(list.json.meta).toMatchObject({ cached: true, credits_charged: 0, credits_remaining: 18 });
    expect(setup.upstream.asked).toHaveLength(1);
  });

  test('posts that a formula fetched are free for a sheet import', async () => {
    const keys = await workspaceKeys();
    await service.ask(formulaPath('asked.first', 3), keys.live_key);
    const batch = await importPosts(keys.workspace_id, ['asked.first'], 3);
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', ok: 1, credits: 0 });
    expect(await setup.balance(keys.workspace_id)).toBe(18);
    expect(setup.upstream.asked).toHaveLength(1);
  });

  test.each([3, 12, 20])('an import of %i posts stores the same answer as the data route', async (limit) => {
    const keys = await workspaceKeys();
    const handle = `equal.${limit}`;
    await importPosts(keys.workspace_id, [handle], limit);
    const imported = await service.ask(`${dataPath(handle, limit)}&cache_max_age=1d`, keys.live_key);
    const fetched = await service.ask(dataPath(handle, limit), keys.live_key);
    expect([imported.json.meta.cached, fetched.json.meta.cached]).toEqual([true, false]);
    const comparable = ({ json }: typeof imported) => ({
      items: json.data.items,
      limit: json.data.pagination.limit,
      has_more: json.data.pagination.next_cursor !== null,
      about: ['source', 'partial', 'quality', 'warnings'].map((name) => json.meta[name]),
    });
    expect(comparable(imported)).toEqual(comparable(fetched));
  });

  test('the cursor of posts that a sheet import fetched continues the list with the next post', async () => {
    const keys = await workspaceKeys();
    await importPosts(keys.workspace_id, ['continued'], 3);
    const first = await service.ask(`${dataPath('continued', 3)}&cache_max_age=1d`, keys.live_key);
    expect(first.json.meta.cached).toBe(true);
    const { next_cursor } = first.json.data.pagination;
    const next = await service.ask(`${dataPath('continued', 3)}&cursor=${next_cursor}`, keys.live_key);
    const whole = await service.ask(dataPath('continued', 6), keys.live_key);
    const ids = [first, next].flatMap(({ json }) => json.data.items.map(({ id }) => id));
    expect(ids).toEqual(whole.json.data.items.map(({ id }) => id));
  });
});
