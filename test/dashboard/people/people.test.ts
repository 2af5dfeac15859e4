import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember, findMembership } from '../../../db/accounts/members.ts';
import { addOperator } from '../../../db/accounts/operators.ts';
import { changeRole, listColleagues, removeMember } from '../../../db/accounts/team.ts';
import { addRecipient, listRecipients, type RecipientChannel } from '../../../db/alerts/recipients.ts';
import { createPeople, type People } from '../account/person.ts';
import { createDashboardSetup, type DashboardSetup, type Member, noticeOf } from '../dashboard-server.ts';

let setup: DashboardSetup;
let people: People;
beforeAll(async () => {
  setup = await createDashboardSetup();
  people = createPeople(setup);
});
afterAll(() => setup.close());

const area = '/dashboard/people';
const rolesOf = async ({ workspace_id }: Member) =>
  Object.fromEntries((await listColleagues(setup.db.sql, workspace_id)).map(({ email, role }) => [email, role]));

async function invited(ann: Member, fields: Record<string, string>): Promise<string> {
  const page = await (await ann.post(`${area}/invite`, fields)).text();
  return /\/join\?token=([\w-]{43})/.exec(page)?.[1] ?? expect.fail(page.slice(-2_000));
}
const join = (person: Pick<Member, 'post'>, token: string) => person.post('/join', { token });

test('an invited person signs up, confirms and joins the workspace, without getting their own workspace', async () => {
  const ann = await setup.member();
  const person = people.newPerson();
  const token = await invited(ann, { email: person.email, role: 'editor' });
  expect(people.linkTo(person.email)).toBe(`${setup.base_url}/join?token=${token}`);
  const page = await setup.send(`/join?token=${token}`, '');
  // The text direction of the name must not change how the role after the name reads.
  expect(await page.text()).toContain('invites you to the workspace <b><bdi>Ann&#39;s workspace</bdi></b> as editor');
  const kept = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await people.post('/sign-up', person);
  const confirmed = await setup.follow(people.linkTo(person.email), kept);
  expect(confirmed.headers.get('location')).toBe(`/join?token=${token}`);
  const again = await (await setup.follow(people.linkTo(person.email), kept)).text();
  expect(again).toContain(`action="/sign-in?next=${encodeURIComponent(`/join?token=${token}`)}"`);
  const cookie = confirmed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(await (await setup.send(`/join?token=${token}`, cookie)).text()).toContain(`signed in as ${person.email}`);
  const joined = await people.post('/join', { token }, cookie);
  expect([joined.status, joined.headers.get('location'), noticeOf(joined)]).toEqual([303, '/dashboard', 'joined']);
  expect(await rolesOf(ann)).toEqual({ [ann.email]: 'owner', [person.email]: 'editor' });
  const [user] = await setup.db.sql<{ id: string }[]>`select id from auth_users where email = ${person.email}`;
  expect((await findMembership(setup.db.sql, user?.id ?? ''))?.workspaces).toHaveLength(1);
  const audit = await (await ann.get('/dashboard/settings/audit')).text();
  for (const action of ['invited a person', 'joined the workspace']) expect(audit).toContain(action);
});

