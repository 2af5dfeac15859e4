import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectClients, type Database, parseDatabaseUrl } from '../../db/connect.ts';
import type { distributeTables } from '../../db/distribution/distribute.ts';
import { readDistribution } from '../../db/distribution/distributed.ts';
import { migrate } from '../../db/migrate.ts';
import { checkLedger } from '../../db/money/ledger.ts';
import { operator } from '../harness/operator.ts';
import { createCluster, isCitusRun, onEveryNode } from '../setup/citus.ts';
import { until } from '../setup/processes.ts';
import { databaseName, type TestServer, withDatabase } from '../setup/test-server.ts';
import { type LoadedWorkspace, type LoadResult, makeLoadedWorkspaces, portOf, startLoad } from './load.ts';
import { type NodeProxy, nodeProxy } from './node-proxy.ts';

const shards = 8;
/** Time limit (ms) for copying a shard to another node while other programs use the machine. */
const moveLimitMs = 400_000;
let proxy: NodeProxy;
let distribution: Awaited<ReturnType<typeof distributeTables>>;
let db: Database;
let workspaces: LoadedWorkspace[];

/**
 * A migration in the format of drizzle-kit. It creates the table `buoys`, whose rows belong to workspaces, and on the
 * coordinator node the table `lamps`, which refers to `buoys`.
 */
const buoys = `CREATE TABLE "buoys" (
	"workspace_id" uuid NOT NULL, "buoy_id" uuid NOT NULL, "token_hash" text NOT NULL,
	CONSTRAINT "buoys_pk" PRIMARY KEY("workspace_id","buoy_id")
);
--> statement-breakpoint
CREATE TABLE "lamps" ("lamp" text PRIMARY KEY NOT NULL, "workspace_id" uuid NOT NULL, "buoy_id" uuid NOT NULL);
--> statement-breakpoint
ALTER TABLE "buoys" ADD CONSTRAINT "buoys_workspace" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("workspace_id") ON DELETE cascade;--> statement-breakpoint
ALTER TABLE "lamps" ADD CONSTRAINT "lamps_buoy" FOREIGN KEY ("workspace_id","buoy_id") REFERENCES "public"."buoys"("workspace_id","buoy_id");--> statement-breakpoint
CREATE UNIQUE INDEX "buoys_token" ON "buoys" USING btree ("token_hash");`;

/** Creates a Citus cluster for this test. The last node is behind a proxy, with which the test can cut the node off. */
async function makeCluster(): Promise<void> {
  const { run, nodes } = (await (await fetch(inject('test_server'))).json()) as TestServer;
  const last = new URL(nodes.at(-1) ?? '');
  proxy = await nodeProxy(last.hostname, Number(last.port));
  const through = nodes.map((node) => node.replace(`:${last.port}/`, `:${proxy.port}/`));
  const name = databaseName(run, 'cluster');
  await createCluster(through, name);
  const url = withDatabase(nodes[0] ?? '', name);
  const printed = await operator(['database', 'distribute', '--shards', String(shards), '--json'], {
    DATABASE_URL: url,
  });
  expect([printed.code, printed.stderr]).toEqual([0, '']);
  distribution = JSON.parse(printed.stdout);
  db = connectClients(parseDatabaseUrl(url), 'test', { distributed: true });
  await onEveryNode([url], `alter database ${name} set citus.node_connection_timeout = '1s'`);
}

/** Expects one ledger entry for each charged request, and none for each failed request. */
async function expectNothingLost(results: readonly LoadResult[]): Promise<void> {
  expect((await checkLedger(db.sql)).mismatches).toEqual([]);
  const rows = await db.sql<{ charge_id: string; number: number }[]>`
    select charge_id, count(*)::int as number from ledger_entries where kind = 'charge' group by workspace_id, charge_id`;
  const entries = new Map(rows.map(({ charge_id, number }) => [charge_id, number]));
  const charged = results.filter(({ outcome }) => outcome === 'charged');
  expect(charged.filter(({ charge_id }) => entries.get(charge_id) !== 1)).toEqual([]);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  expect(failed.filter(({ charge_id }) => entries.has(charge_id))).toEqual([]);
}

