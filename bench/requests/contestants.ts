import { Hono } from 'hono';
import postgres from 'postgres';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { createRequestLog, joinedLines } from '../../pipeline/log.ts';
import type { Fetcher } from '../../pipeline/network/fetcher.ts';
import { createSources } from '../../pipeline/start.ts';
import { createService } from '../../server/service.ts';
import { webProfileInfo } from '../invented.ts';
import { makeWorkspaces, plenty, workspaces } from './workspaces.ts';

/** A server to measure: the service, or a minimal one to compare it with. */
export interface Contestant {
  fetch(request: Request): Response | Promise<Response>;
  /** The request headers of each workspace. Each connection uses the headers of one workspace. */
  headers: Record<string, string>[];
}

/** Number of handles that are in the cache before the measurement. */
export const cachedHandleCount = 1_000;

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

interface MeteredOptions {
  requests_per_minute?: number;
  memory_cache_bytes?: number;
  cached?: true;
  /** Number of posts in the answer of the source. */
  posts?: number;
}

/** Answers with the real service. Its source is replaced by one that answers immediately. */
async function metered(url: string, options: MeteredOptions): Promise<Contestant> {
  const { requests_per_minute = plenty, memory_cache_bytes, cached = false, posts = 0 } = options;
  const db = connectClients(parseDatabaseUrl(url), 'bench');
  const keys = await makeWorkspaces(url);
  const log = createRequestLog(joinedLines('/dev/null'));
  const { app } = await createService({
    db,
    now: () => new Date(),
    base_url: 'http://127.0.0.1',
    requests_per_minute,
    ...(memory_cache_bytes !== undefined && { memory_cache_bytes }),
    sources: {
      ...createSources({ sources: keyless, upstream_replay: null }, () => new Date()),
      fetch: answerAtOnce(posts),
    },
    log: (entry) => log.info(entry, 'request'),
    on_error: (error) => console.error(error),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });
  const headers = keys.map((key) => ({ 'x-api-key': key }));
  if (cached) await fillCache(app.fetch, headers[0] ?? {});
  return { fetch: app.fetch, headers };
}

const keyless = {
  youtube_api_key: null,
  instagram_graph_token: null,
  instagram_graph_user_id: null,
  meta_adlibrary_token: null,
  x_bearer_token: null,
  keyless: () => true,
};

function answerAtOnce(posts: number): Fetcher {
  const body = webProfileInfo(posts);
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return async ({ url }) => ({ status: 200, url, headers, body });
}

async function fillCache(fetch: Hono['fetch'], headers: Record<string, string>): Promise<void> {
  const fill = async (index: number) => {
    const response = await fetch(new Request(`http://127.0.0.1${profilePath(`cached${index}`)}`, { headers }));
    if (response.status !== 200) throw new Error(`filling the cache failed: ${await response.text()}`);
  };
  await Promise.all(Array.from({ length: cachedHandleCount }, (_, index) => fill(index)));
}

export function profilePath(handle: string): string {
  return `/v1/photo/profile?handle=${handle}`;
}
