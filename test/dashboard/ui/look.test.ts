import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '../../../db/accounts/members.ts';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { populate } from '../populated.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
let sharedReport: string;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  ann = await setup.member({ tier: 'ultra', credits: 500 });
  const { secrets } = await populate(setup, ann, 'Autumn');
  sharedReport = `/shared/reports/${secrets[1]}`;
  await addMember(setup.db.sql, ann.workspace_id, (await setup.member()).user_id, 'viewer');
  await setup.db.sql`insert into operators (user_id) values (${ann.user_id})`;
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

async function open(path: string, width: number, signedIn = true): Promise<Page> {
  const { page } = await browser.open({ viewport: { width, height: 900 } });
  if (signedIn) await page.context().addCookies(cookiesOf(ann, setup.base_url));
  await page.goto(`${setup.base_url}${path}`);
  return page;
}

/** Returns the value of a CSS property of the first element that matches. */
const styleOf = (page: Page, selector: string, name: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`);

test('the numbers of the last column end at the edge of the table, and the frame of the card closes the table', async () => {
  const page = await open('/dashboard/usage', 1_280);
  expect(await styleOf(page, '.card td.number:last-child', 'padding-right')).toBe('0px');
  expect(await styleOf(page, '.card tbody tr:last-child td', 'border-bottom-width')).toBe('0px');
  await page.context().close();
});

test('on a phone, a row of a table in a card has no frame of its own, and its name is its first line', async () => {
  const page = await open('/dashboard/keys', 390);
  const row = '.card .as-cards tbody tr';
  expect(await styleOf(page, row, 'border-left-width')).toBe('0px');
  const tops = await page
    .locator(row)
    .first()
    .locator('td')
    .evaluateAll((cells) =>
      cells.map((cell) => ({ title: cell.matches('.title'), top: cell.getBoundingClientRect().top })),
    );
  expect(tops.toSorted((a, b) => a.top - b.top)[0]).toMatchObject({ title: true });
  await page.context().close();
});

test('a disabled button does not have the color of the main action', async () => {
  const page = await open('/dashboard/admin/design', 1_280);
  const main = await styleOf(page, '#content button:not(.quiet, .danger, :disabled)', 'background-color');
  expect(await styleOf(page, '#content button:disabled', 'background-color')).not.toBe(main);
  await page.context().close();
});

test('the foot of a short public page is at the bottom of the window, in line with the bar at the top', async () => {
  const page = await open('/sign-in', 1_440, false);
  const box = async (selector: string) => (await page.locator(selector).boundingBox()) ?? expect.fail(selector);
  const foot = await box('.foot');
  expect(Math.round(foot.y + foot.height)).toBe(900);
  const [brand, name] = [await box('.bar .brand'), await box('.foot span')];
  expect(name.x).toBe(brand.x);
  await page.context().close();
});

test('the bar and the content of a public page begin at the same distance from the edge of the window', async () => {
  const page = await open('/prices', 1_440, false);
  const left = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.getBoundingClientRect().left);
  expect(await left('main h1')).toBe(await left('.bar .brand'));
  await page.context().close();
});

test.each([390, 1_280])('the numbers of tiles beside each other have the same height at %i px', async (width) => {
  const page = await open('/dashboard/usage', width);
  await page
    .locator('.tiles dt')
    .first()
    .evaluate((label) => {
      label.textContent = 'A label that is much too long for one line of a tile';
    });
  const tiles = await page.locator('.tiles > div').evaluateAll((all) =>
    all.map((tile) => ({
      row: Math.round(tile.getBoundingClientRect().top),
      number: Math.round(tile.querySelector('dd')?.getBoundingClientRect().bottom ?? 0),
    })),
  );
  expect(tiles.length).toBeGreaterThan(2);
  const rows = new Set(tiles.map(({ row }) => row));
  expect(new Set(tiles.map(({ row, number }) => `${row} ${number}`)).size).toBe(rows.size);
  await page.context().close();
});

test.each(['.tiles', '.best'])('on a tablet, none of five entries of %s is alone in its line', async (list) => {
  const page = await open(sharedReport, 768, false);
  const tops = await page
    .locator(list)
    .first()
    .evaluate((parent) => {
      const [first] = parent.children;
      if (first) parent.replaceChildren(...Array.from({ length: 5 }, () => first.cloneNode(true)));
      return [...parent.children].map((entry) => Math.round(entry.getBoundingClientRect().top));
    });
  expect(tops).toHaveLength(5);
  expect(tops.at(-1)).toBe(tops.at(-2));
  await page.context().close();
});

test('each list of the biggest changes in a report has one heading', async () => {
  const page = await open(sharedReport, 1_280, false);
  const headings = await page.getByRole('heading', { name: 'Biggest' }).allInnerTexts();
  expect(headings).toEqual(['Biggest gains: views']);
  await page.context().close();
});

test.each([
  ['/dashboard/campaigns', 'New campaign', 'Create campaign'],
  ['/dashboard/links', 'New data link', 'Create data link'],
  ['/dashboard/keys', 'New key', 'Create key'],
  ['/dashboard/people', 'Invite somebody', 'Invite'],
  ['/dashboard/batches', 'New bulk analysis', 'Check the list'],
  ['/dashboard/settings/webhooks', 'New webhook', 'Create webhook'],
])('above a list with entries, %s has a main button that opens the form for a new one', async (path, label, button) => {
  const page = await open(path, 1_280);
  const create = page.getByRole('button', { name: button });
  expect(await create.isVisible()).toBe(false);
  await page.locator('summary', { hasText: label }).click();
  await create.waitFor();
  const top = async (selector: string) =>
    (await page.locator(selector).first().boundingBox())?.y ?? expect.fail(selector);
  expect(await top('details.opener')).toBeLessThan(await top('#content table'));
  await page.context().close();
});

test('the form for a new data link is open when a link of another page chose its data', async () => {
  const page = await open('/dashboard/links?show=tracked:values', 1_280);
  expect(await page.getByRole('button', { name: 'Create data link' }).isVisible()).toBe(true);
  await page.context().close();
});

test('the print button of a shared report is beside its title on a desktop, and below it on a phone', async () => {
  const distance = async (width: number) => {
    const page = await open(sharedReport, width, false);
    const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? expect.fail(selector);
    const below = (await top('.shared-head .button')) - (await top('.cover'));
    await page.context().close();
    return below;
  };
  expect([(await distance(1_280)) < 40, (await distance(390)) < 40]).toEqual([true, false]);
});
