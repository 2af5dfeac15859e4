import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { populate } from '../populated.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
let ids: Record<string, string>;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  ann = await setup.member({ tier: 'ultra', credits: 500 });
  ({ ids } = await populate(setup, ann, 'Autumn'));
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

/** Opens a page whose timers run only when the test advances its clock. */
async function open(): Promise<Page> {
  const { page } = await browser.open();
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install({ time: setup.clock.now });
  await page.clock.pauseAt(new Date(setup.clock.now.getTime() + 1_000));
  return page;
}

/** Waits for the page with the message about the last action, until its scripts have run. */
async function loaded(page: Page): Promise<void> {
  await page.locator('[data-announce]').waitFor({ state: 'attached' });
  await page.waitForLoadState('load');
}

interface TreeNode {
  nodeId: string;
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  childIds?: string[];
}

/** Returns the text of each status in the accessibility tree of the page, as a screen reader gets them. */
async function statuses(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as { nodes: TreeNode[] };
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const textOf = (node: TreeNode | undefined): string => {
    if (!node) return '';
    if (node.role?.value === 'StaticText') return node.name?.value ?? '';
    return (node.childIds ?? []).map((id) => textOf(byId.get(id))).join('');
  };
  return nodes
    .filter(({ role }) => role?.value === 'status')
    .map(textOf)
    .toSorted();
}

test('a message about the last action is visible and put into an empty status that screen readers already know', async () => {
  const page = await open();
  await page.goto(`${setup.base_url}/dashboard/tracking/${ids.item_id}`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await loaded(page);
  const message = 'Item paused. It is not checked until you resume it.';
  expect(await statuses(page)).toEqual(['', message]);
  await page.clock.runFor(1_000);
  expect(await statuses(page)).toEqual([message, message]);
});

test('the page of a new key announces that the key is shown only once', async () => {
  const page = await open();
  await page.goto(`${setup.base_url}/dashboard/keys`);
  await page.getByText('New key').click();
  await page.getByLabel('Name', { exact: true }).fill('Weekly sheet');
  await page.getByLabel('Monthly cap in credits').fill('50');
  await page.getByRole('button', { name: 'Create key' }).click();
  await loaded(page);
  const message = 'Copy the key now. You will not see it again.';
  expect(await statuses(page)).toEqual(['', message]);
  await page.clock.runFor(1_000);
  expect(await statuses(page)).toEqual([message, message]);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await expect.poll(() => statuses(page)).toContain('Copied');
  // The previous message has reached the end of its display time, but this message has not.
  await page.clock.runFor(1_500);
  expect(await statuses(page)).toContain('Copied');
});

test('the removal of an item is announced once, in the only message about it, and its button to undo it works', async () => {
  const page = await open();
  await page.goto(`${setup.base_url}/dashboard/tracking/${ids.item_id}/remove`);
  await page.getByRole('button', { name: 'Remove item and history' }).click();
  await loaded(page);
  const shown = async () => (await statuses(page)).filter((text) => /removed/i.test(text));
  const message = '1 item removed just now: Autumn 0. You can undo this for 24 hours.';
  await page.clock.runFor(1_000);
  expect(await shown()).toEqual([message, message]);
  setup.clock.now = new Date(setup.clock.now.getTime() + 20_000);
  await page.reload();
  await page.getByText('1 item removed').waitFor();
  await page.clock.runFor(1_000);
  expect(await shown()).toEqual([message]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Autumn 0' }).waitFor();
});

test('a message stays readable without JavaScript', async () => {
  const { page } = await browser.open({ javaScriptEnabled: false });
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  await page.goto(`${setup.base_url}/dashboard/tracking/${ids.item_id}`);
  await page.getByRole('button', { name: /^(?:Pause|Resume)$/ }).click();
  await page.locator('.toast', { hasText: '.' }).waitFor();
});
