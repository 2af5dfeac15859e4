import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyHashOfToken } from '../../../../db/accounts/connections.ts';
import { listKeys } from '../../../../db/accounts/keys.ts';
import { hashSecret } from '../../../../db/accounts/secrets.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { deleteWorkspace } from '../../../../db/workspace-data/deletion.ts';
import { removeOld } from '../../../../pipeline/jobs/cleanup.ts';
import { isCitusRun } from '../../../setup/citus.ts';
import { collide, untilLockWaits } from '../../../setup/lock-waits.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../../dashboard-server.ts';
import { createOAuthFlows, type OAuthFlows } from './oauth-flows.ts';

let setup: DashboardSetup;
let oauth: OAuthFlows;
beforeAll(async () => {
  setup = await createDashboardSetup();
  oauth = createOAuthFlows(setup);
});
afterAll(() => setup.close());

const works = async (accessToken: string) => (await keyHashOfToken(setup.db.sql, accessToken, new Date())) !== null;

async function revoke(member: Member): Promise<void> {
  const key = (await listKeys(setup.db.sql, member.workspace_id)).find(({ revoked_at }) => revoked_at === null);
  expect((await member.post(`/dashboard/keys/${key?.key_id}/revoke`, {})).status).toBe(303);
}

/** Makes inserts into a table wait until `release` is called. `waiting` resolves when an insert is waiting. */
async function holdInserts(table: string) {
  const { sql } = setup.db;
  const holder = await sql.reserve();
  await sql.unsafe(`
    create function hold_insert() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(4711); return new; end $$`);
  await sql.unsafe(`create trigger hold before insert on ${table} for each row execute function hold_insert()`);
  await holder`select pg_advisory_lock(4711)`;
  // Ignores the locks of other databases, because other test files use the same database server at the same time.
  const waits = () => sql`
    select from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and locktype = 'advisory' and objid = 4711 and not granted`;
  return {
    waiting: () => expect.poll(async () => (await waits()).length).toBe(1),
    release: () => holder`select pg_advisory_unlock(4711)`,
    async [Symbol.asyncDispose]() {
      await holder`select pg_advisory_unlock_all()`;
      holder.release();
      await sql.unsafe('drop function hold_insert() cascade');
    },
  };
}

/**
 * Returns the table whose user rows are locked when new tokens are inserted. On a cluster, this is the coordinator's
 * copy of the table, which `for update` of the table itself may not lock.
 */
async function tableOfUsers(): Promise<string> {
  if (!isCitusRun) return 'auth_users';
  const [row] = await setup.db.sql<{ name: string }[]>`
    select shard_name(logicalrelid, shardid) as name from pg_dist_shard where logicalrelid = 'auth_users'::regclass`;
  return row?.name ?? expect.fail('the cluster has no table of users');
}

