import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { listAudit } from '../../../db/accounts/audit.ts';
import { operator } from '../../harness/operator.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';
import { cookieOf, createPeople, type People } from './person.ts';
import { password } from './test-password.ts';
import { appCode, bytesOf, settingsPath, withTwoFactor } from './two-factor-app.ts';

let setup: DashboardSetup;
let people: People;
beforeAll(async () => {
  setup = await createDashboardSetup({ trust_proxy: 1 });
  people = createPeople(setup);
});
afterAll(() => setup.close());
/** Moves the clock past all sign-in limits, and past the time for which a used code is refused. */
const wait = () => {
  setup.clock.now = new Date(setup.clock.now.getTime() + 16 * 60_000);
};
afterEach(() => {
  wait();
  expect(setup.errors).toEqual([]);
});

const protectedPerson = async () => {
  const person = await withTwoFactor(setup, people);
  wait();
  return person;
};
/** Signs in with a password. Returns the cookies of this sign-in, which still needs a two-factor code. */
const pending = async (email: string, path = '/sign-in') => {
  const answer = await people.post(path, { email, password });
  expect([answer.status, answer.headers.get('location')?.split('?')[0]]).toEqual([303, '/sign-in/code']);
  return cookieOf(answer);
};
const enter = (code: string, cookie: string, headers: Record<string, string> = {}) =>
  people.post('/sign-in/code', { code }, cookie, headers);
const opens = async (cookie: string) => (await setup.send('/dashboard', cookie)).status === 200;
const sessionsOf = async (email: string) => {
  const [row] = await setup.db.sql<{ n: number }[]>`
    select count(*)::int as n from auth_sessions s join auth_users u on u.id = s.user_id where u.email = ${email}`;
  return row?.n;
};
const auditOf = async (email: string) => {
  const [row] = await setup.db.sql<
    { workspace_id: string }[]
  >`select workspace_id from workspaces where email = ${email}`;
  const entries = await listAudit(setup.db.sql, row?.workspace_id ?? '', { before: null, limit: 50 });
  return entries.map(({ actor, action }) => `${actor} ${action}`);
};

describe('signing in with two-factor sign-in turned on', () => {
  test('with two-factor sign-in, the password alone opens no session, and the code of the app opens one', async () => {
    const { email, secret } = await protectedPerson();
    const before = await sessionsOf(email);
    const cookie = await pending(email);
    expect(cookie).toMatch(/^tidemark\.two_factor=[^;]+$/);
    expect([await opens(cookie), await sessionsOf(email)]).toEqual([false, before]);
    expect(await (await setup.send('/sign-in/code', cookie)).text()).toContain('autocomplete="one-time-code"');
    const entered = await enter(appCode(secret), cookie);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/dashboard']);
    expect(await opens(cookieOf(entered))).toBe(true);
    expect((await auditOf(email))[0]).toBe(`${email} signed in with a code`);
  });

  test('with two-factor sign-in, the page that was requested before sign-in opens after the code', async () => {
    const { email, secret } = await protectedPerson();
    const next = 'next=%2Fdashboard%2Fkeys';
    const answer = await people.post(`/sign-in?${next}`, { email, password });
    expect(answer.headers.get('location')).toBe(`/sign-in/code?${next}`);
    const page = await (await setup.send(`/sign-in/code?${next}`, cookieOf(answer))).text();
    expect(page).toContain(`action="/sign-in/code?${next}"`);
    const entered = await people.post(`/sign-in/code?${next}`, { code: appCode(secret) }, cookieOf(answer));
    expect(entered.headers.get('location')).toBe('/dashboard/keys');
  });

  test('a wrong or expired sign-in code and the code of another user are refused and logged', async () => {
    const [{ email, secret }, other] = [await protectedPerson(), await protectedPerson()];
    const cookie = await pending(email);
    for (const code of ['', 'nonsense', appCode(secret, -10), appCode(other.secret)]) {
      const answer = await enter(code, cookie);
      expect([code, answer.status, answer.headers.getSetCookie()]).toEqual([code, 401, []]);
    }
    expect((await auditOf(email))[0]).toBe(`${email} failed to sign in with a code`);
    expect((await enter(appCode(secret), cookie)).status).toBe(303);
  });

  test('a two-factor code works once, even when it is sent twice at the same time', async () => {
    const { email, secret } = await protectedPerson();
    const cookies = [await pending(email), await pending(email), await pending(email)];
    const code = appCode(secret);
    const statuses = await Promise.all(cookies.map(async (cookie) => (await enter(code, cookie)).status));
    expect(statuses.toSorted()).toEqual([303, 401, 401]);
  });

  test('a two-factor backup code works once', async () => {
    const { email, codes } = await protectedPerson();
    expect(codes).toHaveLength(10);
    const [code = ''] = codes;
    const entered = await enter(code, await pending(email));
    expect([entered.status, await opens(cookieOf(entered))]).toEqual([303, true]);
    expect((await enter(code, await pending(email))).status).toBe(401);
    expect((await enter(codes[1] ?? '', await pending(email))).status).toBe(303);
  });

  test('a two-factor code does not open a session unless the password was entered first', async () => {
    const { secret } = await protectedPerson();
    const form = await setup.send('/sign-in/code', '');
    expect([form.status, form.headers.get('location')]).toEqual([303, '/sign-in']);
    for (const cookie of ['', 'tidemark.two_factor=2fa-invented.AAAA'])
      expect((await enter(appCode(secret), cookie)).status).toBe(401);
  });

  test('the session of another user does not replace the two-factor code', async () => {
    const [{ email }, other] = [await protectedPerson(), await protectedPerson()];
    const answer = await enter(appCode(other.secret), `${await pending(email)}; ${other.cookie}`);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
  });
});

