import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { writeAddon } from '../built-addon.ts';
import { goodKey, people, setUpAddon } from '../spreadsheet-setup.ts';
import { openSidebar } from './sidebar-page.ts';

const setup = setUpAddon();
const urls = Object.keys(people);
const balance = { workspace: 'Invented Analytics', key: { kind: 'live', name: 'Ann', last_four: 'Good' } };
const ownedByAda = { owner: 'ada@example.com', user: 'ben@example.com' };
let browser: TestBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Opens the sidebar in a new file, for a person who has never used the add-on. */
async function firstOpening(files?: typeof ownedByAda, dist = setup.dist) {
  await setup.api.begin({ keys: [goodKey], people, balance });
  const opened = await openSidebar(browser, dist, files);
  const { sidebar } = opened;
  return {
    ...opened,
    has: (id: string, text: string | RegExp) => sidebar.locator(`#${id}`).filter({ hasText: text }).waitFor(),
    click: (id: string) => sidebar.locator(`#${id}`).click(),
    /** Waits until the user settings that the sidebar saves contain this text. */
    async remembers(text: string) {
      const saved = async () => JSON.stringify((await opened.file.ask('world')).properties.users).replaceAll('\\', '');
      await expect.poll(saved, { timeout: 15_000 }).toContain(text);
    },
    blueButtons: () => sidebar.locator('.primary:visible').allTextContents(),
    async usable() {
      expect(await opened.faults()).toEqual([]);
      expect(opened.problems).toEqual([]);
    },
  };
}

type Link = { href: string; target: string; rel: string };
type FirstOpening = Awaited<ReturnType<typeof firstOpening>>;

async function connectKey({ sidebar, click, has }: FirstOpening): Promise<void> {
  await click('start-key');
  await sidebar.locator('#first-key').fill(goodKey);
  await click('first-connect');
  await has('share-words', 'Invented Analytics');
}

async function selectLinks({ file }: FirstOpening): Promise<void> {
  await file.ask('show', 'Sheet1');
  await file.ask('type', 'A1', 'Profile', ...urls);
  await file.ask('select', 'A2:A3');
}

test('the first run of the sidebar leads from samples to a key to real rows, with one blue button on each screen', async () => {
  const first = await firstOpening();
  const { sidebar, file, has, click, calls, blueButtons, usable } = first;
  await sidebar.locator('#try-samples').waitFor();
  expect(calls).toEqual(['sidebarOpen']);
  expect(await blueButtons()).toEqual(['Try with free samples']);
  await click('try-samples');
  await has('samples-done', 'Five sample rows');
  expect(await file.ask('values', 'D3:E3', 'Tidemark samples')).toEqual([[expect.any(String), expect.any(Number)]]);
  expect((await setup.api.log()).requests).toEqual([]);
  expect(await blueButtons()).toEqual(['Use my own links']);
  await click('start-key');
  expect(await sidebar.locator('#get-key').getAttribute('href')).toBe(`${setup.api.origin}/addon#key`);
  await sidebar.locator('#first-key').fill(goodKey);
  expect(await blueButtons()).toEqual(['Connect']);
  await click('first-connect');
  await has('share-words', 'spend the credits of Invented Analytics');
  expect(await blueButtons()).toEqual(['Yes, for all formulas']);
  await usable();
  await click('share-yes');
  await has('first-rows-hint', 'select the cells');
  await selectLinks(first);
  await click('first-rows-pick');
  await has('first-rows-hint', 'at most 2 credits');
  expect(await blueButtons()).toEqual(['Get data for 2 profiles']);
  await click('first-rows-insert');
  await has('first-rows-done', '2 rows are in your sheet.');
  expect(await file.ask('values', 'B1:D3')).toEqual([
    ['Status', 'Username', 'Display name'],
    ['OK', 'ada', 'Ada Invented'],
    ['OK', 'ben', 'Ben Invented'],
  ]);
  expect(await sidebar.locator('#first-key').inputValue()).toBe('');
  await usable();
  await first.close();
});

test('a user who answers "only for me" gets values instead of formulas, and is not asked again', async () => {
  const first = await firstOpening();
  const { sidebar, has, click, remembers, reopen, usable } = first;
  await connectKey(first);
  await click('share-no');
  await selectLinks(first);
  await click('first-rows-pick');
  await has('first-rows-insert', 'Import values for 2 profiles');
  await remembers('"asked":true');
  await reopen();
  await has('first-rows-insert', 'Import values for 2 profiles');
  expect(await sidebar.locator('#welcome-share').isVisible()).toBe(false);
  await click('first-rows-insert');
  await has('imports-new', 'New import');
  await usable();
  await first.close();
});

