import { createWorkspace } from '../db/accounts/workspaces.ts';
import { connectClients, type Database, parseDatabaseUrl } from '../db/connect.ts';
import { newId } from '../db/ids.ts';
import { migrate } from '../db/migrate.ts';
import { ensureMonths } from '../db/observations/months.ts';
import { metrics } from '../db/schema/metrics.ts';
import { createCheckRecorder, createClaims } from '../db/tracking/checks.ts';
import { inTransaction } from '../db/transaction.ts';
import { createBreakers } from '../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../pipeline/collect/sources.ts';
import { trackCheck } from '../pipeline/jobs/track-check.ts';
import type { Job, JobContext } from '../pipeline/queue/job.ts';
import { startQueue } from '../pipeline/queue/queue.ts';
import { type BenchOptions, goalColumns, interleaved, median, pairedRatios, ratioText, table } from './benchmark.ts';
import { startBenchServer } from './database.ts';
import { webProfileInfo } from './invented.ts';
import { insertObservations, insertTrackedItems } from './tracked-data.ts';

const itemsPerRound = 2_000;
const defaultRounds = 9;
const page = webProfileInfo(0);
const silent = { info() {}, warn() {}, error() {} };

/**
 * Measures tracking checks per second as ratios. Compares the statements of checks with a bare insert, and whole checks
 * through the job queue with jobs that do nothing.
 */
export async function pipeline({ rounds = defaultRounds, signal, print }: BenchOptions): Promise<void> {
  const server = await startBenchServer();
  const db = connectClients(parseDatabaseUrl(await server.createDatabase('pipeline')), 'bench');
  try {
    await migrate(db.sql);
    await ensureMonths(db.sql, new Date());
    const contestants = [bareInsert, bareWrites, trackingStep, bareQueue, checksThroughQueue];
    const measured = await interleaved(contestants, rounds, signal, (contestant) => contestant(db));
    const rates = (contestant: (typeof contestants)[number]) => measured.get(contestant) ?? [];
    const row = (name: string, of: typeof bareInsert, against: typeof bareInsert, goal?: number) => {
      const ratios = pairedRatios(rates(of), rates(against));
      return [
        name,
        ratioText(ratios),
        ...goalColumns(median(ratios), goal === undefined ? goal : { at: 'least', ratio: goal }),
      ];
    };
    print(
      table([
        ['checks per second', `median of ${rounds} paired ratios`, 'goal', 'reached'],
        row('tracking check in combined statements / bare unnest insert', trackingStep, bareInsert, 0.15),
        row('only the writes of a tracking check / bare unnest insert', bareWrites, bareInsert),
        row('tracking check through the job queue / empty job through the queue', checksThroughQueue, bareQueue, 0.5),
        row('only the writes of a tracking check / empty job through the queue', bareWrites, bareQueue),
      ]),
    );
  } finally {
    await db.close();
    await server.stop();
  }
}

const perSecond = (count: number, started: number) => count / ((performance.now() - started) / 1000);

async function preparedItems(db: Database): Promise<{ workspace_id: string; item_ids: string[] }> {
  const workspace = { name: 'bench', credits: itemsPerRound, tier: 'ultra' as const };
  const { workspace_id } = await inTransaction(db.sql, (tx) => createWorkspace(tx, workspace));
  const itemIds = Array.from({ length: itemsPerRound }, () => newId());
  await insertTrackedItems(db.sql, workspace_id, itemIds);
  return { workspace_id, item_ids: itemIds };
}

async function bareInsert(db: Database): Promise<number> {
  const { workspace_id, item_ids } = await preparedItems(db);
  const started = performance.now();
  for (let from = 0; from < item_ids.length; from += 500) {
    await insertObservations(db.sql, workspace_id, item_ids.slice(from, from + 500), [new Date()]);
  }
  return perSecond(item_ids.length, started);
}

/**
 * Writes all rows that a tracking check writes, but decides nothing: reserves the items, takes the credits, and inserts
 * ledger entries, observations and attempts. `trackingStep` cannot be faster than this.
 */