describe('links of a user with two-factor sign-in', () => {
  test('a sign-in link opens no session before the two-factor code', async () => {
    const { email, secret } = await protectedPerson();
    const before = await sessionsOf(email);
    const answer = await setup.follow(await setup.dashboard.accounts.signInLink(email));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in/code']);
    expect([await opens(cookieOf(answer)), await sessionsOf(email)]).toEqual([false, before]);
    expect(await opens(cookieOf(await enter(appCode(secret), cookieOf(answer))))).toBe(true);
  });

  test('a confirmation link opens no session before the two-factor code', async () => {
    const { email } = await protectedPerson();
    await setup.db.sql`update auth_users set email_verified = false where email = ${email}`;
    await people.post('/sign-in', { email, password });
    const before = await sessionsOf(email);
    const answer = await setup.follow(people.linkTo(email));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in/code']);
    expect([await opens(cookieOf(answer)), await sessionsOf(email)]).toEqual([false, before]);
  });

  test('a new password by a reset link does not replace the two-factor code, and ends a sign-in that waits for it', async () => {
    const { email, secret } = await protectedPerson();
    const cookie = await pending(email);
    await people.post('/reset', { token: await people.resetToken(email), password: 'another long password' });
    expect((await enter(appCode(secret), cookie)).status).toBe(401);
    const answer = await people.post('/sign-in', { email, password: 'another long password' });
    expect([answer.headers.get('location'), await opens(cookieOf(answer))]).toEqual(['/sign-in/code', false]);
  });
});

describe('limits of two-factor codes', () => {
  test('a sign-in ends after 5 wrong two-factor codes', async () => {
    const { email, secret } = await protectedPerson();
    const cookie = await pending(email);
    for (let tries = 0; tries < 6; tries += 1) expect((await enter('wrong', cookie)).status).toBe(401);
    expect((await enter(appCode(secret), cookie)).status).toBe(401);
  });

  test('two-factor codes are refused for 15 minutes after 10 attempts from one network', async () => {
    const { email, secret } = await protectedPerson();
    for (let round = 0; round < 2; round += 1) {
      const cookie = await pending(email);
      for (let tries = 0; tries < 5; tries += 1) await enter('wrong', cookie);
      await setup.db.sql`update auth_two_factors set failed_verification_count = 0`;
    }
    const cookie = await pending(email);
    expect((await enter(appCode(secret), cookie)).status).toBe(429);
    expect((await enter(appCode(secret), cookie, { 'x-forwarded-for': '198.51.100.9' })).status).toBe(303);
  });

  test('10 wrong two-factor codes in a row from many networks lock the codes of the user', async () => {
    const { email, secret } = await protectedPerson();
    for (let tries = 0; tries < 10; tries += 1)
      await enter('wrong', await pending(email), { 'x-forwarded-for': `198.51.100.${tries}` });
    wait();
    expect((await enter(appCode(secret), await pending(email))).status).toBe(401);
    await setup.db.sql`update auth_two_factors set locked_until = now() - interval '1 second'`;
    wait();
    expect((await enter(appCode(secret), await pending(email))).status).toBe(303);
  });
});

