import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../db/accounts/keys.ts';
import { type CreatedWorkspace, createWorkspace } from '../../db/accounts/workspaces.ts';
import { newId } from '../../db/ids.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { createReturns, type UnconfirmedCharge } from '../../db/money/returned-charges.ts';
import { createCharger } from '../../db/requests/charges.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ask } from '../harness/answers.ts';
import { type DatabaseProxy, databaseProxy } from '../harness/database-proxy.ts';
import { type ListeningService, listeningService } from '../harness/listening-service.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const upstream = inventedUpstream();
let db: TestDatabase;
let requests = 0;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => {
  upstream.asked.length = 0;
});
afterAll(() => db.close());

const workspaceOf = (credits: number): Promise<CreatedWorkspace> =>
  inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'unconfirmed', credits }));

function nextId(): string {
  requests += 1;
  return `unconfirmed_${requests}`;
}

interface Entry {
  kind: string;
  credits: number;
  request_id: string | null;
}

/** Returns the ledger entries of a workspace after the entry for its starter credits. */
async function entriesOf(workspaceId: string): Promise<Entry[]> {
  return db.sql<Entry[]>`
    select kind, credits, request_id from ledger_entries where workspace_id = ${workspaceId} and entry_no > 1 order by entry_no`;
}

const isReturned = async (workspaceId: string) =>
  (await entriesOf(workspaceId)).some((entry) => entry.kind === 'return');

async function capUsed(keyId: string): Promise<number> {
  const [row] = await db.sql<{ cap_used: number }[]>`select cap_used from api_keys where key_id = ${keyId}`;
  return row?.cap_used ?? -1;
}

