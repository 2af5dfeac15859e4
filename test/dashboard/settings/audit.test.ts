import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addAudit, listAudit } from '../../../db/accounts/audit.ts';
import { createLinkResolver } from '../../../pipeline/collect/short-links.ts';
import { removeOld } from '../../../pipeline/jobs/cleanup.ts';
import { createReportReader } from '../../../server/dashboard/reports/source.ts';
import { sections } from '../../../server/dashboard/sections.ts';
import { deviceName } from '../../../server/dashboard/ui/device-name.ts';
import { cookieOf, createPeople, type People } from '../account/person.ts';
import { password } from '../account/test-password.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

let setup: DashboardSetup;
let people: People;
beforeAll(async () => {
  setup = await createDashboardSetup({ trust_proxy: 1 });
  people = createPeople(setup);
});
afterAll(() => setup.close());
afterEach(() => {
  // Moves the clock forward, because audit entries get their ids and times from the clock.
  setup.clock.now = new Date(setup.clock.now.getTime() + 16 * 60_000);
  expect(setup.errors).toEqual([]);
});

async function workspaceOf(email: string): Promise<string> {
  const [row] = await setup.db.sql<
    { workspace_id: string }[]
  >`select workspace_id from workspaces where email = ${email}`;
  return row?.workspace_id ?? expect.fail(`${email} has no workspace`);
}
async function signedUp() {
  const person = await people.signedUp();
  await setup.send('/dashboard', person.cookie);
  return { ...person, workspace_id: await workspaceOf(person.email) };
}
const entriesOf = async (workspaceId: string) =>
  (await listAudit(setup.db.sql, workspaceId, { before: null, limit: 50 })).map(({ action, subject }) => [
    action,
    subject,
  ]);

describe('the audit log', () => {
  test('the audit log says that a password was chosen by an emailed link', async () => {
    const { email, workspace_id } = await signedUp();
    const token = await people.resetToken(email);
    expect((await people.post('/reset', { token, password: 'another long password' })).status).toBe(200);
    expect(await entriesOf(workspace_id)).toEqual([['chose a new password by an emailed link', null]]);
  });

  test('the audit log says who did what to the keys and settings, when and from where', async () => {
    const { email, cookie, workspace_id } = await signedUp();
    const headers = { 'user-agent': firefox, 'x-forwarded-for': '198.51.100.7' };
    await people.post('/dashboard/keys', { name: 'weekly', kind: 'live' }, cookie, headers);
    const [key] = await setup.db.sql`select key_id from api_keys where workspace_id = ${workspace_id}`;
    setup.clock.now = new Date(setup.clock.now.getTime() + 1000);
    await people.post(`/dashboard/keys/${key?.key_id}/revoke`, {}, cookie, headers);
    setup.clock.now = new Date(setup.clock.now.getTime() + 1000);
    await people.post('/dashboard/settings/cap', { cap: '70' }, cookie, headers);
    await people.post('/dashboard/settings/cap', { cap: 'many' }, cookie, headers);
    expect(await entriesOf(workspace_id)).toEqual([
      ['set the monthly cap', '70'],
      ['revoked a key', 'weekly'],
      ['created a key', 'weekly'],
    ]);
    const page = await (await setup.send('/dashboard/settings/audit', cookie)).text();
    for (const part of [email, 'Firefox on Windows', '198.51.100.7', '365 days']) expect(page).toContain(part);
  });

  test('the audit log has successful and failed sign-ins, and none of unknown addresses', async () => {
    const { email, workspace_id } = await signedUp();
    await people.post('/sign-in', { email, password: 'a wrong password' });
    await expect.poll(() => entriesOf(workspace_id)).toHaveLength(1);
    setup.clock.now = new Date(setup.clock.now.getTime() + 1000);
    await people.post('/sign-in', { email: email.toUpperCase(), password });
    await people.post('/sign-in', { email: 'unknown@example.com', password });
    expect(await entriesOf(workspace_id)).toEqual([
      ['signed in', null],
      ['failed to sign in', null],
    ]);
  });

  test('the audit log shows only entries of the own workspace, 100 on a page', async () => {
    const [ann, bob] = [await signedUp(), await signedUp()];
    for (let n = 0; n < 120; n += 1) {
      const at = new Date(setup.clock.now.getTime() + n);
      await addAudit(setup.db.sql, ann.workspace_id, { actor: ann.email, action: `action ${n}.` }, at);
    }
    const first = await (await setup.send('/dashboard/settings/audit', ann.cookie)).text();
    expect([first.includes('action 119.'), first.includes('action 20.'), first.includes('action 19.')]).toEqual([
      true,
      true,
      false,
    ]);
    const older = /href="(\/dashboard\/settings\/audit\?before=[^"]+)"/.exec(first)?.[1] ?? '';
    const second = await (await setup.send(older, ann.cookie)).text();
    expect([second.includes('action 19.'), second.includes('action 0.'), second.includes('Older entries')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await (await setup.send('/dashboard/settings/audit', bob.cookie)).text()).not.toMatch(/action \d/);
    for (const before of ['', 'nonsense'])
      expect((await setup.send(`/dashboard/settings/audit?before=${before}`, ann.cookie)).status).toBe(404);
  });

  test('entries of the audit log are removed after 365 days', async () => {
    const { workspace_id, email } = await signedUp();
    const at = setup.clock.now;
    await addAudit(setup.db.sql, workspace_id, { actor: email, action: 'an old action' }, at);
    await removeOld(setup.db.sql, new Date(at.getTime() + 364 * 86_400_000));
    expect(await entriesOf(workspace_id)).toHaveLength(1);
    await removeOld(setup.db.sql, new Date(at.getTime() + 366 * 86_400_000));
    expect(await entriesOf(workspace_id)).toEqual([]);
  });

  test('every form of keys and settings is in the audit log, except forms that change nothing', () => {
    const deps = setup.dashboard_deps;
    const { accounts } = setup.dashboard;
    const links = createLinkResolver(deps.sources);
    const all = {
      ...deps,
      accounts,
      read_report: createReportReader(deps),
      links,
      callAs: () => Promise.reject(new Error('The API is not called here.')),
    };
    const created = sections.map((create) => create(all));
    const forms = created.flatMap((section) => Object.keys(section.forms).filter((path) => !section.audits?.[path]));
    expect(forms.filter((path) => /^\/dashboard\/(?:keys|settings|connect)/.test(path)).sort()).toEqual([
      // This form deletes the account together with its audit log.
      '/dashboard/settings/delete',
      '/dashboard/settings/passkeys/start',
      // This form shows a secret, which has no effect until the user enters the first code.
      '/dashboard/settings/two-factor/start',
      '/dashboard/settings/webhooks/:endpoint_id/deliveries/:delivery_id/again',
      '/dashboard/settings/webhooks/:endpoint_id/test',
    ]);
  });
});

