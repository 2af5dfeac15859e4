import { expect, test } from 'vitest';
import { goodKey } from '../spreadsheet-setup.ts';
import { setUpSidebar } from './connected-sidebar.ts';

const campaigns = [{ id: 'c1', name: 'Spring' }];
const { connected } = setUpSidebar();

test.each([
  ['formula', 'formula-pick'],
  ['home', 'first-rows-pick'],
])('a button of the section %s whose task ran twice at the same time gets its label back', async (section, button) => {
  const { sidebar, click, has, hold, handled } = await connected();
  const release = hold('sidebarSelection');
  await click(`tab-${section}`);
  await has(button, 'Reading…');
  await click('tab-log');
  await click(`tab-${section}`);
  await handled();
  release();
  await handled();
  await has(button, 'Use the selected cells');
  expect(await sidebar.locator(`#${button}`).isEnabled()).toBe(true);
});

test('a button keeps the keyboard focus after its task', async () => {
  const { sidebar, page, click, has, hold, handled } = await connected();
  await click('tab-refresh');
  await sidebar.locator('#refresh-now').focus();
  const release = hold('sidebarRefreshFormulas');
  await page.keyboard.press('Enter');
  await has('refresh-now', 'Refreshing…');
  await handled();
  release();
  await has('refresh-error', 'no SOCIAL_ formula');
  await has('refresh-now', 'Refresh now');
  expect(
    await sidebar.locator('#refresh-now').evaluate((button) => button === button.ownerDocument.activeElement),
  ).toBe(true);
});

test('while an import is being saved, its form can be neither saved a second time nor closed', async () => {
  const { sidebar, click, has, hold, calls } = await connected();
  await click('imports-new');
  await has('import-picked', '2 entries');
  const release = hold('sidebarImportSave');
  await click('import-run');
  await has('import-run', 'Saving…');
  expect(await sidebar.locator('#import-save').isDisabled()).toBe(true);
  expect(await sidebar.locator('#import-back').isDisabled()).toBe(true);
  release();
  await has('import-done', 'All done.');
  await click('import-list-again');
  await click('imports-new');
  await has('import-picked', '2 entries');
  expect(await sidebar.locator('#import-save').isEnabled()).toBe(true);
  expect(calls.filter((name) => name === 'sidebarImportSave')).toHaveLength(1);
});

test('while an import run is being paused or cancelled, the sidebar says so, and the run cannot be resumed', async () => {
  const { sidebar, click, has, hold } = await connected();
  await click('imports-new');
  await has('import-picked', '2 entries');
  const releaseStart = hold('sidebarImportStart');
  await click('import-run');
  await has('import-title', 'Running');
  await click('import-pause');
  const pausing = await sidebar.locator('#import-title').textContent();
  releaseStart();
  await has('import-stopped', 'Paused');
  const release = hold('sidebarImportCancel');
  await click('import-cancel');
  await has('import-cancel', 'Cancelling…');
  const isLocked = await Promise.all(
    ['import-resume', 'import-list-again'].map((id) => sidebar.locator(`#${id}`).isDisabled()),
  );
  expect({ pausing, isLocked }).toEqual({ pausing: 'Pausing…', isLocked: [true, true] });
  release();
  await has('imports-cards', 'Cancelled, 2 not requested.');
});

test('a report is inserted only once when its section is opened again in the meantime', async () => {
  const { sidebar, click, has, hold, called, handled } = await connected({ campaigns });
  await click('tab-report');
  await has('report-campaign', 'Spring');
  const release = hold('sidebarInsertReport');
  await click('report-insert');
  await has('report-insert', 'Inserting…');
  await click('tab-report');
  await called('sidebarCampaigns', 2);
  await handled();
  expect(await sidebar.locator('#report-insert').isDisabled()).toBe(true);
  release();
  await has('report-insert', 'Insert report');
});

