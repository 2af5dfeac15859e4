import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listKeys } from '../../../db/accounts/keys.ts';
import { addMember } from '../../../db/accounts/members.ts';
import { faultsAtEachWidth, startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
let page: Page;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});
beforeEach(async () => {
  ann = await setup.member();
  await ann.post('/dashboard/keys', { name: 'Why? <b>Spring</b>', kind: 'live' });
  ({ page } = await browser.open());
  page.on('dialog', () => expect.fail('The page asked with a dialog of the browser.'));
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  await page.goto(`${setup.base_url}/dashboard/keys`);
  await page.getByText('Rotate or revoke').click();
});

const revoke = () => page.getByRole('button', { name: 'Revoke key' });
const dialog = () => page.getByRole('alertdialog');
const isRevoked = async () =>
  (await listKeys(setup.db.sql, ann.workspace_id, setup.clock.now)).every(({ revoked_at }) => revoked_at !== null);

test('a button that revokes or deletes asks first, with the question as text and the focus on Cancel', async () => {
  await revoke().click();
  expect(await dialog().getByRole('heading').innerText()).toBe('Revoke Why? <b>Spring</b>?');
  expect(await dialog().locator('p').innerText()).toBe('Everything that uses this key stops working immediately.');
  await dialog().getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
  expect(await faultsAtEachWidth(page)).toEqual([]);
  expect(await isRevoked()).toBe(false);
});

test.each(['Escape', 'Enter'])(
  'the key %s closes the question without an effect and moves the focus back',
  async (key) => {
    await revoke().focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    await page.keyboard.press(key);
    await dialog().waitFor({ state: 'detached' });
    await revoke().and(page.locator(':focus')).waitFor();
    expect(await isRevoked()).toBe(false);
  },
);

test('the question can be answered with the keyboard, even after it was cancelled', async () => {
  for (const keys of [['Escape'], ['Tab', 'Enter']]) {
    await revoke().focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    for (const key of keys) await page.keyboard.press(key);
  }
  await page.getByText('Key revoked.').first().waitFor();
  expect(await isRevoked()).toBe(true);
});

test('the button of the question has only the visible words of the button that was pressed', async () => {
  const bob = await setup.member({ name: 'Bob' });
  await addMember(setup.db.sql, ann.workspace_id, bob.user_id, 'viewer');
  await page.goto(`${setup.base_url}/dashboard/people`);
  await page.getByRole('button', { name: `Remove ${bob.email}` }).click();
  expect(await dialog().getByRole('button').allInnerTexts()).toEqual(['Cancel', 'Remove']);
});
