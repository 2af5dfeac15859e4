import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenSidebar, openSidebar } from '../addon/sidebar/sidebar-page.ts';
import { goodKey, people, setUpAddon } from '../addon/spreadsheet-setup.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { allFolder, type Scheme, takePicture } from './sidebar-picture.ts';

const setup = setUpAddon();
let browser: TestBrowser;

beforeAll(async () => {
  browser = await startBrowser();
  await mkdir(allFolder, { recursive: true });
});
afterAll(() => browser.close());

async function walk(opened: OpenSidebar, scheme: Scheme): Promise<void> {
  const { sidebar, file, hold } = opened;
  const has = (id: string, text: string | RegExp) => sidebar.locator(`#${id}`).filter({ hasText: text }).waitFor();
  const click = (id: string) => sidebar.locator(`#${id}`).click();
  const take = (name: string) => takePicture(opened, `imports-${name}`, scheme);
  await setup.api.begin({ keys: [goodKey], people });
  await file.ask('run', 'sidebarConnect', ['account', goodKey]);
  await opened.reopen();
  await click('tab-imports');
  await has('imports-state', 'no imports');
  await take('none');
  await click('imports-new');
  await has('import-picked', 'No cells');
  await take('nothing-picked');
  await click('import-run');
  await has('import-error', /\w/);
  await take('error');
  await file.ask('show', 'Creators');
  await file.ask('type', 'A1', 'Profile', ...Object.keys(people));
  await file.ask('type', 'B1', 'Followers');
  await file.ask('select', 'A1:A3');
  await click('import-back');
  await click('imports-new');
  await has('import-columns-summary', '1 of yours, ');
  await click('import-columns-summary');
  await take('form-beside');
  await click('import-columns-summary');
  await sidebar.locator('input[name="import-mode"][value="update"]').check();
  await sidebar.locator('#import-schedule').selectOption('168');
  await has('import-columns-summary', 'Columns');
  await click('import-columns-summary');
  await take('form-table');
  await click('import-columns-summary');
  await sidebar.locator('input[name="import-source"][value="list"]').check();
  await sidebar.locator('#import-kind').selectOption('latest');
  await take('form-list');
  await click('import-back');
  await click('imports-new');
  await has('import-cost', 'Costs');
  await sidebar.locator('#import-name').fill('Creators of the spring launch');
  await sidebar.locator('#import-schedule').selectOption('24');
  const release = hold('sidebarImportStep');
  await click('import-run');
  await has('import-title', 'Running');
  await take('running');
  release();
  await has('import-done', 'All done.');
  await take('finished');
  await click('import-list-again');
  await has('imports-cards', 'spring launch');
  await take('list');
  await sidebar.getByRole('button', { name: /^Remove/ }).click();
  await take('delete');
}

test.each(['light', 'dark'] as const)('takes the pictures of imports in %s colors', async (scheme) => {
  const opened = await openSidebar(browser, setup.dist, undefined, { colorScheme: scheme, deviceScaleFactor: 1.5 });
  try {
    await walk(opened, scheme);
    expect(opened.problems).toEqual([]);
  } finally {
    await opened.close();
  }
});