describe('sessions in the settings', () => {
  test('the settings list the sessions with device and address, and one can be signed out alone', async () => {
    const { email, cookie } = await signedUp();
    const from = (agent: string, address: string) => ({ 'user-agent': agent, 'x-forwarded-for': address });
    const phone = cookieOf(await people.post('/sign-in', { email, password }, '', from(iphone, '198.51.100.8')));
    const laptop = cookieOf(await people.post('/sign-in', { email, password }, '', from(firefox, '2001:db8::7')));
    const page = await (await setup.send('/dashboard/settings', cookie)).text();
    for (const part of [
      'Safari on iPhone',
      '198.51.100.8',
      'Firefox on Windows',
      '>2001:db8::7<',
      'this device',
      '2 other devices',
    ])
      expect(page).toContain(part);
    const [, ofPhone = ''] = /Safari on iPhone.*?name="session_id" value="([^"]+)"/s.exec(page) ?? [];
    await people.post('/dashboard/settings/session', { session_id: ofPhone }, cookie);
    const statuses = [cookie, phone, laptop].map(async (one) => (await setup.send('/dashboard', one)).status);
    expect(await Promise.all(statuses)).toEqual([200, 303, 200]);
  });

  test('a session of another user cannot be signed out', async () => {
    const [ann, bob] = [await signedUp(), await signedUp()];
    const [row] = await setup.db.sql`
      select s.id from auth_sessions s join auth_users u on u.id = s.user_id where u.email = ${bob.email}`;
    await people.post('/dashboard/settings/session', { session_id: row?.id }, ann.cookie);
    expect((await setup.send('/dashboard', bob.cookie)).status).toBe(200);
  });

  test('the time of last use of a session is written at most once in an hour', async () => {
    const { cookie, email } = await signedUp();
    const { sql } = setup.db;
    const setBack = (minutes: number) => sql`
      update auth_sessions set updated_at = now() - ${minutes} * interval '1 minute'
      where user_id = (select id from auth_users where email = ${email})`;
    const minutesAgo = async () => {
      await setup.send('/dashboard', cookie);
      const [row] = await sql<{ minutes: number }[]>`
        select round(extract(epoch from now() - s.updated_at) / 60)::int as minutes
        from auth_sessions s join auth_users u on u.id = s.user_id where u.email = ${email}`;
      return row?.minutes;
    };
    await setBack(50);
    expect(await minutesAgo()).toBe(50);
    await setBack(70);
    expect(await minutesAgo()).toBe(0);
  });

  test.each([
    [firefox, 'Firefox on Windows'],
    [iphone, 'Safari on iPhone'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
      'Edge on Mac',
    ],
    ['curl/8.5.0', 'curl'],
    [null, 'Unknown device'],
  ])('the user agent %s is shown as %s in the audit log', (agent, name) => {
    expect(deviceName(agent)).toBe(name);
  });
});
