import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageFaults, startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  ann = await setup.member({ tier: 'pro' });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

async function openAs(member: Member, options: { javaScriptEnabled?: boolean } = {}) {
  const opened = await browser.open({ viewport: { width: 360, height: 800 }, ...options });
  await opened.page.context().addCookies(cookiesOf(member, setup.base_url));
  return opened;
}

async function expectAccessible(page: Page, problems: string[]) {
  expect(await pageFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
}

test('an account is tracked, checked and paused on a phone, on accessible pages', async () => {
  const { page, problems } = await openAs(ann);
  await page.goto(`${setup.base_url}/dashboard/tracking`);
  await expectAccessible(page, problems);
  await page.getByLabel('Links').fill('https://www.instagram.com/tide.pool\nhttps://www.tiktok.com/@kelp');
  await page.getByRole('button', { name: 'Track', exact: true }).click();
  await expectAccessible(page, problems);
  await page.getByRole('button', { name: 'Track 2 items' }).click();
  await page.getByText('Items added.').waitFor();
  await expectAccessible(page, problems);

  await page.getByRole('link', { name: 'tide.pool' }).click();
  await page.getByRole('button', { name: 'Check now (1 credit)' }).click();
  await page.getByText('Checked for 1 credit.').waitFor();
  expect(await page.getByText('4,321').first().isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: /^Check now \(available in 2\d h/ }).isDisabled()).toBe(true);
  expect(await page.getByText('The chart begins with the second value.').count()).toBe(1);
  await page.getByText('Show as a table').first().click();
  await expectAccessible(page, problems);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Item paused.').waitFor();
  await page.goto(`${setup.base_url}/dashboard/usage`);
  await expectAccessible(page, problems);
  await page.goto(`${setup.base_url}/dashboard`);
  await expectAccessible(page, problems);
}, 60_000);

test('a tracked item is removed after a confirmation page, and restored, without JavaScript', async () => {
  const { page } = await openAs(ann, { javaScriptEnabled: false });
  await page.goto(`${setup.base_url}/dashboard/tracking`);
  await page.getByRole('link', { name: 'kelp' }).click();
  await page.getByRole('link', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove item and history' }).click();
  await page.getByText('1 item removed').waitFor();
  expect(await page.getByRole('link', { name: 'kelp' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'kelp' }).waitFor();
}, 60_000);
