import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '../../../db/accounts/members.ts';
import { may } from '../../../server/dashboard/ui/rules.ts';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { populate } from '../populated.ts';
import { dashboardPaths, filled } from '../sweep.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
let owner: Member;
let viewer: Member;
let ids: Record<string, string>;
let page: Page;
beforeAll(async () => {
  [setup, browser] = await Promise.all([
    createDashboardSetup({ sheets_account: 'sheets@example.iam.gserviceaccount.com' }),
    startBrowser(),
  ]);
  owner = await setup.member({ tier: 'ultra', credits: 1_000 });
  ({ ids } = await populate(setup, owner, 'Autumn'));
  viewer = await setup.member({ name: 'Vera' });
  await addMember(setup.db.sql, owner.workspace_id, viewer.user_id, 'viewer');
  await viewer.post('/dashboard/workspaces/switch', { workspace_id: owner.workspace_id });
  ({ page } = await browser.open());
  await page.context().addCookies(cookiesOf(viewer, setup.base_url));
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

const area = '/dashboard';
const mayOpen = (path: string) => may({ role: 'viewer', is_operator: false }, 'GET', path);
const open = (path: string) => page.goto(`${setup.base_url}${path}`);

/** Returns the paths of all HTML pages of the dashboard that a viewer may open. */
const openPages = () =>
  dashboardPaths(setup)
    .pages.filter((path) => mayOpen(path) && !/\.(?:csv|xlsx)$|\/(?:csv|xlsx|print)$/.test(path))
    .map((path) => filled(path, ids));

test.each([
  ['/tracking', 'Tracked items', 6],
  ['/campaigns/:campaign_id', 'Items of this campaign', 6],
])('a viewer sees the rows of the table on %s, without check boxes and buttons', async (path, caption, rows) => {
  await open(filled(`${area}${path}`, ids));
  const table = page.getByRole('region', { name: caption });
  expect(await table.locator('tbody tr').count()).toBe(rows);
  expect(await table.locator('tbody tr:visible').count()).toBe(rows);
  expect(await page.locator('main input[type="checkbox"]:visible, .bulk-bar:visible').count()).toBe(0);
});

test('a viewer sees no empty card, no collapsed section without content, and no link to a page or form of another role', async () => {
  const wrong: Record<string, string[]> = {};
  for (const path of openPages()) {
    await open(path);
    const empty = await page.evaluate<string[]>(`[...document.querySelectorAll('main .card, main details')]
      .filter((part) => part.checkVisibility())
      .map((part) => { if (part.matches('details')) part.open = true; return part; })
      .filter((part) => ![...part.querySelectorAll('*')].some((one) =>
        one.checkVisibility() && !one.closest('h2, summary') && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')))
      .map((part) => part.textContent.trim().slice(0, 40))`);
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main a[href^="/dashboard"]')].filter((a) => a.checkVisibility()).map((a) => a.pathname)`,
    );
    const forms = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main a')].filter((a) => a.checkVisibility()).map((a) => a.textContent.trim())
        .filter((text) => /^(?:New|Create|Edit|Remove|Delete|Duplicate)\\b/.test(text))`,
    );
    const found = [...empty.map((text) => `empty: ${text}`), ...links.filter((link) => !mayOpen(link)), ...forms];
    if (found.length > 0) wrong[path.replace(/[0-9a-f-]{36}/g, ':id')] = [...new Set(found)];
  }
  expect(wrong).toEqual({});
}, 120_000);

test('sample data says that it cannot be changed, shows its tables, and leads back to the own workspace', async () => {
  const ann = await setup.member({ name: 'Ann' });
  await ann.post(`${area}/sample`, {});
  await page.context().clearCookies();
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  await open(`${area}/tracking`);
  expect(await page.getByRole('region', { name: 'Tracked items' }).locator('tbody tr:visible').count()).toBeGreaterThan(
    5,
  );
  const refused = await ann.post(`${area}/tracking`, { addresses: 'https://www.instagram.com/someone/' });
  expect([refused.status, await refused.text()]).toEqual([
    403,
    expect.stringContaining('Sample data cannot be changed.'),
  ]);
  await page.getByRole('button', { name: "Back to Ann's workspace" }).click();
  await page.getByText("Ann's workspace").first().waitFor();
  expect(await page.getByText('These accounts are invented.').count()).toBe(0);
});
