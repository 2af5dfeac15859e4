import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { createTestDatabase } from '../setup/test-database.ts';

const database = await createTestDatabase();
const { sql } = database;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidemark-migrations-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
  await sql`drop table if exists tides, ships`;
  await sql`delete from applied_migrations where name like '9%'`;
});

afterAll(() => database.close());

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

const tides = 'create table tides (n int);\n--> statement-breakpoint\ninsert into tides values (1);';

test('database migrations are applied once, in the order of their names, statement by statement', async () => {
  await write({ '9002_more.sql': 'insert into tides values (2)', '9001_tides.sql': tides, 'notes.txt': 'not one' });
  expect(await migrate(sql, { folder })).toEqual(['9001_tides.sql', '9002_more.sql']);
  expect(await migrate(sql, { folder })).toEqual([]);
  expect((await sql`select n from tides order by n`).map((row) => row.n)).toEqual([1, 2]);
});

test('a new migration with an earlier name than an applied one is applied and not skipped', async () => {
  await write({ '9002_tides.sql': tides });
  await migrate(sql, { folder });
  await write({ '9001_ships.sql': 'create table ships (n int)' });
  expect(await migrate(sql, { folder })).toEqual(['9001_ships.sql']);
});

test('a failing migration changes nothing, is named in the error, and keeps the migrations before it', async () => {
  await write({
    '9001_tides.sql': tides,
    '9002_bad.sql': 'insert into tides values (2);\n--> statement-breakpoint\nselect 1/0;',
  });
  await expect(migrate(sql, { folder })).rejects.toThrow(
    'The migration 9002_bad.sql failed and changed nothing: division by zero.',
  );
  expect(await sql`select n from tides`).toEqual([{ n: 1 }]);
  await write({ '9002_bad.sql': 'insert into tides values (2)' });
  expect(await migrate(sql, { folder })).toEqual(['9002_bad.sql']);
});

test('a changed file of an applied migration is refused', async () => {
  await write({ '9001_tides.sql': tides });
  await migrate(sql, { folder });
  await write({ '9001_tides.sql': `${tides} `, '9002_more.sql': 'insert into tides values (2)' });
  await expect(migrate(sql, { folder })).rejects.toThrow(
    '9001_tides.sql was applied to this database with different contents',
  );
  expect(await sql`select n from tides`).toEqual([{ n: 1 }]);
});

test('processes that migrate at the same time apply each migration once', async () => {
  const slow = 'select pg_sleep(0.05);\n--> statement-breakpoint\n';
  const names = Array.from({ length: 5 }, (_, index) => `900${index + 2}_more.sql`);
  await write({
    '9001_tides.sql': slow + tides,
    ...Object.fromEntries(names.map((name) => [name, `${slow}insert into tides values (2)`])),
  });
  const processes = Array.from({ length: 4 }, () => connectClients(parseDatabaseUrl(database.database_url), 'test'));
  const applied = await Promise.all(processes.map((process) => migrate(process.sql, { folder })));
  expect(applied.flat().sort()).toEqual(['9001_tides.sql', ...names]);
  expect(await sql`select count(*) as n from tides`).toEqual([{ n: 6 }]);
  await Promise.all(processes.map((process) => process.close()));
});

test('the migrations of Tidemark itself are applied to a test database', async () => {
  expect(await migrate(sql)).toEqual([]);
  expect(await sql`select count(*) > 0 as some from applied_migrations`).toEqual([{ some: true }]);
});

test('a database that a newer version has migrated is refused', async () => {
  await write({ '9001_tides.sql': tides, '9002_ships.sql': 'create table ships (n int)' });
  await migrate(sql, { folder });
  await rm(join(folder, '9002_ships.sql'));
  await expect(migrate(sql, { folder })).rejects.toThrow(
    'A newer version of Tidemark has migrated this database (9002_ships.sql)',
  );
});

test('a database user that may not create tables is told to own the database', async () => {
  const name = `newcomer_${process.pid}`;
  await sql.unsafe(`create role ${name}`);
  await sql`create schema closed`;
  await sql.unsafe(`grant usage on schema closed to ${name}`);
  const url = new URL(database.database_url);
  url.searchParams.set('role', name);
  url.searchParams.set('search_path', 'closed');
  const newcomer = connectClients(parseDatabaseUrl(url.href), 'test');
  try {
    await expect(migrate(newcomer.sql)).rejects.toThrow('The user of DATABASE_URL may not create tables');
  } finally {
    await newcomer.close();
    await sql`drop schema closed`;
    await sql.unsafe(`drop role ${name}`);
  }
});
