import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../db/accounts/keys.ts';
import { pageFaults, startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
let page: Page;
const area = '/dashboard/playground';
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  ann = await setup.member({ tier: 'pro' });
  await createKey(setup.db.sql, ann.workspace_id, { kind: 'test', name: 'trying' });
  ({ page } = await browser.open());
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

const history = () => page.locator('.history li').allInnerTexts();
const open = (route: string) => page.goto(`${setup.base_url}${area}?route=${route}`);
const send = () => page.getByRole('button', { name: 'Send request' }).click();

test('the playground lists the last requests with their result, and a link fills in the form without sending it', async () => {
  await open('/v1/photo/profile');
  expect(await page.getByRole('heading', { name: 'Last requests' }).isVisible()).toBe(false);
  await send();
  await page.getByText(/Sandbox sample/).waitFor();
  await page.getByLabel('handle', { exact: true }).fill('sandbox_404');
  await send();
  await page.getByRole('heading', { name: 'Last requests' }).waitFor();
  const [newest, oldest] = await history();
  expect(newest).toMatch(/^\/v1\/photo\/profile handle=sandbox_404\s+\d{3} · free · \d+ ms · /);
  expect(oldest).toMatch(/handle=tidemark\.sample\s+200 · free/);
  expect(await pageFaults(page)).toEqual([]);
  const sent = setup.logs.length;
  await page.getByRole('link', { name: 'handle=tidemark.sample' }).click();
  expect(await page.getByLabel('handle', { exact: true }).inputValue()).toBe('tidemark.sample');
  expect(setup.logs.slice(sent).filter(({ route }) => route?.startsWith('/v1/'))).toEqual([]);
  expect(await history()).toHaveLength(2);
});

test('the history of the playground has no key, shows a hostile value as text, and belongs to one workspace', async () => {
  await open('/v1/photo/profile');
  await page.getByLabel('handle', { exact: true }).evaluate((field) => field.removeAttribute('pattern'));
  await page.getByLabel('handle', { exact: true }).fill('<img src=x>');
  await send();
  await page.locator('.history').getByText('handle=<img src=x>').waitFor();
  const stored = await page.evaluate('localStorage.getItem("playground")');
  expect(stored).not.toMatch(/tide_|key/);
  const ben = await setup.member({ name: 'Ben' });
  await createKey(setup.db.sql, ben.workspace_id, { kind: 'test', name: 'trying' });
  await page.context().addCookies(cookiesOf(ben, setup.base_url));
  await open('/v1/photo/profile');
  expect(await history()).toEqual([]);
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
});

test.each([
  ['null'],
  ['not JSON'],
  ['{"WORKSPACE":5}'],
  ['{"WORKSPACE":[null,7,{"path":7},{"path":"//evil.example/x"},{"path":"javascript:alert(1)"}]}'],
])('a history that another program wrote, %s, breaks nothing and leads nowhere else', async (stored) => {
  const { page: own, problems } = await browser.open();
  await own.context().addCookies(cookiesOf(ann, setup.base_url));
  await own.goto(`${setup.base_url}${area}`);
  const text = stored.replace('WORKSPACE', ann.workspace_id);
  await own.evaluate(`localStorage.setItem('playground', ${JSON.stringify(text)})`);
  await own.goto(`${setup.base_url}${area}?route=/v1/photo/profile`);
  await own.getByRole('button', { name: 'Send request' }).click();
  await own.locator('.history li').first().waitFor();
  const links = await own
    .locator('.history a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(links).toHaveLength(1);
  expect(links[0]).toMatch(/^\/dashboard\/playground\?/);
  expect(problems).toEqual([]);
  await own.context().close();
});

test('each refused parameter of a playground request is marked at its field, and one of these fields has the focus', async () => {
  await open('/v1/photo/posts');
  for (const name of ['handle', 'limit', 'fields'])
    await page.locator(`#p-${name}`).evaluate((field) => {
      for (const rule of ['pattern', 'max', 'min']) field.removeAttribute(rule);
    });
  await page.getByText('More parameters').click();
  await page.locator('#p-limit').fill('999');
  await page.locator('#p-fields').fill('no_such_field');
  await send();
  await page.locator('#p-limit-error').waitFor();
  expect(await page.locator('#p-limit-error').innerText()).toMatch(/^Must be a whole number/);
  expect(await page.locator('#p-fields-error').innerText()).toContain('no_such_field');
  await page.locator('[aria-invalid]:focus').waitFor();
  expect(await page.locator('[autofocus]').count()).toBe(1);
  expect(await pageFaults(page)).toEqual([]);
});

test('the history of the playground is cleared by its button, and when the user signs out', async () => {
  await open('/v1/photo/profile');
  expect((await history()).length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.reload();
  expect(await history()).toEqual([]);
  await send();
  await page.locator('.history li').first().waitFor();
  await page.locator('summary', { hasText: 'Your account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  expect(await page.evaluate('localStorage.length')).toBe(0);
});
