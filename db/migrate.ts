import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { isDistributed } from './distribution/distributed.ts';
import { adaptStatement, distributeCreatedTable } from './distribution/migration.ts';
import { sequentially } from './distribution/steps.ts';
import { hourMs } from './durations.ts';
import { reasonOf, StartError, systemErrorCode } from './start-error.ts';
import { inTransaction } from './transaction.ts';

const defaultFolder = join(import.meta.dirname, 'migrations');
/** Name of the subfolder with the Citus variants of migrations. */
const citusFolder = 'citus';
/**
 * Number of the advisory lock that lets only one process run database migrations at a time. Other processes wait for
 * the lock, at most as long as `lockTimeout`.
 */
const migrationLock = 7_428_302;
const lockTimeout = '10min';
const migrationTimeout = '1h';
/**
 * Time limit of one hour for a statement of a migration. The usual limit of the driver is much shorter (docs/adr/0077).
 */
const patience: object = { deadline: hourMs };

interface Migration {
  /** The file name of the migration, such as `0001_tides.sql`. Migrations are applied in the order of their names. */
  name: string;
  sha256: string;
  statements: string[];
  /**
   * The statements for a distributed database (Citus). The folder `citus` has a file with these statements if Citus
   * refuses one of the usual statements. Otherwise, these are the usual statements.
   */
  distributed_statements: string[];
}

/**
 * Applies the missing database migrations in the order of their names, each in its own transaction. Several processes
 * may call this at the same time. Returns the names of the migrations that this call applied. Throws StartError when a
 * migration fails, when the file of an applied migration has changed, or when a newer version of Tidemark has migrated
 * the database.
 */
export async function migrate(sql: Sql, { folder = defaultFolder }: { folder?: string } = {}): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const applied = await readApplied(sql);
  refuseNewer(migrations, applied);
  const names: string[] = [];
  for (const migration of migrations) {
    const known = applied.get(migration.name);
    if (known !== undefined) refuseChanged(migration, known);
    else if (await inTransaction(sql, (transaction) => applyOnce(transaction, migration))) names.push(migration.name);
  }
  return names;
}

/** Returns the names of the database migrations that the next start would apply. Changes nothing. */
export async function pendingMigrations(sql: Sql): Promise<string[]> {
  const [{ known = null } = {}] = await sql<{ known: string | null }[]>`
    select to_regclass('applied_migrations')::text as known`;
  const rows = known ? await sql<{ name: string }[]>`select name from applied_migrations` : [];
  const applied = new Set(rows.map(({ name }) => name));
  return (await readMigrations(defaultFolder)).map(({ name }) => name).filter((name) => !applied.has(name));
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder);
  const names = entries.filter((name) => name.endsWith('.sql')).sort();
  const forCitus = new Set(entries.includes(citusFolder) ? await readdir(join(folder, citusFolder)) : []);
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      const statements = statementsOf(text);
      if (!forCitus.has(name)) return { name, sha256, statements, distributed_statements: statements };
      const other = await readFile(join(folder, citusFolder, name), 'utf8');
      return { name, sha256, statements, distributed_statements: statementsOf(other) };
    }),
  );
}

function statementsOf(text: string): string[] {
  return text.split('--> statement-breakpoint');
}

/** Returns the SHA-256 hash of each migration that was applied to this database, by its file name. */
async function readApplied(sql: Sql): Promise<Map<string, string>> {
  await inTransaction(sql, async (transaction) => {
    await lockMigrations(transaction);
    await transaction`
      create table if not exists applied_migrations (
        name text primary key, sha256 text not null, applied_at timestamptz not null default now()
      )`;
  }).catch((error: unknown) => {
    throw systemErrorCode(error) === insufficientPrivilege ? mayNotCreate(error) : error;
  });
  const rows = await sql<{ name: string; sha256: string }[]>`select name, sha256 from applied_migrations`;
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

/** The SQLSTATE code for missing privileges: the database user may not run the statement. */
const insufficientPrivilege = '42501';

function mayNotCreate(cause: unknown): StartError {
  return new StartError(
    `The user of DATABASE_URL may not create tables (${reasonOf(cause)}): make this user the owner of the database with ALTER DATABASE … OWNER TO ….`,
    { cause },
  );
}

// Holds the migration lock until the transaction ends, so that the next process sees the migrations that this process
// has applied.
async function lockMigrations(transaction: Sql): Promise<void> {
  await transaction`
    select set_config('lock_timeout', ${lockTimeout}, true), set_config('statement_timeout', ${migrationTimeout}, true)`;
  await transaction.unsafe(`select pg_advisory_xact_lock(${migrationLock})`, [], patience);
}

async function applyOnce(transaction: Sql, migration: Migration): Promise<boolean> {
  await lockMigrations(transaction);
  const { name, sha256 } = migration;
  const [known] = await transaction<{ sha256: string }[]>`select sha256 from applied_migrations where name = ${name}`;
  if (known) {
    refuseChanged(migration, known.sha256);
    return false;
  }
  try {
    if (isDistributed(transaction)) await runDistributed(transaction, migration.distributed_statements);
    else for (const statement of migration.statements) await transaction.unsafe(statement, [], patience);
  } catch (error) {
    throw new StartError(
      `The migration ${name} failed and changed nothing: ${reasonOf(error)}. Start the earlier version, and report this error.`,
      { cause: error },
    );
  }
  await transaction`insert into applied_migrations ${transaction({ name, sha256 })}`;
  return true;
}

function refuseNewer(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  const last = migrations.at(-1)?.name ?? '';
  const [newer] = [...applied.keys()].filter((name) => name > last).sort();
  if (newer === undefined) return;
  throw new StartError(
    `A newer version of Tidemark has migrated this database (${newer}): install that version, or restore a backup from before its upgrade.`,
  );
}

// Runs the statements of a migration on a distributed database (Citus). Each new table is distributed immediately,
// because a foreign key cannot refer from a local table to a distributed one.
async function runDistributed(transaction: Sql, statements: readonly string[]): Promise<void> {
  await sequentially(transaction);
  for (const statement of statements) {
    const adapted = await adaptStatement(transaction, statement);
    if (adapted === null) continue;
    await transaction.unsafe(adapted, [], patience);
    await distributeCreatedTable(transaction, adapted);
  }
}

function refuseChanged({ name, sha256 }: Migration, known: string): void {
  if (sha256 === known) return;
  throw new StartError(
    `The migration ${name} was applied to this database with different contents: restore the file, and put changes into a new migration.`,
  );
}
