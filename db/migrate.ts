import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql, TransactionSql } from 'postgres';
import { reasonOf, StartError } from './start-error.ts';

const defaultFolder = join(import.meta.dirname, 'migrations');
/** Number of the advisory lock that lets one process at a time migrate. The others wait at most `lockTimeout`. */
const migrationLock = 7_428_302;
const lockTimeout = '10min';
const migrationTimeout = '1h';
/** A longer time limit than the usual one of the driver (docs/adr/0077), because a migration may take long. */
const patience: object = { deadline: 3_600_000 };

interface Migration {
  /** The file name, such as `0001_tides.sql`. Migrations are applied in the order of their names. */
  name: string;
  sha256: string;
  statements: string[];
}

/**
 * Applies the missing migrations in the order of their names, each in its own transaction. Any number of processes may call
 * it at once. Returns the names of the migrations that this call applied. Throws StartError when a migration fails, or when
 * the file of an applied migration has changed.
 */
export async function migrate(sql: Sql, { folder = defaultFolder }: { folder?: string } = {}): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const applied = await readApplied(sql);
  const names: string[] = [];
  for (const migration of migrations) {
    const known = applied.get(migration.name);
    if (known !== undefined) refuseChanged(migration, known);
    else if (await sql.begin((transaction) => applyOnce(transaction, migration))) names.push(migration.name);
  }
  return names;
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { name, sha256, statements: text.split('--> statement-breakpoint') };
    }),
  );
}

/** Returns the SHA-256 of each applied migration by its file name. */
async function readApplied(sql: Sql): Promise<Map<string, string>> {
  await sql.begin(async (transaction) => {
    await lockMigrations(transaction);
    await transaction`
      create table if not exists applied_migrations (
        name text primary key, sha256 text not null, applied_at timestamptz not null default now()
      )`;
  });
  const rows = await sql<{ name: string; sha256: string }[]>`select name, sha256 from applied_migrations`;
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

// Takes the lock until the transaction ends, so that the next process sees the migrations that this one applied.
async function lockMigrations(transaction: TransactionSql): Promise<void> {
  await transaction`
    select set_config('lock_timeout', ${lockTimeout}, true), set_config('statement_timeout', ${migrationTimeout}, true)`;
  await transaction.unsafe(`select pg_advisory_xact_lock(${migrationLock})`, [], patience);
}

async function applyOnce(transaction: TransactionSql, migration: Migration): Promise<boolean> {
  await lockMigrations(transaction);
  const { name, sha256, statements } = migration;
  const [known] = await transaction<{ sha256: string }[]>`select sha256 from applied_migrations where name = ${name}`;
  if (known) {
    refuseChanged(migration, known.sha256);
    return false;
  }
  try {
    for (const statement of statements) await transaction.unsafe(statement, [], patience);
  } catch (error) {
    throw new StartError(`The migration ${name} failed and changed nothing: ${reasonOf(error)}.`, { cause: error });
  }
  await transaction`insert into applied_migrations ${transaction({ name, sha256 })}`;
  return true;
}

function refuseChanged({ name, sha256 }: Migration, known: string): void {
  if (sha256 === known) return;
  throw new StartError(
    `The migration ${name} was applied to this database with different contents: restore the file, and put changes into a new migration.`,
  );
}
