import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { writeInventedManifest } from '../../harness/invented-manifest.ts';
import { type ServiceProcess, startService } from '../../harness/service-process.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';
import { writeAddon } from '../built-addon.ts';
import { type OpenSidebar, openSidebar } from './sidebar-page.ts';

const starterCredits = 100;
/** Milliseconds between the user's last choice in the sidebar and the saving of the choices. */
const saveDelayMs = 700;
const rowCount = 45;
const urls = Array.from({ length: rowCount }, (_, index) => `https://www.instagram.com/paper.kite.${index}/`);

let folder: string;
let browser: TestBrowser;
let database: TestDatabase;
let service: ServiceProcess;
let opened: OpenSidebar;
let liveKey: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidebar-'));
  database = await createTestDatabase();
  const upstreamReplay = await writeInventedManifest(folder);
  [browser, service] = await Promise.all([
    startBrowser(),
    startService({ DATABASE_URL: database.database_url, UPSTREAM_REPLAY: upstreamReplay }),
  ]);
  liveKey = /tide_live_\w+/.exec(service.output())?.[0] ?? '';
  await writeAddon(service.base_url, folder);
  opened = await openSidebar(browser, folder);
});
// Reopens the sidebar before a test is repeated, because the failed attempt can have left any view open.
beforeEach(async ({ task }) => {
  if (task.result?.retryCount) await opened.reopen();
});
afterAll(async () => {
  await opened?.close();
  await browser?.close();
  await service?.kill();
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

function has(id: string, text: string | RegExp): Promise<void> {
  return opened.sidebar.locator(`#${id}`).filter({ hasText: text }).waitFor();
}

const click = (id: string) => opened.sidebar.locator(`#${id}`).click();

/**
 * Presses the lower edge of a button as a person does. When the mouse button goes down, the focused input loses the
 * focus, and the sidebar reacts to this before the mouse button goes up.
 */
async function pressSlowly(id: string): Promise<void> {
  const { page, sidebar } = opened;
  const button = sidebar.locator(`#${id}`);
  // Does not scroll to the end of the page, because there a shrinking page would not move the button.
  await button.evaluate((element) => element.scrollIntoView({ block: 'end' }));
  const { x, y, width, height } = (await button.boundingBox()) ?? expect.fail(`${id} is not visible`);
  await page.mouse.move(x + width / 2, y + height - 3);
  await page.mouse.down();
  await opened.handled();
  await page.mouse.up();
}

async function usable(): Promise<void> {
  expect(await opened.faults()).toEqual([]);
  expect(opened.problems).toEqual([]);
}

test('the sidebar shows an error at the field of a wrong key without saving it, and the end and balance of a valid key', async () => {
  const { sidebar, page } = opened;
  await has('balance', 'Not connected');
  await click('tab-account');
  await usable();
  await sidebar.locator('#own-key').fill('hello');
  await click('own-connect');
  await has('own-error', 'not an API key');
  const stranger = `${liveKey.slice(0, -1)}${liveKey.endsWith('0') ? '1' : '0'}`;
  await sidebar.locator('#own-key').fill(stranger);
  await click('own-connect');
  await has('own-error', 'not saved');
  expect(await sidebar.locator('#own-key').getAttribute('aria-invalid')).toBe('true');
  await usable();
  await sidebar.locator('#own-key').fill(liveKey);
  await click('own-connect');
  await has('own-card', `…${liveKey.slice(-4)}`);
  await has('balance', `${starterCredits} credits`);
  expect(await page.frames()[1]?.content()).not.toContain(liveKey);
  expect(await sidebar.locator('#own-key').inputValue()).toBe('');
  await usable();
});

test('the formula builder makes a formula of the picked cells and ticked fields, which runs in the selected cell', async () => {
  const { sidebar, file } = opened;
  await file.ask('type', 'A1', 'Profile', ...urls);
  await file.ask('select', 'A2:A3');
  await click('tab-formula');
  await has('formula-picked', 'A2:A3: 2 entries');
  const ticked = sidebar.locator('#formula-fields input:checked');
  while ((await ticked.count()) > 0) await ticked.first().click();
  await has('formula-preview', 'Tick at least one column.');
  await usable();
  await sidebar.getByLabel('Followers', { exact: true }).first().check();
  await has('formula-preview', '=SOCIAL_PROFILE(A2:A3; "followers")');
  await has('formula-cost', /Costs .*2 credits/);
  await click('formula-insert');
  await has('formula-error', 'one of the cells that the formula reads');
  await file.ask('select', 'E2');
  await click('formula-insert');
  await has('formula-done', 'The formula is in E2.');
  expect(await file.ask('values', 'E2:E3')).toEqual([['FORMULAS_NOT_ALLOWED'], ['FORMULAS_NOT_ALLOWED']]);
  await click('tab-account');
  await sidebar.getByLabel('Formulas in this file may use my credits').check();
  await has('who-pays', 'your key');
  await file.ask('reopen');
  expect(await file.ask('values', 'E2:E3')).toEqual([['OK'], ['OK']]);
  expect(await file.ask('types', 'F2:F3')).toEqual([['number'], ['number']]);
  // Deletes the formula and its headings from the sheet.
  await file.ask('type', 'E1', '', '');
  await file.ask('type', 'F1', '');
  await usable();
});

test('an import in the sidebar shows its progress, stops when it is paused, and continues after reopening', async () => {
  const { file, sidebar } = opened;
  await file.ask('select', `A1:A${rowCount + 1}`);
  await click('tab-imports');
  await click('imports-new');
  await has('import-picked', `${rowCount} entries`);
  expect(await sidebar.locator('#import-heading').isChecked()).toBe(true);
  await has('import-cost', 'credits');
  const position = () => sidebar.locator('#import-run').evaluate((button) => button.getBoundingClientRect().top);
  const before = await position();
  const releaseEstimate = opened.hold('sidebarImportEstimate');
  await sidebar.locator('#import-age').selectOption('7d');
  await has('import-cost', 'Calculating');
  expect(await position()).toBe(before);
  releaseEstimate();
  await has('import-cost', 'credits');
  await usable();
  await sidebar.locator('#import-name').fill('Kites');
  opened.hold('sidebarImportEstimate');
  const release = opened.hold('sidebarImportStep');
  await pressSlowly('import-run');
  await has('import-title', 'Running');
  await click('import-pause');
  release();
  await has('import-stopped', 'Paused');
  await has('import-count', /^20 of 45/);
  expect(await sidebar.locator('#import-bar').getAttribute('value')).toBe('20');
  expect((await file.ask('values', 'B2:B46')).flat().filter((status) => status === 'OK')).toHaveLength(20);
  await usable();
  // The sidebar saves the user's choices a moment after the last change.
  const saved = async () => JSON.stringify((await file.ask('world')).properties.users);
  await expect.poll(saved, { timeout: 15_000 }).toContain('7d');
  const releaseOpening = opened.hold('sidebarOpen');
  await opened.reopen();
  await click('tab-imports');
  await has('imports-cards', 'Not finished: 20 of 45');
  await usable();
  // The sidebar must not save the chosen section before it has loaded the earlier choices, because saving would
  // overwrite them.
  await opened.timersRun(saveDelayMs);
  expect(await saved()).toContain('7d');
  releaseOpening();
  await expect.poll(saved).toMatch(/"tab.{3,5}imports/);
  expect(await saved()).toContain('7d');
  await sidebar.getByRole('button', { name: 'Resume Kites' }).click();
  await has('import-count', /^20 of 45/);
  await click('import-resume');
  await has('import-done', 'All done.');
  await has('import-count', `45 of 45 · 45 OK · 43 credits used`);
  await has('balance', `${starterCredits - rowCount} credits`);
  const rows = await file.ask('values', `A1:L${rowCount + 1}`);
  expect(rows[0]?.slice(0, 6)).toEqual([
    ...['Profile', 'Status', 'Username', 'Display name', 'Followers', 'Followers: exact or rounded'],
  ]);
  expect(rows[0]?.at(-1)).toBe('Retrieved at (UTC)');
  expect(rows.slice(1).map(([url, status]) => [url, status])).toEqual(urls.map((url) => [url, 'OK']));
  const types = async (column: string) => new Set((await file.ask('types', `${column}2:${column}46`)).flat());
  expect([await types('E'), await types('L')]).toEqual([new Set(['number']), new Set(['date'])]);
  await click('tab-log');
  await has('log-runs', /Import “Kites”.*45 rows: 45 OK · 43 credits/);
  await usable();
});

test('a saved import is edited, duplicated and deleted with the keyboard in the sidebar', async () => {
  const { sidebar, page } = opened;
  const press = async (name: string) => {
    await sidebar.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };
  await click('tab-imports');
  const release = opened.hold('sidebarImports');
  await click('import-list-again');
  await sidebar.getByRole('button', { name: 'Edit Kites', exact: true }).focus();
  release();
  await has('imports-cards', '45 OK');
  // Checks that the button still has the focus after the list of imports was loaded again.
  await page.keyboard.press('Enter');
  await has('import-picked', `A1:A${rowCount + 1}`);
  await sidebar.locator('#import-name').fill('Kites every week');
  await sidebar.locator('#import-schedule').selectOption('168');
  await has('import-weekday-row', 'Day (UTC)');
  await usable();
  await sidebar.locator('#import-save').focus();
  await page.keyboard.press('Enter');
  await has('imports-cards', /Runs every week, next at about/);
  await press('Duplicate Kites every week');
  await has('imports-cards', 'Kites every week (copy)');
  await usable();
  await press('Remove Kites every week (copy)');
  await page.keyboard.press('Enter');
  await sidebar.locator('#imports-cards article').nth(1).waitFor({ state: 'detached' });
  expect(await sidebar.locator('#imports-cards article').count()).toBe(1);
});

test('a new import in the sidebar begins with the choices of the last one', async () => {
  const { sidebar } = opened;
  await click('imports-new');
  await has('import-form-title', 'New import');
  expect(await sidebar.locator('#import-age').inputValue()).toBe('7d');
  await click('import-back');
});

test('disconnecting removes the key, and sections of the sidebar that need a key say so', async () => {
  await click('tab-account');
  await click('own-disconnect');
  await has('balance', 'Not connected');
  await click('tab-report');
  await has('report-error', 'No key is connected');
  await click('tab-imports');
  await opened.sidebar.getByRole('button', { name: 'Run Kites every week', exact: true }).click();
  await has('import-stopped', 'No key is connected');
  await usable();
});
