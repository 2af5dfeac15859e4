import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard/dashboard-server.ts';
import { populate } from '../dashboard/populated.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';

/** Folder for pictures of the design (the gallery, and one page of each kind), which are not committed. */
const folder = resolve(import.meta.dirname, '../../node_modules/.cache/pictures/design');

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
let paths: Record<string, string>;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  ann = await setup.member({ tier: 'pro', credits: 12_040 });
  const { ids } = await populate(setup, ann, 'Spring launch');
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
  await setup?.close();
});

test.each([
  [390, 'light'],
  [390, 'dark'],
  [768, 'light'],
  [1440, 'light'],
  [1440, 'dark'],
] as const)('takes the pictures of the design at %i px in %s mode', async (width, colorScheme) => {
  const { page } = await browser.open({ viewport: { width, height: 900 }, colorScheme });
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  for (const [title, path] of Object.entries(paths)) {
    await page.goto(`${setup.base_url}${path}`);
    await page.screenshot({ path: join(folder, `${title}-${width}-${colorScheme}.png`), fullPage: true });
  }
  await page.context().close();
});
