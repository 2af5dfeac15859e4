import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults, startBrowser, type TestBrowser } from '../harness/browser.ts';
import { createDashboardBench, type DashboardBench, type Member } from './dashboard-bench.ts';

let bench: DashboardBench;
let browser: TestBrowser;
let ann: Member;
beforeAll(async () => {
  [bench, browser] = await Promise.all([createDashboardBench(), startBrowser()]);
  ann = await bench.member({ tier: 'pro' });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await bench?.close();
});

async function enter({ cookie }: Member, options: { javaScriptEnabled?: boolean } = {}) {
  const opened = await browser.open({ viewport: { width: 360, height: 800 }, ...options });
  const cookies = cookie.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), url: bench.base_url };
  });
  await opened.page.context().addCookies(cookies);
  return opened;
}

const overflow = (page: Page) =>
  page.evaluate(() => {
    const { documentElement } = (globalThis as unknown as { document: { documentElement: Record<string, number> } })
      .document;
    return (documentElement.scrollWidth ?? 0) - (documentElement.clientWidth ?? 0);
  });

async function expectSound(page: Page, problems: string[]) {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(problems).toEqual([]);
}

test('an account is tracked, checked, paused and removed on a phone, on pages without a fault', async () => {
  const { page, problems } = await enter(ann);
  await page.goto(`${bench.base_url}/dashboard/tracking`);
  await expectSound(page, problems);
  await page.getByLabel('Addresses').fill('https://www.instagram.com/tide.pool\nhttps://www.tiktok.com/@kelp');
  await page.getByRole('button', { name: 'Track' }).click();
  await page.getByText('Everything is tracked now.').waitFor();
  await expectSound(page, problems);

  await page.getByRole('link', { name: 'tide.pool' }).click();
  await page.getByRole('button', { name: 'Check now (1 credit)' }).click();
  await page.getByText('Checked: 1 credit was charged').waitFor();
  expect(await page.getByText('4,321').first().isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: /^Check now \(possible in 2\d h/ }).isDisabled()).toBe(true);
  expect(await page.getByRole('img', { name: 'Followers' }).count()).toBe(1);
  await page.getByText('Numbers behind the chart').first().click();
  await expectSound(page, problems);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused: it is not checked').waitFor();
  await page.goto(`${bench.base_url}/dashboard/usage`);
  await expectSound(page, problems);
  await page.goto(`${bench.base_url}/dashboard`);
  await expectSound(page, problems);
}, 60_000);

test('an item is removed after a page that asks, where no script runs', async () => {
  const { page } = await enter(ann, { javaScriptEnabled: false });
  await page.goto(`${bench.base_url}/dashboard/tracking`);
  await page.getByRole('link', { name: 'kelp' }).click();
  await page.getByRole('link', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove with its history' }).click();
  await page.getByText('The item is removed with its history.').waitFor();
  expect(await page.getByRole('link', { name: 'kelp' }).count()).toBe(0);
}, 60_000);
