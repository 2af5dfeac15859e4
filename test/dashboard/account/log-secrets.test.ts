import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '../../../pipeline/log.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';

let setup: DashboardSetup;
const lines: string[] = [];
const log = createLog({
  to: new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  }),
});
let people = 0;

beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());
afterEach(async () => {
  setup.clock.now = new Date(setup.clock.now.getTime() + 16 * 60_000);
  await allowWrites();
});

/**
 * Tables of which every node of a Citus cluster has a copy. Such tables cannot have triggers, so a constraint makes
 * writes fail.
 */
const onEveryNode = ['auth_users', 'oauth_clients'];
const others = ['auth_sessions', 'auth_accounts', 'auth_verifications', 'auth_two_factors'];
const failing = [
  `create or replace function fail_with_row() returns trigger language plpgsql as $$
  begin raise exception using errcode = '23514', message = 'a check failed', detail = 'Failing row contains ' || coalesce(new, old)::text; end $$`,
  ...others.map(
    (table) => `create or replace trigger failing before insert or update or delete on ${table}
    for each row execute function fail_with_row()`,
  ),
  ...onEveryNode.map((table) => `alter table ${table} add constraint failing check (false) not valid`),
];
const allowing = [
  'drop function if exists fail_with_row() cascade',
  ...onEveryNode.map((table) => `alter table ${table} drop constraint if exists failing`),
];

async function runAll(statements: readonly string[]): Promise<void> {
  for (const statement of statements) await setup.db.sql.unsafe(statement);
}

/** Makes each write to the sign-in tables fail with a message that contains the row, as a constraint error does. */
const failWrites = () => runAll(failing);
const allowWrites = () => runAll(allowing);

const password = 'invented-password-1';
const post = (path: string, fields: Record<string, string>, cookie = '') =>
  setup.send(path, cookie, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: setup.base_url },
  });
const linkTo = (email: string) =>
  /http\S+/.exec(setup.mails.findLast(({ to }) => to === email)?.text ?? '')?.[0] ?? expect.fail('no link was mailed');
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? expect.fail('the link has no token');

async function signUp() {
  people += 1;
  const email = `secret${people}@example.com`;
  await post('/sign-up', { name: 'Ann', email, password });
  return { email, link: linkTo(email) };
}

async function signedIn() {
  const { email, link } = await signUp();
  const entered = await post('/confirm', { token: tokenOf(link), password });
  const cookie = entered.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  return { email, cookie };
}

/** Sends a request whose database statements fail, and returns the log lines about the failure. */
async function logOf(request: () => Promise<Response>): Promise<string> {
  const [pages, errors] = [setup.logs.length, setup.errors.length];
  lines.length = 0;
  const printed = vi.spyOn(console, 'error').mockImplementation((...words) => lines.push(inspect(words)));
  await failWrites();
  const answer = await request();
  printed.mockRestore();
  expect(await answer.text()).not.toMatch(/a check failed|check constraint|Failing row/);
  const thrown = [...setup.logs.slice(pages).map(({ error }) => error), ...setup.errors.slice(errors)];
  for (const error of thrown.filter((error) => error !== undefined)) log.error({ err: error }, 'request');
  setup.errors.length = errors;
  expect(lines.length, 'the failure is logged').toBeGreaterThan(0);
  return lines.join('');
}

test('a failed sign-up logs neither the password, nor its hash, nor the email address', async () => {
  const text = await logOf(() => post('/sign-up', { name: 'Ann', email: 'new.secret@example.com', password }));
  expect(text).not.toContain(password);
  expect(text).not.toContain('new.secret@example.com');
  expect(text).not.toMatch(/[0-9a-f]{32}:[0-9a-f]{64}/);
});

test('a failed request for a new password logs no token', async () => {
  const { email } = await signedIn();
  const text = await logOf(() => post('/forgot', { email }));
  expect(text).not.toMatch(/reset-password:/);
  expect(text).not.toContain(email);
});

test('a failed reset logs neither the token of the link nor the new password', async () => {
  const { email } = await signedIn();
  await post('/forgot', { email });
  const token = tokenOf(linkTo(email));
  const text = await logOf(() => post('/reset', { token, password: 'another-invented-1' }));
  expect(text).not.toContain(token);
  expect(text).not.toContain('another-invented-1');
  expect(text).not.toMatch(/[0-9a-f]{32}:[0-9a-f]{64}/);
});

test('a failed sign-in logs no session token', async () => {
  const { email } = await signedIn();
  const text = await logOf(() => post('/sign-in', { email, password }));
  expect(text).not.toContain(password);
  expect(text).not.toContain(email);
  expect(text).not.toMatch(/params|insert into "auth_sessions" \(/i);
});

test('a failed start of two-factor sign-in logs neither the password nor the secret nor the codes, not even encrypted', async () => {
  const { cookie } = await signedIn();
  const text = await logOf(() => post('/dashboard/settings/two-factor/start', { password }, cookie));
  expect(text).not.toContain(password);
  expect(text).not.toMatch(/[0-9a-f]{64}/);
});

test('a failed sign-out logs no session token', async () => {
  const { cookie } = await signedIn();
  const session = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';
  expect(session.length).toBeGreaterThan(10);
  const text = await logOf(() => post('/sign-out', {}, cookie));
  expect(text).not.toContain(session);
});

test('a failed registration of an OAuth client logs neither its id nor its redirect address', async () => {
  const text = await logOf(() =>
    setup.send('/api/auth/oauth2/register', '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: setup.base_url },
      body: JSON.stringify({ client_name: 'secret client', redirect_uris: ['https://secret.example/back'] }),
    }),
  );
  expect(text).not.toContain('secret client');
  expect(text).not.toContain('secret.example');
});
