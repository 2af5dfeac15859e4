import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderSheet } from '../addon/harness/render-sheet.ts';
import { openSidebar } from '../addon/sidebar/sidebar-page.ts';
import { goodKey, setUpAddon } from '../addon/spreadsheet-setup.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { sharp, showSheet, takePicture } from '../harness/picture.ts';
import { handles, people } from './people.ts';

const folder = resolve(import.meta.dirname, '../../docs/pictures');
const urlOf = (handle: string) => `https://www.instagram.com/${handle}/`;
const profiles = people.map(({ full_name, ...person }, index) => [
  urlOf(person.username),
  {
    ...person,
    platform: 'photo',
    account_id: String(17_841_400_000_000_000n + BigInt(index)),
    display_name: full_name,
  },
]);
const setup = setUpAddon();
let browser: TestBrowser;
beforeAll(async () => {
  [browser] = await Promise.all([startBrowser(), mkdir(folder, { recursive: true })]);
});
afterAll(() => browser.close());

test('takes the pictures of an import: its form, its card and the filled sheet', async () => {
  await setup.api.begin({ keys: [goodKey], people: Object.fromEntries(profiles) });
  const opened = await openSidebar(browser, setup.dist, undefined, sharp);
  const { file, page, sidebar } = opened;
  const has = (id: string, text: string | RegExp) => sidebar.locator(`#${id}`).filter({ hasText: text }).waitFor();
  const click = (id: string) => sidebar.locator(`#${id}`).click();
  const take = async (name: string, maxHeight = 1_000) => {
    await page.mouse.move(0, 0);
    const height = Number(await page.frames()[1]?.evaluate('Math.ceil(document.body.getBoundingClientRect().height)'));
    await page.setViewportSize({ width: 300, height: Math.min(height, maxHeight) });
    await takePicture(page, join(folder, `sidebar-${name}.webp`));
  };
  try {
    await file.ask('run', 'sidebarConnect', ['account', goodKey]);
    await file.ask('type', 'A1', 'Profile', ...handles.map(urlOf));
    await file.ask('select', `A1:A${handles.length + 1}`);
    await opened.reopen();
    await has('balance', 'credit');
    await click('tab-imports');
    await click('imports-new');
    await has('import-cost', 'credit');
    await sidebar.locator('#import-name').fill('Creators');
    await sidebar.locator('#import-schedule').selectOption('24');
    await page.evaluate('document.activeElement.blur()');
    await take('import-form', 860);
    await click('import-run');
    await has('import-done', 'All done.');
    await click('import-list-again');
    await has('imports-cards', '7 OK');
    await take('imports');
    const sheet = await file.ask('sheetState', 'Sheet1');
    Object.assign(sheet.widths, { 1: 310, 2: 175, 3: 125, 4: 150, 5: 85, 6: 120, 7: 80, 8: 60 });
    expect(sheet.grid.B2).toMatchObject({ value: 'OK' });
    const { page: sheetPage } = await browser.open(sharp);
    await showSheet(sheetPage, renderSheet(sheet), 1_100);
    await takePicture(sheetPage, join(folder, 'sheet-import.webp'));
    expect(opened.problems).toEqual([]);
  } finally {
    await opened.close();
  }
});
