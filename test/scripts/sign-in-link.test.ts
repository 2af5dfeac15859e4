import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { throttle } from '../../db/accounts/throttle.ts';
import { removeOld } from '../../pipeline/jobs/cleanup.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard/dashboard-server.ts';
import { operator } from '../harness/operator.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

const call = (...words: string[]) =>
  operator(['sign-in-link', ...words], { DATABASE_URL: setup.db.database_url, BASE_URL: setup.base_url });

describe('sign-in-link', () => {
  test('operator sign-in-link prints a link that signs a user in once on the running server', async () => {
    const { email, workspace_id } = await setup.member();
    const { stdout, stderr, code } = await call(email.toUpperCase(), '--json');
    expect([code, stderr]).toEqual([0, '']);
    const made = JSON.parse(stdout) as { email: string; link: string };
    expect(made).toEqual({ email, link: expect.stringMatching(`^${setup.base_url}/enter\\?token=`) });
    const entered = await setup.follow(made.link);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/dashboard']);
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect((await setup.send('/dashboard/settings', cookie)).status).toBe(200);
    expect(setup.logs.at(-1)?.workspace_id).toBe(workspace_id);
    expect((await setup.follow(made.link)).status).toBe(400);
  });

  test('operator sign-in-link refuses an unknown address in one sentence and creates no user', async () => {
    const { code, stdout, stderr } = await call('unknown@example.com');
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'No user has the email address unknown@example.com: check it. The first operator has operator@tidemark.local.\n',
    ]);
    expect(await setup.db.sql`select from auth_users where email = 'unknown@example.com'`).toHaveLength(0);
  });
});

test('operator cleanup deletes expired throttles, sessions and sign-in links, and nothing else', async () => {
  const { sql } = setup.db;
  const [ann, bob] = [await setup.member(), await setup.member()];
  const now = setup.clock.now;
  const [past, future] = [new Date(now.getTime() - 1_000), new Date(now.getTime() + 60_000)];
  await sql`delete from auth_verifications`;
  for (const member of [ann, bob]) await setup.dashboard.accounts.signInLink(member.email);
  await sql`update auth_verifications set expires_at = ${future}`;
  await sql`update auth_verifications set expires_at = ${past} where position(${ann.email}::text in value) > 0`;
  await sql`update auth_sessions set expires_at = ${future}`;
  await sql`update auth_sessions set expires_at = ${past} where user_id = ${ann.user_id}`;
  await throttle(sql, 'ended', { limit: 1, window_seconds: 60 }, new Date(now.getTime() - 61_000));
  await throttle(sql, 'running', { limit: 1, window_seconds: 60 }, now);
  expect(await removeOld(sql, now)).toMatchObject({ throttles: 1, sessions: 1, verifications: 1 });
  const left = await sql`select user_id from auth_sessions where user_id in (${ann.user_id}, ${bob.user_id})`;
  expect(left.map(({ user_id }) => user_id)).toEqual([bob.user_id]);
  const [link] = await sql<{ value: string }[]>`select value from auth_verifications`;
  expect(link?.value).toContain(bob.email);
  expect(await throttle(sql, 'running', { limit: 1, window_seconds: 60 }, now)).toBe(60);
});
