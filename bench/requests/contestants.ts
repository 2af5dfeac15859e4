import postgres from 'postgres';
import publishedDriver from 'postgres-published';
import { parseDatabaseUrl } from '../../db/connect.ts';
import type { Contestant } from './contestant.ts';
import type { MeteredOptions } from './metered.ts';
import { answerText, createHandler, limitHeaders, poolConnections } from './plain.ts';
import { cachedHandleCount, plenty, workspaces } from './sizes.ts';
import type { SmallestKind } from './smallest.ts';

// Each process loads only the modules of its own server.
const metered = async (url: string, options: MeteredOptions) => (await import('./metered.ts')).metered(url, options);
const smallest = async (url: string, kind: SmallestKind) => (await import('./smallest.ts')).smallest(url, kind);
const peers = () => import('./peers/peer-servers.ts');

/** Every server that is measured, by name. `url` is the address of its own database. */
export const contestants: Record<string, (url: string) => Promise<Contestant>> = {
  static: async () => ({ answer: createHandler(() => answerText), headers: [{}] }),
  'limit-read': limitRead,
  'limit-charge': limitCharge,
  // The goals were set with the driver as it is published, without Tidemark's patch (docs/adr/0009).
  'limit-read-published': (url) => limitRead(url, publishedDriver),
  'limit-charge-published': (url) => limitCharge(url, publishedDriver),
  admitted: (url) => smallest(url, 'admitted'),
  'admitted-and-charged': (url) => smallest(url, 'charged'),
  'collected-and-charged': (url) => smallest(url, 'collected'),
  'admitted-and-cached': (url) => smallest(url, 'cached'),
  cached: (url) => metered(url, { cached: true }),
  'cached-in-database': (url) => metered(url, { cached: true, memory_cache_bytes: 1 }),
  charged: (url) => metered(url, {}),
  'charged-large-page': (url) => metered(url, { posts: 60 }),
  refused: (url) => metered(url, { requests_per_minute: 0 }),
  mixed: async (url) => (await import('./mixed.ts')).mixed(url),
  'better-auth': async (url) => (await peers()).betterAuthKeys(url, false),
  'better-auth-limited': async (url) => (await peers()).betterAuthKeys(url, true),
  'rate-limiter-flexible': async (url) => (await peers()).limiterHits(url),
  gateway: async (url) => (await peers()).smallGateway(url),
};

/**
 * Creates a minimal server that answers each request with a 2 kB text, read by primary key with one prepared SELECT.
 */
async function limitRead(url: string, driver = postgres): Promise<Contestant> {
  const sql = connectPool(url, driver);
  await sql`create table texts (id int primary key, body text not null)`;
  await sql`insert into texts select n, ${answerText} from generate_series(1, ${cachedHandleCount}::int) n`;
  await sql`analyze texts`;
  let turn = 0;
  const answer = createHandler(async () => {
    turn = (turn + 1) % cachedHandleCount;
    const [row] = await sql<{ body: string }[]>`select body from texts where id = ${turn + 1}`;
    return row?.body ?? '';
  });
  return { answer, headers: limitHeaders() };
}

/**
 * Creates a minimal server that takes a credit and inserts a ledger entry, in one SQL statement, before each answer.
 */
async function limitCharge(url: string, driver = postgres): Promise<Contestant> {
  const sql = connectPool(url, driver);
  await sql`create table balances (workspace int primary key, balance bigint not null) with (fillfactor = 50)`;
  await sql`insert into balances select n, ${plenty}::bigint from generate_series(1, ${workspaces}::int) n`;
  await sql`
    create table entries (
      id bigint generated always as identity primary key, workspace int not null, request_id uuid not null,
      credits bigint not null, balance_after bigint not null, created_at timestamptz not null default now()
    )`;
  const answer = createHandler(async (request) => {
    const [row] = await sql<{ balance_after: string }[]>`
      with charged as (
        update balances set balance = balance - 1 where workspace = ${request.headers.get('x-workspace')} and balance > 0
        returning workspace, balance
      )
      insert into entries (workspace, request_id, credits, balance_after)
      select workspace, ${crypto.randomUUID()}, -1, balance from charged returning balance_after`;
    if (!row) throw new Error('Nothing was charged.');
    return answerText;
  });
  return { answer, headers: limitHeaders() };
}

function connectPool(url: string, driver: typeof postgres): postgres.Sql {
  const { options } = parseDatabaseUrl(url);
  return driver(parseDatabaseUrl(url).url, { ...options, max: poolConnections });
}
