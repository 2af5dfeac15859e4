import { createRequire } from 'node:module';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import { startEmbedded } from './embedded/embedded.ts';
import type { Log } from './log.ts';
import { requirePatchedDriver } from './patched-driver.ts';
import { reasonOf, StartError } from './start-error.ts';

const poolConnections = 8;
/** Connections for batched statements. postgres.js pipelines them: it sends a statement without waiting for earlier results. */
const pipelinedConnections = 2;
/**
 * Plans each batched statement once: with several thousand workspaces, planning takes five times as long as running it.
 * Without sequential scans, a plan made while tables were small stays fast when they grow.
 */
export const pipelinedSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };
const connectTimeoutSeconds = 10;
const statementTimeoutMs = 30_000;
const closeTimeoutSeconds = 5;
const longestReconnectPauseSeconds = 1;
/** PostgreSQL 15, the oldest version with every feature that the statements use. */
const oldestServerVersion = 150_000;

export interface DatabaseConfig {
  /** A PostgreSQL server, 15 or newer; null runs the built-in one in `data_dir`. */
  database_url: string | null;
  data_dir: string;
  /** The kind of process: `server`, `pipeline` or `operator`. pg_stat_activity shows it as `tidemark-<role>`. */
  role: string;
}

/**
 * The database clients. Types of values read: int8 (credits, counts) number when safe, else its digits as text; timestamptz
 * Date; date and timestamp text; numeric (also the sum of int8) text; json parsed.
 * A string written to json is JSON text. Times of day are in UTC.
 */
export interface Clients {
  /** The pool for transactions and all other statements. */
  sql: Sql;
  /** Two pipelined connections for short batched statements: no transactions, nothing slow. */
  pipelined: Sql;
  /** The query builder over `sql`. */
  drizzle: PostgresJsDatabase;
}

export interface Database extends Clients {
  /** Waits up to five seconds for running statements, and stops the built-in server when no other process uses it. */
  close(): Promise<void>;
}

/** The address to connect to; `options` override `url`, which may be empty. */
export interface Target {
  url: string;
  options: { host?: string; port?: number; user?: string; database?: string };
}

/** Opens DATABASE_URL, or starts the built-in server. Broken connections are reopened automatically. Throws StartError. */
export async function openDatabase(config: DatabaseConfig, log: Log): Promise<Database> {
  requirePatchedDriver();
  if (config.database_url === null) {
    const embedded = await startEmbedded({ data_dir: config.data_dir, log });
    return connectClients({ url: '', options: embedded.connection }, config.role, embedded.stop);
  }
  const database = connectClients(parseDatabaseUrl(config.database_url), config.role);
  try {
    await checkServer(database.sql);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Parses postgres://user:password@host:port/database, or postgres:///database?host=/folder&user=name for a socket. Throws StartError. */
export function parseDatabaseUrl(databaseUrl: string): Target {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) throw invalidUrlError();
  // The driver accepts an address of several hosts, which URL cannot parse.
  if (!URL.canParse(databaseUrl)) return { url: databaseUrl, options: {} };
  const url = new URL(databaseUrl);
  const options: Target['options'] = {};
  for (const name of ['host', 'user'] as const) {
    const value = url.searchParams.get(name);
    if (value !== null) options[name] = value;
  }
  // The driver sends unknown parameters to the server, which refuses them.
  for (const name of ['host', 'user', 'channel_binding']) url.searchParams.delete(name);
  return { url: url.href, options };
}

/** Throws when the database does not answer. */
export async function ping(sql: Sql): Promise<void> {
  await sql`select 1`;
}

function invalidUrlError(): StartError {
  return new StartError(
    'DATABASE_URL is not a valid database address: write it as postgres://user:password@host:5432/database.',
  );
}

/** Creates the clients without connecting yet. `afterClose` runs after they are closed. Throws StartError for an invalid address. */
export function connectClients(target: Target, role: string, afterClose = async () => {}): Database {
  const sql = connectClient(target, role, poolConnections);
  const pipelined = connectClient(target, role, pipelinedConnections, pipelinedSettings);
  let builder: PostgresJsDatabase | null = null;
  return {
    sql,
    pipelined,
    // Loaded on first use, because most processes never need it.
    get drizzle() {
      builder ??= buildQueries(sql);
      return builder;
    },
    async close() {
      await Promise.all([sql, pipelined].map((client) => client.end({ timeout: closeTimeoutSeconds })));
      await afterClose();
    },
  };
}

function connectClient(target: Target, role: string, connections: number, settings: Record<string, string> = {}): Sql {
  try {
    return postgres(target.url, {
      ...target.options,
      max: connections,
      connect_timeout: connectTimeoutSeconds,
      backoff: (attempt) => Math.min(0.02 * 2 ** attempt, longestReconnectPauseSeconds),
      onnotice: () => undefined,
      types: conversions,
      connection: {
        application_name: `tidemark-${role}`,
        statement_timeout: statementTimeoutMs,
        TimeZone: 'UTC',
        ...settings,
      },
    }) as unknown as Sql;
  } catch {
    throw invalidUrlError();
  }
}

const conversions = {
  bigint: { to: 20, from: [20], serialize: String, parse: safeNumber },
  // A day stays text: as a Date it would shift with the time zone.
  day: { to: 1082, from: [1082, 1114], serialize: String, parse: String },
  json: {
    to: 114,
    from: [114, 3802],
    serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
    parse: (text: string): unknown => JSON.parse(text),
  },
};

function safeNumber(digits: string): number | string {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : digits;
}

// drizzle's ES modules take half a second to load, because Node reads its package file for each; its CommonJS build takes a sixth.
function buildQueries(sql: Sql): PostgresJsDatabase {
  const { drizzle } = createRequire(import.meta.url)(
    'drizzle-orm/postgres-js',
  ) as typeof import('drizzle-orm/postgres-js');
  // drizzle clears the conversions of its client, so it gets its own copy of them. It accepts converted values as well.
  const options = { ...sql.options, parsers: {}, serializers: {} };
  return drizzle({ client: Object.create(sql, { options: { value: options } }) as Sql });
}

async function checkServer(sql: Sql): Promise<void> {
  const { host, port, path, database } = sql.options;
  const address = `${path || host.map((name, index) => `${name}:${port[index]}`).join(',')}/${database}`;
  const version = await serverVersion(sql).catch((error: unknown) => {
    throw new StartError(
      `The database ${address} of DATABASE_URL cannot be opened: ${withoutPassword(reasonOf(error), sql)}.`,
    );
  });
  if (version >= oldestServerVersion) return;
  const major = Math.floor(version / 10_000);
  throw new StartError(
    `The database ${address} of DATABASE_URL runs PostgreSQL ${major}: Tidemark needs ${oldestServerVersion / 10_000} or newer.`,
  );
}

async function serverVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`;
  if (!row) throw new Error('The database server returned no version.');
  return row.version;
}

function withoutPassword(text: string, sql: Sql): string {
  const { pass } = sql.options;
  return typeof pass === 'string' && pass !== '' ? text.replaceAll(pass, '…') : text;
}
