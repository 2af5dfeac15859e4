import { afterAll, expect, test } from 'vitest';
import { connectionsOf } from '../../../db/connect.ts';
import type { Log } from '../../../db/log.ts';
import { openDatabase } from '../../../db/open.ts';
import { connectionsWarning } from '../../../db/server/connections.ts';
import { createLimitedRole } from '../../harness/limited-role.ts';
import { isCitusRun } from '../../setup/citus.ts';
import { createTestDatabase, silentLog } from '../../setup/test-database.ts';

const database = await createTestDatabase();
const { sql } = database;
const role = await createLimitedRole(database);
const [row] = await sql<{ name: string }[]>`select current_database() as name`;
const name = row?.name ?? '';
const needed = connectionsOf(isCitusRun);
const config = { database_url: role.database_url, data_dir: '/unused' };

afterAll(async () => {
  await role.drop();
  await database.close();
});

/** Opens the test database as the limited role, and returns the warnings of the start. */
async function warningsOf(as: string): Promise<string[]> {
  const warnings: string[] = [];
  const log: Log = { info() {}, warn: (_, message) => void warnings.push(message), error() {} };
  const opened = await openDatabase({ ...config, role: as }, log);
  await opened.close();
  return warnings;
}

test('a server warns at the start when its role may open fewer connections than a process needs', async () => {
  await sql.unsafe(`alter role ${role.name} connection limit ${needed - 1}`);
  const [warning, ...others] = await warningsOf('server');
  expect(others).toEqual([]);
  expect(warning).toContain(`opens up to ${needed} database connections, but this PostgreSQL server accepts only`);
  expect(warning).toContain(`accepts only ${needed - 1} (CONNECTION LIMIT of the role): `);
  expect(warning).toContain(`set CONNECTION LIMIT of the role to at least ${needed} for each server and pipeline`);
  expect(await warningsOf('operator')).toEqual([]);
  await sql.unsafe(`alter role ${role.name} connection limit ${needed}`);
  expect(await warningsOf('server')).toEqual([]);
});

test('a server warns at the start when others use so many connections of the database that too few are left', async () => {
  const own = await sql`
    select from pg_stat_activity where datname = current_database() and usesysid is not null`;
  await sql.unsafe(`alter database ${name} connection limit ${needed - 1 + own.length}`);
  expect(await warningsOf('pipeline')).toEqual([expect.stringContaining(`${own.length} are in use by others`)]);
  await sql.unsafe(`alter database ${name} connection limit ${needed + own.length}`);
  expect(await warningsOf('pipeline')).toEqual([]);
  await sql.unsafe(`alter database ${name} connection limit -1`);
});

test('operator doctor does not count the connections of running servers, which are a part of what they need', async () => {
  await sql.unsafe(`alter role ${role.name} connection limit ${needed}`);
  const open = (as: string) => openDatabase({ ...config, role: as }, silentLog);
  const [server, operator] = [await open('server'), await open('operator')];
  expect(await connectionsWarning(operator.sql, needed, { is_starting: true })).toContain('are in use by others');
  expect(await connectionsWarning(operator.sql, needed, { is_starting: false })).toBeNull();
  await Promise.all([server.close(), operator.close()]);
});
