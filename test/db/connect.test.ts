import { eq } from 'drizzle-orm';
import { bigint, date, jsonb, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { afterAll, expect, test } from 'vitest';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { openDatabase } from '../../db/open.ts';
import { readPipelineConfig } from '../../pipeline/config.ts';
import { openFolder, postmasterPid, removeFolder, until } from '../setup/processes.ts';
import { createTestDatabase, patientMs, silentLog } from '../setup/test-database.ts';

const database = await createTestDatabase();
const { sql, pipelined } = database;

afterAll(() => database.close());

const open = (databaseUrl: string) =>
  openDatabase({ database_url: databaseUrl, data_dir: '/unused', role: 'test' }, silentLog);

test('an int8 column is read as a number when it is a safe integer, otherwise as text', async () => {
  const [row] =
    await sql`select 9007199254740991::int8 as safe, -9007199254740992::int8 as low, 9007199254740993::int8 as high, array[1, 2]::int8[] as list`;
  expect(row).toEqual({ safe: 9007199254740991, low: '-9007199254740992', high: '9007199254740993', list: [1, 2] });
});

test('a timestamptz column is read as a Date, a date column as text, and days are in UTC', async () => {
  const now = new Date('2026-11-20T23:30:00.000Z');
  const [row] =
    await sql`select ${now}::timestamptz as now, ${now}::timestamptz::date as day, array[${now}::timestamptz] as list`;
  expect(row).toEqual({ now, day: '2026-11-20', list: [now] });
});

test('a json column is written as a value or as JSON text, and read as a parsed value', async () => {
  const [row] = await sql`select ${sql.json({ a: [1] })}::jsonb as value, ${'{"a":[1]}'}::jsonb as text`;
  expect(row).toEqual({ value: { a: [1] }, text: { a: [1] } });
});

test('the query builder and plain SQL share the connection pool and read the same values', async () => {
  await sql`create table moments (at timestamptz, day date, credits bigint, body jsonb)`;
  const moments = pgTable('moments', {
    at: timestamp({ withTimezone: true, mode: 'date' }),
    day: date(),
    credits: bigint({ mode: 'number' }),
    body: jsonb(),
  });
  const row = { at: new Date('2026-11-20T10:00:00.000Z'), day: '2026-11-20', credits: 9_000_000_000, body: { a: [1] } };
  await database.drizzle().insert(moments).values(row);
  await sql`insert into moments ${sql({ ...row, body: sql.json(row.body) })}`;
  expect(await database.drizzle().select().from(moments)).toEqual([row, row]);
  expect(await sql`select at, day, credits, body, jsonb_typeof(body) as type from moments`).toEqual(
    Array(2).fill({ ...row, type: 'object' }),
  );
  expect(await sql`select count(distinct m) as n from moments m`).toEqual([{ n: 1 }]);
});

test('PostgreSQL prepares each statement of the query builder once for a connection, even in nested transactions', async () => {
  await sql`create table counters (id bigint primary key, n bigint)`;
  const counters = pgTable('counters', {
    id: bigint({ mode: 'number' }).primaryKey(),
    n: bigint({ mode: 'number' }),
  });
  const prepared = await database.drizzle().transaction(async (tx) => {
    for (const id of [1, 2]) await tx.insert(counters).values({ id, n: id * 10 });
    for (const id of [1, 2]) {
      const read = await tx.transaction((inner) => inner.select().from(counters).where(eq(counters.id, id)));
      expect(read).toEqual([{ id, n: id * 10 }]);
    }
    return tx.execute<{ verb: string }>(
      `select split_part(statement, ' ', 1) as verb from pg_prepared_statements where statement like '%"counters"%' order by verb`,
    );
  });
  expect(prepared.map(({ verb }) => verb)).toEqual(['insert', 'select']);
});

test('database statements have a time limit, and connections have the name of their role', async () => {
  const settings = sql`select current_setting('statement_timeout') as timeout, current_setting('application_name') as name`;
  expect(await settings).toEqual([{ timeout: '30s', name: 'tidemark-test' }]);
  const usual = connectClients(parseDatabaseUrl(database.database_url), 'test');
  // On a busy machine, opening the connection alone can take longer than the limit, so this repeats the statement.
  const read = () => usual.pipelined`select current_setting('statement_timeout') as timeout`.catch(String);
  await expect.poll(read).toEqual([{ timeout: '1400ms' }]);
  await usual.close();
});

test('requests wait for the database for DATABASE_TIMEOUT_MS, by default 1.5 seconds', async () => {
  expect(readPipelineConfig({}).database_timeout_ms).toBe(1_500);
  const { database_timeout_ms } = readPipelineConfig({ DATABASE_TIMEOUT_MS: '2000' });
  const { pipelined, apart, close } = connectClients(parseDatabaseUrl(database.database_url), 'test', {
    database_timeout_ms,
  });
  try {
    for (const sql of [pipelined, apart]) {
      const [row] = await sql`show statement_timeout`;
      expect(row?.statement_timeout).toBe('1900ms');
      const endless = sql`select count(*) from (select generate_series(1, ${'1000000000000'}::bigint)) numbers`;
      await expect(endless).rejects.toMatchObject({ code: '57014' });
    }
  } finally {
    await close();
  }
  for (const text of ['fast', '499', '30001', '-1'])
    expect(() => readPipelineConfig({ DATABASE_TIMEOUT_MS: text })).toThrow(
      'DATABASE_TIMEOUT_MS must be a number from',
    );
});

test('the two pipelined connections send statements without waiting for earlier results', async () => {
  const plain = connectClients(parseDatabaseUrl(database.database_url), 'test', { database_timeout_ms: patientMs });
  const rows = await Promise.all(
    Array.from({ length: 50 }, (_, n) => plain.pipelined`select ${n}::int as n, pg_backend_pid() as pid`),
  ).finally(() => plain.close());
  expect(rows.map(([row]) => row?.n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect(new Set(rows.map(([row]) => row?.pid)).size).toBeLessThanOrEqual(2);
});

test('database clients reconnect after the built-in server was killed', async () => {
  const folder = await openFolder();
  const embedded = await openDatabase({ database_url: null, data_dir: folder, role: 'test' }, silentLog);
  try {
    await embedded.sql`create table kept (n int)`;
    await embedded.sql`insert into kept values (1)`;
    const pid = await postmasterPid(folder);
    if (pid === null) throw new Error('The main process of PostgreSQL (postmaster) is not running.');
    process.kill(pid, 'SIGKILL');
    await until(async () => (await postmasterPid(folder)) !== pid);
    for (const client of [embedded.sql, embedded.pipelined]) {
      await until(async () => client`select n from kept`.then((rows) => rows[0]?.n === 1).catch(() => false));
    }
  } finally {
    await embedded.close();
    await removeFolder(folder, folder);
  }
});

test('database clients reconnect when the server of DATABASE_URL closes their connections', async () => {
  const [before] = await pipelined`select pg_backend_pid() as pid`;
  await sql`select pg_terminate_backend(${before?.pid}::int)`;
  await until(async () =>
    pipelined`select pg_backend_pid() as pid`.then(([row]) => row?.pid !== before?.pid).catch(() => false),
  );
});

test('DATABASE_URL accepts PostgreSQL 15 or newer and refuses older versions', async () => {
  const opened = await open(database.database_url);
  expect(await opened.sql`select 1 as one`).toEqual([{ one: 1 }]);
  await opened.close();

  // Makes the database report an old version to new connections.
  const oldDatabase = await createTestDatabase();
  const [row] = await oldDatabase.sql`select current_database() as name`;
  await oldDatabase.sql`create schema old`;
  await oldDatabase.sql`create function old.current_setting(text) returns text language sql return '140022'`;
  await oldDatabase.sql.unsafe(`alter database ${row?.name} set search_path = old, pg_catalog, public`);
  await expect(open(oldDatabase.database_url)).rejects.toThrow(
    /\(DATABASE_URL\) runs PostgreSQL 14\. Tidemark needs 15 or newer: upgrade it/,
  );
  await oldDatabase.close();
});

test('the error for an unreachable database has its address without the password', async () => {
  const refused = open('postgres://someone:wordthatpasses@127.0.0.1:1/tides');
  await expect(refused).rejects.toThrow(
    'The database 127.0.0.1:1/tides of DATABASE_URL cannot be opened: connect ECONNREFUSED 127.0.0.1:1.',
  );
  await expect(refused).rejects.not.toThrow('wordthatpasses');
  const missing = new URL(database.database_url);
  missing.pathname = '/no_such_tides';
  await expect(open(missing.href)).rejects.toThrow(
    /no_such_tides of DATABASE_URL cannot be opened: database "no_such_tides" does not exist/,
  );
});

test('an invalid DATABASE_URL is refused with an example', async () => {
  for (const address of ['', 'localhost', 'mysql://a@b/c', 'postgres://user:pass word@:x/']) {
    await expect(open(address)).rejects.toThrow('DATABASE_URL is not a valid database address');
  }
});

test('DATABASE_URL can name a socket as in libpq, and parameters that only libpq understands are removed', () => {
  const socket = parseDatabaseUrl('postgres:///tides?host=/run/postgresql&user=someone');
  expect(socket).toEqual({ url: 'postgres:///tides', options: { host: '/run/postgresql', user: 'someone' } });
  const { options } = connectClients(socket, 'test').sql;
  expect([options.path, options.user, options.database]).toEqual(['/run/postgresql/.s.PGSQL.5432', 'someone', 'tides']);
  const hosted = 'postgresql://a:b@db.example/tides?sslmode=require';
  expect(parseDatabaseUrl(`${hosted}&channel_binding=require`)).toEqual({ url: hosted, options: {} });
  expect(parseDatabaseUrl('postgres://a@one:5432,two:5433/tides').url).toBe('postgres://a@one:5432,two:5433/tides');
});
