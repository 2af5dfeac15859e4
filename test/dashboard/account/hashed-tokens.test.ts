import { randomBytes, scryptSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDashboard } from '../../../server/dashboard/dashboard.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';
import { createOAuthFlows, type OAuthFlows } from './oauth/oauth-flows.ts';
import { cookieOf, createPeople, type People } from './person.ts';
import { password } from './test-password.ts';

let setup: DashboardSetup;
let people: People;
let oauth: OAuthFlows;
beforeAll(async () => {
  setup = await createDashboardSetup();
  people = createPeople(setup);
  oauth = createOAuthFlows(setup);
});
afterAll(() => setup.close());
afterEach(() => expect(setup.errors).toEqual([]));

/** Returns every row of the sign-in and OAuth tables as text, in which a test searches for secrets. */
async function storedText(): Promise<string> {
  const { sql } = setup.db;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and (table_name like 'auth\\_%' or table_name like 'oauth\\_%')`;
  expect(tables.length).toBeGreaterThan(8);
  const rows = await Promise.all(
    tables.map(({ name }) => sql<{ row: string }[]>`select t::text as row from ${sql(name)} t`),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

/** Returns the token of a session cookie, without its signature. */
function sessionToken(cookie: string): string {
  const value = /session_token=([^;]+)/.exec(cookie)?.[1] ?? expect.fail('there is no session cookie');
  return decodeURIComponent(value).split('.')[0] ?? '';
}

async function expectNotStored(tokens: Record<string, string>): Promise<void> {
  const text = await storedText();
  for (const [name, token] of Object.entries(tokens)) {
    expect(token.length, name).toBeGreaterThan(10);
    expect(text.includes(token), `${name} is stored as it was sent`).toBe(false);
  }
}

test('no database table holds the token of a confirmation link or of a session', async () => {
  const person = people.newPerson();
  await people.post('/sign-up', person);
  const link = people.linkTo(person.email);
  await expectNotStored({ confirmation: people.tokenOf(link) });
  const confirmed = cookieOf(await setup.follow(link));
  const signedIn = cookieOf(await people.post('/sign-in', { email: person.email, password }));
  await expectNotStored({ confirmed: sessionToken(confirmed), signed_in: sessionToken(signedIn) });
  expect((await setup.send('/dashboard', signedIn)).status).toBe(200);
});

test('no database table holds the token of a reset link or of a sign-in link', async () => {
  const { email } = await people.signedUp();
  const enter = people.tokenOf(await setup.dashboard.accounts.signInLink(email));
  const reset = await people.resetToken(email);
  await expectNotStored({ enter, reset });
  expect((await people.post('/reset', { token: reset, password: 'another long password' })).status).toBe(200);
});

test('no database table holds an OAuth code, an access token, a refresh token or the secret of a client', async () => {
  const ann = await setup.member();
  const { client } = await oauth.register();
  const verifier = randomBytes(32).toString('hex');
  const code = (await oauth.giveConsent(ann, client.client_id, verifier)).searchParams.get('code') ?? '';
  await expectNotStored({ code });
  const { access_token, refresh_token } = (await oauth.exchange(client.client_id, verifier, code)).body;
  const renewed = (await oauth.refresh(client.client_id, refresh_token)).body;
  const confidential = await oauth.register({
    redirect_uris: ['https://a.example/back'],
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const { client_secret: secret } = confidential.client as unknown as { client_secret: string };
  await expectNotStored({
    access_token,
    refresh_token,
    access: renewed.access_token,
    refresh: renewed.refresh_token,
    secret,
  });
});

test('a stored session cannot be used as a cookie, even by someone who can sign cookies', async () => {
  const { email } = await people.signedUp();
  const { sql } = setup.db;
  const [row] = await sql<{ token: string }[]>`
    select s.token from auth_sessions s join auth_users u on u.id = s.user_id where u.email = ${email}`;
  const { makeSignature } = await import('better-auth/crypto');
  const signature = await makeSignature(row?.token ?? '', setup.dashboard_deps.config.session_secret ?? '');
  const cookie = `tidemark.session_token=${encodeURIComponent(`${row?.token}.${signature}`)}`;
  expect((await setup.send('/dashboard', cookie)).status).toBe(303);
});

test('a session that is stored by its hashed token is renewed, ended by sign-out and replaced by a password change', async () => {
  const { email, cookie } = await people.signedUp();
  const { sql } = setup.db;
  await sql`
    update auth_sessions set expires_at = now() + interval '10 days', updated_at = now() - interval '20 days'
    where user_id = (select id from auth_users where email = ${email})`;
  const renewed = await setup.send('/dashboard', cookie);
  expect(renewed.status).toBe(200);
  const [row] = await sql`
    select s.expires_at > now() + interval '25 days' as renewed
    from auth_sessions s join auth_users u on u.id = s.user_id where u.email = ${email}`;
  expect(row?.renewed).toBe(true);
  const changed = await people.post(
    '/dashboard/settings/password',
    { current: password, chosen: 'chosen in settings' },
    cookie,
  );
  const replaced = cookieOf(changed);
  expect([(await setup.send('/dashboard', cookie)).status, (await setup.send('/dashboard', replaced)).status]).toEqual([
    303, 200,
  ]);
  await people.post('/sign-out', {}, replaced);
  expect((await setup.send('/dashboard', replaced)).status).toBe(303);
});

test('the server stores a password as a scrypt hash at full cost, and checks it at sign-in', async () => {
  const { password_hash: _quick, ...deps } = setup.dashboard_deps;
  const { accounts } = createDashboard(deps);
  const person = people.newPerson();
  const next = '/dashboard';
  await accounts.signUp({ ...person, next });
  const [row] = await setup.db.sql<{ hash: string }[]>`
    select a.password as hash from auth_accounts a join auth_users u on u.id = a.user_id where u.email = ${person.email}`;
  const [salt = '', key] = row?.hash.split(':') ?? [];
  expect(salt).toMatch(/^[0-9a-f]{32}$/);
  const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
  expect(scryptSync(password, salt, 64, cost).toString('hex')).toBe(key);
  await accounts.confirm({ token: people.tokenOf(people.linkTo(person.email)), password }, new Headers());
  const signIn = async (tried: string) =>
    (await accounts.signIn({ email: person.email, password: tried, next }, new Headers())).ok;
  expect([await signIn('a wrong password'), await signIn(password)]).toEqual([false, true]);
});