describe('a database that becomes unreachable in the middle of a charge', () => {
  let proxy: DatabaseProxy;
  let service: ListeningService;
  const errors: unknown[] = [];

  const start = async (limits: { charge_limit_ms?: number }) => {
    const { database_url } = proxy;
    const onError = (error: unknown) => errors.push(error);
    service = await listeningService({
      database_url,
      fetch: upstream.fetch,
      role: 'unconfirmed',
      on_error: onError,
      ...limits,
    });
  };
  const profile = (key: string, id: string, headers: Record<string, string> = {}) =>
    ask(service.base_url, `/v1/photo/profile?handle=${id}`, key, { 'x-request-id': id, ...headers });

  beforeEach(async () => {
    proxy = await databaseProxy(db.sql);
    errors.length = 0;
  });
  afterEach(async () => {
    proxy.comeBack();
    await service.close();
    await proxy.close();
  });

  test('when the database comes back within the limit of a charge, the answer is late and is charged once', async () => {
    await start({});
    const { workspace_id, live_key } = await workspaceOf(1);
    const id = nextId();
    proxy.goAwayAfter(id);
    const answering = profile(live_key, id);
    await proxy.refused(4);
    proxy.comeBack();
    const answer = await answering;
    expect([answer.status, answer.credits_charged]).toEqual([200, 1]);
    expect([...(await entriesOf(workspace_id))]).toEqual([{ kind: 'charge', credits: -1, request_id: id }]);
  });

  test('when the database is gone after the commit, the answer shows no price, and the charge is returned later', async () => {
    await start({ charge_limit_ms: 300 });
    const { workspace_id } = await workspaceOf(5);
    const { key, key_id } = await createKey(db.sql, workspace_id, { kind: 'live', name: 'capped', monthly_cap: 3 });
    const id = nextId();
    proxy.goAwayAfter(id);
    const answer = await profile(key, id);
    const body = JSON.parse(answer.text) as { error: { code: string }; meta: unknown };
    expect([answer.status, body.error.code]).toEqual([503, 'CHARGE_UNCONFIRMED']);
    expect(body.meta).toEqual({ request_id: id, credits_charged: null, sandbox: false });
    expect(answer.headers.get('x-credits-charged')).toBeNull();
    expect(answer.headers.get('x-credits-remaining')).toBeNull();
    expect(answer.headers.get('retry-after')).toBe('5');
    expect([await readBalance(db.sql, workspace_id), await capUsed(key_id)]).toEqual([4, 1]);

    proxy.comeBack();
    await until(() => isReturned(workspace_id));
    expect([...(await entriesOf(workspace_id))]).toEqual([
      { kind: 'charge', credits: -1, request_id: id },
      { kind: 'return', credits: 1, request_id: id },
    ]);
    expect([await readBalance(db.sql, workspace_id), await capUsed(key_id)]).toEqual([5, 0]);
    expect((await checkLedger(db.sql)).mismatches).toEqual([]);
    expect(String(errors[0])).toContain(`request ${id}`);
  });

  test('when the database is gone after the commit, the same Idempotency-Key gets the same answer for 0 credits', async () => {
    await start({ charge_limit_ms: 300 });
    const { workspace_id, live_key } = await workspaceOf(5);
    const id = nextId();
    proxy.goAwayAfter(id);
    const headers = { 'idempotency-key': 'unconfirmed-order' };
    expect((await profile(live_key, id, headers)).status).toBe(503);
    proxy.comeBack();
    await until(() => isReturned(workspace_id));
    const again = await profile(live_key, id, headers);
    expect([again.status, again.credits_charged, again.headers.get('x-idempotent-replay')]).toEqual([200, 0, 'true']);
    expect(await readBalance(db.sql, workspace_id)).toBe(5);
  });

  test('when the database is gone before a charge arrives, the workspace has all its credits in the end', async () => {
    await start({ charge_limit_ms: 300 });
    const { workspace_id, live_key } = await workspaceOf(5);
    const id = nextId();
    proxy.goAwayBefore(id);
    expect((await profile(live_key, id)).status).toBe(503);
    expect([...(await entriesOf(workspace_id))]).toEqual([]);
    proxy.comeBack();
    await until(() => isReturned(workspace_id));
    expect(await readBalance(db.sql, workspace_id)).toBe(5);
    expect((await checkLedger(db.sql)).mismatches).toEqual([]);
  });

  test('an unconfirmed charge is shown in the row of a workflow, without a price', async () => {
    await start({ charge_limit_ms: 300 });
    const { workspace_id, live_key } = await workspaceOf(5);
    const id = nextId();
    proxy.goAwayAfter(id);
    const url = `https://www.instagram.com/${id}/`;
    const path = `/v1/workflows/profile?fields=status,credits_charged&url=${encodeURIComponent(url)}`;
    const answer = await ask(service.base_url, path, live_key, { 'x-request-id': id });
    const { data } = JSON.parse(answer.text) as { data: { rows: unknown[] } };
    expect([answer.status, data.rows]).toEqual([200, [['CHARGE_UNCONFIRMED', null]]]);
    proxy.comeBack();
    await until(() => isReturned(workspace_id));
    expect(await readBalance(db.sql, workspace_id)).toBe(5);
  });

  test('an unconfirmed charge is shown in the result of an MCP tool, without a price', async () => {
    await start({ charge_limit_ms: 300 });
    const { workspace_id, live_key } = await workspaceOf(5);
    // Finds the charge by the route's path, because the test does not know the request id. The charge is the first
    // statement that contains this path.
    proxy.goAwayAfter('/v1/photo/profile');
    const call = { name: 'profile', arguments: { what: 'photo', handle: nextId() } };
    const answer = await fetch(`${service.base_url}/mcp`, {
      method: 'POST',
      headers: {
        'x-api-key': live_key,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    const text = await answer.text();
    expect(text).toContain('CHARGE_UNCONFIRMED');
    expect(text).toContain('"credits_charged":null');
    expect(text).toContain('Cost: not known');
    expect(text).not.toContain('Nothing was charged');
    proxy.comeBack();
    await until(() => isReturned(workspace_id));
  });

  test('identical requests that shared an unconfirmed charge get an error that charged nothing', async () => {
    await start({ charge_limit_ms: 300 });
    const { workspace_id, live_key } = await workspaceOf(5);
    const id = nextId();
    proxy.goAwayAfter(id);
    const answers = await Promise.all([profile(live_key, id), profile(live_key, id), profile(live_key, id)]);
    const codes = answers.map(({ text }) => (JSON.parse(text) as { error: { code: string } }).error.code);
    expect(codes.toSorted()).toEqual(['CHARGE_UNCONFIRMED', 'SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    proxy.comeBack();
    await until(() => isReturned(workspace_id));
    expect(await readBalance(db.sql, workspace_id)).toBe(5);
  });
});

describe('the return of an unconfirmed charge', () => {
  const now = new Date();
  const unconfirmed = ({
    workspace_id,
    live_key_id,
  }: {
    workspace_id: string;
    live_key_id: string;
  }): UnconfirmedCharge => {
    const id = nextId();
    return {
      charge_id: newId(now),
      workspace_id,
      key_id: live_key_id,
      request_id: id,
      route: '/v1/photo/profile',
      cost: 2,
    };
  };
  const answerOf = (charge: UnconfirmedCharge) => {
    const cacheKey = newId(now);
    const answer = { body: '{}', meta: '{}', retrieved_at: now };
    return { ...charge, cache_key: cacheKey, answer, replay: null };
  };
  /** Returns the credits of a charge, as the process does when it got no confirmation of the charge. */
  async function returned(charge: UnconfirmedCharge, at = now): Promise<void> {
    const errors: unknown[] = [];
    const returns = createReturns(db.sql, { now: () => at, on_error: (error) => errors.push(error) });
    returns.add(charge);
    await returns.close();
    expect(errors.map(String)).toEqual([expect.stringContaining('A request may have been charged without an answer')]);
  }
  async function workspaceWithKey(credits: number): Promise<{ workspace_id: string; live_key_id: string }> {
    const { workspace_id } = await workspaceOf(credits);
    const { key_id } = await createKey(db.sql, workspace_id, { kind: 'live', name: 'live', monthly_cap: null });
    return { workspace_id, live_key_id: key_id };
  }

  test('the return of a charge is written once, even when several processes write it at the same time', async () => {
    const charge = unconfirmed(await workspaceWithKey(5));
    await createCharger(db, () => now)(answerOf(charge));
    await Promise.all(Array.from({ length: 5 }, () => returned(charge)));
    await returned(charge);
    expect((await entriesOf(charge.workspace_id)).map(({ credits }) => credits)).toEqual([-2, 2]);
  });

  test('the return of a charge prevents a charge that arrives late', async () => {
    const charge = unconfirmed(await workspaceWithKey(1));
    await returned(charge);
    await createCharger(db, () => now)(answerOf(charge));
    expect(await readBalance(db.sql, charge.workspace_id)).toBe(1);
    expect((await entriesOf(charge.workspace_id)).map(({ credits }) => credits)).toEqual([2, -2]);
  });

  test('the return of a charge does not change the monthly cap of a later month', async () => {
    const { workspace_id } = await workspaceOf(5);
    const { key_id } = await createKey(db.sql, workspace_id, { kind: 'live', name: 'capped', monthly_cap: 9 });
    const charge = unconfirmed({ workspace_id, live_key_id: key_id });
    await createCharger(db, () => new Date('2026-01-31T23:59:00Z'))(answerOf(charge));
    const later = unconfirmed({ workspace_id, live_key_id: key_id });
    await createCharger(db, () => new Date('2026-02-01T00:01:00Z'))(answerOf(later));
    await returned(charge, new Date('2026-02-01T00:02:00Z'));
    expect(await capUsed(key_id)).toBe(2);
    expect(await readBalance(db.sql, workspace_id)).toBe(3);
  });

  test('a return with a different number of credits than its charge is a mismatch in the ledger check', async () => {
    const { workspace_id, live_key_id } = await workspaceWithKey(5);
    const charge = unconfirmed({ workspace_id, live_key_id });
    await createCharger(db, () => now)(answerOf(charge));
    await db.sql`
      insert into ledger_entries (workspace_id, entry_no, kind, credits, balance_after, charge_id)
      values (${workspace_id}, 3, 'return', 3, 6, ${charge.charge_id})`;
    await db.sql`update credit_balances set balance = 6, entries = 3 where workspace_id = ${workspace_id}`;
    const { mismatches } = await checkLedger(db.sql);
    expect(mismatches).toEqual([
      { workspace_id, entry_no: 3, problem: 'the entry returns 3 credits, its charge took 2' },
    ]);
  });

  test('an unconfirmed charge is reported when the process stops before its return', async () => {
    const charge = unconfirmed(await workspaceWithKey(5));
    const errors: unknown[] = [];
    const closed = await createTestDatabase();
    await closed.close();
    const returns = createReturns(closed.sql, {
      now: () => now,
      on_error: (error) => errors.push(error),
      close_limit_ms: 50,
    });
    returns.add(charge);
    await returns.close();
    expect(errors.map(String)).toEqual([
      expect.stringContaining(`A request may have been charged without an answer: charge ${charge.charge_id}`),
      expect.stringMatching(new RegExp(`not returned, because the process stops: charge ${charge.charge_id}`)),
    ]);
    expect(errors[1]).toMatchObject({ cause: { code: 'CONNECTION_ENDED' } });
  });
});
