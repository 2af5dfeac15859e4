import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import type { BatchId } from '../../../db/deliveries/batches.ts';
import { moveCredits, readBalance } from '../../../db/money/ledger.ts';
import type { Tier } from '../../../db/tier.ts';
import { inTransaction } from '../../../db/transaction.ts';

import { batchItem, batchResults, createBatch, readBatch } from '../../../pipeline/batches/batches.ts';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import { analyseBatch } from '../../../pipeline/jobs/analyse-batch.ts';
import { createDeliverWebhooks } from '../../../pipeline/jobs/deliver-webhooks.ts';
import type { Job, JobContext } from '../../../pipeline/queue/job.ts';
import { startQueue } from '../../../pipeline/queue/queue.ts';
import { inventedUpstream } from '../../server/invented-upstream.ts';
import { endLockWaits } from '../../setup/lock-waits.ts';
import { until } from '../../setup/processes.ts';
import { createTestDatabase, silentLog } from '../../setup/test-database.ts';

export const jobs = [
  analyseBatch,
  createDeliverWebhooks(async () => {
    throw new Error('these tests post no webhooks');
  }),
];
const start = '2026-11-20T10:00:00.000Z';

export const address = (handle: string) => `https://www.instagram.com/${handle}/`;
/** Returns the profile URLs of `count` invented people. */
export const addresses = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => address(`${name}${index}`));

/** Creates a database and a queue for tests of batches. Only the network and the clock are fake. */
export async function createBatchSetup(moreJobs: readonly Job[] = []) {
  const db = await createTestDatabase();
  const queue = await startQueue({ sql: db.sql, jobs: [...jobs, ...moreJobs], log: silentLog, work: null });
  const upstream = inventedUpstream();
  const clock = { now: new Date(start) };
  const now = () => clock.now;
  const context: JobContext = {
    db,
    now,
    queue,
    sources: {
      fetch: upstream.fetch,
      config: readSourcesConfig({}),
      now,
      breakers: createBreakers({ now, enabled: false }),
    },
    base_url: 'http://tidemark.test',
    log: silentLog,
    signal: new AbortController().signal,
  };

  return {
    db,
    queue,
    upstream,
    clock,
    context,
    reset() {
      clock.now = new Date(start);
      upstream.asked.length = 0;
      upstream.answer = null;
      upstream.hold = Promise.resolve();
    },
    async workspace(credits: number, tier: Tier = 'ultra'): Promise<string> {
      const made = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'test', credits, tier }));
      return made.workspace_id;
    },
    settings: (workspaceId: string, settings: { monthly_cap?: number | null; paused?: boolean }) =>
      db.sql`insert into work_settings ${db.sql({ workspace_id: workspaceId, ...settings })}
        on conflict (workspace_id) do update set ${db.sql(settings)}`,
    create: (workspaceId: string, lines: readonly string[], tier: Tier = 'ultra', name?: string) =>
      createBatch(context, workspaceId, tier, lines, { name: name ?? null }),
    /** Runs the job of a batch once, as the queue does. */
    run: (batch: BatchId, more: Partial<JobContext> = {}) =>
      analyseBatch.run([batchItem(batch)], { ...context, ...more }),
    tick: () => analyseBatch.run([{ key: 'analyse-batch', data: {} }], context),
    read: ({ workspace_id, batch_id }: BatchId) => readBatch(db.sql, workspace_id, batch_id),
    async column({ workspace_id, batch_id }: BatchId, name: string) {
      const { columns, rows } = await batchResults(db.sql, workspace_id, batch_id);
      return rows.map((row) => row[columns.indexOf(name)]);
    },
    balance: (workspaceId: string) => readBalance(db.sql, workspaceId),
    async charges(workspaceId: string): Promise<number> {
      const [row] = await db.sql`
        select count(*)::int as n from ledger_entries where workspace_id = ${workspaceId} and kind = 'charge'`;
      return row?.n;
    },
    async capUsed(workspaceId: string): Promise<number | undefined> {
      const [row] = await db.sql`select cap_used from work_settings where workspace_id = ${workspaceId}`;
      return row?.cap_used;
    },
    topUp: (workspaceId: string, credits: number) =>
      moveCredits(db.sql, workspaceId, { kind: 'purchase', credits, reason: 'invented' }),
    /** Holds back the answers of the fake network until `open` is called. */
    holdAnswers() {
      const held = Promise.withResolvers<void>();
      upstream.hold = held.promise;
      return { waiting: (count: number) => until(async () => upstream.asked.length >= count), open: held.resolve };
    },
    /** Returns the number of unfinished queue entries of the batch. */
    async queued({ batch_id }: BatchId): Promise<number> {
      const [row] = await db.sql`
        select count(*)::int as n from jobs.job where singleton_key = ${batch_id} and state < 'completed'`;
      return row?.n;
    },
    /** Ends the database connection that waits for a lock, as when its process is killed. */
    async killWaiting(): Promise<void> {
      await until(async () => (await endLockWaits(db.sql)) > 0);
    },
    async close() {
      await queue.stop();
      await db.close();
    },
  };
}

export type BatchSetup = Awaited<ReturnType<typeof createBatchSetup>>;