test('the sidebar asks again who may use the key when it was closed without an answer', async () => {
  const first = await firstOpening();
  await connectKey(first);
  await first.reopen();
  await first.has('share-words', 'Invented Analytics');
  await first.close();
});

test("in another person's file, the first rows of the sidebar end in a sentence and leave no error code in the sheet", async () => {
  const first = await firstOpening(ownedByAda);
  const { file, has, click, usable } = first;
  await connectKey(first);
  await click('share-yes');
  await selectLinks(first);
  await click('first-rows-pick');
  await click('first-rows-insert');
  await has('first-rows-error', 'belongs to someone else');
  expect(Object.keys(await file.ask('sheet')).sort()).toEqual(['A1', 'A2', 'A3']);
  await usable();
  await first.close();
});

test('the sidebar restores the chosen fields, the age and the last section when it is opened again', async () => {
  const first = await firstOpening();
  const { sidebar, has, click, remembers, reopen } = first;
  await connectKey(first);
  await click('share-yes');
  await click('tab-formula');
  await sidebar.locator('#formula-fields').getByLabel('Country', { exact: true }).check();
  await sidebar.locator('#formula-age').selectOption('7d');
  await remembers('"7d"');
  await reopen();
  await sidebar.locator('#formula').waitFor();
  await has('formula-takes', 'Profile links');
  expect(await sidebar.locator('#formula-age').inputValue()).toBe('7d');
  expect(await sidebar.locator('#formula-fields').getByLabel('Country', { exact: true }).isChecked()).toBe(true);
  await first.close();
});

test('the sidebar shows its frame before the first answer of the server, and a lost first answer can be tried again', async () => {
  const first = await firstOpening();
  const { sidebar, has, click, hold, lose, reopen } = first;
  const release = hold('sidebarOpen');
  await reopen();
  await has('balance', 'Loading');
  await sidebar.locator('#home-loading').waitFor();
  expect(await sidebar.locator('#tab-formula').isEnabled()).toBe(true);
  release();
  await sidebar.locator('#welcome-start').waitFor();
  lose('sidebarOpen');
  await reopen();
  await has('home-failure', /\w/);
  expect(await first.faults()).toEqual([]);
  await click('home-retry');
  await sidebar.locator('#welcome-start').waitFor();
  await first.close();
});

test('every link of the sidebar leads to a page of the server, in a new tab', async () => {
  const first = await firstOpening();
  await first.sidebar.locator('#welcome-start').waitFor();
  const links = first.sidebar.locator('a');
  const addresses = await links.evaluateAll((all) =>
    (all as unknown as Link[]).map(({ href, target, rel }) => ({ href, target, rel })),
  );
  expect(addresses.length).toBeGreaterThan(15);
  for (const { href, target, rel } of addresses) {
    expect(href).toMatch(new RegExp(`^${setup.api.origin}/(?:addon|docs|dashboard)`));
    expect([target, rel]).toEqual(['_blank', 'noopener']);
  }
  await first.close();
});

test('an add-on attached to one spreadsheet saves the first key in the file without a question', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'addon-'));
  onTestFinished(() => rm(dist, { recursive: true }));
  await writeAddon(setup.api.origin, dist, 'bound');
  const first = await firstOpening(ownedByAda, dist);
  const sheetKey = { kind: 'sheet', name: 'Shared', last_four: 'Good', monthly_cap: 500, cap_used: 0 };
  await setup.api.begin({ keys: [goodKey], people, balance: { ...balance, key: sheetKey } });
  const { sidebar, file, has, click, usable } = first;
  await click('start-key');
  await has('get-key-words', 'make a sheet key');
  await sidebar.locator('#first-key').fill(goodKey);
  await click('first-connect');
  await selectLinks(first);
  await click('first-rows-pick');
  await click('first-rows-insert');
  await has('first-rows-done', '2 rows are in your sheet.');
  expect(Object.keys((await file.ask('world')).properties.document)).toContain('api_key');
  await click('tab-account');
  expect(await sidebar.locator('#own-part').isVisible()).toBe(false);
  await usable();
  await first.close();
});

test('the sidebar shows a link to the page that helps below the sentence of a failure', async () => {
  const first = await firstOpening();
  const { sidebar, click, reply } = first;
  const link = { label: 'Create a key', url: 'https://social.example/dashboard/keys' };
  reply('sidebarConnect', { ok: false, message: 'This key was revoked.', link });
  await click('start-key');
  await sidebar.locator('#first-key').fill(goodKey);
  await click('first-connect');
  const shown = sidebar.locator('#first-key-error a');
  await shown.filter({ hasText: 'Create a key' }).waitFor();
  expect(await shown.getAttribute('href')).toBe(link.url);
  expect(await first.faults()).toEqual([]);
  await first.close();
});
