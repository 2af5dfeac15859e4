import type { Sql } from 'postgres';
import { hashSecret } from '../db/accounts/secrets.ts';
import { createWorkspace } from '../db/accounts/workspaces.ts';
import { connectClients, type Database, parseDatabaseUrl } from '../db/connect.ts';
import { completePaid } from '../db/deliveries/batch-rows.ts';
import { insertBatch } from '../db/deliveries/batches.ts';
import { isDistributed, readDistribution } from '../db/distribution/distributed.ts';
import { newId } from '../db/ids.ts';
import { openDatabase } from '../db/open.ts';
import { createAdmission } from '../db/requests/admission.ts';
import { createCharger } from '../db/requests/charges.ts';
import { metrics } from '../db/schema/metrics.ts';
import { createCheckRecorder, createClaims } from '../db/tracking/checks.ts';
import { inTransaction } from '../db/transaction.ts';
import { type Benchmark, interleaved, median, table } from './benchmark.ts';
import { cpuSeconds, parentOf } from './cpu-time.ts';
import { insertTrackedItems } from './tracked-data.ts';

const workspaces = 64;
/**
 * Number of tracked items, and of batch rows, that each workspace has at the beginning. A single server (`plain`) uses
 * them up faster than a cluster, so it starts with more.
 */
const prepared = { plain: 5_000, cluster: 400 };
const patientMs = 20_000;
const quiet = { info() {}, warn() {}, error() {} };

interface Node {
  port: number;
  postmaster: number;
}

interface Owner {
  workspace_id: string;
  hash: string;
  batch_id: string;
  items: string[];
  rows: number;
}

/** One operation of a workspace. Returns false when nothing is left to do. */
type Operation = (owner: Owner) => Promise<boolean>;

/**
 * Measures charges, tracking checks and batch rows per second on the database of DATABASE_URL. This database is a
 * cluster, or one server for comparison.
 */
export const cluster: Benchmark = async ({ seconds = 10, signal, print }) => {
  const url = process.env.DATABASE_URL;
  if (!url) return print('Not measured: set DATABASE_URL to a database that this benchmark may fill.');
  const target = parseDatabaseUrl(url);
  const probe = connectClients(target, 'bench');
  const distributed = await readDistribution(probe.sql).finally(() => probe.close());
  const db = connectClients(target, 'bench', { distributed, database_timeout_ms: patientMs });
  try {
    const nodes = await nodesOf(db.sql, url);
    const owners = await makeOwners(db);
    const rows = [
      ['operation', 'per second', 'p50', 'server, ms each', ...nodes.map(({ port }) => `port ${port}, ms each`)],
    ];
    for (const [name, operation] of Object.entries(operationsOn(db))) {
      signal.throwIfAborted();
      // Runs the operation before the measurement, which opens the connections and lets PostgreSQL plan the statements.
      await run(owners, operation, 2);
      rows.push([name, ...(await measure(owners, operation, { seconds, nodes }))]);
    }
    print(table(rows));
    if (distributed) print(await compareStarts(url, owners.slice(0, firstRequests)));
  } finally {
    await db.close();
  }
};

/**
 * Number of simultaneous requests after startup: one for each connection that a server opens to the coordinator of a
 * cluster.
 */
const firstRequests = 16;
const starts = 4;

/**
 * Compares the start of a server with the start of an operator command, which does not open its database connections in
 * advance.
 */
async function compareStarts(url: string, owners: Owner[]): Promise<string> {
  const roles = ['server', 'operator'] as const;
  const opened = await interleaved(roles, starts, new AbortController().signal, async (role) => {
    const started = performance.now();
    const db = await openDatabase(
      { ...{ database_url: url, data_dir: '', role }, database_timeout_ms: patientMs },
      quiet,
    );
    const openMs = performance.now() - started;
    const admit = createAdmission(db, { window_seconds: 60, now: () => new Date() });
    await Promise.all(owners.map(({ hash }) => admit({ hash, counts: 'request' })));
    const admitMs = performance.now() - started - openMs;
    await db.close();
    return { open: openMs, admit: admitMs };
  });
  const lines = roles.map((role) => {
    const each = opened.get(role) ?? [];
    const ms = (part: 'open' | 'admit') => `${median(each.map((one) => one[part])).toFixed(0)} ms`;
    return [role === 'server' ? 'connections open' : 'connections not open', ms('open'), ms('admit')];
  });
  return table([['start', 'takes', `first ${firstRequests} requests`], ...lines]);
}

async function measure(owners: Owner[], operation: Operation, { seconds, nodes }: { seconds: number; nodes: Node[] }) {
  const before = nodes.map(cpuMs);
  const own = process.cpuUsage();
  const started = performance.now();
  const durations = await run(owners, operation, seconds);
  const passed = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const after = nodes.map(cpuMs);
  const each = (ms: number) => (ms / durations.length).toFixed(2);
  return [
    (durations.length / passed).toFixed(0),
    `${median(durations).toFixed(0)} ms`,
    each((user + system) / 1_000),
    ...after.map((ms, index) => each(ms - (before[index] ?? 0))),
  ];
}

