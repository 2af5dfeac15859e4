import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard/dashboard-server.ts';
import { populate } from '../dashboard/populated.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';

/**
 * Folder for pictures of the pages that a new user sees first. A developer can check these pictures after a change;
 * they are not committed.
 */
const folder = resolve(import.meta.dirname, '../../node_modules/.cache/pictures/pages');
const paths = {
  landing: '/',
  'sign-up': '/sign-up',
  addon: '/addon',
  overview: '/dashboard',
  links: '/dashboard/links',
  imports: '/dashboard/imports',
  'import-new': '/dashboard/imports/new',
};
const widths = [390, 768, 1440];

let setup: DashboardSetup;
let browser: TestBrowser;
let newcomer: Member;
let regular: Member;
let importPath: string;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  newcomer = await setup.member({});
  regular = await setup.member({ tier: 'pro', credits: 12_040 });
  const { ids } = await populate(setup, regular, 'Spring launch');
  importPath = `/dashboard/imports/${ids.import_id}`;
  await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

async function takeAll(member: Member, pages: Record<string, string>, name: string, look: BrowserContextOptions) {
  const { page } = await browser.open(look);
  await page.context().addCookies(cookiesOf(member, setup.base_url));
  for (const [title, path] of Object.entries(pages)) {
    await page.goto(`${setup.base_url}${path}`);
    await page.screenshot({ path: join(folder, `${title}-${name}.png`), fullPage: true });
  }
  await page.context().close();
}

test.each(widths)('takes the pictures of the pages at %i px', async (width) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const look = { viewport: { width, height: 900 }, colorScheme };
    await takeAll(regular, { ...paths, import: importPath }, `${width}-${colorScheme}`, look);
    await takeAll(newcomer, paths, `new-${width}-${colorScheme}`, look);
  }
});
