import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import { markDistributed } from './distribution/distributed.ts';
import { buildQueries } from './drizzle-modules.ts';
import { queueConnections } from './queue.ts';
import { StartError } from './start-error.ts';

const poolConnections = 8;
/**
 * Number of pipelined connections, on which combined SQL statements run. On these connections, postgres.js sends a
 * statement before the results of earlier statements have arrived.
 */
const pipelinedConnections = 2;
/**
 * PostgreSQL settings for combined SQL statements. Each statement is planned only once, because with several thousand
 * workspaces, planning takes five times as long as execution. Sequential scans are off, so that a plan made for small
 * tables stays fast when the tables grow.
 */
const pipelinedSettings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };
/**
 * Number of connections for requests on a distributed database (Citus). The number is high, because each statement
 * waits for another node.
 */
export const distributedConnections = 16;
/**
 * PostgreSQL settings for a distributed database (Citus). PostgreSQL chooses between generic and custom plans by
 * estimated cost. With a generic plan, Citus can select the node only for the simplest statements, so Citus raises the
 * estimated cost of all other generic plans.
 */
const distributedSettings = { plan_cache_mode: 'auto' };
/**
 * Number of connections for statements of workspaces whose rows are locked. Requests and background jobs each have this
 * number. The connections are opened when needed and closed when idle.
 */
const apartConnections = 2;
const apartIdleSeconds = 30;
/** Number of connections of a process for background jobs and other statements that may take long. */
const backgroundConnections = 4;
const backgroundIdleSeconds = 60;
/**
 * Returns the maximum number of database connections of a server or pipeline. On a Citus cluster, these are connections
 * to the coordinator.
 */
export function connectionsOf(distributed: boolean): number {
  const pipelined = distributed ? distributedConnections : pipelinedConnections;
  return poolConnections + pipelined + 2 * apartConnections + backgroundConnections + queueConnections;
}
const connectTimeoutSeconds = 10;
const closeTimeoutSeconds = 5;
const maxReconnectPauseSeconds = 1;
/** Time limits for the SQL statements of a connection pool, in milliseconds. */
interface Limits {
  /**
   * Milliseconds after which PostgreSQL cancels a statement. The value is less than `deadline`, so that PostgreSQL's
   * error arrives before the connection is closed.
   */
  statement_timeout: number;
  /** Milliseconds after which PostgreSQL cancels a statement that waits for a lock; 0 means no limit. */
  lock_timeout: number;
  /**
   * Milliseconds without data from PostgreSQL after which the statement fails and its connection is closed
   * (docs/adr/0077).
   */
  deadline: number;
}

/**
 * Time limit in milliseconds for an SQL statement of a request. An API request must be answered within two seconds even
 * when the database is down, so half a second remains for other work.
 */
export const defaultDatabaseTimeoutMs = 1_500;
const lockTimeoutMs = 300;
const lockTimeoutApartMs = 1_000;
const limits = {
  pages: { statement_timeout: 9_000, lock_timeout: 8_000, deadline: 10_000 },
  background: { statement_timeout: 30_000, lock_timeout: 0, deadline: 35_000 },
} satisfies Record<string, Limits>;

function requestLimits(timeoutMs: number, lockMs: number): Limits {
  return { statement_timeout: timeoutMs - 100, lock_timeout: lockMs, deadline: timeoutMs };
}

/**
 * The connection pools for the database. Values are returned as follows: int8 (credits, counts) as a number, or as text
 * when it exceeds the safe integers; timestamptz as a Date; date, timestamp and numeric (also the sum of int8) as text;
 * json as a parsed value. A string for a json parameter must be JSON text. The time zone is UTC.
 */
export interface Clients {
  /** The connection pool for transactions and for all statements that do not need another pool. */
  sql: Sql;
  /**
   * Pipelined connections for short combined statements. Never use them for transactions or slow statements, which
   * would delay the statements that follow on the same connection.
   */
  pipelined: Sql;
  /**
   * Separate connections for workspaces whose rows are locked, so that their waiting statements do not delay other
   * workspaces.
   */
  apart: Sql;
  /**
   * Connections like `apart`, but for background jobs, whose statements may wait up to 30 seconds for a locked row.
   * Meanwhile, jobs of other workspaces need not wait.
   */
  patient: Sql;
  /** The connection pool for background jobs, and for other statements that may take up to 30 seconds. */
  background: Sql;
  /**
   * Returns the Drizzle query builder for the pool `sql`. The first call loads Drizzle, because most processes never
   * need it.
   */
  drizzle(): PostgresJsDatabase;
}