test('an invitation for one address is refused for another address, and works once, even when used five times at the same time', async () => {
  const [ann, bob, eve] = [await setup.member(), await setup.member(), await setup.member()];
  const token = await invited(ann, { email: bob.email, role: 'viewer' });
  expect((await join(eve, token)).status).toBe(404);
  const answers = await Promise.all(Array.from({ length: 5 }, () => join(bob, token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404, 404]);
  expect(await rolesOf(ann)).toEqual({ [ann.email]: 'owner', [bob.email]: 'viewer' });
});

test('an invitation that was withdrawn or has expired is refused, and no database table holds its token', async () => {
  const [ann, bob] = [await setup.member(), await setup.member()];
  const token = await invited(ann, { email: '', role: 'viewer' });
  const [row] = await setup.db.sql<{ invitation_id: string; text: string }[]>`
    select invitation_id, i::text as text from invitations i where workspace_id = ${ann.workspace_id}`;
  expect(row?.text).not.toContain(token);
  await ann.post(`${area}/withdraw`, { invitation_id: row?.invitation_id ?? '' });
  expect((await join(bob, token)).status).toBe(404);
  const late = await invited(ann, { email: '', role: 'viewer' });
  await setup.db.sql`update invitations set expires_at = ${setup.clock.now} where workspace_id = ${ann.workspace_id}`;
  expect((await setup.send(`/join?token=${late}`, '')).status).toBe(404);
  expect((await join(bob, late)).status).toBe(404);
  expect(await rolesOf(ann)).toEqual({ [ann.email]: 'owner' });
});

test('an invitation for an address with more than 254 characters is refused, and nothing is stored or mailed', async () => {
  const ann = await setup.member();
  const mails = setup.mails.length;
  const email = `${'a'.repeat(1_000_000)}@invented.example`;
  const refused = await ann.post(`${area}/invite`, { email, role: 'viewer' });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('This is not an email address.');
  const rows = await setup.db.sql`select from invitations where workspace_id = ${ann.workspace_id}`;
  expect([rows.length, setup.mails.length]).toEqual([0, mails]);
});

// A mail program would send an email to the last address in each of these texts. The limit per address, however, would
// treat each text as a different address.
test.each(['x,%s', 'x;%s', 'name<%s', '<%s>', 'group:%s;', '(x)%s'])(
  'an invitation for the text %j, which is more than one email address, is refused and not mailed',
  async (form) => {
    const [ann, person] = [await setup.member(), people.newPerson()];
    const mails = setup.mails.length;
    const refused = await ann.post(`${area}/invite`, { email: form.replace('%s', person.email), role: 'viewer' });
    expect([refused.status, setup.mails.length]).toEqual([400, mails]);
  },
);

/** Creates another workspace for a user, and returns a function that sends an invitation to it. */
async function otherWorkspace(ann: Member) {
  const current = async () => (await ann.get(area)).headers.get('x-workspace') ?? '';
  const before = await current();
  await ann.post('/dashboard/workspaces', { name: 'Another', for_workspace: before });
  const workspace = await current();
  expect(workspace).not.toBe(before);
  return (email: string) => ann.post(`${area}/invite`, { email, role: 'viewer', for_workspace: workspace });
}

test('one person can send at most five invitations per day to an address from all workspaces together, so that others can invite it too, and an address gets at most ten', async () => {
  const person = people.newPerson();
  const mailed: number[] = [];
  for (const ann of [await setup.member(), await setup.member(), await setup.member()]) {
    let sent = 0;
    for (let workspaces = 0; workspaces < 2; workspaces += 1) {
      const send = await otherWorkspace(ann);
      for (let n = 0; n < 4; n += 1) {
        const page = await (await send(person.email)).text();
        expect(page).toContain('/join?token=');
        if (page.includes(`We sent this link to ${person.email}.`)) sent += 1;
        else expect(page).toContain('Send this link to the person.');
      }
    }
    mailed.push(sent);
  }
  expect(mailed).toEqual([5, 5, 0]);
  expect(setup.mails.filter(({ to }) => to === person.email)).toHaveLength(10);
});

test('a person sends at most 50 invitations in a day, from all of their workspaces together', async () => {
  const ann = await setup.member();
  const statuses: number[] = [];
  for (let workspaces = 0; workspaces < 2; workspaces += 1) {
    const send = await otherWorkspace(ann);
    for (let sent = 0; sent < 26; sent += 1) statuses.push((await send(people.newPerson().email)).status);
  }
  expect(statuses).toEqual([...Array(50).fill(200), 429, 429]);
});

test('a person who leaves their last workspace gets a new one, and starter credits only once', async () => {
  const [ann, person] = [await setup.member(), people.newPerson()];
  await people.post('/sign-up', person);
  const confirmed = await setup.follow(people.linkTo(person.email));
  const cookie = confirmed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const balances: number[] = [];
  for (let visits = 0; visits < 3; visits += 1) {
    await setup.send('/dashboard', cookie);
    const [user] = await setup.db.sql<{ id: string }[]>`select id from auth_users where email = ${person.email}`;
    const { workspace_id, balance } = (await findMembership(setup.db.sql, user?.id ?? '')) ?? expect.fail();
    balances.push(balance);
    await addMember(setup.db.sql, workspace_id, ann.user_id);
    expect((await people.post(`${area}/leave`, {}, cookie)).status).toBe(303);
  }
  expect(balances).toEqual([100, 0, 0]);
});

test('an owner cannot act on the people or invitations of another workspace', async () => {
  const [ann, eve] = [await setup.member(), await setup.member()];
  await invited(ann, { email: '', role: 'owner' });
  const [row] = await setup.db.sql<{ invitation_id: string }[]>`
    select invitation_id from invitations where workspace_id = ${ann.workspace_id}`;
  expect((await eve.post(`${area}/withdraw`, { invitation_id: row?.invitation_id ?? '' })).status).toBe(404);
  for (const form of ['role', 'remove']) {
    expect((await eve.post(`${area}/${form}`, { user_id: ann.user_id, role: 'viewer' })).status).toBe(400);
  }
  expect((await eve.post('/dashboard/workspaces/switch', { workspace_id: ann.workspace_id })).status).toBe(404);
  expect(await rolesOf(ann)).toEqual({ [ann.email]: 'owner' });
});

test.each([
  ['removed', (bob: Member) => ['remove', { user_id: bob.user_id }] as const],
  ['made a viewer', (bob: Member) => ['role', { user_id: bob.user_id, role: 'viewer' }] as const],
])('an owner who was %s cannot come back as an owner with an invitation of their own', async (_, end) => {
  const [ann, bob, eve] = [await setup.member(), await setup.member(), await setup.member()];
  await addMember(setup.db.sql, ann.workspace_id, bob.user_id);
  await bob.post('/dashboard/workspaces/switch', { workspace_id: ann.workspace_id });
  const token = await invited(bob, { email: '', role: 'owner', for_workspace: ann.workspace_id });
  const other = await invited(ann, { email: '', role: 'viewer' });
  const [path, fields] = end(bob);
  expect((await ann.post(`${area}/${path}`, fields)).status).toBe(303);
  for (const person of [bob, eve]) expect((await join(person, token)).status).toBe(404);
  expect((await join(eve, other)).status).toBe(303);
  expect(await rolesOf(ann)).not.toMatchObject({ [bob.email]: 'owner' });
});

test.each([
  ['is removed', (ann: Member, bob: Member) => ann.post(`${area}/remove`, { user_id: bob.user_id })],
  ['leaves', (ann: Member, bob: Member) => bob.post(`${area}/leave`, { for_workspace: ann.workspace_id })],
])('a person who %s gets no more messages of the workspace, and other recipients keep theirs', async (_, end) => {
  const { sql } = setup.db;
  const [ann, bob] = [await setup.member(), await setup.member()];
  await addMember(sql, ann.workspace_id, bob.user_id);
  const recipients = async ({ workspace_id }: Member) =>
    (await listRecipients(sql, workspace_id)).map(({ channel, address }) => [channel, address]).toSorted();
  const add = ({ workspace_id }: Member, channel: RecipientChannel, address: string) =>
    addRecipient(
      sql,
      workspace_id,
      { channel, address, label: address, topics: [], campaign_ids: [] },
      setup.clock.now,
    );
  await add(ann, 'mail', bob.email.toLowerCase());
  await add(ann, 'mail', 'client@example.com');
  await add(ann, 'slack', bob.email.toLowerCase());
  await add(bob, 'mail', bob.email.toLowerCase());
  await bob.post('/dashboard/workspaces/switch', { workspace_id: ann.workspace_id });
  expect((await end(ann, bob)).status).toBe(303);
  expect(await recipients(ann)).toEqual([
    ['mail', 'client@example.com'],
    ['slack', bob.email.toLowerCase()],
  ]);
  expect(await recipients(bob)).toEqual([['mail', bob.email.toLowerCase()]]);
});

test('when two owners leave or become viewers at the same moment, one of them stays an owner', async () => {
  const { sql } = setup.db;
  for (let round = 0; round < 20; round += 1) {
    const [ann, bob] = [await setup.member(), await setup.member()];
    await addMember(sql, ann.workspace_id, bob.user_id);
    const done = await Promise.all([
      removeMember(sql, ann.workspace_id, ann.user_id),
      changeRole(sql, ann.workspace_id, bob.user_id, 'viewer'),
    ]);
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(Object.values(await rolesOf(ann))).toContain('owner');
  }
});

test('a second workspace has no starter credits, and each session keeps its own choice of workspace', async () => {
  const ann = await setup.member();
  const created = await ann.post('/dashboard/workspaces', { name: 'Client B' });
  expect([created.headers.get('location'), noticeOf(created)]).toEqual(['/dashboard', 'workspace-created']);
  const second = await setup.follow(await setup.dashboard.accounts.signInLink(ann.email));
  const elsewhere = second.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const chosen = async (cookie: string) =>
    /Workspace: <\/span>.*?<bdi>([^<]*)</.exec(await (await setup.send('/dashboard', cookie)).text())?.[1];
  expect([await chosen(ann.cookie), await chosen(elsewhere)]).toEqual(['Client B', 'Ann&#39;s workspace']);
  const [made] = await setup.db.sql<{ balance: number }[]>`
    select b.balance::int from workspaces w join credit_balances b on b.workspace_id = w.workspace_id
    where w.name = 'Client B'`;
  expect(made?.balance).toBe(0);
  await ann.post('/dashboard/workspaces/switch', { workspace_id: ann.workspace_id });
  expect(await chosen(ann.cookie)).toBe('Ann&#39;s workspace');
});

test('only operators can open the Admin page, where they find a workspace, set its tier and change its credits', async () => {
  const [ann, root] = [await setup.member({ name: 'Zora' }), await setup.member()];
  expect((await ann.get('/dashboard/admin')).status).toBe(404);
  await addOperator(setup.db.sql, root.email);
  const found = await (await root.get(`/dashboard/admin?q=${encodeURIComponent(ann.email)}`)).text();
  expect(found).toContain('Zora&#39;s workspace');
  expect(found).toContain('1 to 1 of 1.');
  const one = `/dashboard/admin/${ann.workspace_id}`;
  expect((await root.post(`${one}/tier`, { tier: 'ultra' })).status).toBe(303);
  expect((await root.post(`${one}/credits`, { credits: '900', reason: 'Welcome' })).status).toBe(303);
  expect(await (await root.post(`${one}/credits`, { credits: '-5000', reason: 'Too much' })).text()).toContain(
    'the balance cannot fall below 0',
  );
  expect(await findMembership(setup.db.sql, ann.user_id)).toMatchObject({ tier: 'ultra', balance: 1_000 });
  expect(await (await ann.get('/dashboard/settings/audit')).text()).toContain('changed the credits');
  expect((await ann.post(`${one}/credits`, { credits: '900', reason: 'Mine' })).status).toBe(404);
});

test('a person creates at most ten workspaces in 24 hours, because each has its own rate limits', async () => {
  const ann = await setup.member();
  const create = async () => {
    const page = await (await ann.get(area)).text();
    const [, workspace = ''] = /name="for_workspace" value="([^"]+)"/.exec(page) ?? [];
    return (await ann.post('/dashboard/workspaces', { name: 'Client', for_workspace: workspace })).status;
  };
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1) statuses.push(await create());
  expect(statuses).toEqual([...Array(10).fill(303), 429]);
  setup.clock.now = new Date(setup.clock.now.getTime() + 25 * 3_600_000);
  expect(await create()).toBe(303);
});
