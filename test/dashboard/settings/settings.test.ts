import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { throttle } from '../../../db/accounts/throttle.ts';
import { readWorkSettings } from '../../../db/tracking/work-settings.ts';
import { createDashboardSetup, type DashboardSetup, type Member, noticeOf } from '../dashboard-server.ts';

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ tier: 'pro' });
});
afterAll(() => setup.close());
afterEach(() => expect(setup.errors).toEqual([]));

const area = '/dashboard/settings';
const textOf = async (answer: Promise<Response>) =>
  (await (await answer).text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const settingsOf = ({ workspace_id }: Member) => readWorkSettings(setup.db.sql, workspace_id, setup.clock.now);
const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
/** Signs the user in from another device, with a new session. */
const signIn = async (email: string, password: string) => {
  const body = new URLSearchParams({ email, password });
  const answer = await setup.send('/sign-in', '', { method: 'POST', body, headers: { origin: setup.base_url } });
  return { status: answer.status, cookie: cookieOf(answer) };
};

describe('the monthly cap', () => {
  test('an empty monthly cap means no cap, 0 stops all spending, and the page shows the use of this UTC month', async () => {
    expect(await textOf(ann.get(area))).toContain('Used this month: 0 credits (no cap).');
    expect((await ann.post(`${area}/cap`, { cap: '0' })).status).toBe(303);
    expect(await settingsOf(ann)).toMatchObject({ monthly_cap: 0 });
    expect(await textOf(ann.get(area))).toContain('of 0 credits. cap reached');
    await ann.post(`${area}/cap`, { cap: '1500' });
    await setup.db.sql`
      update work_settings set cap_month = '2026-11-01', cap_used = 1204 where workspace_id = ${ann.workspace_id}`;
    expect(await textOf(ann.get(area))).toContain('Used this month: 1,204 of 1,500 credits.');
    const november = setup.clock.now;
    setup.clock.now = new Date('2026-12-01T00:00:00Z');
    expect(await textOf(ann.get(area))).toContain('Used this month: 0 of 1,500 credits.');
    setup.clock.now = november;
    await ann.post(`${area}/cap`, { cap: '' });
    expect(await settingsOf(ann)).toMatchObject({ monthly_cap: null, cap_used: 1204 });
  });

  test.each(['-1', '1.5', 'many', '9999999999999'])(
    'the monthly cap %s is refused with a message and not saved',
    async (cap) => {
      await ann.post(`${area}/cap`, { cap: '70' });
      const answer = await ann.post(`${area}/cap`, { cap });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('The monthly cap must be a whole number of credits, 0 to 1,000,000,000.');
      expect(await settingsOf(ann)).toMatchObject({ monthly_cap: 70 });
    },
  );
});

test('scheduled work can be paused and resumed, and every page shows the pause', async () => {
  await ann.post(`${area}/cap`, { cap: '70' });
  expect(noticeOf(await ann.post(`${area}/pause`, {}))).toBe('work-paused');
  expect(await settingsOf(ann)).toMatchObject({ paused: true, monthly_cap: 70 });
  expect(await textOf(ann.get('/dashboard/keys'))).toContain('Checks, analyses and imports are paused.');
  await ann.post(`${area}/resume`, {});
  expect(await settingsOf(ann)).toMatchObject({ paused: false, monthly_cap: 70 });
});

test('a workspace can be renamed with 1 to 80 characters on one line', async () => {
  const nameOf = async () => {
    const [row] = await setup.db.sql`select name from workspaces where workspace_id = ${ann.workspace_id}`;
    return row?.name;
  };
  await ann.post(`${area}/name`, { name: '  Tide <b>pool</b>  ' });
  expect(await nameOf()).toBe('Tide <b>pool</b>');
  expect(await (await ann.get(area)).text()).toContain('Tide &lt;b&gt;pool&lt;/b&gt;');
  for (const name of ['', ' ', 'x'.repeat(81), 'two\nlines']) {
    const answer = await ann.post(`${area}/name`, { name });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('a name of 1 to 80 characters'),
    ]);
  }
  expect(await nameOf()).toBe('Tide <b>pool</b>');
});