describe('a revoked OAuth app', () => {
  test('reconnecting an app after a revocation asks for consent again and works, and its old tokens never work again', async () => {
    const ann = await setup.member();
    const old = await oauth.connected(ann);
    const renewed = (await oauth.refresh(old.client_id, old.refresh_token)).body;
    await revoke(ann);
    const stillDead = async () => [
      await works(old.access_token),
      await works(renewed.access_token),
      (await oauth.refresh(old.client_id, old.refresh_token)).status,
      (await oauth.refresh(old.client_id, renewed.refresh_token)).status,
    ];
    expect(await stillDead()).toEqual([false, false, 400, 400]);
    const again = await oauth.connected(ann, old.client_id);
    expect(await works(again.access_token)).toBe(true);
    expect(await stillDead()).toEqual([false, false, 400, 400]);
    expect((await oauth.refresh(old.client_id, again.refresh_token)).status).toBe(200);
  });

  test('an OAuth code that was given before a revocation gets no token, not even after a reconnect', async () => {
    const ann = await setup.member();
    const { client_id } = (await oauth.register()).client;
    const verifier = randomBytes(32).toString('hex');
    const code = (await oauth.giveConsent(ann, client_id, verifier)).searchParams.get('code') ?? '';
    await revoke(ann);
    await oauth.connected(ann, client_id);
    expect(await oauth.exchange(client_id, verifier, code)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('an OAuth token that is refreshed while the app is revoked and reconnected never works', async () => {
    const ann = await setup.member();
    const old = await oauth.connected(ann);
    // Stops the refresh of a token after it has used the old token and before it stores the new one.
    await using held = await holdInserts('oauth_refresh_tokens');
    const refreshing = oauth.refresh(old.client_id, old.refresh_token);
    await held.waiting();
    await revoke(ann);
    await held.release();
    const { status, body } = await refreshing;
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    const again = await oauth.connected(ann, old.client_id);
    expect([await works(old.access_token), await works(again.access_token)]).toEqual([false, true]);
    expect((await oauth.refresh(old.client_id, old.refresh_token)).status).toBe(400);
  });

  // On a cluster, tokens and their connection are on different nodes, so no foreign key locks the connection.
  test.skipIf(isCitusRun)(
    'a revocation while the access token of a refresh is stored ends without a deadlock',
    async () => {
      const ann = await setup.member();
      const old = await oauth.connected(ann);
      await using held = await holdInserts('oauth_access_tokens');
      const refreshing = oauth.refresh(old.client_id, old.refresh_token);
      await held.waiting();
      // This lock stops the revocation after it has deleted the connection and before it deletes the refresh tokens.
      const stop = await setup.db.sql.reserve();
      await stop`begin`;
      await stop`select from oauth_access_tokens where token = ${hashSecret(old.access_token)} for update`;
      const revoking = revoke(ann);
      const blocked = () => setup.db.sql`
      select from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and locktype = 'transactionid' and not granted`;
      await expect.poll(async () => (await blocked()).length).toBe(1);
      await held.release();
      await expect.poll(async () => (await blocked()).length).toBe(2);
      await stop`commit`;
      stop.release();
      await revoking;
      const { status, body } = await refreshing;
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
    },
  );

  test('the deletion of the only workspace of a user ends while an OAuth app refreshes its token', async () => {
    const ann = await setup.member();
    const old = await oauth.connected(ann);
    await using held = await holdInserts('oauth_refresh_tokens');
    const refreshing = oauth.refresh(old.client_id, old.refresh_token);
    await held.waiting();
    const users = await tableOfUsers();
    const [own] = await setup.db.sql<{ id: string }[]>`
      select user_id as id from members where workspace_id = ${ann.workspace_id}`;
    const deleting = await inTransaction(setup.db.background, async (tx) => {
      // This lock stops the deletion before it deletes the user. The refresh then also waits for the user's row.
      await tx`select from ${tx(users)} where id = ${own?.id ?? ''} for update`;
      const deletion = deleteWorkspace(setup.db.sql, ann.workspace_id);
      await untilLockWaits(setup.db.sql, 2);
      await held.release();
      await untilLockWaits(setup.db.sql, 2);
      return { deletion };
    });
    const [deleted, refreshed] = await Promise.all([deleting.deletion, refreshing]);
    expect([deleted, refreshed.status, refreshed.body.error]).toEqual([true, 400, 'invalid_grant']);
  });

  test('the deletion of the only workspace of a user ends while the user signs out', async () => {
    const ann = await setup.member();
    const { access_token } = await oauth.connected(ann);
    const { sql } = setup.db;
    const [deleted] = await collide(
      sql,
      (tx) => tx`select from oauth_access_tokens where token = ${hashSecret(access_token)} for update`,
      () => deleteWorkspace(sql, ann.workspace_id),
      async () => sql`
        delete from auth_sessions where id = (
          select session_id from oauth_access_tokens where token = ${hashSecret(access_token)})`,
    );
    expect(deleted).toBe(true);
  });

  test('a sign-out while an OAuth app refreshes its token does not disconnect the app', async () => {
    const ann = await setup.member();
    const old = await oauth.connected(ann);
    await using held = await holdInserts('oauth_refresh_tokens');
    const refreshing = oauth.refresh(old.client_id, old.refresh_token);
    await held.waiting();
    await setup.db.sql`
      delete from auth_sessions where user_id in (select user_id from members where workspace_id = ${ann.workspace_id})`;
    await held.release();
    const { status, body } = await refreshing;
    expect([status, await works(body.access_token)]).toEqual([200, true]);
  });

  test('a sign-out ends the token of an OAuth app without refresh tokens', async () => {
    const ann = await setup.member();
    const { client_id } = (await oauth.register()).client;
    const verifier = randomBytes(32).toString('hex');
    const back = await oauth.giveConsent(ann, client_id, verifier, { scope: 'mcp' });
    const { body } = await oauth.exchange(client_id, verifier, back.searchParams.get('code') ?? '');
    expect([body.refresh_token, await works(body.access_token)]).toEqual([undefined, true]);
    await ann.post('/sign-out', {});
    expect(await works(body.access_token)).toBe(false);
  });

  test('a sign-out while an OAuth app without refresh tokens connects leaves no token that works', async () => {
    const ann = await setup.member();
    const { client_id } = (await oauth.register()).client;
    const verifier = randomBytes(32).toString('hex');
    const back = await oauth.giveConsent(ann, client_id, verifier, { scope: 'mcp' });
    await using held = await holdInserts('oauth_access_tokens');
    const exchanging = oauth.exchange(client_id, verifier, back.searchParams.get('code') ?? '');
    await held.waiting();
    await setup.db.sql`
      delete from auth_sessions where user_id in (select user_id from members where workspace_id = ${ann.workspace_id})`;
    await held.release();
    const { status, body } = await exchanging;
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });

  test('revocations and refreshes of OAuth tokens at the same moment leave no token that works', async () => {
    const ann = await setup.member();
    const { client_id } = (await oauth.register()).client;
    const tokens: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const { access_token, refresh_token } = await oauth.connected(ann, client_id);
      const [renewed] = await Promise.all([oauth.refresh(client_id, refresh_token), revoke(ann)]);
      tokens.push(access_token);
      if (renewed.status !== 200) continue;
      tokens.push(renewed.body.access_token);
      expect((await oauth.refresh(client_id, renewed.body.refresh_token)).status).toBe(400);
    }
    await oauth.connected(ann, client_id);
    expect((await Promise.all(tokens.map(works))).filter(Boolean)).toEqual([]);
  });

  test('an app that one workspace revoked stays connected to other workspaces', async () => {
    const [ann, bob] = [await setup.member(), await setup.member({ name: 'Bob' })];
    const { client_id } = (await oauth.register()).client;
    const [ofAnn, ofBob] = [await oauth.connected(ann, client_id), await oauth.connected(bob, client_id)];
    await revoke(ann);
    expect([await works(ofAnn.access_token), await works(ofBob.access_token)]).toEqual([false, true]);
  });

  test('the API key of a connected app cannot be rotated', async () => {
    const ann = await setup.member();
    await oauth.connected(ann);
    const [key] = await listKeys(setup.db.sql, ann.workspace_id);
    expect((await ann.post(`/dashboard/keys/${key?.key_id}/rotate`, { overlap: '1' })).status).toBe(404);
    expect(await (await ann.get('/dashboard/keys')).text()).not.toContain('Rotate or revoke');
  });
});

test('OAuth clients that are connected to no workspace for 30 days are removed, and connected ones stay', async () => {
  const ann = await setup.member();
  const { client_id: used } = await oauth.connected(ann);
  const { client_id: revoked } = await oauth.connected(await setup.member());
  const never = (await oauth.register()).client.client_id;
  await setup.db.sql`delete from connections where client_id = ${revoked}`;
  const remaining = async (days: number) => {
    await removeOld(setup.db.sql, new Date(Date.now() + days * 86_400_000));
    const rows = await setup.db.sql<{ client_id: string }[]>`
      select client_id from oauth_clients where client_id in ${setup.db.sql([used, revoked, never])}`;
    return rows.map(({ client_id }) => client_id).sort();
  };
  expect(await remaining(29)).toEqual([used, revoked, never].sort());
  expect(await remaining(31)).toEqual([used]);
});

describe('the registration of an OAuth client', () => {
  test.each([
    ['a name of 81 characters', { client_name: 'x'.repeat(81) }, 'invalid_client_metadata'],
    ['a name with a NUL character', { client_name: 'x\0' }, 'invalid_client_metadata'],
    ['no redirect address', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['11 redirect addresses', { redirect_uris: Array(11).fill('https://a.example/') }, 'invalid_redirect_uri'],
    ['a wildcard', { redirect_uris: ['https://*.example/'] }, 'invalid_redirect_uri'],
    ['a wildcard in the path', { redirect_uris: ['https://a.example/*'] }, 'invalid_redirect_uri'],
    ['http to another machine', { redirect_uris: ['http://a.example/'] }, 'invalid_redirect_uri'],
    ['a scheme of its own', { redirect_uris: ['com.example.app:/back'] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['an invalid address', { redirect_uris: ['not an address'] }, 'invalid_redirect_uri'],
    [
      'an address of 501 characters',
      { redirect_uris: [`https://a.example/${'x'.repeat(483)}`] },
      'invalid_redirect_uri',
    ],
    ['a semicolon in the host', { redirect_uris: ['https://a.example;script-src/'] }, 'invalid_redirect_uri'],
  ])('a client with %s is refused', async (_, fields, error) => {
    const { status, client } = await oauth.register(fields);
    expect([status, client.error]).toEqual([400, error]);
  });
});

describe('the OAuth consent page', () => {
  const connectPage = async (member: Member, query: string) => {
    const page = await member.get(`/dashboard/connect?${query}`);
    return { status: page.status, policy: page.headers.get('content-security-policy') ?? '', text: await page.text() };
  };

  test('the consent page shows nothing of a request that this server did not sign', async () => {
    const ann = await setup.member();
    const { client_id } = (await oauth.register({ client_name: 'Forged' })).client;
    const path = await oauth.redirectOf(await ann.get(oauth.authorizePath(client_id, 'v'.repeat(50))));
    const signed = path.slice(path.indexOf('?') + 1);
    expect((await connectPage(ann, signed)).text).toContain('Forged');
    const redirect = encodeURIComponent('https://evil.example/;script-src *');
    for (const query of [
      `client_id=${client_id}&redirect_uri=${redirect}`,
      signed.replace('state=', 'state=x'),
      `redirect_uri=${redirect}&${signed}`,
    ]) {
      const { status, policy, text } = await connectPage(ann, query);
      expect([status, policy.includes('evil.example'), text.includes('Forged')]).toEqual([400, false, false]);
    }
  });

  test('a semicolon in the host of a redirect address adds no directive to the Content-Security-Policy', async () => {
    const ann = await setup.member();
    const { client_id } = (await oauth.register()).client;
    const target = 'https://a.example;script-src/';
    // Stores the redirect address directly in the database, because clients can no longer register such an address.
    await setup.db.sql`update oauth_clients set redirect_uris = ${[target]} where client_id = ${client_id}`;
    const path = await oauth.redirectOf(await ann.get(oauth.authorizePath(client_id, 'v'.repeat(50), target)));
    const { status, policy } = await connectPage(ann, path.slice(path.indexOf('?') + 1));
    expect(status).toBe(200);
    expect(policy.match(/script-src/g)).toHaveLength(1);
    expect(policy).not.toContain('a.example');
  });
});
