import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readBalance } from '../../../db/money/ledger.ts';
import { createTriggers } from '../../setup/citus.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';

let setup: DashboardSetup;
let people = 0;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());
afterEach(async () => {
  // Moves the clock past the 15-minute sign-in limit, so that the next test can sign in.
  setup.clock.now = new Date(setup.clock.now.getTime() + 16 * 60_000);
  expect(setup.errors).toEqual([]);
});

const password = 'a long password';
const person = () => {
  people += 1;
  return { name: 'Ann', email: `ann${people}@example.com`, password };
};
const send = (
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { origin: setup.base_url },
) => setup.send(path, '', { method: 'POST', body: new URLSearchParams(fields), headers });
const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
const linkTo = (email: string) => {
  const mail = setup.mails.findLast(({ to }) => to === email);
  return /http\S+/.exec(mail?.text ?? '')?.[0] ?? expect.fail(`no link was mailed to ${email}`);
};
const pathOf = (link: string) => link.slice(setup.base_url.length);

async function signedUp() {
  const ann = person();
  await send('/sign-up', ann);
  const entered = await setup.follow(linkTo(ann.email));
  return { ...ann, cookie: cookieOf(entered), entered };
}

describe('signing up', () => {
  test('a confirmed user gets a workspace with 100 starter credits', async () => {
    const { cookie, entered, email } = await signedUp();
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/dashboard']);
    // Opening several pages for the first time at once must create only one workspace.
    const pages = await Promise.all([1, 2, 3, 4].map(() => setup.send('/dashboard/credits', cookie)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const made = await setup.db.sql<
      { workspace_id: string }[]
    >`select workspace_id from workspaces where email = ${email}`;
    expect(made).toHaveLength(1);
    expect(await readBalance(setup.db.sql, made[0]?.workspace_id ?? '')).toBe(100);
  });

  test('a sign-up that began on the page of the add-on ends there, even when the link of the email was sent again', async () => {
    const addon = '/addon#key';
    const here = `?next=${encodeURIComponent(addon)}`;
    expect(await (await setup.send('/addon', '')).text()).toContain(`/sign-up${here}`);
    expect(await (await setup.send(`/sign-in${here}`, '')).text()).toContain(`/sign-up${here}`);
    expect(await (await setup.send(`/sign-up${here}`, '')).text()).toContain(`action="/sign-up${here}"`);
    const ann = person();
    expect(await (await send(`/sign-up${here}`, ann)).text()).toContain(`/sign-in${here}`);
    const first = linkTo(ann.email);
    await send(`/sign-in${here}`, ann);
    const again = linkTo(ann.email);
    expect(setup.mails.filter(({ to }) => to === ann.email)).toHaveLength(2);
    const { searchParams } = new URL(again);
    expect([new URL(first).searchParams.get('next'), searchParams.get('next')]).toEqual([addon, addon]);
    const token = searchParams.get('token') ?? '';
    const refused = await send(`/confirm${here}`, { token, password: 'not the password' });
    expect(await refused.text()).toContain(`action="/confirm${here}"`);
    const entered = await send(`/confirm${here}`, { token, password });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, addon]);
  });

  test('a confirmation link leads to no page of another server', async () => {
    const ann = person();
    await send('/sign-up?next=https://evil.example/', ann);
    const token = new URL(linkTo(ann.email)).searchParams.get('token') ?? '';
    expect(linkTo(ann.email)).not.toContain('evil');
    const entered = await send('/confirm?next=//evil.example/', { token, password });
    expect(entered.headers.get('location')).toBe('/dashboard');
  });

  test('sign-up with a known address shows the same page, changes nothing, and sends an explaining email', async () => {
    const known = await signedUp();
    const stranger = person();
    const [again, first] = [
      await send('/sign-up', { name: 'Ann', email: known.email, password: 'another password' }),
      await send('/sign-up', stranger),
    ];
    const [a, b] = [await again.text(), await first.text()];
    expect(again.status).toBe(first.status);
    expect(a.replaceAll(known.email, '')).toBe(b.replaceAll(stranger.email, ''));
    expect(setup.mails.findLast(({ to }) => to === known.email)?.subject).toContain('already have a Tidemark account');
    expect((await send('/sign-in', { email: known.email, password: 'another password' })).status).toBe(401);
    expect((await send('/sign-in', { email: known.email, password })).status).toBe(303);
  });

  test('sign-ups of one new address at the same moment get the same answer as those of a known address', async () => {
    for (let round = 0; round < 3; round += 1) {
      const stranger = person();
      const answers = await Promise.all(Array.from({ length: 3 }, () => send('/sign-up', stranger)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await setup.db.sql`select from auth_users where email = ${stranger.email}`).toHaveLength(1);
    }
  });

  test.each([
    [{ name: '', email: 'x@example.com', password }, 'Enter your name.'],
    [{ name: 'Ann', email: 'no-address', password }, 'Enter a valid email address.'],
    [{ name: 'Ann', email: 'x@example.com', password: 'short' }, '10 to 128 characters'],
  ])('sign-up with %j is refused with a message', async (fields, sentence) => {
    const answer = await send('/sign-up', fields);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(sentence);
  });
});

describe('confirming the email address', () => {
  test('confirming an email address needs the password of the account, so a stranger cannot take the address of another person', async () => {
    const stranger = { ...person(), password: 'password of the stranger' };
    await send('/sign-up', stranger);
    const token = new URL(linkTo(stranger.email)).searchParams.get('token') ?? '';
    for (const guess of ['', 'password of the owner']) {
      const refused = await send('/confirm', { token, password: guess });
      expect([refused.status, cookieOf(refused)]).toEqual([401, '']);
      const page = await refused.text();
      expect(page).toContain('This is not the password that was chosen at sign-up.');
      expect(page).toContain(`name="token" value="${token}"`);
    }
    expect((await send('/sign-in', stranger)).status).toBe(401);
    expect((await send('/confirm', { token, password: stranger.password })).status).toBe(303);
  });

  test('a link that was used before opens the sign-in page and says why', async () => {
    const { email } = await signedUp();
    const again = await setup.follow(linkTo(email));
    expect([again.status, cookieOf(again)]).toEqual([200, '']);
    expect(await again.text()).toContain('Your email address is already confirmed. Sign in.');
  });

  test('the owner of an address replaces the password that someone else chose', async () => {
    const stranger = { ...person(), password: 'password of the stranger' };
    await send('/sign-up', stranger);
    await send('/forgot', { email: stranger.email });
    const token = new URL(linkTo(stranger.email)).searchParams.get('token') ?? '';
    expect((await send('/reset', { token, password: 'password of the owner' })).status).toBe(200);
    expect((await send('/sign-in', stranger)).status).toBe(401);
    expect((await send('/sign-in', { email: stranger.email, password: 'password of the owner' })).status).toBe(303);
  });

  test('choosing a new password ends the sessions of a confirmed user even when the user cannot be changed', async () => {
    const { email, cookie } = await signedUp();
    await send('/forgot', { email });
    const token = new URL(linkTo(email)).searchParams.get('token') ?? '';
    await createTriggers(setup.db.sql, [
      "create function refuse() returns trigger language plpgsql as 'begin raise ''refused''; end'",
      'create trigger refuse before update on auth_users for each row execute function refuse()',
    ]);
    const { status } = await send('/reset', { token, password: 'another long password' });
    await setup.db.sql`drop function refuse cascade`;
    expect(status).toBe(200);
    expect((await setup.send('/dashboard', cookie)).status).toBe(303);
  });

  test('confirming an email address is refused after 100 attempts from one network in 15 minutes', async () => {
    const ann = person();
    await send('/sign-up', ann);
    const token = new URL(linkTo(ann.email)).searchParams.get('token') ?? '';
    const statuses: number[] = [];
    for (let tries = 0; tries < 101; tries += 1)
      statuses.push((await send('/confirm', { token, password: 'guess' })).status);
    expect(statuses.slice(-2)).toEqual([401, 429]);
    setup.clock.now = new Date(setup.clock.now.getTime() + 16 * 60_000);
    expect((await send('/confirm', { token, password })).status).toBe(303);
  });
});

describe('signing in', () => {
  test('sign-in sets one HttpOnly, SameSite cookie', async () => {
    const { email } = await signedUp();
    const [set, ...more] = (await send('/sign-in', { email, password })).headers.getSetCookie();
    expect(more).toEqual([]);
    expect(set).toMatch(/^tidemark\.session_token=.+; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('a wrong password, an unknown and an unconfirmed address get the same message', async () => {
    const { email } = await signedUp();
    const waiting = person();
    await send('/sign-up', waiting);
    const answers = await Promise.all([
      send('/sign-in', { email, password: 'not the password' }),
      send('/sign-in', { email: 'unknown@example.com', password }),
      send('/sign-in', { email: waiting.email, password }),
    ]);
    const pages = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    const texts = pages.map((page) => page.replace(/value="[^"]*@example\.com"/, ''));
    expect(texts[1]).toBe(texts[0]);
    expect(texts[2]).toBe(texts[0]);
  });

  test('sign-in is refused for 15 minutes after 10 attempts, even with the right password', async () => {
    const { email } = await signedUp();
    const statuses: number[] = [];
    for (let tries = 0; tries < 10; tries++)
      statuses.push((await send('/sign-in', { email, password: 'guess number x' })).status);
    expect(statuses.slice(0, 9)).toEqual(Array(9).fill(401));
    const refused = await send('/sign-in', { email, password });
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('Try again in 15 min.');
    setup.clock.now = new Date(setup.clock.now.getTime() + 16 * 60_000);
    expect((await send('/sign-in', { email, password })).status).toBe(303);
  });

  test('sign-in returns to the requested page, and never to another site', async () => {
    const { email } = await signedUp();
    const refused = await setup.send('/dashboard/keys', '');
    expect(refused.headers.get('location')).toBe('/sign-in?next=%2Fdashboard%2Fkeys');
    const back = await send('/sign-in?next=%2Fdashboard%2Fkeys', { email, password });
    expect(back.headers.get('location')).toBe('/dashboard/keys');
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/dashboard//evil.example/..',
      '/\\evil.example',
      '/docs',
      '/api/auth/oauth2/authorize?state=\u20ac',
      '/api/auth/oauth2/authorize?\r\nset-cookie: a=b',
    ]) {
      const answer = await send(`/sign-in?next=${encodeURIComponent(next)}`, { email, password });
      expect(answer.status, next).toBe(303);
      expect(new URL(answer.headers.get('location') ?? '', setup.base_url).host).toBe(new URL(setup.base_url).host);
    }
  });

  test('a wrong password is answered without waiting for the audit log, which only known addresses have', async () => {
    const { email, cookie } = await signedUp();
    await setup.send('/dashboard', cookie);
    const [own] = await setup.db.sql<
      { id: string }[]
    >`select workspace_id as id from workspaces where email = ${email}`;
    await setup.db.sql.begin(async (tx) => {
      await tx`select from workspaces where workspace_id = ${own?.id ?? ''} for update`;
      const refused = await send('/sign-in', { email, password: 'a wrong password' });
      expect(refused.status).toBe(401);
    });
    const actions = () => setup.db.sql`select action from audit_entries where actor = ${email}`;
    await expect.poll(actions).toContainEqual({ action: 'failed to sign in' });
  });

  test('sign-out ends the session', async () => {
    const { cookie } = await signedUp();
    expect((await setup.send('/dashboard', cookie)).status).toBe(200);
    await setup.send('/sign-out', cookie, { method: 'POST', headers: { origin: setup.base_url } });
    expect((await setup.send('/dashboard', cookie)).status).toBe(303);
  });
});

describe('a forgotten password', () => {
  test('a password is reset by a link that works once, and other sessions end', async () => {
    const { email, cookie } = await signedUp();
    await send('/forgot', { email });
    const token = new URL(linkTo(email)).searchParams.get('token') ?? '';
    const chosen = 'another long password';
    expect((await send('/reset', { token, password: 'short' })).status).toBe(400);
    expect((await send('/reset', { token, password: chosen })).status).toBe(200);
    expect((await send('/reset', { token, password: 'a third password' })).status).toBe(400);
    expect((await setup.send('/dashboard', cookie)).status).toBe(303);
    expect((await send('/sign-in', { email, password: chosen })).status).toBe(303);
  });

  test('a password reset for an unknown address shows the same page and sends no email', async () => {
    const { email } = await signedUp();
    const before = setup.mails.length;
    const unknown = await (await send('/forgot', { email: 'unknown2@example.com' })).text();
    expect(setup.mails).toHaveLength(before);
    const known = await (await send('/forgot', { email })).text();
    expect(unknown.replaceAll('unknown2@example.com', '')).toBe(known.replaceAll(email, ''));
  });
});

describe('a sign-in link', () => {
  test('a sign-in link is used up by its button, not by opening it, and works once', async () => {
    const { email } = await signedUp();
    const path = pathOf(await setup.dashboard.accounts.signInLink(email));
    const page = await setup.send(path, '');
    expect([page.status, page.headers.getSetCookie()]).toEqual([200, []]);
    expect((await setup.follow(path)).status).toBe(303);
    const again = await setup.follow(path);
    expect([again.status, await again.text()]).toEqual([
      400,
      expect.stringContaining('ask your Tidemark administrator for a new link.'),
    ]);
  });

  test('invalid sign-in and confirmation links are refused with a page', async () => {
    for (const path of ['/enter?token=made-up', '/enter', '/confirm?token=made-up', '/confirm']) {
      expect((await setup.send(path, '')).status).toBe(200);
      expect((await setup.follow(path)).status).toBe(400);
    }
  });
});

describe('a form of the dashboard', () => {
  test.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['from another site by its Sec-Fetch-Site header', { 'sec-fetch-site': 'cross-site' }],
    ['without an origin header', {}],
    ['from a page with a null origin', { origin: 'null' }],
    ['from another site as JSON', { origin: 'https://evil.example', 'content-type': 'application/json' }],
    ['from another site as bytes', { origin: 'https://evil.example', 'content-type': 'application/octet-stream' }],
    ['from another port of this machine', { origin: 'http://127.0.0.1:1' }],
  ])('a form %s is refused', async (_, headers) => {
    const { cookie } = await signedUp();
    for (const path of [
      '/sign-in',
      '/sign-up',
      '/sign-out',
      '/forgot',
      '/reset',
      '/dashboard/keys',
      '/dashboard/credits/alert',
    ]) {
      const body = new URLSearchParams({ name: 'x', kind: 'live', email: 'x@example.com' });
      const answer = await setup.send(path, cookie, {
        method: 'POST',
        body,
        headers: headers as Record<string, string>,
      });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect((await setup.send('/dashboard', cookie)).status).toBe(200);
  });

  test('a form sent to another Host is refused, even with the Origin of that host', async () => {
    const { port } = new URL(setup.base_url);
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'evil.example', origin: 'http://evil.example', 'content-length': 0 };
      const sent = request({ host: '127.0.0.1', port, path: '/sign-in', method: 'POST', headers });
      sent.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
      sent.end();
    });
    expect(status).toBe(403);
  });

  test('a server on the own machine accepts a form under each name of the machine', async () => {
    const origin = setup.base_url.replace('127.0.0.1', 'localhost');
    const answer = await send('/forgot', { email: 'unknown@example.com' }, { origin });
    expect(answer.status).toBe(200);
  });

  test('a form that is too large is refused', async () => {
    const { cookie } = await signedUp();
    const body = new URLSearchParams({ name: 'x'.repeat(3 * 1024 * 1024) });
    const answer = await setup.send('/dashboard/keys', cookie, {
      method: 'POST',
      body,
      headers: { origin: setup.base_url },
    });
    expect(answer.status).toBe(413);
  });
});