describe('the password', () => {
  const chosen = 'a long password';

  /** Creates a user who first signed in with a link, and then chose a password through an emailed link. */
  async function withPassword() {
    const member = await setup.member();
    expect(await textOf(member.get(area))).toContain('You signed in by a link and have no password yet.');
    const answer = await member.post(`${area}/password-link`, {});
    expect([answer.headers.get('location'), noticeOf(answer)]).toEqual([area, 'password-link']);
    const mail = setup.mails.findLast(({ to }) => to === member.email);
    const token = /token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? expect.fail('no link was sent');
    const body = new URLSearchParams({ token: decodeURIComponent(token), password: chosen });
    await setup.send('/reset', '', { method: 'POST', body, headers: { origin: setup.base_url } });
    const { cookie } = await signIn(member.email, chosen);
    const post = (path: string, fields: Record<string, string>) =>
      setup.send(path, cookie, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { origin: setup.base_url },
      });
    return { ...member, cookie, post };
  }

  test('a user without a password chooses a password through an emailed link and can change the password later', async () => {
    const member = await withPassword();
    const other = await signIn(member.email, chosen);
    expect(await textOf(setup.send(area, member.cookie))).toContain('You are also signed in on 1 other device.');
    const changed = await member.post(`${area}/password`, { current: chosen, chosen: 'another long one' });
    expect([changed.headers.get('location'), noticeOf(changed)]).toEqual([area, 'password-set']);
    // The session that changed the password gets a new cookie, because its old session ends.
    expect((await setup.send(area, cookieOf(changed))).status).toBe(200);
    expect((await setup.send(area, other.cookie)).status).toBe(303);
    expect((await signIn(member.email, chosen)).status).toBe(401);
    expect((await signIn(member.email, 'another long one')).status).toBe(303);
  });

  test('a password change needs the current password and a long new one, and guessing is limited', async () => {
    const member = await withPassword();
    const change = async (current: string, next: string) => {
      const answer = await member.post(`${area}/password`, { current, chosen: next });
      return [answer.status, await answer.text()];
    };
    expect(await change(chosen, 'short')).toEqual([400, expect.stringContaining('10 to 128 characters')]);
    expect(await change('a wrong password', 'another long one')).toEqual([
      400,
      expect.stringContaining('The current password is wrong.'),
    ]);
    const tries = { limit: 10, window_seconds: 900 };
    for (let n = 0; n < 9; n += 1) {
      await throttle(setup.db.sql, `password ${member.user_id}`, tries, setup.clock.now);
    }
    expect(await change(chosen, 'another long one')).toEqual([429, expect.stringContaining('Too many attempts.')]);
    expect((await signIn(member.email, chosen)).status).toBe(303);
  });

  test('a password link is sent at most 3 times in 15 minutes', async () => {
    const member = await setup.member();
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push((await member.post(`${area}/password-link`, {})).status);
    expect(answers).toEqual([303, 303, 303, 429]);
    expect(setup.mails.filter(({ to }) => to === member.email)).toHaveLength(3);
  });
});

test('signing out other devices ends only the other sessions of this user', async () => {
  const [bob, carol] = [await setup.member({ name: 'Bob' }), await setup.member({ name: 'Carol' })];
  const entered = await setup.follow(await setup.dashboard.accounts.signInLink(bob.email));
  const elsewhere = cookieOf(entered);
  expect((await setup.send(area, elsewhere)).status).toBe(200);
  await bob.post(`${area}/sessions`, {});
  expect((await setup.send(area, elsewhere)).status).toBe(303);
  expect([(await bob.get(area)).status, (await carol.get(area)).status]).toEqual([200, 200]);
  expect(await textOf(bob.get(area))).toContain('You are signed in on this device only.');
});
