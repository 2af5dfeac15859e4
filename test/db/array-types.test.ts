import { expect, test } from 'vitest';
import { openDatabase } from '../../db/open.ts';
import { createLimitedRole } from '../harness/limited-role.ts';
import { createTestDatabase, silentLog } from '../setup/test-database.ts';

test('statements send arrays correctly when a new connection could not read the types of PostgreSQL', async () => {
  const database = await createTestDatabase();
  const role = await createLimitedRole(database);
  const config = { database_url: role.database_url, data_dir: '/unused', role: 'server' };
  const { pipelined, close } = await openDatabase(config, silentLog);
  const read = () => pipelined<{ list: string[] }[]>`select ${['one', 'two']}::text[] as list`;
  // A time-out while the driver reads the types has the same effect, but cannot be caused as quickly.
  await database.sql`revoke select on pg_catalog.pg_type from public`;
  await read().catch(() => undefined);
  await database.sql`grant select on pg_catalog.pg_type to public`;
  for (const [row] of await Promise.all([read(), read(), read(), read()])) expect(row?.list).toEqual(['one', 'two']);
  await close();
  await role.drop();
  await database.close();
});