export interface Database extends Clients {
  /**
   * Waits up to five seconds for running statements and then closes all connections. Stops the built-in PostgreSQL
   * server when no other process uses the server.
   */
  close(): Promise<void>;
}

/** The address of a database. `options` override parts of `url`, which may be empty. */
interface Target {
  url: string;
  options: { host?: string; port?: number; user?: string; database?: string };
}

/**
 * Parses a database URL: postgres://user:password@host:port/database, or postgres:///database?host=/folder&user=name
 * for a Unix socket. Throws StartError for any other text.
 */
export function parseDatabaseUrl(databaseUrl: string): Target {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) throw invalidUrlError();
  // Uses a database URL with several hosts unchanged, because the driver accepts it but the class URL cannot parse it.
  if (!URL.canParse(databaseUrl)) return { url: databaseUrl, options: {} };
  const url = new URL(databaseUrl);
  const options: Target['options'] = {};
  for (const name of ['host', 'user'] as const) {
    const value = url.searchParams.get(name);
    if (value !== null) options[name] = value;
  }
  // Removes these parameters from the database URL, because the driver would pass them to the server, which refuses
  // them.
  for (const name of ['host', 'user', 'channel_binding']) url.searchParams.delete(name);
  return { url: url.href, options };
}

function invalidUrlError(): StartError {
  return new StartError(
    'DATABASE_URL is not a valid database address: write it as postgres://user:password@host:5432/database.',
  );
}

interface ConnectOptions {
  /** Called after all database connections are closed. */
  after_close?: () => Promise<void>;
  /** True when the tables are distributed over the nodes of a Citus cluster. */
  distributed?: boolean;
  /** Milliseconds that a request waits for the database. Default: {@link defaultDatabaseTimeoutMs}. */
  database_timeout_ms?: number | undefined;
}

/**
 * Creates the connection pools of a database. The pools connect on first use. Throws StartError for an invalid address.
 */
export function connectClients(
  target: Target,
  role: string,
  { after_close = async () => {}, distributed = false, database_timeout_ms: timeoutMs }: ConnectOptions = {},
): Database {
  const connect = (options: ClientOptions) => {
    const client = connectClient(target, role, options);
    if (distributed) markDistributed(client);
    return client;
  };
  // In a server process, statements have shorter time limits than in the pipeline, because users wait for its pages.
  const sql = connect({ max: poolConnections, limits: role === 'server' ? limits.pages : limits.background });
  const settings = distributed ? distributedSettings : pipelinedSettings;
  const pipelined = connect({
    limits: requestLimits(timeoutMs ?? defaultDatabaseTimeoutMs, lockTimeoutMs),
    settings,
    ...(distributed ? { max: distributedConnections } : { max: pipelinedConnections }),
  });
  const apart = connect({
    max: apartConnections,
    limits: requestLimits(timeoutMs ?? defaultDatabaseTimeoutMs, lockTimeoutApartMs),
    settings,
    max_pipeline: 0,
    idle_timeout: apartIdleSeconds,
  });
  const patient = connect({
    max: apartConnections,
    limits: limits.background,
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
    patient,
    background,
    drizzle() {
      builder ??= buildQueries(sql);
      return builder;
    },
    async close() {
      const clients = [sql, pipelined, apart, patient, background];
      await Promise.all(clients.map((client) => client.end({ timeout: closeTimeoutSeconds })));
      await after_close();
    },
  };
}

interface ClientOptions {
  max: number;
  limits: Limits;
  /** PostgreSQL settings that are set for each connection of the pool. */
  settings?: Record<string, string>;
  /** Maximum number of statements that are sent on a connection before the first result arrives. Default: 100. */
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
      // `deadline` is an option of Tidemark's patch of the driver, so the driver's types do not include it.
      ...({ deadline } as object),
      connect_timeout: connectTimeoutSeconds,
      backoff: (attempt) => Math.min(0.02 * 2 ** attempt, maxReconnectPauseSeconds),
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
  // Reads the PostgreSQL types date and timestamp as text, because a JavaScript Date would depend on the time zone.
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