/**
 * Runs the operation for all workspaces at the same time. Each workspace repeats the operation until `seconds` have
 * passed. Returns the durations in milliseconds.
 */
async function run(owners: Owner[], operation: Operation, seconds: number): Promise<number[]> {
  const end = performance.now() + seconds * 1_000;
  const durations: number[] = [];
  await Promise.all(
    owners.map(async (owner) => {
      for (let started = performance.now(); started < end; started = performance.now()) {
        if (!(await operation(owner)))
          throw new Error('The benchmark has used all rows that it prepared. Repeat it with a smaller --seconds.');
        durations.push(performance.now() - started);
      }
    }),
  );
  return durations;
}

function operationsOn(db: Database): Record<string, Operation> {
  const now = () => new Date();
  const admit = createAdmission(db, { window_seconds: 60, now });
  const charge = createCharger(db, now);
  const claim = createClaims(db.pipelined);
  const record = createCheckRecorder(db.pipelined);
  const answer = () => ({ body: '{"handle":"bench"}', meta: '{}', retrieved_at: now() });
  return {
    async 'request with a charge'({ workspace_id, hash }) {
      const admission = await admit({ hash, counts: 'request' });
      const id = newId();
      const charged = await charge({
        ...{ charge_id: id, workspace_id, key_id: admission?.key_id ?? '', answer: answer(), cache_key: newId() },
        ...{ request_id: id, route: '/v1/photo/profile', cost: 1, replay: null },
      });
      return charged.outcome === 'charged';
    },
    async 'check of an item'({ workspace_id, items }) {
      const itemId = items.pop();
      if (itemId === undefined) return false;
      const attempt = { workspace_id, item_id: itemId, attempt_id: newId() };
      await claim({ ...attempt, now: now() });
      const values = Object.fromEntries(metrics.map((metric) => [metric, 5])) as Record<
        (typeof metrics)[number],
        number
      >;
      const stored = await record({
        ...{ ...attempt, charge_id: attempt.attempt_id, attempted_at: now(), trigger: 'scheduled', outcome: 'OK' },
        ...{ duration_ms: 5, message: null },
        observation: { platform_id: '1', name: 'bench', values, quality: 0, source: 'bench' },
      });
      return stored.outcome === 'OK';
    },
    async 'row of a batch'(owner) {
      owner.rows -= 1;
      const { workspace_id, batch_id, rows } = owner;
      const row = { workspace_id, batch_id, row_no: rows + 1, status: 'OK', cells: '{"followers":5}', now: now() };
      const paid = { answer: answer(), charge_id: newId(), route: '/v1/photo/profile', cost: 1, cache_key: newId() };
      return rows >= 0 && (await completePaid(db.sql, { ...row, ...paid })) === 'completed';
    },
  };
}

async function makeOwners(db: Database): Promise<Owner[]> {
  const number = isDistributed(db.sql) ? prepared.cluster : prepared.plain;
  const owners: Owner[] = [];
  for (let index = 0; index < workspaces; index += 1) {
    const [items, batchId] = [Array.from({ length: number }, () => newId()), newId()];
    const made = await inTransaction(db.background, async (tx) => {
      const created = await createWorkspace(tx, { name: `bench ${index}`, credits: 10_000_000 });
      await insertTrackedItems(tx, created.workspace_id, items);
      const rows = items.map((id, n) => ({ row_no: n + 1, url: id, duplicate_of: null, status: null, cells: null }));
      const batch = { workspace_id: created.workspace_id, batch_id: batchId, name: null, now: new Date() };
      await insertBatch(tx, batch, rows);
      return created;
    });
    const { workspace_id, live_key } = made;
    owners.push({ workspace_id, hash: hashSecret(live_key), batch_id: batchId, items, rows: number });
  }
  return owners;
}

/**
 * Returns the nodes of the cluster, the coordinator first. For a database on one server, returns this server. All nodes
 * must run on this machine.
 */
async function nodesOf(sql: Sql, url: string): Promise<Node[]> {
  const own = Number(new URL(url).port || 5432);
  const rows = isDistributed(sql)
    ? await sql<
        { port: number }[]
      >`select nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`
    : [{ port: own }];
  return Promise.all(
    rows.map(async ({ port }) => {
      const address = new URL(url);
      address.port = String(port);
      const node = connectClients(parseDatabaseUrl(address.href), 'bench');
      const [row] = await node.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await node.close();
      const postmaster = parentOf(row?.pid ?? 0);
      if (postmaster === null) throw new Error('This benchmark needs /proc and PostgreSQL servers on this machine.');
      return { port, postmaster };
    }),
  );
}

const cpuMs = ({ postmaster }: Node): number => (cpuSeconds(postmaster) ?? 0) * 1_000;
