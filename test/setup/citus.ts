import type { Sql } from 'postgres';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { distributeTables } from '../../db/distribution/distribute.ts';
import { migrate } from '../../db/migrate.ts';
import { inTransaction } from '../../db/transaction.ts';
import { until } from './processes.ts';
import { withDatabase } from './test-server.ts';

/** Number of shards of each table in tests. A small number lets test databases be copied quickly. */
const testShards = 4;
/** Key of the advisory lock under which only one test file at a time connects nodes to a cluster. */
const clusterLock = 7_519_204;
/** PostgreSQL error code: the template of a new database is in use. */
const objectInUse = '55006';

/** True when the tests run on the Citus cluster of TEST_CITUS_URL. */
export const isCitusRun = Boolean(process.env.TEST_CITUS_URL);

/**
 * Runs SQL statements that create triggers, in one transaction. Citus allows triggers on distributed tables only with a
 * special setting. Citus creates these triggers on the shards, so their functions run on the shards' nodes.
 */
export async function createTriggers(sql: Sql, statements: readonly string[]): Promise<void> {
  await inTransaction(sql, async (tx) => {
    if (isCitusRun) await tx`set local citus.enable_unsafe_triggers = on`;
    for (const statement of statements) await tx.unsafe(statement);
  });
}

/** Runs a SQL statement on every node of the Citus cluster, one after the other. */
export async function onEveryNode(nodes: readonly string[], statement: string): Promise<void> {
  for (const node of nodes) {
    const admin = connectClients(parseDatabaseUrl(node), 'test-admin');
    try {
      await unlessInUse(admin.sql, statement);
    } finally {
      await admin.close();
    }
  }
}

/**
 * Drops a database on every node of the Citus cluster, the coordinator first. Before that, rolls back transactions that
 * a killed process has prepared in the database, because they would prevent the drop.
 */
export async function dropOnEveryNode(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) {
    const prepared = await readRows(
      node,
      (sql) => sql<{ id: string }[]>`
      select gid as id from pg_prepared_xacts where database = ${name}`,
    );
    for (const { id } of prepared) await onEveryNode([withDatabase(node, name)], `rollback prepared '${id}'`);
    await onEveryNode([node], `drop database if exists ${name} with (force)`);
  }
}

/** Returns the names of all databases on any node of the cluster whose names match a LIKE pattern. */
export async function databasesOfNodes(nodes: readonly string[], pattern: string): Promise<string[]> {
  const lists = await Promise.all(
    nodes.map((node) =>
      readRows(
        node,
        (sql) => sql<{ name: string }[]>`
        select datname as name from pg_database where datname like ${pattern}`,
      ),
    ),
  );
  return [...new Set(lists.flat().map(({ name }) => name))];
}

async function readRows<T>(node: string, read: (sql: Sql) => Promise<T[]>): Promise<T[]> {
  const admin = connectClients(parseDatabaseUrl(node), 'test-admin');
  return read(admin.sql).finally(() => admin.close());
}

// Repeats the statement until its database is no longer in use. A template must not be in use, but Citus runs a
// background process in each database.
async function unlessInUse(sql: Sql, statement: string): Promise<void> {
  await until(async () => {
    try {
      await sql.unsafe(statement);
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code !== objectInUse) throw error;
      return false;
    }
  });
}

/** Returns the addresses of all nodes of the cluster of TEST_CITUS_URL, the coordinator first. */
export async function readNodes(url: string): Promise<string[]> {
  const admin = connectClients(parseDatabaseUrl(url), 'test-admin');
  const rows = await admin.sql<{ host: string; port: number }[]>`
    select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`;
  await admin.close();
  return rows.map(({ host, port }) => {
    const address = new URL(url);
    address.hostname = host;
    address.port = String(port);
    return withDatabase(address.href, 'postgres');
  });
}

/**
 * Creates the template of test databases on every node: connects the databases to a cluster, migrates and distributes
 * them.
 */
export async function makeCitusTemplate(nodes: readonly string[], name: string): Promise<void> {
  const [coordinator = '', ...workers] = nodes;
  await createCluster(nodes, name);
  const template = connectClients(parseDatabaseUrl(withDatabase(coordinator, name)), 'operator');
  await migrate(template.sql);
  await distributeTables(template.sql, { shards: testShards });
  await template.close();
  for (const node of [coordinator, ...workers]) {
    await onEveryNode([node], `alter database ${name} with allow_connections false`);
    await onEveryNode([node], `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  }
}

/** Creates an empty database on every node and connects them to a cluster. */
export async function createCluster(nodes: readonly string[], name: string): Promise<void> {
  await onEveryNode(nodes, `create database ${name}`);
  await onEveryNode(
    nodes.map((node) => withDatabase(node, name)),
    'create extension citus',
  );
  const [first = '', ...workers] = nodes.map((node) => new URL(node));
  const { hostname, port } = new URL(first);
  const add = workers.map((worker) => `select citus_add_node('${worker.hostname}', ${worker.port});`);
  // Runs alone, because adding a node changes the node's roles and fails when another process does the same.
  await oneAtATime(nodes[0] ?? '', () =>
    onEveryNode(
      [withDatabase(nodes[0] ?? '', name)],
      `select citus_set_coordinator_host('${hostname}', ${port}); ${add.join(' ')}
       select citus_set_node_property('${hostname}', ${port}, 'shouldhaveshards', ${workers.length === 0});`,
    ),
  );
}

/** Runs `work` while no other test file runs its own work under the same lock. */
async function oneAtATime(coordinator: string, work: () => Promise<void>): Promise<void> {
  const admin = connectClients(parseDatabaseUrl(coordinator), 'test-admin');
  await inTransaction(admin.sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${clusterLock})`;
    await work();
  }).finally(() => admin.close());
}
