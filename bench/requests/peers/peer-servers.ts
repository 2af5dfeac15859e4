import { createHash, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { apiKey } from '@better-auth/api-key';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Contestant } from '../contestant.ts';
import { answerText, createHandler, jsonHeaders, limitHeaders, poolConnections } from '../plain.ts';
import { plenty, workspaces } from '../sizes.ts';

/** The parts of pg and express that are used here. The packages have no types. */
interface Pool {
  query<T>(query: string | { name: string; text: string; values: unknown[] }): Promise<{ rows: T[] }>;
}
interface Incoming {
  get(header: string): string | undefined;
}
interface Outgoing {
  set(headers: Record<string, string>): Outgoing;
  status(status: number): Outgoing;
  send(body: string): void;
}
type ExpressApp = RequestListener & {
  get(path: string, handler: (request: Incoming, response: Outgoing) => Promise<void>): void;
};

const require = createRequire(import.meta.url);
const { Pool } = require('pg') as { Pool: new (options: object) => Pool };
const express = require('express') as () => ExpressApp;
const minuteSeconds = 60;
/** Highest number of remaining requests that the database column of better-auth's API key plugin can hold. */
const maxRemaining = 2_000_000_000;

function openPool(url: string): Pool {
  return new Pool({ connectionString: url, max: poolConnections });
}

/**
 * Creates a server that answers after better-auth's plugin for API keys has verified the key and taken one of its
 * remaining requests, in PostgreSQL. With `limited`, it also counts the request toward a rate limit, as the service
 * does.
 */
export async function betterAuthKeys(url: string, limited: boolean): Promise<Contestant> {
  const options = {
    baseURL: 'http://127.0.0.1',
    secret: randomUUID() + randomUUID(),
    database: openPool(url),
    telemetry: { enabled: false },
    plugins: [apiKey({ rateLimit: { enabled: limited, maxRequests: plenty, timeWindow: minuteSeconds * 1000 } })],
  };
  const { runMigrations } = await getMigrations(options);
  await runMigrations();
  const auth = betterAuth(options);
  const { internalAdapter } = await auth.$context;
  const createKey = async (index: number): Promise<string> => {
    const email = `bench${index}@localhost.test`;
    const user = await internalAdapter.createUser({ name: `bench ${index}`, email }, { method: 'bench' });
    const { key } = await auth.api.createApiKey({ body: { userId: user.id, remaining: maxRemaining } });
    return key;
  };
  const keys: string[] = [];
  for (let index = 0; index < workspaces; index += 1) keys.push(await createKey(index));
  const answer = createHandler(async (request) => {
    const { valid, error } = await auth.api.verifyApiKey({ body: { key: request.headers.get('x-api-key') ?? '' } });
    if (!valid) throw new Error(`The key is not valid: ${JSON.stringify(error)}`);
    return answerText;
  });
  return { answer, headers: keys.map((key) => ({ 'x-api-key': key })) };
}

/** Creates a server that answers after rate-limiter-flexible has counted the request in PostgreSQL. */
export async function limiterHits(url: string): Promise<Contestant> {
  const storeClient = openPool(url);
  const limiter = await new Promise<RateLimiterPostgres>((resolve, reject) => {
    const options = { storeClient, tableName: 'limits', points: plenty, duration: minuteSeconds };
    const created: RateLimiterPostgres = new RateLimiterPostgres(options, (error?: Error) =>
      error ? reject(error) : queueMicrotask(() => resolve(created)),
    );
  });
  const answer = createHandler(async (request) => {
    await limiter.consume(request.headers.get('x-workspace') ?? '');
    return answerText;
  });
  return { answer, headers: limitHeaders() };
}

/**
 * Creates a server with Express and pg. For each request, one statement finds the key by its hash, and another takes a
 * credit and inserts a ledger entry.
 */
export async function smallGateway(url: string): Promise<Contestant> {
  const pool = openPool(url);
  const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
  const keys = Array.from({ length: workspaces }, () => randomUUID());
  await pool.query(`
    create table keys (hash text primary key, workspace int not null, revoked_at timestamptz);
    create table balances (workspace int primary key, balance bigint not null) with (fillfactor = 50);
    create table entries (
      id bigint generated always as identity primary key, workspace int not null, request_id uuid not null,
      credits bigint not null, balance_after bigint not null, created_at timestamptz not null default now()
    );
    insert into balances select n, ${plenty}::bigint from generate_series(1, ${workspaces}) n`);
  for (const [index, key] of keys.entries()) {
    const text = 'insert into keys (hash, workspace) values ($1, $2)';
    await pool.query({ name: 'insert', text, values: [hashOf(key), index + 1] });
  }
  const find = 'select workspace from keys where hash = $1 and revoked_at is null';
  const charge = `
    with charged as (
      update balances set balance = balance - 1 where workspace = $1 and balance > 0 returning workspace, balance
    )
    insert into entries (workspace, request_id, credits, balance_after)
    select workspace, $2, -1, balance from charged returning balance_after`;
  const app = express();
  app.get('/', async (request, response) => {
    const values = [hashOf(request.get('x-api-key') ?? '')];
    const { rows: found } = await pool.query<{ workspace: number }>({ name: 'find', text: find, values });
    if (!found[0]) return response.status(401).send('');
    const charged = await pool.query({ name: 'charge', text: charge, values: [found[0].workspace, randomUUID()] });
    if (charged.rows.length === 0) return response.status(402).send('');
    response.set(jsonHeaders).send(answerText);
  });
  return { answer: { listener: app }, headers: keys.map((key) => ({ 'x-api-key': key })) };
}
