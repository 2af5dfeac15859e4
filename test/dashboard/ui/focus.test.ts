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

/**
 * Returns the text of the focused element, and whether a parent clips its focus outline. Returns null when no element
 * has the focus, for example after the last element of the page. Runs in the page.
 */
const focused = `(() => {
  const element = document.activeElement;
  if (element === document.body) return null;
  const { outlineWidth, outlineOffset } = getComputedStyle(element);
  const reach = Math.max(0, parseFloat(outlineWidth) + parseFloat(outlineOffset));
  const inner = element.getBoundingClientRect();
  const cuts = (parent) => {
    const { left, top, right, bottom } = parent.getBoundingClientRect();
    const beyond = [left - inner.left, top - inner.top, inner.right - right, inner.bottom - bottom];
    return getComputedStyle(parent).overflowX !== 'visible' && beyond.some((pixels) => pixels + reach > 0.5);
  };
  let parent = element.parentElement;
  while (parent !== document.body && !cuts(parent)) parent = parent.parentElement;
  return { text: element.textContent.trim() || element.getAttribute('aria-label'), cut: parent !== document.body };
})()`;

test.each([
  ['/tracking', ['Select all on this page', 'Item']],
  ['/tracking/:item_id', ['Tracking', 'Posts', 'Daily change']],
  ['/campaigns/:campaign_id/reports/:report_id', ['Campaigns', 'Autumn']],
])('the focus ring of links and check boxes on %s is not cut off', async (path, some) => {
  const { page } = await browser.open({ viewport: { width: 1280, height: 900 } });
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  await page.goto(`${setup.base_url}/dashboard${path.replace(/:(\w+)/g, (_, name) => ids[name] ?? '')}`);
  const seen: { text: string; cut: boolean }[] = [];
  for (let steps = 0; steps < 100; steps += 1) {
    await page.keyboard.press('Tab');
    const shown = await page.evaluate<{ text: string; cut: boolean } | null>(focused);
    if (shown === null) break;
    seen.push(shown);
  }
  expect(seen.map(({ text }) => text)).toEqual(expect.arrayContaining(some));
  expect(seen.filter(({ cut }) => cut).map(({ text }) => text)).toEqual([]);
  await page.context().close();
});
