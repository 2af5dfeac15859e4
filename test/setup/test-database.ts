import { randomBytes } from 'node:crypto';
import { expect, inject } from 'vitest';
import { connectClients, type Database, parseDatabaseUrl } from '../../db/connect.ts';
import type { Log } from '../../db/log.ts';
import { isCitusRun, onEveryNode } from './citus.ts';
import { databaseName, type TestServer, withDatabase } from './test-server.ts';

/**
 * Milliseconds for which requests of tests wait for the database. This is long, because many tests use the database at
 * once. Tests about an unreachable database use the service's default.
 */
export const patientMs = 10_000;

export const silentLog: Log = { info() {}, warn() {}, error() {} };

export interface TestDatabase extends Database {
  /** Address of this test database, for use by other processes. */
  database_url: string;
}

/**
 * Creates a test database with all migrations, copied from the template in about 30 ms. Close it in `afterAll`; the
 * next test run drops it.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, run, nodes } = await testServer();
  const name = databaseName(run, randomBytes(6).toString('hex'));
  const template = databaseName(run, 'template');
  const servers = nodes.length > 0 ? nodes : [url];
  await onEveryNode(servers, `create database ${name} template ${template} strategy file_copy`);
  const databaseUrl = withDatabase(url, name);
  const database = connectClients(parseDatabaseUrl(databaseUrl), 'test', {
    distributed: isCitusRun,
    database_timeout_ms: patientMs,
  });
  return Object.assign(database, { database_url: databaseUrl });
}

// Returns the database server of the test run. The first test file that needs the server waits until it has started.
async function testServer(): Promise<TestServer> {
  const address = new URL(inject('test_server'));
  const { testPath } = expect.getState();
  if (!testPath)
    throw new Error('The path of the test file is not known, so the list of LIST_DATABASE_TESTS would lack it.');
  address.searchParams.set('file', testPath);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The database server of the tests did not start: ${await response.text()}`);
  return (await response.json()) as TestServer;
}
