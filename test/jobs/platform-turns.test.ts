import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { newId } from '../../db/ids.ts';
import { addItem } from '../../db/tracking/items.ts';
import { changeWorkSettings } from '../../db/tracking/work-settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createBreakers } from '../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../pipeline/collect/sources.ts';
import { trackCheck } from '../../pipeline/jobs/track-check.ts';
import type { JobContext, JobItem } from '../../pipeline/queue/job.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../setup/test-database.ts';

const clock = { now: new Date('2026-11-20T10:00:00.000Z') };
const now = () => clock.now;
const upstream = inventedUpstream();
let db: TestDatabase;
let context: JobContext;

beforeAll(async () => {
  db = await createTestDatabase();
  const breakers = createBreakers({ enabled: false });
  const sources = { fetch: upstream.fetch, config: readSourcesConfig({}), now, breakers };
  const queue = { send: async () => undefined };
  const { signal } = new AbortController();
  context = { db, now, queue, sources, signal, base_url: 'http://tidemark.test', log: silentLog };
});
beforeEach(() => {
  Object.assign(upstream, { answer: null, hold: Promise.resolve() });
  upstream.asked.length = 0;
});
afterAll(() => db.close());

async function workspaceWith(credits: number): Promise<string> {
  const made = { name: 'test', credits, tier: 'ultra' as const };
  return (await inTransaction(db.sql, (tx) => createWorkspace(tx, made))).workspace_id;
}

/** Adds tracked items with invented handles, and returns queue entries that check them. */
async function checksOf(workspaceId: string, platform: string, number: number): Promise<JobItem[]> {
  const items: JobItem[] = [];
  for (let n = 0; n < number; n += 1) {
    const item = { platform, kind: 'profile', url: 'https://example.com/', identifier: `kite.${n}` };
    const added = await addItem(db.sql, workspaceId, item, 200);
    if (added.outcome === 'full') throw new Error('full');
    const { item_id } = added;
    items.push({ key: item_id, data: { workspace_id: workspaceId, item_id, attempt_id: newId(now()) } });
  }
  return items;
}

const outcomesOf = async (workspaceId: string) => {
  const rows = await db.sql`
    select outcome from check_attempts where workspace_id = ${workspaceId} order by outcome`;
  return rows.map(({ outcome }) => outcome);
};

test('one platform gets six requests at once, and its tracking checks do not delay those of another platform', async () => {
  const workspaceId = await workspaceWith(30);
  const checks = [...(await checksOf(workspaceId, 'photo', 10)), ...(await checksOf(workspaceId, 'shortvideo', 10))];
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.hold = promise;
  const run = trackCheck.run(checks, context);
  const askedOf = (host: string) => upstream.asked.filter((url) => url.includes(host)).length;
  await expect.poll(() => [askedOf('instagram'), askedOf('tiktok')]).toEqual([6, 6]);
  resolve();
  await run;
  expect(await outcomesOf(workspaceId)).toHaveLength(20);
});

test('a run of the job for tracking checks fetches only items that the workspace can pay for, and the others are tried again', async () => {
  const workspaceId = await workspaceWith(6);
  const checks = await checksOf(workspaceId, 'photo', 9);
  await changeWorkSettings(db.sql, workspaceId, { monthly_cap: 4 }, now());
  await trackCheck.run(checks, context);
  expect(upstream.asked).toHaveLength(4);
  expect(await outcomesOf(workspaceId)).toEqual([...Array(4).fill('OK'), ...Array(5).fill('SKIPPED_CAP_REACHED')]);
  await changeWorkSettings(db.sql, workspaceId, { monthly_cap: null }, now());
  await trackCheck.run(checks.slice(4), context);
  expect(upstream.asked).toHaveLength(6);
  expect((await outcomesOf(workspaceId)).filter((outcome) => outcome === 'SKIPPED_NO_CREDITS')).toHaveLength(3);
});
