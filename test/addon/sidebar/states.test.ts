import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import type { Setup } from '../fake-api-process.ts';
import { goodKey, people, setUpWorkbench } from '../spreadsheet-setup.ts';
import { type OpenSidebar, openSidebar } from './sidebar-page.ts';

const bench = setUpWorkbench();
const html = '<!doctype html><title>Sign in</title>';
const hostile = '<img src=x onerror="alert(1)">=1+1';
let browser: TestBrowser;
let opened: OpenSidebar;
let sheets = 0;

beforeAll(async () => {
  browser = await startBrowser();
  opened = await openSidebar(browser, bench.dist);
});
afterAll(async () => {
  await opened?.close();
  await browser?.close();
});

/** Reopens the sidebar with the good key and the fake API, on a new sheet with the invented people. */
async function connected(setup: Partial<Setup> = {}) {
  await bench.api.begin({ keys: [goodKey], people, ...setup });
  const { file, sidebar, calls } = opened;
  await file.ask('run', 'sidebarConnect', ['account', goodKey]);
  const urls = Object.keys(people);
  sheets += 1;
  await file.ask('show', `Sheet ${sheets}`);
  await file.ask('type', 'A1', 'Profile', ...urls);
  await file.ask('select', `A2:A${urls.length + 1}`);
  await opened.reopen();
  await sidebar.locator('#balance').filter({ hasText: 'credit' }).waitFor();
  await sidebar.locator('#tab-fill').click();
  // The page then estimates the cost; that request must not consume an answer that a test has queued.
  await sidebar.locator('#fill-cost').filter({ hasText: 'credit' }).waitFor();
  calls.length = 0;
  return {
    ...opened,
    has: (id: string, text: string | RegExp) => sidebar.locator(`#${id}`).filter({ hasText: text }).waitFor(),
    click: (id: string) => sidebar.locator(`#${id}`).click(),
    async usable() {
      expect(await opened.faults()).toEqual([]);
      expect(opened.problems).toEqual([]);
    },
  };
}

test('Cancel ends a countdown immediately', async () => {
  const { has, click } = await connected();
  await click('tab-fill');
  await has('fill-cost', 'credits');
  const limit = { status: 429, headers: { 'retry-after': '600' }, body: html };
  await bench.api.begin({ keys: [goodKey], people, answers: [limit] });
  await click('fill-start');
  await has('fill-countdown', /s$/);
  await click('fill-cancel');
  await has('fill-stopped', 'Cancelled');
  await click('fill-discard');
  await has('fill-start', 'Fill 2 profiles');
});

test('names of workspaces, sheets and campaigns stay text, and long ones stay inside 300 px', async () => {
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
  for (const tab of ['home', 'account', 'formula', 'fill', 'report', 'refresh', 'log']) {
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

test('the report panel: no campaign, a failure, a choice', async () => {
  const { sidebar, has, click, usable } = await connected();
  await click('tab-report');
  await has('report-state', 'no campaigns yet');
  expect(await sidebar.locator('#report-insert').isDisabled()).toBe(true);
  await bench.api.begin({ keys: [goodKey], answers: [{ status: 502, body: html }] });
  await click('tab-report');
  await has('report-error', 'cannot answer');
  await bench.api.begin({ keys: [goodKey], campaigns: [{ id: 'c1', name: 'Spring' }] });
  await click('tab-report');
  await has('report-campaign', 'Spring');
  await usable();
  await click('report-insert');
  await has('report-error', /\w/);
  await usable();
});

test('an answer that is not from the API, a lost connection and a revoked key give sentences', async () => {
  const { sidebar, has, click, calls, hold, usable } = await connected();
  await bench.api.begin({ answers: [{ status: 200, body: html }] });
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
  await click('tab-fill');
  await has('fill-start', 'profiles');
  await click('fill-start');
  await has('fill-stopped', 'revoked');
  await click('fill-discard');
  await has('fill-start', 'Fill');
  expect(calls.filter((name) => name === 'sidebarFillChunk')).toHaveLength(1);
  await usable();
});

test('a call that Google does not answer gives a sentence, and the fill can be resumed', async () => {
  const { has, click, lose, usable } = await connected();
  await click('tab-fill');
  await has('fill-cost', 'credits');
  lose('sidebarFillChunk');
  await click('fill-start');
  await has('fill-stopped', 'Check your internet connection');
  await usable();
  await click('fill-resume');
  await has('fill-done', 'All done.');
});

test('a fill that costs more than the balance says so before it starts', async () => {
  const { has, click } = await connected({ balance: { credits_remaining: 1 } });
  await has('low', 'Only 1 credit is left');
  await click('tab-fill');
  await has('fill-cost', 'Costs 2 credits now for 2 profiles. Only 1 is left.');
});

test('every section of the sidebar is reached with the keyboard alone', async () => {
  const { page, sidebar } = await connected();
  await sidebar.locator('#tab-log').focus();
  for (const section of ['log', 'account', 'home', 'formula', 'fill', 'report', 'refresh']) {
    await page.keyboard.press('Enter');
    await sidebar.locator(`#${section}`).waitFor();
    expect(await sidebar.locator('[aria-current="page"]').getAttribute('id')).toBe(`tab-${section}`);
    await page.keyboard.press('Tab');
  }
});

test('the rate limit is a visible countdown, after which the fill continues automatically', async () => {
  const { page, has, click, usable } = await connected();
  await page.clock.install();
  await click('tab-fill');
  await has('fill-start', 'Fill 2 profiles');
  await has('fill-cost', 'credits');
  const limit = { status: 429, headers: { 'retry-after': '41' }, body: html };
  await bench.api.begin({ keys: [goodKey], people, answers: [limit] });
  await click('fill-start');
  await has('fill-wait', 'Continues automatically in 41 s');
  await has('fill-countdown', /^\d+ s$/);
  await usable();
  await page.clock.fastForward(20_000);
  await has('fill-countdown', /^(1\d|2[01]) s$/);
  await page.clock.fastForward(22_000);
  await has('fill-done', 'All done.');
});