async function bareWrites(db: Database): Promise<number> {
  const { workspace_id, item_ids } = await preparedItems(db);
  const started = performance.now();
  for (let from = 0; from < item_ids.length; from += 500) {
    const part = item_ids.slice(from, from + 500);
    const attempts = part.map(() => newId());
    await db.pipelined`
      update tracked_items i set last_attempt_at = now(), attempt_id = a.attempt_id, retry_at = null
      from unnest(${part}::uuid[], ${attempts}::uuid[]) as a (item_id, attempt_id)
      where i.workspace_id = ${workspace_id}::uuid and i.item_id = a.item_id`;
    await db.pipelined`
      with checks as materialized (
        select ${workspace_id}::uuid as workspace_id, * from unnest(${part}::uuid[], ${attempts}::uuid[])
          with ordinality as a (item_id, attempt_id, n)
      ), balance as (
        update credit_balances set balance = balance - ${part.length}::int, entries = entries + ${part.length}::int
        where workspace_id = ${workspace_id}::uuid
      ), entries as (
        insert into ledger_entries (workspace_id, entry_no, kind, credits, balance_after, charge_id, route, reason, created_at)
        select workspace_id, ${from + itemsPerRound}::int + n, 'charge', -1, 0, attempt_id, 'tracking', item_id::text, now() from checks
      ), observed as (
        insert into observations (workspace_id, item_id, observed_at, followers, following, posts, views, likes, comments,
          shares, favorites, total_views, quality, source)
        select workspace_id, item_id, now(), 0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 0, 'instagram-web' from checks
      ), released as (
        update tracked_items i set attempt_id = null, platform_id = '1', name = 'n'
        from checks c where i.workspace_id = c.workspace_id and i.item_id = c.item_id
      )
      insert into check_attempts (workspace_id, item_id, attempt_id, attempted_at, trigger, outcome, credits, duration_ms)
      select workspace_id, item_id, attempt_id, now(), 'scheduled', 'OK', 1, 0 from checks`;
  }
  return perSecond(item_ids.length, started);
}

async function trackingStep(db: Database): Promise<number> {
  const { workspace_id, item_ids } = await preparedItems(db);
  const [claim, record] = [createClaims(db.pipelined), createCheckRecorder(db.pipelined)];
  const values = Object.fromEntries(metrics.map((metric, index) => [metric, index * 1_000])) as Record<
    (typeof metrics)[number],
    number
  >;
  const observation = { platform_id: '1', name: 'n', values, quality: 0, source: 'instagram-web' };
  const started = performance.now();
  await Promise.all(
    item_ids.map(async (itemId) => {
      const attemptedAt = new Date();
      const attemptId = newId(attemptedAt);
      await claim({ workspace_id, item_id: itemId, attempt_id: attemptId, now: attemptedAt });
      const result = {
        workspace_id,
        item_id: itemId,
        attempt_id: attemptId,
        charge_id: attemptId,
        attempted_at: attemptedAt,
        observation,
      };
      await record({ ...result, trigger: 'scheduled', outcome: 'OK', duration_ms: 0, message: null });
    }),
  );
  return perSecond(item_ids.length, started);
}

async function bareQueue(db: Database): Promise<number> {
  const { workspace_id, item_ids } = await preparedItems(db);
  return throughQueue(db, { ...trackCheck, run: async () => {} }, workspace_id, item_ids);
}

async function checksThroughQueue(db: Database): Promise<number> {
  const { workspace_id, item_ids } = await preparedItems(db);
  const rate = await throughQueue(db, trackCheck, workspace_id, item_ids);
  const stored = await db.sql`select from check_attempts where workspace_id = ${workspace_id} and outcome = 'OK'`;
  if (stored.length !== itemsPerRound) throw new Error(`Only ${stored.length} of ${itemsPerRound} checks succeeded.`);
  return rate;
}

/**
 * Returns how many items per second the job queue processes, from the first item that is taken to the last one
 * finished. All items are enqueued before the measurement.
 */
async function throughQueue(db: Database, job: Job, workspaceId: string, itemIds: string[]): Promise<number> {
  const { promise: allDone, resolve } = Promise.withResolvers<void>();
  let done = 0;
  const counted: Job = {
    ...job,
    async run(items, context) {
      await job.run(items, context);
      done += items.length;
      if (done === itemIds.length) resolve();
    },
  };
  const sender = await startQueue({ sql: db.sql, jobs: [counted], log: silent, work: null });
  const data = (itemId: string) => ({ workspace_id: workspaceId, item_id: itemId, attempt_id: newId() });
  await sender.send(
    'track-check',
    itemIds.map((itemId) => ({ key: itemId, data: data(itemId) })),
  );
  await sender.stop();
  const started = performance.now();
  const worker = await startQueue({ sql: db.sql, jobs: [counted], log: silent, work: (queue) => contextOf(db, queue) });
  await allDone;
  const rate = perSecond(itemIds.length, started);
  await worker.stop();
  return rate;
}

function contextOf(db: Database, queue: JobContext['queue']): JobContext {
  const now = () => new Date();
  const fetch = async ({ url }: { url: string }) => ({ status: 200, url, headers: {}, body: page });
  const sources = { fetch, now, config: readSourcesConfig({}), breakers: createBreakers({ enabled: false }) };
  return { db, now, queue, sources, base_url: '', log: silent, signal: new AbortController().signal };
}
