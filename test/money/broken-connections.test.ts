import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../db/accounts/keys.ts';
import { type CreatedWorkspace, createWorkspace } from '../../db/accounts/workspaces.ts';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ask, type Received } from '../harness/answers.ts';
import { type DatabaseProxy, databaseProxy } from '../harness/database-proxy.ts';
import { type ListeningService, listeningService } from '../harness/listening-service.ts';
import { isUnconfirmed } from '../harness/load.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { isCitusRun } from '../setup/citus.ts';
import { until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const upstream = inventedUpstream();
let db: TestDatabase;
let proxy: DatabaseProxy;
let service: ListeningService;
let requests = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  proxy = await databaseProxy(db.sql);
  const { database_url } = proxy;
  service = await listeningService({ database_url, fetch: upstream.fetch, role: 'broken', on_error: () => undefined });
});
beforeEach(() => {
  upstream.asked.length = 0;
});
afterAll(async () => {
  await service.close();
  await proxy.close();
  await db.close();
});

const workspaceOf = (credits: number): Promise<CreatedWorkspace> =>
  inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'broken', credits }));

interface Sent {
  request_id: string;
  /** The answer; null when the connection to the service failed. */
  answer: Received | null;
}

/** Requests a profile that no other request uses, with its own request id. */
async function send(key: string, headers: Record<string, string> = {}, id = nextId()): Promise<Sent> {
  const path = `/v1/photo/profile?handle=${id}`;
  const answer = await ask(service.base_url, path, key, { 'x-request-id': id, ...headers }).catch(() => null);
  return { request_id: id, answer };
}

function nextId(): string {
  requests += 1;
  return `broken_${requests}`;
}

const isCharged = ({ answer }: Sent) => answer?.status === 200 && answer.credits_charged === 1;

/** Returns the sorted request ids of all charges. A request that was charged twice appears twice. */
async function chargedIds(workspaceId: string): Promise<string[]> {
  const rows = await db.sql<{ request_id: string }[]>`
    select request_id from ledger_entries where workspace_id = ${workspaceId} and kind = 'charge'`;
  return rows.map(({ request_id }) => request_id).sort();
}

describe('a database connection that breaks after a charge was committed and before it was confirmed', () => {
  test('a request whose connection breaks after its charge was committed is charged once and answered', async () => {
    const { workspace_id, live_key } = await workspaceOf(5);
    const id = nextId();
    proxy.dropReplyTo(id);
    const sent = await send(live_key, {}, id);
    expect([sent.answer?.status, sent.answer?.credits_charged]).toEqual([200, 1]);
    expect(sent.answer?.headers.get('x-credits-remaining')).toBe('4');
    expect([await chargedIds(workspace_id), await readBalance(db.sql, workspace_id)]).toEqual([[id], 4]);
  });

  test('a charge of the last credit whose connection breaks after the commit is made once', async () => {
    const { workspace_id, live_key } = await workspaceOf(1);
    const id = nextId();
    proxy.dropReplyTo(id);
    const { answer } = await send(live_key, {}, id);
    expect([answer?.status, answer?.credits_charged, answer?.headers.get('x-credits-remaining')]).toEqual([
      200,
      1,
      '0',
    ]);
    expect([await chargedIds(workspace_id), await readBalance(db.sql, workspace_id)]).toEqual([[id], 0]);
  });

  test("a charge that used up the key's monthly cap and whose connection breaks after the commit is made once", async () => {
    const { workspace_id } = await workspaceOf(5);
    const { key } = await createKey(db.sql, workspace_id, { kind: 'live', name: 'capped', monthly_cap: 1 });
    const id = nextId();
    proxy.dropReplyTo(id);
    const { answer } = await send(key, {}, id);
    expect([answer?.status, answer?.credits_charged]).toEqual([200, 1]);
    expect([await chargedIds(workspace_id), await readBalance(db.sql, workspace_id)]).toEqual([[id], 4]);
  });

  test('a charge with an Idempotency-Key whose connection breaks after the commit is made once, and its answer is stored', async () => {
    const { workspace_id, live_key } = await workspaceOf(1);
    const id = nextId();
    proxy.dropReplyTo(id);
    const first = await send(live_key, { 'idempotency-key': 'last-credit' }, id);
    expect([first.answer?.status, first.answer?.credits_charged]).toEqual([200, 1]);
    const again = await send(live_key, { 'idempotency-key': 'last-credit' }, id);
    expect(again.answer?.headers.get('x-idempotent-replay')).toBe('true');
    expect([await chargedIds(workspace_id), await readBalance(db.sql, workspace_id)]).toEqual([[id], 0]);
  });
});

