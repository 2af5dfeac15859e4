import { expect, test } from 'vitest';
import { goodKey, people } from '../spreadsheet-setup.ts';
import { type Connected, setUpSidebar } from './connected-sidebar.ts';

const { setup, connected } = setUpSidebar();
const html = '<!doctype html><title>Sign in</title>';
const hostile = '<img src=x onerror="alert(1)">=1+1';

/** Opens the form of a new import of the selected URLs, and waits until its cost is shown. */
async function newImport({ click, has }: Pick<Connected, 'click' | 'has'>): Promise<void> {
  await click('tab-imports');
  await click('imports-new');
  await has('import-picked', '2 entries');
  await has('import-cost', 'credit');
}

test('the Pause button of an import ends its countdown immediately', async () => {
  const opened = await connected();
  const { has, click } = opened;
  await newImport(opened);
  const limit = { status: 429, headers: { 'retry-after': '600' }, body: html };
  await setup.api.begin({ keys: [goodKey], people, answers: [limit] });
  await click('import-run');
  await has('import-countdown', /s$/);
  await click('import-pause');
  await has('import-stopped', 'Paused');
  await click('import-cancel');
  await has('imports-cards', 'Cancelled, 2 not requested.');
});

test('names of workspaces, sheets and campaigns stay text in the sidebar, and long ones fit into 300 px', async () => {
  const name = `${hostile} ${'Extraordinarily long '.repeat(6)}${'x'.repeat(90)}`;
  const { page, sidebar, file, has, click, usable } = await connected({
    balance: {
      tier: 'pro',
      workspace: name,
      key: { kind: 'live', name, last_four: 'Good', monthly_cap: 500, cap_used: 12 },
    },
    campaigns: [{ id: 'c1', name }],
  });
  await file.ask('show', hostile);
  await file.ask('type', 'A2', ...Object.keys(people));
  await file.ask('select', 'A2:A3');
  await click('tab-formula');
  await click('formula-pick');
  await has('formula-picked', hostile);
  for (const tab of ['home', 'account', 'formula', 'imports', 'report', 'refresh', 'log']) {
    await click(`tab-${tab}`);
    await sidebar.locator(`#${tab}`).waitFor();
    const width = await page.frames()[1]?.evaluate('document.documentElement.scrollWidth');
    expect({ tab, width }).toEqual({ tab, width: 300 });
  }
  await click('tab-account');
  await has('own-card', hostile);
  await usable();
  expect(await sidebar.locator('img').count()).toBe(0);
});

test('the report section of the sidebar shows a missing campaign, a failure and a choice of campaigns', async () => {
  const { sidebar, has, click, usable } = await connected();
  await click('tab-report');
  await has('report-state', 'no campaigns yet');
  expect(await sidebar.locator('#report-insert').isVisible()).toBe(false);
  await setup.api.begin({ keys: [goodKey], answers: [{ status: 502, body: html }] });
  await click('tab-report');
  await has('report-error', 'cannot answer');
  expect(await sidebar.locator('#report-campaign').isVisible()).toBe(false);
  await usable();
  await setup.api.begin({ keys: [goodKey], campaigns: [{ id: 'c1', name: 'Spring' }] });
  await click('report-retry');
  await has('report-campaign', 'Spring');
  expect(await sidebar.locator('#report-retry').isVisible()).toBe(false);
  await usable();
  await click('report-insert');
  await has('report-error', /\w/);
  await usable();
});

test('the sidebar shows a sentence for an answer that is not from the API, a lost connection and a revoked key', async () => {
  const { sidebar, has, click, calls, hold, usable } = await connected();
  await setup.api.begin({ answers: [{ status: 200, body: html }] });
  await click('tab-account');
  await sidebar.locator('#file-details summary').click();
  await sidebar.locator('#file-key').fill(goodKey);
  const release = hold('sidebarConnect');
  await click('file-connect');
  await has('file-connect', 'Checking…');
  expect(await sidebar.locator('#file-connect').isDisabled()).toBe(true);
  release();
  await has('file-error', 'did not come from the API');
  await click('file-connect');
  await has('file-error', 'revoked');
  await click('tab-imports');
  await click('imports-new');
  await has('import-picked', '2 entries');
  await click('import-run');
  await has('import-stopped', 'revoked');
  await click('import-cancel');
  await has('imports-cards', 'Cancelled');
  expect(calls.filter((name) => name === 'sidebarImportStep')).toHaveLength(1);
  await usable();
});

test('when the balance cannot be read, every section of the sidebar shows the cause with a link that helps', async () => {
  const { sidebar, has, reopen, click, usable } = await connected();
  await setup.api.begin({});
  await reopen();
  await has('balance', 'Balance unknown');
  for (const section of ['home', 'formula', 'imports', 'account']) {
    await click(`tab-${section}`);
    await has('account-notice', 'The server does not know this key, or it was revoked.');
    expect(await sidebar.locator('#account-notice a').getAttribute('href')).toContain('/addon#key');
  }
  await usable();
  await setup.api.begin({ keys: [goodKey] });
  await reopen();
  await has('balance', 'credits');
  expect(await sidebar.locator('#account-notice').textContent()).toBe('');
});

test('an import says that handles need a platform, and its result with failed rows is a warning', async () => {
  const opened = await connected();
  const { file, sidebar, has, click, usable } = opened;
  await file.ask('type', 'A3', '@nasa');
  await newImport(opened);
  await has('import-cost', '1 cell is not a profile link. If it is a handle, choose its platform above.');
  await click('import-run');
  await has('import-done', '1 row failed.');
  expect(await sidebar.locator('#import-done').getAttribute('class')).toBe('warning');
  await usable();
});

test('the sidebar shows a sentence when Google does not answer a call, and the import can be resumed', async () => {
  const opened = await connected();
  const { has, click, lose, usable } = opened;
  await newImport(opened);
  lose('sidebarImportStep');
  await click('import-run');
  await has('import-stopped', 'Check your internet connection');
  await usable();
  await click('import-resume');
  await has('import-done', 'All done.');
});

test('the sidebar says before an import starts when it costs more than the balance', async () => {
  const opened = await connected({ balance: { credits_remaining: 1 } });
  await opened.has('low', 'Only 1 credit is left');
  await newImport(opened);
  await opened.has('import-cost', 'Costs 2 credits now for 2 profiles. Only 1 is left.');
});

test('every section of the sidebar is reached with the keyboard alone', async () => {
  const { page, sidebar } = await connected();
  await sidebar.locator('#tab-log').focus();
  for (const section of ['log', 'account', 'home', 'formula', 'imports', 'report', 'refresh']) {
    await page.keyboard.press('Enter');
    await sidebar.locator(`#${section}`).waitFor();
    expect(await sidebar.locator('[aria-current="page"]').getAttribute('id')).toBe(`tab-${section}`);
    await page.keyboard.press('Tab');
  }
});

test('an import that reaches the rate limit shows a countdown, and then continues automatically', async () => {
  const opened = await connected();
  const { page, has, click, usable } = opened;
  await page.clock.install();
  await newImport(opened);
  const limit = { status: 429, headers: { 'retry-after': '41' }, body: html };
  await setup.api.begin({ keys: [goodKey], people, answers: [limit] });
  await click('import-run');
  await has('import-wait', 'Continues automatically in 41 s');
  await has('import-countdown', /^\d+ s$/);
  await usable();
  await page.clock.fastForward(20_000);
  await has('import-countdown', /^(1\d|2[01]) s$/);
  await page.clock.fastForward(22_000);
  await has('import-done', 'All done.');
});