describe('turning two-factor sign-in on and off', () => {
  test('the two-factor page shows the secret only after the password, and turns on only after a right code', async () => {
    const person = await people.signedUp();
    const wrong = await people.post(`${settingsPath}/start`, { password: 'a wrong password' }, person.cookie);
    expect([wrong.status, (await wrong.text()).includes('id="secret"')]).toEqual([400, false]);
    const page = await (await people.post(`${settingsPath}/start`, { password }, person.cookie)).text();
    expect(page).toMatch(/<svg [^>]*viewBox/);
    const code = await people.post(`${settingsPath}/confirm`, { code: '000000' }, person.cookie);
    expect([code.status, code.headers.getSetCookie()]).toEqual([400, []]);
    const signedIn = await people.post('/sign-in', { email: person.email, password });
    expect(signedIn.headers.get('location')).toBe('/dashboard');
  });

  test('the two-factor secret and backup codes are shown once, stored encrypted, and are in no later page, email or log', async () => {
    const person = await protectedPerson();
    expect(person.started).toContain(person.secret);
    const pages = [settingsPath, '/dashboard/settings', '/dashboard/settings/audit', '/dashboard/settings/export'];
    const later = await Promise.all(pages.map(async (path) => (await setup.send(path, person.cookie)).text()));
    const { sql } = setup.db;
    const rows = await sql`select t::text as row from auth_two_factors t`;
    const text = [...later, JSON.stringify([rows, setup.mails, setup.logs, setup.errors])].join('\n');
    expect(rows.length).toBeGreaterThan(0);
    for (const secret of [person.secret, bytesOf(person.secret).toString(), ...person.codes])
      expect(text.includes(secret)).toBe(false);
    expect(later[0]).toContain('Two-factor sign-in is <b>on</b>');
  });

  test('new two-factor backup codes need the password and a code, and end the old ones', async () => {
    const { email, cookie, secret, codes } = await protectedPerson();
    const post = (fields: Record<string, string>) => people.post(`${settingsPath}/codes`, fields, cookie);
    expect((await post({ password: 'a wrong password', code: appCode(secret) })).status).toBe(400);
    expect((await post({ password, code: '000000' })).status).toBe(400);
    const page = await (await post({ password, code: appCode(secret) })).text();
    const made = /<pre id="codes"[^>]*><code>([^<]+)</.exec(page)?.[1]?.split('\n') ?? [];
    expect(made).toHaveLength(10);
    expect((await enter(codes[0] ?? '', await pending(email))).status).toBe(401);
    expect((await enter(made[0] ?? '', await pending(email))).status).toBe(303);
  });

  test('a wrong two-factor code in the settings is reported at the code, and a wrong password at the password', async () => {
    const { cookie } = await protectedPerson();
    const wrongFieldOf = async (path: string, fields: Record<string, string>) => {
      const page = await (await people.post(path, fields, cookie)).text();
      return /<input[^>]*name="(\w+)"[^>]*aria-invalid="true"/.exec(page)?.[1];
    };
    for (const path of [`${settingsPath}/codes`, `${settingsPath}/off`]) {
      expect([path, await wrongFieldOf(path, { password, code: '000000' })]).toEqual([path, 'code']);
      expect([path, await wrongFieldOf(path, { password: 'wrong', code: '000000' })]).toEqual([path, 'password']);
      wait();
    }
  });

  test('turning off two-factor sign-in needs the password and a code, and then the password alone signs in', async () => {
    const { email, cookie, secret, codes } = await protectedPerson();
    const off = (fields: Record<string, string>) => people.post(`${settingsPath}/off`, fields, cookie);
    expect((await off({ password, code: '000000' })).status).toBe(400);
    expect((await off({ password: 'a wrong password', code: codes[0] ?? '' })).status).toBe(400);
    await pending(email);
    const done = await off({ password, code: appCode(secret) });
    expect([done.status, await opens(cookieOf(done))]).toEqual([303, true]);
    const signedIn = await people.post('/sign-in', { email, password });
    expect([signedIn.headers.get('location'), await opens(cookieOf(signedIn))]).toEqual(['/dashboard', true]);
    expect(
      await setup.db.sql`select from auth_two_factors t join auth_users u on u.id = t.user_id
      where u.email = ${email}`,
    ).toHaveLength(0);
    const actions = await auditOf(email);
    expect(actions).toEqual(
      expect.arrayContaining([`${email} turned on two-factor sign-in`, `${email} turned off two-factor sign-in`]),
    );
    const subjects = people.mailsTo(email).map(({ subject }) => subject);
    expect(subjects).toEqual(
      expect.arrayContaining([
        'Two-factor sign-in was turned on for your Tidemark account',
        'Two-factor sign-in was turned off for your Tidemark account',
      ]),
    );
  });

  test('a form that turns two-factor sign-in on or off changes nothing when this was already done', async () => {
    const [on, off] = [await protectedPerson(), await people.signedUp()];
    const { secret } = on;
    expect((await people.post(`${settingsPath}/start`, { password }, on.cookie)).status).toBe(400);
    expect((await people.post(`${settingsPath}/off`, { password, code: '123456' }, off.cookie)).status).toBe(400);
    expect((await enter(appCode(secret), await pending(on.email))).status).toBe(303);
  });

  test('turning on two-factor sign-in in two windows at the same time refuses the second with a message', async () => {
    const { cookie, email } = await people.signedUp();
    const { sql } = setup.db;
    const other = await sql.reserve();
    await other`begin`;
    await other`insert into auth_two_factors (id, user_id, secret, backup_codes)
      select 'other window', id, '', '' from auth_users where email = ${email}`;
    const answer = people.post(`${settingsPath}/start`, { password }, cookie);
    await vi.waitUntil(
      async () =>
        (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
          .length > 0,
      { timeout: 10_000 },
    );
    await other`commit`;
    other.release();
    const page = await answer;
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('another window')]);
    expect((await people.post(`${settingsPath}/start`, { password }, cookie)).status).toBe(200);
  });

  test('guessing two-factor codes from an open session is refused after 10 attempts', async () => {
    const { cookie, secret } = await protectedPerson();
    for (let tries = 0; tries < 10; tries += 1)
      await people.post(`${settingsPath}/off`, { password, code: 'wrong' }, cookie);
    expect((await people.post(`${settingsPath}/off`, { password, code: appCode(secret) }, cookie)).status).toBe(429);
  });

  test('a user without a password is asked to choose one before turning on two-factor sign-in', async () => {
    const member = await setup.member();
    expect(await (await member.get(settingsPath)).text()).toContain('Choose a password');
    expect((await member.post(`${settingsPath}/start`, { password: '' })).status).toBe(400);
  });
});

test('the operator turns two-factor sign-in off for a user who is locked out', async () => {
  const { email } = await protectedPerson();
  const call = (...words: string[]) =>
    operator(['two-factor-off', ...words], { DATABASE_URL: setup.db.database_url, BASE_URL: setup.base_url });
  const { stdout, stderr, code } = await call('--email', email.toUpperCase(), '--json');
  expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', { email, changed: true }]);
  expect((await people.post('/sign-in', { email, password })).headers.get('location')).toBe('/dashboard');
  expect(await auditOf(email)).toContain('operator turned off two-factor sign-in');
  expect((await call('--email', email)).stdout).toContain('Nothing changed');
  expect((await call('--email', 'unknown@example.com')).code).toBe(2);
  expect((await call()).stderr).toContain('--email is missing');
});