test.each([1, 3])(
  'a charge that is lost %i times before it reaches the database is retried and charged once',
  async (times) => {
    const { workspace_id, live_key } = await workspaceOf(1);
    const id = nextId();
    proxy.dropStatement(id, times);
    const { answer } = await send(live_key, {}, id);
    expect([answer?.status, answer?.credits_charged]).toEqual([200, 1]);
    expect([await chargedIds(workspace_id), await readBalance(db.sql, workspace_id)]).toEqual([[id], 0]);
  },
);

test('a database connection that breaks inside a transaction rolls it back, and the process keeps working', async () => {
  const client = connectClients(parseDatabaseUrl(db.database_url), 'transaction', { distributed: isCitusRun });
  const making = inTransaction(client.sql, async (tx) => {
    const { workspace_id } = await createWorkspace(tx, { name: 'undone', credits: 5 });
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await db.sql`select pg_terminate_backend(${own?.pid ?? 0})`;
    await tx`update workspaces set name = 'kept' where workspace_id = ${workspace_id}`;
  });
  await expect(making).rejects.toThrow();
  expect(await client.sql`select name from workspaces where name in ('undone', 'kept')`).toEqual([]);
  expect((await checkLedger(client.sql)).mismatches).toEqual([]);
  await client.close();
});

/**
 * Repeatedly ends all database connections of the service, each time after a few more charges, until `over` returns
 * true. Returns the number of ended connections.
 */
async function breakConnections(charged: () => number, over: () => boolean): Promise<number> {
  let broken = 0;
  for (let round = 0; !over(); round += 1) {
    const next = charged() + 3 + ((round * 7) % 20);
    await until(async () => over() || charged() >= next);
    const ended = await db.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'tidemark-broken'`;
    broken += ended.count;
  }
  return broken;
}

test('connections that keep breaking under load lose no charge, and each charged request got its answer, CHARGE_UNCONFIRMED or a broken connection', async () => {
  const { workspace_id, live_key } = await workspaceOf(600);
  const sent: Sent[] = [];
  const caller = async () => {
    do sent.push(await send(live_key));
    while (sent.at(-1)?.answer?.status !== 402);
  };
  let over = false;
  const callers = Promise.all(Array.from({ length: 24 }, caller)).finally(() => {
    over = true;
  });
  const broken = await breakConnections(
    () => sent.filter(isCharged).length,
    () => over,
  );
  await callers;

  expect(broken).toBeGreaterThan(10);
  const entries = await chargedIds(workspace_id);
  const answered = sent.filter(isCharged).map(({ request_id }) => request_id);
  const unanswered = new Set(
    sent.filter(({ answer }) => answer === null || isUnconfirmed(answer)).map((one) => one.request_id),
  );
  expect(new Set(entries).size).toBe(entries.length);
  expect(entries.filter((id) => !unanswered.has(id))).toEqual(answered.sort());
  expect(new Set(sent.map(({ answer }) => answer?.status))).toEqual(new Set([200, 402, 503]));
  expect(await readBalance(db.sql, workspace_id)).toBe(0);
  expect((await checkLedger(db.sql)).mismatches).toEqual([]);
}, 60_000);
