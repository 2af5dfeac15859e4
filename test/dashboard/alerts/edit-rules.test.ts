import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRule, listRules, type NewRule } from '../../../db/alerts/rules.ts';
import { listItems } from '../../../db/tracking/items.ts';
import { createDashboardSetup, type DashboardSetup, type Member, noticeOf } from '../dashboard-server.ts';

const area = '/dashboard/alerts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

const drop: NewRule = {
  ...{ name: 'Big drop', scope: 'all', scope_id: null, condition: 'change', metric: 'views', direction: 'down' },
  ...{ amount: 12.5, days: 3, checks: null, cooldown_hours: 48, recipient_ids: [] },
};
/** The form fields that create the alert rule {@link drop}. */
const fields = {
  ...{ name: 'Big drop', scope: 'all', condition: 'change', metric: 'views', direction: 'down' },
  ...{ amount: '12.5', days: '3', cooldown_hours: '48' },
};

async function withRule(rule: NewRule = drop): Promise<{ member: Member; path: string; ruleId: string }> {
  const member = await setup.member({ tier: 'pro' });
  const ruleId = (await addRule(setup.db.sql, member.workspace_id, rule, setup.clock.now)) ?? '';
  return { member, ruleId, path: `${area}/rules/${ruleId}` };
}
const ruleOf = async ({ workspace_id }: Member) => (await listRules(setup.db.sql, workspace_id))[0];
const valueIn = (page: string, name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1];

test('the form of an alert rule shows its settings, and the list of rules leads to the form', async () => {
  const { member, path } = await withRule();
  expect(await (await member.get(area)).text()).toContain(`href="${path}"`);
  const page = await (await member.get(path)).text();
  const shown = ['name', 'amount', 'days', 'cooldown_hours'].map((name) => valueIn(page, name));
  expect(shown).toEqual(['Big drop', '12.5', '3', '48']);
  for (const chosen of ['views', 'down', 'all']) expect(page).toContain(`<option value="${chosen}" selected>`);
  expect(page).toContain(`<form method="post" action="${path}">`);
});

test('a saved alert rule keeps its id, its alerts, its on or off state, and its condition', async () => {
  const { member, path, ruleId } = await withRule();
  const { sql } = setup.db;
  await member.post('/dashboard/tracking', { addresses: 'https://www.instagram.com/kelp/' });
  const [item] = await listItems(sql, member.workspace_id);
  await member.post(`${path}/off`, {});
  const changed = {
    ...fields,
    name: 'Drop of kelp',
    scope: `item:${item?.item_id}`,
    amount: '1,000',
    condition: 'failing',
  };
  const answer = await member.post(path, changed);
  expect([answer.headers.get('location'), noticeOf(answer)]).toEqual([area, 'rule-changed']);
  expect(await ruleOf(member)).toMatchObject({
    ...{ rule_id: ruleId, name: 'Drop of kelp', scope: 'item', scope_id: item?.item_id, enabled: false },
    ...{ condition: 'change', metric: 'views', amount: 1_000, days: 3 },
  });
  const log = await (await member.get('/dashboard/settings/audit')).text();
  expect(log).toContain('changed an alert rule');
});

test('a refused change of an alert rule says why at its field, keeps the typed text, and changes nothing', async () => {
  const { member, path } = await withRule();
  const answer = await member.post(path, { ...fields, name: 'Other name', days: '0' });
  const page = await answer.text();
  expect([answer.status, valueIn(page, 'name'), valueIn(page, 'days')]).toEqual([400, 'Other name', '0']);
  expect(/<p class="error" id="days-error">([^<]*)/.exec(page)?.[1]).toBe('Enter a whole number from 1 to 90.');
  expect(await ruleOf(member)).toMatchObject(drop);
});

test('an alert rule whose list was removed asks for new items, and does not watch all items', async () => {
  const { member, path } = await withRule();
  const { sql } = setup.db;
  const gone = crypto.randomUUID();
  await sql`update alert_rules set scope = 'list', scope_id = ${gone} where workspace_id = ${member.workspace_id}`;
  const page = await (await member.get(path)).text();
  expect(page).toMatch(/<select id="scope" name="scope"><option value="">Choose: the list was removed<\/option>/);
  for (const scope of ['', `list:${gone}`]) {
    const answer = await member.post(path, { ...fields, scope });
    expect([answer.status, (await answer.text()).includes('id="scope-error"')]).toEqual([400, true]);
  }
  expect(await ruleOf(member)).toMatchObject({ scope: 'list', scope_id: gone });
});

test('an alert rule of another workspace is not found, and a recipient of another workspace is left out', async () => {
  const { member, path } = await withRule();
  const ben = await setup.member({ name: 'Ben' });
  expect([(await ben.get(path)).status, (await ben.post(path, fields)).status]).toEqual([404, 404]);
  await ben.post(`${area}/recipients`, { channel: 'mail', email: ben.email });
  const [foreign] = await setup.db.sql<{ recipient_id: string }[]>`
    select recipient_id from alert_recipients where workspace_id = ${ben.workspace_id}`;
  expect((await member.post(path, { ...fields, recipient_ids: foreign?.recipient_id ?? '' })).status).toBe(303);
  expect(await ruleOf(member)).toMatchObject({ ...drop, recipient_ids: [] });
});