test('formulas are frozen only once at a time', async () => {
  const { sidebar, click, has, hold } = await connected();
  await click('tab-refresh');
  const release = hold('sidebarFreeze');
  await click('freeze-sheet');
  await has('freeze-sheet', 'Freezing…');
  expect(await sidebar.locator('#freeze-selection').isDisabled()).toBe(true);
  release();
  await has('freeze-error', 'no SOCIAL_ formula');
  expect(await sidebar.locator('#freeze-selection').isEnabled()).toBe(true);
});

test('the first rows are not inserted a second time while the balance loads, and cells picked in the meantime stay', async () => {
  const { sidebar, file, click, has, hold, handled, reopen } = await connected();
  await file.ask('run', 'sidebarAllowFormulas', [true]);
  await reopen();
  await has('balance', 'credit');
  await click('tab-home');
  await has('first-rows-insert', 'Get data for 2 profiles');
  const releaseRows = hold('sidebarFirstRows');
  await click('first-rows-insert');
  await has('first-rows-insert', 'Getting data…');
  await click('tab-log');
  await click('tab-home');
  await handled();
  await has('first-rows-insert', 'Getting data…');
  expect(await sidebar.locator('#first-rows-pick').isDisabled()).toBe(true);
  const release = hold('sidebarAccount');
  releaseRows();
  await has('first-rows-done', 'in your sheet');
  await handled();
  expect(await sidebar.locator('#first-rows-insert').isVisible()).toBe(false);
  release();
});

test('an error of the first rows disappears when other cells are picked', async () => {
  const { sidebar, file, click, has, reply, reopen } = await connected();
  await file.ask('run', 'sidebarAllowFormulas', [true]);
  await reopen();
  await has('balance', 'credit');
  await click('tab-home');
  reply('sidebarFirstRows', { ok: false, message: 'These cells are odd.' });
  await click('first-rows-insert');
  await has('first-rows-error', 'odd');
  await click('first-rows-pick');
  await has('first-rows-pick', 'Use the selected cells');
  expect(await sidebar.locator('#first-rows-error').textContent()).toBe('');
});

test('the permission for formulas to use the credits is unticked again when it could not be saved', async () => {
  const { sidebar, file, click, has, reply, reopen } = await connected();
  await file.ask('run', 'sidebarAllowFormulas', [false]);
  await reopen();
  await has('balance', 'credit');
  await click('tab-account');
  reply('sidebarAllowFormulas', { ok: false, message: 'This file has no owner.' });
  const allow = sidebar.locator('#allow-formulas');
  await allow.click();
  await has('account-error', 'no owner');
  expect(await allow.isChecked()).toBe(false);
  await has('balance', 'credit');
});

test('a key that was refused in the first run is not the key that is later saved for everybody', async () => {
  const kind = { kind: 'sheet', name: 'Shared', last_four: 'Good', monthly_cap: 500, cap_used: 0 };
  const { sidebar, file, click, has, reopen } = await connected({ balance: { key: kind } });
  await file.ask('run', 'sidebarDisconnect', ['account']);
  await file.ask('run', 'sidebarRemember', [{}]);
  await reopen();
  await click('start-key');
  await sidebar.locator('#first-key').fill('tide_live_invented0000000Unknown');
  await click('first-connect');
  await has('first-key-error', 'does not know this key');
  await click('tab-account');
  await sidebar.locator('#own-key').fill(goodKey);
  await click('own-connect');
  await has('own-card', 'Good');
  await click('tab-home');
  await click('share-yes');
  await sidebar.locator('#overview').waitFor();
  await file.ask('run', 'sidebarDisconnect', ['account']);
});

test('the question who may use the key is answered only once', async () => {
  const { sidebar, file, click, has, hold, reopen } = await connected();
  await file.ask('run', 'sidebarDisconnect', ['account']);
  await file.ask('run', 'sidebarRemember', [{}]);
  await reopen();
  await click('start-key');
  await sidebar.locator('#first-key').fill(goodKey);
  await click('first-connect');
  await sidebar.locator('#share-yes').waitFor();
  const release = hold('sidebarConnect');
  await click('share-yes');
  await has('share-yes', 'Saving…');
  expect(await sidebar.locator('#share-no').isDisabled()).toBe(true);
  release();
  await sidebar.locator('#overview').waitFor();
});
