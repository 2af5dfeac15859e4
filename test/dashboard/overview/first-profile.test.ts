import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../db/accounts/keys.ts';
import { newId } from '../../../db/ids.ts';
import { creditForecast } from '../../../server/dashboard/overview/forecast.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

const plain = async (answer: Response) => (await answer.text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const path = '/dashboard/first-profile';
const url = 'https://www.instagram.com/someone/';

test('a new user pastes a profile on the first screen and sees its numbers for one credit, even when the form is sent twice', async () => {
  const ann = await setup.member({ credits: 100 });
  const first = await (await ann.get('/dashboard')).text();
  expect(first).toContain(`action="${path}"`);
  // The Enter key presses the first button of a form. The first button is disabled here, so that Enter does not submit
  // the form.
  expect(first).toMatch(new RegExp(`action="${path}"[^>]*>(?:<input type="hidden"[^>]*>)*<button disabled hidden>`));
  const once = newId(setup.clock.now);
  for (const _ of [1, 2]) {
    const text = await plain(await ann.post(path, { url, once }));
    expect(text).toContain('Your first row');
    expect(text).toMatch(/Followers [\d,.]+K?/);
    expect(text).toContain('99 credits');
  }
  const keys = await plain(await ann.get('/dashboard/keys'));
  expect(keys.split('Dashboard •').length + keys.split(' Dashboard ').length).toBeGreaterThan(2);
});

test.each([
  ['belongs to a connected app', {}],
  ['may only use MCP', { scopes: ['mcp'] }],
  ['works only in a network', { networks: ['192.0.2.0/24'] }],
] as const)('the first profile is not requested with a key that %s', async (_, limits) => {
  const { sql } = setup.db;
  const ann = await setup.member({ credits: 100 });
  await sql`delete from api_keys where workspace_id = ${ann.workspace_id}`;
  const { key_id } = await createKey(sql, ann.workspace_id, { kind: 'live', name: 'Other', ...limits });
  if (Object.keys(limits).length === 0) {
    const client = newId(setup.clock.now);
    await sql`
      insert into oauth_clients (id, client_id, redirect_uris, created_at) values (${client}, ${client}, '{}', ${setup.clock.now})`;
    await sql`
      insert into connections (workspace_id, client_id, key_id, created_at)
      values (${ann.workspace_id}, ${client}, ${key_id}, ${setup.clock.now})`;
  }
  const other = `https://www.instagram.com/first${key_id.slice(-8)}/`;
  const page = await plain(await ann.post(path, { url: other, once: newId(setup.clock.now) }));
  expect(page).toContain('Your first row');
  const charges = await sql<{ key_id: string }[]>`
    select key_id from ledger_entries where workspace_id = ${ann.workspace_id} and kind = 'charge'`;
  expect(charges).toHaveLength(1);
  expect(charges[0]?.key_id).not.toBe(key_id);
});

test('a link that is not a profile, or an empty field, gives an error at the field and costs nothing', async () => {
  const ben = await setup.member({ credits: 100, name: 'Ben' });
  for (const wrong of ['https://example.com/someone', '']) {
    const answer = await ben.post(path, { url: wrong, once: newId(setup.clock.now) });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain('id="url-error"');
    expect(page).toContain('<b>100</b> credits');
  }
});

test('the credit forecast says how long the balance lasts at the rate of the month, and nothing in its first days', () => {
  const spent = { request_credits: 1_000, scheduled_credits: 2_800 };
  const at = (day: string) => new Date(`2026-11-${day}T00:00:00Z`);
  expect(creditForecast(spent, 74_999, at('21'))).toBe('credits; you use 190 a day, so they last 13 months');
  expect(creditForecast(spent, 100, at('21'))).toBe('credits; you use 190 a day, so they last less than a day');
  expect(creditForecast(spent, 1_000_000, at('21'))).toBe('credits; you use 190 a day, so they last more than 5 years');
  expect(creditForecast(spent, 74_999, at('02'))).toBeNull();
  expect(creditForecast({ request_credits: 0, scheduled_credits: 0 }, 5, at('21'))).toBeNull();
});
