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
/** Connections for a workspace whose rows are locked. They are opened when that happens and closed when they are idle. */
const apartConnections = 2;
const apartIdleSeconds = 30;
/** Connections for jobs in a server process, and for other work that may take long. */
const backgroundConnections = 4;
const backgroundIdleSeconds = 60;
const connectTimeoutSeconds = 10;
const closeTimeoutSeconds = 5;
const longestReconnectPauseSeconds = 1;
/** How long a statement of a client may take. */
interface Limits {
  /** The database stops a statement after this time, so that an answer arrives before the deadline on any network that works. */
  statement_timeout: number;
  /** The database stops a statement that waits this long for one lock; 0 for no limit. */
  lock_timeout: number;
  /** A statement fails and its connection is closed when the database was silent for this time (docs/adr/0077). */
  deadline: number;
}

/** In milliseconds. `requests` leaves half a second of the two in which a request is answered when the database is away. */
const limits = {
  requests: { statement_timeout: 1_400, lock_timeout: 300, deadline: 1_500 },
  apart: { statement_timeout: 1_400, lock_timeout: 1_000, deadline: 1_500 },
  pages: { statement_timeout: 9_000, lock_timeout: 8_000, deadline: 10_000 },
  background: { statement_timeout: 30_000, lock_timeout: 0, deadline: 35_000 },
} satisfies Record<string, Limits>;

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
  /** Like `pipelined`, for the calls of a workspace whose rows are locked: they wait here without delaying others. */
  apart: Sql;
  /** A pool for jobs and for work that may take up to 30 seconds. */
  background: Sql;
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

function invalidUrlError(): StartError {
  return new StartError(
    'DATABASE_URL is not a valid database address: write it as postgres://user:password@host:5432/database.',
  );
}

/** Creates the clients without connecting yet. `afterClose` runs after they are closed. Throws StartError for an invalid address. */
export function connectClients(target: Target, role: string, afterClose = async () => {}): Database {
  const connect = (options: ClientOptions) => connectClient(target, role, options);
  // Only a server answers people, who do not wait longer.
  const sql = connect({ max: poolConnections, limits: role === 'server' ? limits.pages : limits.background });
  const settings = pipelinedSettings;
  const pipelined = connect({ max: pipelinedConnections, limits: limits.requests, settings });
  const apart = connect({
    max: apartConnections,
    limits: limits.apart,
    settings,
    max_pipeline: 0,
    idle_timeout: apartIdleSeconds,
  });
  const background = connect({
    max: backgroundConnections,
    limits: limits.background,
    idle_timeout: backgroundIdleSeconds,
  });
  let builder: PostgresJsDatabase | null = null;
  return {
    sql,
    pipelined,
    apart,
    background,
    // Loaded on first use, because most processes never need it.
    get drizzle() {
      builder ??= buildQueries(sql);
      return builder;
    },
    async close() {
      await Promise.all(
        [sql, pipelined, apart, background].map((client) => client.end({ timeout: closeTimeoutSeconds })),
      );
      await afterClose();
    },
  };
}

interface ClientOptions {
  max: number;
  limits: Limits;
  /** Settings of its sessions. */
  settings?: Record<string, string>;
  /** Statements sent ahead on a busy connection. Default: 100. */
  max_pipeline?: number;
  /** Seconds after which an idle connection is closed. Default: never. */
  idle_timeout?: number;
}

function connectClient(target: Target, role: string, { limits, settings, ...client }: ClientOptions): Sql {
  const { deadline, ...timeouts } = limits;
  try {
    return postgres(target.url, {
      ...target.options,
      ...client,
      // An option of our patch, which the types of the driver do not have.
      ...({ deadline } as object),
      connect_timeout: connectTimeoutSeconds,
      backoff: (attempt) => Math.min(0.02 * 2 ** attempt, longestReconnectPauseSeconds),
      onnotice: () => undefined,
      types: conversions,
      connection: {
        application_name: `tidemark-${role}`,
        ...timeouts,
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
