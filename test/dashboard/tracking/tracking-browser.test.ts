import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageFaults, startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { observedItem } from './observed.ts';

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
  await page.getByText('Items added.').first().waitFor();
  await expectAccessible(page, problems);

  await page.getByRole('link', { name: 'tide.pool' }).click();
  await page.getByRole('button', { name: 'Check now (1 credit)' }).click();
  await page.getByText('Checked for 1 credit.').first().waitFor();
  expect(await page.getByText('4,321').first().isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: /^Check again in 2\d h/ }).isDisabled()).toBe(true);
  expect(await page.getByText('The chart begins with the second value.').count()).toBe(1);
  await page.getByText('Show as a table').first().click();
  await expectAccessible(page, problems);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Item paused.').first().waitFor();
  await page.goto(`${setup.base_url}/dashboard/usage`);
  await expectAccessible(page, problems);
  await page.goto(`${setup.base_url}/dashboard`);
  await expectAccessible(page, problems);
}, 60_000);

test('a tracked item is removed after a confirmation page, and restored, without JavaScript', async () => {
  const { page } = await openAs(ann, { javaScriptEnabled: false });
  await page.goto(`${setup.base_url}/dashboard/tracking`);
  await page.getByRole('link', { name: 'kelp' }).click();
  await page.getByLabel('More actions for kelp').click();
  await page.getByRole('link', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove item and history' }).click();
  await page.getByText('1 item removed').waitFor();
  expect(await page.getByRole('link', { name: 'kelp' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'kelp' }).waitFor();
}, 60_000);

/** Returns the numbers on a page that are split across two lines. */
const brokenNumbers = (page: Page) =>
  page.evaluate<string[]>(`{
    const texts = document.createTreeWalker(document.getElementById('content'), NodeFilter.SHOW_TEXT);
    const broken = [];
    while (texts.nextNode()) {
      for (const { 0: digits, index } of texts.currentNode.data.matchAll(/[\\d,.]*\\d[MB]?/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + digits.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(digits);
      }
    }
    broken;
  }`);

test('numbers of 12 digits neither break nor cover others on the tracking page, the overview and the ledger of a phone', async () => {
  const zoe = await setup.member({ tier: 'ultra', credits: 123_456_789_012 });
  const { now } = setup.clock;
  const at = (days: number) => new Date(now.getTime() - days * 86_400_000 + 1_000);
  for (const [identifier, followers, quality] of [
    ['large', 584_074_074_079, 0] as const,
    ['rounded', 99_999_999, 1] as const,
  ]) {
    const item = {
      platform: 'photo',
      kind: 'profile',
      url: `https://www.instagram.com/${identifier}/`,
      identifier,
    } as const;
    const checks = [31, 8, 1].map((days) => ({ at: at(days), followers: Math.round(followers / (days + 1)), quality }));
    await observedItem(setup.db.sql, zoe.workspace_id, { ...item, since: at(40) }, checks);
  }
  const { page, problems } = await openAs(zoe);
  for (const path of ['/dashboard/tracking', '/dashboard', '/dashboard/credits']) {
    await page.goto(`${setup.base_url}${path}`);
    expect(await brokenNumbers(page)).toEqual([]);
    await expectAccessible(page, problems);
  }
}, 60_000);
