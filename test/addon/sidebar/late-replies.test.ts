import { expect, test } from 'vitest';
import { goodKey } from '../spreadsheet-setup.ts';
import { type Connected, setUpSidebar } from './connected-sidebar.ts';

/** Milliseconds between the user's last choice in the sidebar and the saving of the choices. */
const saveDelayMs = 700;
const campaigns = [
  { id: 'c1', name: 'Spring' },
  { id: 'c2', name: 'Autumn' },
];
const { connected } = setUpSidebar();

/** Saves an import of the selected cells under this name, and returns to the list of imports. */
async function saveImport({ sidebar, click, has }: Connected, name: string): Promise<void> {
  await click('imports-new');
  await has('import-picked', 'entries');
  await sidebar.locator('#import-name').fill(name);
  await click('import-save');
  await has('imports-cards', name);
}

test('an import whose answer arrives late does not replace the import that the user opened after it', async () => {
  const session = await connected();
  const { sidebar, click, has, hold, called, handled } = session;
  await saveImport(session, 'Early');
  await saveImport(session, 'Later');
  const releaseEarly = hold('sidebarImport');
  await sidebar.getByRole('button', { name: 'Edit Early', exact: true }).click();
  await called('sidebarImport', 1);
  hold('sidebarImport')();
  if (await sidebar.locator('#import-back').isVisible()) await click('import-back');
  await sidebar.getByRole('button', { name: 'Edit Later', exact: true }).click();
  await has('import-form-title', 'Edit import');
  await expect.poll(() => sidebar.locator('#import-name').inputValue()).toBe('Later');
  releaseEarly();
  await handled();
  expect(await sidebar.locator('#import-name').inputValue()).toBe('Later');
  await session.usable();
});

test('an import that cannot be opened shows why in the list, and no form that would save a second import', async () => {
  const session = await connected();
  const { sidebar, has, lose } = session;
  await saveImport(session, 'Lost');
  lose('sidebarImport');
  await sidebar.getByRole('button', { name: 'Edit Lost', exact: true }).click();
  await has('imports-error', 'Check your internet connection');
  expect(await sidebar.locator('#import-save').isVisible()).toBe(false);
  await session.usable();
});

test('cells that were read for a new import do not replace those of the import that was opened in the meantime', async () => {
  const session = await connected();
  const { sidebar, file, click, has, hold, called, handled } = session;
  await saveImport(session, 'Cells');
  await file.ask('select', 'A3');
  const release = hold('sidebarPickCells');
  await click('imports-new');
  await called('sidebarPickCells', 2);
  await click('import-back');
  await sidebar.getByRole('button', { name: 'Edit Cells', exact: true }).click();
  await has('import-picked', 'A2:A');
  release();
  await handled();
  await has('import-picked', 'A2:A');
  await has('import-pick', 'Use the selected cells');
});

test('a new import for which no cells are selected does not show the cost of the previous form', async () => {
  const session = await connected();
  const { sidebar, file, click, has, hold, called, handled } = session;
  await click('imports-new');
  await has('import-cost', 'Costs');
  const release = hold('sidebarImportEstimate');
  await sidebar.locator('#import-age').selectOption('7d');
  await called('sidebarImportEstimate', 2);
  await click('import-back');
  await file.ask('select', 'D9');
  await click('imports-new');
  await has('import-pick', 'Use the selected cells');
  expect(await sidebar.locator('#import-cost').textContent()).toBe('');
  release();
  await handled();
  expect(await sidebar.locator('#import-cost').textContent()).toBe('');
});

test('the form of an import estimates its cost again after the target cell was picked', async () => {
  const session = await connected();
  const { sidebar, click, has, hold, called, handled } = session;
  await click('imports-new');
  await has('import-cost', 'Costs');
  await sidebar.locator('input[value="append"]').check();
  const release = hold('sidebarImportEstimate');
  await sidebar.locator('#import-age').selectOption('7d');
  await called('sidebarImportEstimate', 3);
  await click('import-target-pick');
  await has('import-target-pick', 'Use the selected cell');
  release();
  await handled();
  await has('import-cost', 'Costs');
});

