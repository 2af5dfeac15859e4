import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageFaults, startBrowser, type TestBrowser } from '../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from './dashboard-server.ts';

const path = '/dashboard/admin/design';

let setup: DashboardSetup;
let browser: TestBrowser;
let operator: Member;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  operator = await setup.member({ name: 'Olga' });
  await setup.db.sql`insert into operators (user_id) values (${operator.user_id})`;
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

test('the page that shows all page components exists only for operators, and the admin page links to it', async () => {
  const ann = await setup.member();
  expect([(await operator.get(path)).status, (await ann.get(path)).status]).toEqual([200, 404]);
  expect(await (await operator.get('/dashboard/admin')).text()).toContain(`href="${path}"`);
  expect((await operator.post(path, { wrong: '12x' })).status).toBe(405);
});

test('screen readers do not announce a sentence that a page always shows as the result of an action', async () => {
  const page = await (await operator.get(path)).text();
  expect(page).toContain('Something succeeded.');
  expect(page).not.toContain('data-announce');
});

test.each([
  ['a phone in light mode', { viewport: { width: 360, height: 800 }, colorScheme: 'light' as const }],
  ['a desktop in dark mode', { viewport: { width: 1_280, height: 900 }, colorScheme: 'dark' as const }],
])('every component is accessible, fits the screen and works on %s', async (_, look) => {
  const { page, problems } = await browser.open(look);
  await page.context().addCookies(cookiesOf(operator, setup.base_url));
  await page.goto(`${setup.base_url}${path}`);
  for (const summary of await page.locator('main details:not(.menu) > summary').all()) await summary.click();
  expect(await pageFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Open the dialog' }).click();
  expect(await page.getByRole('dialog', { name: 'A dialog' }).isVisible()).toBe(true);
  expect(problems).toEqual([]);
  await page.context().close();
});
