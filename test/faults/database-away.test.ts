import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { defaultDatabaseTimeoutMs } from '../../db/connect.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ask } from '../harness/answers.ts';
import { type DatabaseProxy, databaseProxy } from '../harness/database-proxy.ts';
import { type ListeningService, listeningService } from '../harness/listening-service.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTriggers } from '../setup/citus.ts';
import { until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

/** Time limit (ms) of a request while the database is unavailable. */
const limitMs = 2_000;
const credits = 50;

let db: TestDatabase;
let proxy: DatabaseProxy;
let service: ListeningService;
let key: string;
let workspaceId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  proxy = await databaseProxy(db.sql);
  const { database_url } = proxy;
  const { fetch } = inventedUpstream();
  service = await listeningService({
    ...{ database_url, fetch, role: 'server', on_error: () => undefined },
    database_timeout_ms: defaultDatabaseTimeoutMs,
  });
  const created = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'away', credits }));
  key = created.live_key;
  workspaceId = created.workspace_id;
});
afterAll(async () => {
  await service.close();
  await proxy.close();
  await db.close();
});

const profile = (handle: string) => ask(service.base_url, `/v1/photo/profile?handle=${handle}`, key);

async function readiness(): Promise<number> {
  const response = await fetch(`${service.base_url}/readyz`);
  await response.text();
  return response.status;
}

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const startedMs = performance.now();
  return { result: await work, ms: performance.now() - startedMs };
}

/** Ends the service's database sessions, so that new sessions use the changed database settings. */
async function endSessions(): Promise<void> {
  await db.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'tidemark-server'`;
}

const database = () => db.sql(String(db.sql.options.database));

/** Makes writes fail as on a full disk, in the tables that requests and readiness checks write to first. */
async function fillDisk(): Promise<void> {
  await createTriggers(db.sql, [
    `create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
    'create trigger no_space before insert or update on settings execute function no_space()',
    'create trigger no_space before insert or update on rate_windows execute function no_space()',
  ]);
}

const faults: [name: string, begin: () => Promise<unknown>, end: () => Promise<unknown>][] = [
  ['is behind a network that went silent', async () => proxy.silence(), async () => proxy.recover()],
  ['has no free connection', async () => proxy.refuseConnections(), async () => proxy.recover()],
  ['has a full disk', fillDisk, () => db.sql.unsafe('drop function no_space cascade')],
  [
    'is read-only',
    async () => {
      await db.sql`alter database ${database()} set default_transaction_read_only = on`;
      await endSessions();
    },
    async () => {
      await db.sql`alter database ${database()} reset default_transaction_read_only`;
      await endSessions();
    },
  ],
];

describe.each(faults)('the service with a database that %s', (name, begin, end) => {
  test('requests fail with 503 SERVICE_UNAVAILABLE and Retry-After within two seconds, and the server is not ready until the database works again', async () => {
    const handle = `away_${faults.findIndex(([one]) => one === name)}`;
    expect(await readiness()).toBe(200);
    expect((await profile(`${handle}_before`)).status).toBe(200);
    const before = await readBalance(db.sql, workspaceId);
    await begin();
    try {
      // Waits for a new readiness result, because the server may repeat a result for a second.
      await until(async () => (await readiness()) === 503);
      const send = (n: number) => timed(profile(`${handle}_${n}`));
      const first = Array.from({ length: 10 }, (_, n) => send(n));
      // Sends the other requests while some of the first ten may still be waiting for the database.
      await Promise.race(first);
      const answers = await Promise.all([...first, ...Array.from({ length: 10 }, (_, n) => send(10 + n))]);
      for (const { result, ms } of [...answers, await timed(profile(`${handle}_last`))]) {
        expect([result.status, result.headers.get('retry-after'), result.credits_charged]).toEqual([503, '5', 0]);
        expect(ms).toBeLessThan(limitMs);
      }
      expect(await timed(readiness())).toMatchObject({ result: 503 });
      expect((await timed(readiness())).ms).toBeLessThan(limitMs);
    } finally {
      await end();
    }
    await until(async () => (await readiness()) === 200);
    expect((await profile(`${handle}_after`)).status).toBe(200);
    expect(await readBalance(db.sql, workspaceId)).toBe((before ?? 0) - 1);
    expect((await checkLedger(db.sql)).mismatches).toEqual([]);
  }, 60_000);
});