test('the cost of a formula that arrives late does not replace the cost for the newer choices', async () => {
  const { sidebar, click, has, hold, reply, called, handled } = await connected();
  const release = hold('sidebarEstimate');
  reply('sidebarEstimate', { ok: false, message: 'An older cost.' });
  await click('tab-formula');
  await called('sidebarEstimate', 1);
  hold('sidebarEstimate')();
  await sidebar.locator('#formula-age').selectOption('7d');
  await has('formula-cost', '2 credits');
  release();
  await handled();
  await has('formula-cost', '2 credits');
});

test('a campaign that the user picks while the campaigns load again stays picked', async () => {
  const { sidebar, click, has, hold, called, handled } = await connected({ campaigns });
  await click('tab-report');
  await has('report-campaign', 'Spring');
  const release = hold('sidebarCampaigns');
  await click('tab-report');
  await called('sidebarCampaigns', 2);
  await sidebar.locator('#report-campaign').selectOption('c2');
  release();
  await handled();
  expect(await sidebar.locator('#report-campaign').inputValue()).toBe('c2');
});

test('campaigns that fail to load late do not hide the campaigns that were loaded after them', async () => {
  const { sidebar, click, has, hold, reply, called, handled } = await connected({ campaigns });
  const release = hold('sidebarCampaigns');
  reply('sidebarCampaigns', { ok: false, message: 'Too late.' });
  await click('tab-report');
  await called('sidebarCampaigns', 1);
  hold('sidebarCampaigns')();
  await click('tab-report');
  await handled();
  release();
  await handled();
  await has('report-campaign', 'Spring');
  expect(await sidebar.locator('#report-error').textContent()).toBe('');
});

test('the formula builder shows why the campaigns could not be loaded', async () => {
  const { sidebar, click, has, reply } = await connected();
  reply('sidebarCampaigns', { ok: false, message: 'The campaigns are away.' });
  await click('tab-formula');
  await has('formula-picked', 'A2:A3');
  await sidebar.locator('#formula-name').selectOption('SOCIAL_REPORT');
  await has('formula-error', 'The campaigns are away.');
});

test('an interval that the user chooses while the schedule loads stays chosen', async () => {
  const { sidebar, click, has, hold, called, handled } = await connected();
  const release = hold('sidebarSchedule');
  await click('tab-refresh');
  await called('sidebarSchedule', 1);
  await sidebar.locator('#schedule-hours').selectOption('24');
  release();
  await handled();
  await has('schedule-state', 'No schedule');
  expect(await sidebar.locator('#schedule-hours').inputValue()).toBe('24');
});

test('a schedule that was read before it was changed is not shown after the change', async () => {
  const { sidebar, click, has, hold, called, handled } = await connected();
  const release = hold('sidebarSchedule');
  await click('tab-refresh');
  await called('sidebarSchedule', 1);
  hold('sidebarSchedule')();
  await sidebar.locator('#schedule-hours').selectOption('12');
  await click('schedule-save');
  await handled();
  release();
  await handled();
  await has('schedule-state', 'every 12 hours');
});

test('a balance that was requested before a key was disconnected does not show the key again', async () => {
  const session = await connected();
  const { sidebar, click, has, hold, handled } = session;
  await click('imports-new');
  await has('import-picked', '2 entries');
  const release = hold('sidebarAccount');
  await click('import-run');
  await has('import-done', 'All done.');
  await click('tab-account');
  await click('own-disconnect');
  await handled();
  release();
  await has('balance', 'Not connected');
  await handled();
  await has('balance', 'Not connected');
  expect(await sidebar.locator('#own-form').isVisible()).toBe(true);
});

test('a key that was connected before the sidebar had loaded stays shown', async () => {
  const { sidebar, file, click, has, hold, called, calls, reopen, handled } = await connected();
  await file.ask('run', 'sidebarDisconnect', ['account']);
  const release = hold('sidebarOpen');
  calls.length = 0;
  await reopen();
  await called('sidebarOpen', 1);
  await click('tab-account');
  await sidebar.locator('#own-key').fill(goodKey);
  await click('own-connect');
  // The saved key is the one that the input contained when the button was pressed.
  await sidebar.locator('#own-key').fill('');
  await handled();
  release();
  await handled();
  await has('balance', 'credit');
  await has('own-card', 'Good');
});

