import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { parseDatabaseUrl } from '../../db/connect.ts';
import { createTestDatabase } from '../setup/test-database.ts';

const { database_url, close } = await createTestDatabase();
const statements: string[] = [];
const target = parseDatabaseUrl(database_url);
const sql = postgres(target.url, {
  ...target.options,
  max: 3,
  debug: (_connection, statement) => statements.push(statement),
});
afterAll(async () => {
  await sql.end();
  await close();
});

test('the driver reads the array types once for all connections of a pool', async () => {
  const sent = ['one', 'two'];
  const read = () => sql`select ${sent}::text[] as texts, pg_backend_pid() as connection`;
  await read();
  // The pool opens a connection for each statement that finds no idle connection, so these three statements use
  // different connections.
  const answers = await Promise.all([read(), read(), read()]);
  expect(answers.map(([row]) => row?.texts)).toEqual([sent, sent, sent]);
  expect(new Set(answers.map(([row]) => row?.connection)).size).toBe(3);
  expect(statements.filter((statement) => statement.includes('typarray'))).toHaveLength(1);
});

test('a connection can be reserved when the driver has read the array types and must open the connection', async () => {
  const closed = Promise.withResolvers<void>();
  const single = postgres(target.url, { ...target.options, max: 1, onclose: () => closed.resolve() });
  const [row] = await single`select pg_backend_pid() as connection`;
  await sql`select pg_terminate_backend(${row?.connection}::int)`;
  await closed.promise;
  const reserved = await single.reserve();
  expect(await reserved`select ${['one']}::text[] as texts`).toEqual([{ texts: ['one'] }]);
  reserved.release();
  expect(await single`select 2 as two`).toEqual([{ two: 2 }]);
  await single.end();
});

test('a connection on which the array types could not be read is closed, so that later statements send arrays correctly', async () => {
  const role = `without_types_${randomBytes(6).toString('hex')}`;
  await sql.unsafe(`create role ${role}`);
  await sql`revoke select on pg_catalog.pg_type from public`;
  const pool = postgres(target.url, { ...target.options, max: 1, connection: { role } });
  const read = () => pool`select ${['one']}::text[] as texts`;
  try {
    await expect(read()).rejects.toMatchObject({ code: '42501' });
    await expect(pool.reserve()).rejects.toMatchObject({ code: '42501' });
    await sql`grant select on pg_catalog.pg_type to public`;
    expect(await read()).toEqual([{ texts: ['one'] }]);
  } finally {
    await pool.end();
    await sql`grant select on pg_catalog.pg_type to public`;
    await sql.unsafe(`drop role ${role}`);
  }
});