describe.skipIf(!isCitusRun)('a Citus cluster (TEST_CITUS_URL)', () => {
  beforeAll(async () => {
    await makeCluster();
    workspaces = await makeLoadedWorkspaces(db, 12);
  }, 240_000);
  afterAll(async () => {
    await db.close();
    await proxy.close();
  });

  test('a database on a Citus cluster is recognized by its tables, and keeps foreign keys between rows on the same node', async () => {
    expect(await readDistribution(db.sql)).toBe(true);
    expect(distribution.left_out.map((key) => key.split('.')[0])).toEqual([
      'oauth_access_tokens',
      'oauth_consents',
      'oauth_refresh_tokens',
      'session_workspaces',
    ]);
    const rows = await db.sql<{ name: string }[]>`
      select conname as name from pg_constraint where contype = 'f' and conrelid = 'check_attempts'::regclass order by 1`;
    // A migration dropped the foreign key from check_attempts to workspaces, on plain PostgreSQL too.
    expect(rows.map(({ name }) => name)).toEqual(['check_attempts_workspace_id_item_id_tracked_items_workspace_id_']);
    expect(new Set(workspaces.map(({ port }) => port)).size).toBe(2);
  });

  test('a Citus cluster distributes the tables of a later migration, with the keys and indexes that nodes can check', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-migrations-'));
    await writeFile(join(folder, '9001_buoys.sql'), buoys);
    expect(await migrate(db.sql, { folder })).toEqual(['9001_buoys.sql']);
    await rm(folder, { recursive: true });
    const owner = workspaces[0]?.workspace_id ?? '';
    await db.sql`insert into buoys (workspace_id, buoy_id, token_hash) values (${owner}, gen_random_uuid(), 'a')`;
    const [placed] = await db.sql`
      select count(*)::int as shards from pg_dist_shard where logicalrelid = 'buoys'::regclass`;
    expect(placed?.shards).toBe(shards);
    const again = db.sql`insert into buoys (workspace_id, buoy_id, token_hash) values (${owner}, gen_random_uuid(), 'a')`;
    await expect(again).rejects.toMatchObject({ code: '23505' });
    const unowned = db.sql`
      insert into buoys (workspace_id, buoy_id, token_hash) values (gen_random_uuid(), gen_random_uuid(), 'b')`;
    await expect(unowned).rejects.toMatchObject({ code: '23503' });
    const keys = await db.sql<{ name: string }[]>`
      select conname as name from pg_constraint where contype = 'f' and conrelid in ('buoys'::regclass, 'lamps'::regclass)`;
    expect(keys.map(({ name }) => name)).toEqual(['buoys_workspace']);
  });

  test('while one node is unreachable, requests of workspaces on other nodes work, and no charge is lost or repeated', async () => {
    const lost = workspaces.filter(({ port }) => port === proxy.port);
    const others = workspaces.filter(({ port }) => port !== proxy.port);
    const load = startLoad(db, workspaces, workspaces.length);
    await until(async () => workspaces.every((one) => chargedOf(load.results, one) > 0));
    proxy.kill();
    const from = load.elapsed_ms();
    const since = () => load.results.filter(({ at_ms }) => at_ms > from + 500);
    await until(async () => others.every((one) => chargedOf(since(), one) >= 10));
    const during = since();
    proxy.restart();
    const after = load.elapsed_ms();
    await until(async () =>
      lost.every(
        (one) =>
          chargedOf(
            load.results.filter(({ at_ms }) => at_ms > after),
            one,
          ) > 0,
      ),
    );
    const results = await load.stop();
    for (const one of others) expect(chargedOf(during, one), `on port ${one.port}`).toBeGreaterThan(0);
    const broken = during.filter(
      ({ workspace_id, outcome }) => outcome !== 'charged' && others.some((one) => one.workspace_id === workspace_id),
    );
    expect(broken).toEqual([]);
    await expectNothingLost(results);
  }, 120_000);

  test('a workspace moves to another node while it is in use, and no charge is lost or repeated', async () => {
    const tenant = workspaces[0] as LoadedWorkspace;
    const target = workspaces.find(({ port }) => port !== tenant.port)?.port ?? 0;
    const results = await underLoad(() => moveShardOf(tenant, target, 'block_writes'));
    expect(await portOf(db, tenant.workspace_id)).toBe(target);
    await expectNothingLost(results);
  }, 120_000);

  test('workspaces are spread over the nodes while they are in use, and no charge is lost or repeated', async () => {
    await moveAllTo(proxy.port);
    expect(await shardsOf(proxy.port)).toBe(shards);
    const load = startLoad(db, workspaces, workspaces.length);
    await untilCharged(load, workspaces);
    await db.background`select citus_rebalance_start(shard_transfer_mode => 'block_writes')`;
    await until(async () => !['running', 'scheduled'].includes(String(await rebalanceState())), 150_000);
    expect([await rebalanceState(), await shardsOf(proxy.port)]).toEqual(['finished', shards / 2]);
    await untilCharged(load, workspaces);
    const results = await load.stop();
    await expectNothingLost(results);
  }, 240_000);

  test('the ledger of a Citus cluster has no mismatch while the workspaces are in use', async () => {
    await underLoad(async () => {
      for (let round = 0; round < 10; round += 1) expect((await checkLedger(db.background)).mismatches).toEqual([]);
    });
  }, 120_000);

  test('a workspace gets its own shard while it is in use, and no charge is lost or repeated', async () => {
    const tenant = workspaces[1] as LoadedWorkspace;
    const results = await underLoad(() =>
      onCoordinator(
        `select isolate_tenant_to_new_shard('workspaces', $1::text, 'CASCADE', shard_transfer_mode => 'block_writes')`,
        [tenant.workspace_id],
      ),
    );
    expect(await tenantsOfShard(tenant)).toEqual([tenant.workspace_id]);
    await expectNothingLost(results);
  }, 500_000);

  test('a workspace moves by logical replication while it is in use, and no charge is lost or repeated', async () => {
    const tenant = workspaces[1] as LoadedWorkspace;
    const from = await portOf(db, tenant.workspace_id);
    const target = workspaces.find(({ port }) => port !== from)?.port ?? 0;
    const results = await underLoad(() => moveShardOf(tenant, target, 'force_logical'));
    expect(await portOf(db, tenant.workspace_id)).toBe(target);
    await expectNothingLost(results);
  }, 500_000);
});

