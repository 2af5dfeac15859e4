import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { cookiesOf, createDashboardBench, type DashboardBench, type Member } from '../dashboard/dashboard-server.ts';
import { populate } from '../dashboard/populated.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';

/** Folder for pictures of the design: the gallery, and one page of each kind. They are not committed. */
const folder = resolve(import.meta.dirname, '../../node_modules/.cache/pictures/design');

let bench: DashboardBench;
let browser: TestBrowser;
let ann: Member;
let paths: Record<string, string>;
beforeAll(async () => {
  [bench, browser] = await Promise.all([createDashboardBench(), startBrowser()]);
  ann = await bench.member({ tier: 'pro', credits: 12_040 });
  const { ids } = await populate(bench, ann, 'Spring launch');
  paths = {
    overview: '/dashboard',
    item: `/dashboard/tracking/${ids.item_id}`,
    keys: '/dashboard/keys',
    usage: '/dashboard/usage',
    settings: '/dashboard/settings',
    missing: '/no-such-page',
    landing: '/',
    prices: '/prices',
    'sign-in': '/sign-in',
  };
  await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await bench?.close();
});

test.each([
  [390, 'light'],
  [390, 'dark'],
  [768, 'light'],
  [1440, 'light'],
  [1440, 'dark'],
] as const)('takes the pictures of the design at %i px in %s mode', async (width, colorScheme) => {
  const { page } = await browser.open({ viewport: { width, height: 900 }, colorScheme });
  await page.context().addCookies(cookiesOf(ann, bench.base_url));
  for (const [title, path] of Object.entries(paths)) {
    await page.goto(`${bench.base_url}${path}`);
    await page.screenshot({ path: join(folder, `${title}-${width}-${colorScheme}.png`), fullPage: true });
  }
  await page.context().close();
});
