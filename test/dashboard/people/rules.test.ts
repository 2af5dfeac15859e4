import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '../../../db/accounts/members.ts';
import type { Role } from '../../../db/accounts/roles.ts';
import { chooseWorkspace } from '../../../db/accounts/team.ts';
import { may, needOf, whoCan } from '../../../server/dashboard/ui/rules.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { populate } from '../populated.ts';
import { dashboardPaths, filled } from '../sweep.ts';

let setup: DashboardSetup;
let ids: Record<string, string>;
let owner: Member;
const people = {} as Record<Role, Member>;

beforeAll(async () => {
  setup = await createDashboardSetup();
  owner = await setup.member({ tier: 'ultra', credits: 1_000 });
  ({ ids } = await populate(setup, owner, 'Team'));
  for (const role of ['owner', 'editor', 'viewer'] as const) people[role] = await join(role);
});
afterAll(() => setup.close());

/** Returns a person who works in the owner's workspace with this role. */
async function join(role: Role): Promise<Member> {
  const person = await setup.member({ name: role });
  await addMember(setup.db.sql, owner.workspace_id, person.user_id, role);
  const [session] = await setup.db.sql<
    { id: string }[]
  >`select id from auth_sessions where user_id = ${person.user_id}`;
  const chosen = { session_id: session?.id ?? '', user_id: person.user_id };
  expect(await chooseWorkspace(setup.db.sql, chosen, owner.workspace_id)).toBe(true);
  return person;
}

const roles = ['owner', 'editor', 'viewer'] as const;

test.each([
  ['/dashboard/admin', 'Only administrators of this server can do it.'],
  ['/dashboard/keys', 'Only owners can do it.'],
  ['/dashboard/campaigns', 'Owners and editors can do it.'],
])('people who may not send the form %s see the message: %s', (path, sentence) => {
  expect(whoCan({ role: 'viewer', is_operator: false }, path, null, 'do it')).toBe(sentence);
});

test('each rule of the table of permissions covers a page or form that exists', async () => {
  const code = await readFile('server/dashboard/ui/rules.ts', 'utf8');
  const unused = (['GET', 'POST'] as const).flatMap((method) => {
    const [, table = ''] = new RegExp(`^ {2}${method}: \\{(.*?)^ {2}\\}`, 'ms').exec(code) ?? [];
    const rules = [...table.matchAll(/'(\/[^']+)': '/g)].map(([, path]) => path);
    expect(rules).toContain('/dashboard/admin');
    const paths = setup.routes.filter((route) => route.method === method).map(({ path }) => `${path}/`);
    return rules.filter((rule) => !paths.some((path) => path.startsWith(`${rule}/`)));
  });
  expect(unused).toEqual([]);
});

test('every page opens for the roles that the table of permissions names, and for no other', async () => {
  const wrong: string[] = [];
  for (const path of dashboardPaths(setup).pages) {
    const at = filled(path, ids);
    for (const role of roles) {
      const { status } = await people[role].get(at);
      const allowed = may({ role, is_operator: false }, 'GET', at);
      if ((status === 403) === allowed) wrong.push(`${role} ${path}: ${status}`);
    }
    const stranger = await setup.send(at, '');
    if (![303, 200].includes(stranger.status)) wrong.push(`signed out ${path}: ${stranger.status}`);
  }
  expect(wrong).toEqual([]);
}, 120_000);

test('every form is refused with 403 for the roles that the table of permissions does not name, and changes nothing', async () => {
  const wrong: string[] = [];
  for (const path of dashboardPaths(setup).forms) {
    const at = filled(path, ids);
    for (const role of ['viewer', 'editor'] as const) {
      if (may({ role, is_operator: false }, 'POST', at)) continue;
      const answer = await people[role].post(at, { for_workspace: owner.workspace_id });
      if (answer.status !== 403) wrong.push(`${role} ${path}: ${answer.status}`);
    }
    const stranger = await setup.send(at, '', { method: 'POST', headers: { origin: setup.base_url } });
    if (stranger.headers.get('location')?.startsWith('/sign-in') !== true) wrong.push(`signed out ${path}`);
  }
  expect(wrong).toEqual([]);
}, 120_000);

test('the pages and forms of operators are not found by the owner of a workspace', async () => {
  const admin = setup.routes.filter(({ method, path }) => /^(?:GET|POST)$/.test(method) && path.includes('/admin'));
  expect(admin.length).toBeGreaterThan(3);
  for (const { method, path } of admin) {
    const at = filled(path, { workspace_id: people.editor.workspace_id });
    const answer = method === 'GET' ? await owner.get(at) : await owner.post(at, { tier: 'ultra', credits: '5' });
    expect(answer.status).toBe(404);
  }
});