function chargedOf(results: readonly LoadResult[], { workspace_id }: LoadedWorkspace): number {
  return results.filter((one) => one.workspace_id === workspace_id && one.outcome === 'charged').length;
}

/** Waits until each of these workspaces has been charged again from now on. */
async function untilCharged(load: ReturnType<typeof startLoad>, charged: readonly LoadedWorkspace[]): Promise<void> {
  const since = load.elapsed_ms();
  const later = () => load.results.filter(({ at_ms }) => at_ms > since);
  await until(async () => charged.every((one) => chargedOf(later(), one) > 0), 60_000);
}

/**
 * Runs `work` while all workspaces are charged. Waits until each workspace has been charged before and after `work`,
 * and returns the results.
 */
async function underLoad(work: () => Promise<void>): Promise<LoadResult[]> {
  const load = startLoad(db, workspaces, workspaces.length);
  try {
    await untilCharged(load, workspaces);
    await work();
    await untilCharged(load, workspaces);
  } finally {
    await load.stop();
  }
  return load.results;
}

/** Runs a statement on the coordinator node that takes longer than statements of the service are allowed to take. */
async function onCoordinator(statement: string, parameters: (string | number)[]): Promise<void> {
  const url = withDatabase(nodeUrl(), String(db.sql.options.database));
  const operator = connectClients(parseDatabaseUrl(url), 'operator');
  const patience: object = { deadline: moveLimitMs };
  try {
    await operator.sql.unsafe(`set statement_timeout to ${moveLimitMs}`);
    await operator.sql.unsafe(statement, parameters, patience);
  } finally {
    await operator.close();
  }
}

/** Moves the shard of a workspace, together with its colocated shards, to the node with this port. */
async function moveShardOf({ workspace_id }: LoadedWorkspace, to: number, mode: string): Promise<void> {
  await onCoordinator(
    `select citus_move_shard_placement(get_shard_id_for_distribution_column('workspaces', $1::text),
      '127.0.0.1', $2::int, '127.0.0.1', $3::int, shard_transfer_mode => $4::citus.shard_transfer_mode)`,
    [workspace_id, await portOf(db, workspace_id), to, mode],
  );
}

/** Returns the number of shards of the table `workspaces` on the node with this port. */
async function shardsOf(port: number): Promise<number> {
  const rows = await db.sql`
    select from citus_shards where table_name = 'workspaces'::regclass and nodeport = ${port}`;
  return rows.length;
}

/** Returns the ids of all workspaces whose rows are in the same shard as those of this workspace. */
async function tenantsOfShard({ workspace_id }: LoadedWorkspace): Promise<string[]> {
  const rows = await db.sql<{ workspace_id: string }[]>`
    select workspace_id from workspaces where get_shard_id_for_distribution_column('workspaces', workspace_id::text)
      = get_shard_id_for_distribution_column('workspaces', ${workspace_id}::text)`;
  return rows.map((row) => row.workspace_id);
}

async function rebalanceState(): Promise<string | undefined> {
  const [job] = await db.background<{ state: string }[]>`select state::text from citus_rebalance_status()`;
  return job?.state;
}

async function moveAllTo(port: number): Promise<void> {
  const away = await db.background<{ shardid: number; port: number }[]>`
    select shardid, nodeport as port from citus_shards where table_name = 'workspaces'::regclass and nodeport <> ${port}`;
  for (const one of away) {
    await onCoordinator(
      `select citus_move_shard_placement($1::bigint, '127.0.0.1', $2::int, '127.0.0.1', $3::int,
        shard_transfer_mode => 'block_writes')`,
      [one.shardid, one.port, port],
    );
  }
}

function nodeUrl(): string {
  const { host, port, user } = db.sql.options;
  return `postgres://${String(user)}@${host[0]}:${port[0]}/`;
}
