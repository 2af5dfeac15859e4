import { Hono } from 'hono';
import postgres from 'postgres';
import { parseDatabaseUrl } from '../../db/connect.ts';
import type { Contestant } from './contestant.ts';
import { cachedHandleCount, metered } from './metered.ts';
import { mixed } from './mixed.ts';
import { plenty, workspaces } from './workspaces.ts';

const answerText = JSON.stringify({ data: 'x'.repeat(2_000) });
const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };
const limitPool = 10;

/** Every server that is measured, by name. `url` is the address of its own database. */
export const contestants: Record<string, (url: string) => Promise<Contestant>> = {
  static: async () => ({ fetch: createHandler(() => answerText), headers: [{}] }),
  'limit-read': limitRead,
  'limit-charge': limitCharge,
  cached: (url) => metered(url, { cached: true }),
  'cached-in-database': (url) => metered(url, { cached: true, memory_cache_bytes: 1 }),
  charged: (url) => metered(url, {}),
  'charged-large-page': (url) => metered(url, { posts: 60 }),
  refused: (url) => metered(url, { requests_per_minute: 0 }),
  mixed,
};

function createHandler(answer: (request: Request) => string | Promise<string>): Hono['fetch'] {
  const app = new Hono();
  app.get('/', async (c) => new Response(await answer(c.req.raw), { headers: jsonHeaders }));
  return app.fetch;
}

function limitHeaders(): Record<string, string>[] {
  return Array.from({ length: workspaces }, (_, index) => ({ 'x-workspace': String(index + 1) }));
}

/** Answers with one prepared SELECT of a 2 kB text by its key. */
async function limitRead(url: string): Promise<Contestant> {
  const sql = connectPool(url);
  await sql`create table texts (id int primary key, body text not null)`;
  await sql`insert into texts select n, ${answerText} from generate_series(1, ${cachedHandleCount}::int) n`;
  await sql`analyze texts`;
  let turn = 0;
  const fetch = createHandler(async () => {
    turn = (turn + 1) % cachedHandleCount;
    const [row] = await sql<{ body: string }[]>`select body from texts where id = ${turn + 1}`;
    return row?.body ?? '';
  });
  return { fetch, headers: limitHeaders() };
}

/** Answers after one statement that takes a credit and inserts a ledger entry. */
async function limitCharge(url: string): Promise<Contestant> {
  const sql = connectPool(url);
  await sql`create table balances (workspace int primary key, balance bigint not null) with (fillfactor = 50)`;
  await sql`insert into balances select n, ${plenty}::bigint from generate_series(1, ${workspaces}::int) n`;
  await sql`
    create table entries (
      id bigint generated always as identity primary key, workspace int not null, request_id uuid not null,
      credits bigint not null, balance_after bigint not null, created_at timestamptz not null default now()
    )`;
  const fetch = createHandler(async (request) => {
    const [row] = await sql<{ balance_after: string }[]>`
      with charged as (
        update balances set balance = balance - 1 where workspace = ${request.headers.get('x-workspace')} and balance > 0
        returning workspace, balance
      )
      insert into entries (workspace, request_id, credits, balance_after)
      select workspace, ${crypto.randomUUID()}, -1, balance from charged returning balance_after`;
    if (!row) throw new Error('nothing was charged');
    return answerText;
  });
  return { fetch, headers: limitHeaders() };
}

function connectPool(url: string): postgres.Sql {
  const { options } = parseDatabaseUrl(url);
  return postgres(parseDatabaseUrl(url).url, { ...options, max: limitPool });
}