test('the list of imports that was requested before an import was deleted does not show it again', async () => {
  const session = await connected();
  const { sidebar, click, has, hold, called, calls, handled } = session;
  await saveImport(session, 'Ghost');
  await click('tab-home');
  calls.length = 0;
  const release = hold('sidebarImports');
  await click('tab-imports');
  await called('sidebarImports', 1);
  await sidebar.getByRole('button', { name: 'Remove Ghost', exact: true }).click();
  await sidebar.getByRole('button', { name: 'Remove this import? Ghost', exact: true }).click();
  await handled();
  release();
  await sidebar.getByRole('heading', { name: 'Ghost', exact: true }).waitFor({ state: 'detached' });
  await handled();
  expect(await sidebar.getByRole('heading', { name: 'Ghost', exact: true }).count()).toBe(0);
  await has('imports-new', 'New import');
});

test('the choices of a user are saved one after the other, so that older ones never replace newer ones', async () => {
  const { sidebar, click, hold, called, calls, timersRun } = await connected();
  await called('sidebarRemember', 1);
  calls.length = 0;
  const release = hold('sidebarRemember');
  await click('tab-formula');
  await called('sidebarRemember', 1);
  await sidebar.locator('#formula-age').selectOption('14d');
  await timersRun(saveDelayMs);
  expect(calls.filter((name) => name === 'sidebarRemember')).toHaveLength(1);
  release();
  await called('sidebarRemember', 2);
});

test('after Google ran a call as another account, a late answer does not allow further calls', async () => {
  const { sidebar, file, click, has, hold, called, calls, handled } = await connected();
  const release = hold('sidebarSelection');
  await click('tab-formula');
  await called('sidebarSelection', 1);
  await file.ask('set', { several_accounts: { default_account: 'home@example.com', calls: 'as default' } });
  await click('tab-account');
  await click('own-disconnect');
  await has('account-error', 'several Google accounts');
  await file.ask('set', { several_accounts: null });
  release();
  await handled();
  calls.length = 0;
  await sidebar.locator('#file-details summary').click();
  await sidebar.locator('#file-key').fill(goodKey);
  await click('file-connect');
  await has('file-error', 'several Google accounts');
  expect(calls).toEqual([]);
});

test('a log that fails to load late does not hide the log that was loaded after it', async () => {
  const { sidebar, click, hold, reply, called, handled } = await connected();
  const release = hold('sidebarRuns');
  reply('sidebarRuns', { ok: false, message: 'Too late.' });
  await click('tab-log');
  await called('sidebarRuns', 1);
  hold('sidebarRuns')();
  await click('tab-log');
  await handled();
  release();
  await handled();
  await called('sidebarRuns', 2);
  await handled();
  expect(await sidebar.locator('#log-error').textContent()).toBe('');
});

test('an answer about the keys does not close the screen on which the user types a key', async () => {
  const session = await connected();
  const { sidebar, click, has, hold, called, calls, handled } = session;
  await saveImport(session, 'No key');
  await click('tab-account');
  await click('own-disconnect');
  await has('balance', 'Not connected');
  await click('tab-imports');
  calls.length = 0;
  const release = hold('sidebarAccount');
  await sidebar.getByRole('button', { name: 'Run No key', exact: true }).click();
  await called('sidebarAccount', 1);
  await click('tab-home');
  await click('start-key');
  await sidebar.locator('#first-key').fill(goodKey);
  release();
  await handled();
  expect(await sidebar.locator('#first-key').isVisible()).toBe(true);
});

test('the choices of a user that could not be saved are saved again a little later', async () => {
  const { sidebar, file, click, lose } = await connected();
  await click('tab-formula');
  const saved = async () => JSON.stringify((await file.ask('world')).properties.users);
  await expect.poll(saved, { timeout: 15_000 }).toContain('formula');
  lose('sidebarRemember');
  await sidebar.locator('#formula-age').selectOption('30d');
  await expect.poll(saved, { timeout: 15_000 }).toContain('30d');
});
