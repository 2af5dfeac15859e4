import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSidebar } from '../addon/sidebar/sidebar-page.ts';
import { goodKey, people, setUpAddon } from '../addon/spreadsheet-setup.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { sharp } from '../harness/picture.ts';
import { allFolder, takePicture } from './sidebar-picture.ts';

/** Folder for the pictures of the sidebar that the documentation shows. */
const docsFolder = resolve(import.meta.dirname, '../../docs/pictures');
const inDocs = ['welcome', 'home', 'formula'];
const longName = `${'Extraordinarily long workspace name '.repeat(3)}and ${'x'.repeat(60)}`;
const setup = setUpAddon();
let browser: TestBrowser;

beforeAll(async () => {
  browser = await startBrowser();
  await mkdir(allFolder, { recursive: true });
});
afterAll(() => browser.close());

const balance = {
  tier: 'pro',
  workspace: 'Harbor & Pine Marketing',
  key: { kind: 'live', name: 'Ann’s key', last_four: 'Good', monthly_cap: null, cap_used: null },
};

type Opened = Awaited<ReturnType<typeof openSidebar>>;

/** The steps of a tour through the sidebar, which takes a picture of each state. */
function stepsOf(opened: Opened, scheme: 'light' | 'dark') {
  const { sidebar } = opened;
  return {
    has: (id: string, text: string | RegExp) => sidebar.locator(`#${id}`).filter({ hasText: text }).waitFor(),
    click: (id: string) => sidebar.locator(`#${id}`).click(),
    take: (name: string) => {
      const isInDocs = scheme === 'light' && inDocs.includes(name);
      return takePicture(opened, name, scheme, isInDocs ? join(docsFolder, `sidebar-${name}.webp`) : undefined);
    },
  };
}

type Steps = ReturnType<typeof stepsOf>;

async function walk(opened: Opened, scheme: 'light' | 'dark'): Promise<void> {
  const steps = stepsOf(opened, scheme);
  await connectFirstKey(opened, steps);
  await insertFirstRows(opened, steps);
  await openTabs(steps);
  await showLowBalance(opened, steps);
  await loseAnswer(opened, steps);
}

async function connectFirstKey({ sidebar, hold, reopen }: Opened, { has, click, take }: Steps): Promise<void> {
  await setup.api.begin({ keys: [goodKey], people, balance });
  const release = hold('sidebarOpen');
  await reopen();
  await has('balance', 'Loading');
  await take('loading');
  release();
  await sidebar.locator('#welcome-start').waitFor();
  await take('welcome');
  await click('try-samples');
  await has('samples-done', 'Five sample rows');
  await take('samples');
  await click('start-key');
  await take('key');
  await sidebar.locator('#first-key').fill('hello');
  await click('first-connect');
  await has('first-key-error', 'not an API key');
  await take('key-error');
  await sidebar.locator('#first-key').fill(goodKey);
  await click('first-connect');
  await has('share-words', 'Harbor');
  await take('share');
  await click('share-yes');
  await has('first-rows-hint', 'cells');
  await take('home-nothing-selected');
}

async function insertFirstRows({ file }: Opened, { has, click, take }: Steps): Promise<void> {
  await file.ask('show', 'Creators');
  await file.ask('type', 'A1', 'Profile', ...Object.keys(people));
  await file.ask('select', 'A2:A3');
  await click('first-rows-pick');
  await has('first-rows-insert', '2 profiles');
  await take('home');
  await click('first-rows-insert');
  await has('first-rows-done', '2 rows');
  await take('home-done');
  await click('tab-formula');
  await file.ask('select', 'A2:A3');
  await click('formula-pick');
  await has('formula-cost', 'Costs');
  await take('formula');
}

async function openTabs({ has, click, take }: Steps): Promise<void> {
  await click('tab-report');
  await has('report-state', 'no campaigns');
  await take('report-none');
  await setup.api.begin({ keys: [goodKey], people, balance, campaigns: [{ id: 'c1', name: 'Spring launch' }] });
  await click('tab-home');
  await click('tab-report');
  await has('report-campaign', 'Spring');
  await take('report');
  await setup.api.begin({ keys: [goodKey], people, balance, answers: [{ status: 502, body: '' }] });
  await click('tab-home');
  await click('tab-report');
  await has('report-error', /\w/);
  await take('report-error');
  await click('tab-refresh');
  await has('schedule-state', 'No schedule');
  await take('refresh');
  await click('tab-log');
  await has('log-state', 'has run in this file');
  await take('activity-empty');
  await click('tab-account');
  await take('keys');
}

async function showLowBalance({ file, reopen }: Opened, { has, click, take }: Steps): Promise<void> {
  await setup.api.begin({
    keys: [goodKey],
    people,
    balance: {
      ...{ ...balance, workspace: longName, credits_remaining: 3 },
      key: { ...balance.key, kind: 'sheet', name: 'مفتاح الربيع', monthly_cap: 500, cap_used: 12 },
    },
  });
  await file.ask('run', 'sidebarConnect', ['file', goodKey]);
  await reopen();
  await has('low', 'Only 3 credits');
  await click('tab-account');
  await take('keys-long-names');
  await click('tab-home');
  await take('home-low');
}

async function loseAnswer({ file, lose, reopen }: Opened, { has, take }: Steps): Promise<void> {
  await file.ask('run', 'sidebarDisconnect', ['account']);
  await file.ask('run', 'sidebarDisconnect', ['file']);
  lose('sidebarOpen');
  await reopen();
  await has('home-failure', /\w/);
  await take('no-answer');
}

test.each(['light', 'dark'] as const)('takes the pictures of the sidebar in %s colors', async (scheme) => {
  const opened = await openSidebar(browser, setup.dist, undefined, { colorScheme: scheme, ...sharp });
  try {
    await walk(opened, scheme);
    expect(opened.problems).toEqual([]);
  } finally {
    await opened.close();
  }
});
