import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPeople } from '../account/person.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

const typed = 'Ann\r\n\r\nYour account is closed: \u001b[31mhttps://evil.example';
const stored = 'Ann Your account is closed:  [31mhttps://evil.example';

test.each([
  ['/dashboard/keys', { kind: 'test' }, 'api_keys'],
  ['/dashboard/tracking/lists', {}, 'tracking_lists'],
  ['/dashboard/workspaces', {}, 'workspaces'],
])(
  'a name with line breaks and control characters that is sent to %s is stored as one line',
  async (path, fields, table) => {
    const ann = await setup.member();
    expect((await ann.post(path, { ...fields, name: typed })).status).toBeLessThan(400);
    const rows = await setup.db.sql.unsafe(`select name from ${table} where name like '%evil.example'`);
    expect(rows.map(({ name }) => name)).toEqual([stored]);
  },
);

test('the name of a new person stays on one line in the emails about the workspace', async () => {
  const people = createPeople(setup);
  const person = { ...people.newPerson(), name: typed };
  await people.post('/sign-up', person);
  const entered = await setup.follow(people.linkTo(person.email));
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await people.post('/dashboard/keys', { name: 'first', kind: 'test' }, cookie);
  const text = people.mailsTo(person.email).at(-1)?.text ?? '';
  expect(text.split('\n')[0]).toBe(`${person.email} created the API key "first" in the workspace "${stored}".`);
});

test('the heading of each column of times names their zone', async () => {
  const ann = await setup.member({ tier: 'ultra', credits: 50 });
  const headings = async (path: string) =>
    [...(await (await ann.get(path)).text()).matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, heading]) => heading);
  expect(await headings('/dashboard/credits')).toContain('Time (UTC)');
  expect(await headings('/dashboard/settings')).toEqual(expect.arrayContaining(['Signed in (UTC)', 'Last used (UTC)']));
});