/** Returns the path with the first letter of each segment percent-encoded: `/%64ashboard/%61dmin`. */
const escaped = (path: string) =>
  path.replace(/\/([a-z])/g, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`);

test('an encoded spelling of a path gives no role more pages and forms, and opens no page of operators', async () => {
  const wrong: string[] = [];
  const { pages, forms } = dashboardPaths(setup);
  const admin = setup.routes.filter(({ path }) => path.startsWith('/dashboard/admin')).map(({ path }) => path);
  const tried = [
    ...[...pages, ...admin].map((path) => ['GET', path] as const),
    ...[...forms, ...admin].map((path) => ['POST', path] as const),
  ];
  for (const [method, path] of tried) {
    const at = filled(path, { ...ids, workspace_id: owner.workspace_id });
    for (const role of roles) {
      if (may({ role, is_operator: false }, method, at)) continue;
      const fields = { for_workspace: owner.workspace_id, credits: '5', tier: 'ultra', reason: 'free' };
      const answer = method === 'GET' ? people[role].get(escaped(at)) : people[role].post(escaped(at), fields);
      const { status } = await answer;
      // 405: the path has a page, but no form.
      if (![403, 404, 405].includes(status)) wrong.push(`${role} ${method} ${escaped(at)}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
}, 120_000);

test('a viewer can send only forms about themselves and the choice of a workspace', () => {
  const open = dashboardPaths(setup).forms.filter((path) => needOf('POST', path) === 'viewer');
  expect(open.filter((path) => !/\/(?:settings|workspaces|sample|people\/leave)/.test(path))).toEqual([]);
});

test('an editor cannot create keys, pay, change settings, invite people or delete the workspace', () => {
  const paths = ['keys', 'credits/buy', 'settings/name', 'settings/delete', 'people/invite', 'people/role', 'connect'];
  for (const path of paths) expect(needOf('POST', `/dashboard/${path}`)).toBe('owner');
});

test('a page hides the forms that a viewer cannot send', async () => {
  const page = await (await people.viewer.get('/dashboard/links')).text();
  const forms = [...page.matchAll(/<form\b[^>]*method="post"[^>]*>/g)].map(([tag]) => tag);
  const open = forms.filter((tag) => !tag.includes('hidden inert'));
  expect(forms.length).toBeGreaterThan(open.length);
  for (const tag of open) expect(tag).toMatch(/sign-out|workspaces/);
  expect(await (await people.viewer.get('/dashboard')).text()).not.toContain('href="/dashboard/admin"');
});

test('a form that was opened in another workspace is refused with 409, and so is a form that names no workspace', async () => {
  const { editor } = people;
  for (const fields of [{ for_workspace: editor.workspace_id }, {}]) {
    const answer = await editor.post('/dashboard/tracking/lists', { name: 'Wrong place', ...fields });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('this form was opened for another workspace. Nothing was changed.');
  }
  expect(await setup.db.sql`select from tracking_lists where name = 'Wrong place'`).toHaveLength(0);
});

test('a form of a workspace that the user was removed from changes nothing in the only workspace that is left', async () => {
  const person = await join('owner');
  await setup.db.sql`
    delete from members where workspace_id = ${owner.workspace_id} and user_id = ${person.user_id}`;
  const fields = { name: 'Wrong place', for_workspace: owner.workspace_id };
  expect((await person.post('/dashboard/keys', { ...fields, kind: 'live' })).status).toBe(409);
  expect((await person.post('/dashboard/tracking/lists', fields)).status).toBe(409);
  expect(await setup.db.sql`select from api_keys where name = 'Wrong place'`).toHaveLength(0);
  expect((await person.post('/dashboard/tracking/lists', { name: 'Own place' })).status).toBe(303);
});

test('removing a role takes effect immediately, even in an open session', async () => {
  const person = await join('editor');
  const create = (name: string) =>
    person.post('/dashboard/tracking/lists', { name, for_workspace: owner.workspace_id });
  expect((await create('Before')).status).toBe(303);
  await setup.db.sql`
    update members set role = 'viewer' where workspace_id = ${owner.workspace_id} and user_id = ${person.user_id}`;
  expect((await create('After')).status).toBe(403);
  await setup.db.sql`
    delete from members where workspace_id = ${owner.workspace_id} and user_id = ${person.user_id}`;
  const page = await (await person.get('/dashboard/tracking')).text();
  expect(page).not.toContain('Before');
});
