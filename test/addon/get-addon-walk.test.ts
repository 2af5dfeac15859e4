import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluate, parseM } from '../clients/m-language.ts';
import { libraryFor, type WebRequest } from '../clients/m-library.ts';
import { type MTable, tableOf } from '../clients/m-values.ts';
import { readWorkbook } from '../clients/workbook-reader.ts';
import { ask } from '../harness/answers.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { type ServiceProcess, startService } from '../harness/service-process.ts';
import { openFolder } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import { openScriptProject } from './build/script-project.ts';
import { writeAddon } from './built-addon.ts';
import { openFile } from './harness/file.ts';
import { setKey } from './spreadsheet-setup.ts';

const profiles = ['one', 'two', 'three'].map((name) => `https://www.instagram.com/paper.${name}/`);
const names = ['Code.js', 'Sidebar.html', 'appsscript.json'] as const;
/** The address of the server as Google sees it. Google accepts only https. */
const publicAddress = 'https://social.example';
/** Time limit (ms) of a test with clasp. Installing the add-on's packages, if missing, takes minutes. */
const claspLimitMs = 300_000;

let folder: string;
let database: TestDatabase;
let service: ServiceProcess;
let browser: TestBrowser;
/** The browser page of the first user, who signed in with the link that the server printed. */
let signedIn: Awaited<ReturnType<TestBrowser['open']>>;
beforeAll(async () => {
  folder = await openFolder();
  database = await createTestDatabase();
  const replay = await writeInventedManifest(folder);
  [service, browser] = await Promise.all([
    startService({ DATABASE_URL: database.database_url, UPSTREAM_REPLAY: replay }),
    startBrowser(),
  ]);
  signedIn = await browser.open({ acceptDownloads: true });
  const { page } = signedIn;
  const permissions = ['clipboard-read', 'clipboard-write'];
  await page.context().grantPermissions(permissions, { origin: service.base_url });
  await page.goto(/Dashboard\s+(http\S+)/.exec(service.output())?.[1] ?? expect.fail(service.output()));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/dashboard/);
});
afterAll(async () => {
  await browser?.close();
  await service?.kill();
  await database?.close();
  await rm(folder, { recursive: true });
});

/**
 * Returns the page of the first user without the problems of earlier tests. All tests use this page, because a new
 * browser context would load and compile the styles, fonts and scripts again.
 */
function opened(): typeof signedIn {
  signedIn.problems.length = 0;
  return signedIn;
}
const copied = (page: Page) => page.evaluate('navigator.clipboard.readText()') as Promise<string>;

/**
 * Opens the collapsed section of one way to install the add-on. Sections are collapsed when Google cannot reach the
 * server.
 */
const openWay = (page: Page, id: string) => page.locator(`details:has(#${id}) > summary`).click();

/** Returns the production key of the first user, which the server printed at its start. */
const printedKey = () => /tide_live_\w+/.exec(service.output())?.[0] ?? expect.fail(service.output());

/** Creates a sheet key on the add-on page and returns it. */
async function sheetKey(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Make a sheet key' }).click();
  return page.getByLabel('Sheet key', { exact: true }).inputValue();
}

/** Opens a spreadsheet with the built add-on and this key, and expects a formula to return a row for each profile. */
async function expectFilled(dist: string, key: string): Promise<void> {
  const file = await openFile(dist);
  try {
    setKey(file, 'YES', key);
    file.type('A2', ...profiles);
    file.type('B2', '=SOCIAL_PROFILE(A2:A4, "followers")');
    expect(file.values('B2:C4')).toEqual(profiles.map(() => ['OK', 4321]));
  } finally {
    await file.close();
  }
}

/** Prints how long one way to install the add-on took, up to the last step that runs in this test. */
function report(way: string, started: number): void {
  console.log(`${way}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

test('a new user copies the add-on from its page, makes a sheet key there, and gets real rows from a formula', async () => {
  const { page, problems } = opened();
  const started = performance.now();
  await page.goto(`${service.base_url}/dashboard`);
  await page.getByRole('link', { name: 'Get the add-on', exact: true }).click();
  await openWay(page, 'copy');
  const dist = join(folder, 'pasted');
  await mkdir(dist, { recursive: true });
  for (const [index, name] of ['Copy code', 'Copy sidebar', 'Copy manifest'].entries()) {
    // Keeps a handle on the button element, because the button's text is "Copied" for two seconds after the click.
    const button = await page.getByRole('button', { name }).elementHandle();
    await button?.click();
    await page.waitForFunction((clicked) => clicked?.textContent === 'Copied', button);
    await writeFile(join(dist, names[index] ?? ''), await copied(page));
  }
  const key = await sheetKey(page);
  expect(new URL(page.url()).pathname).toBe('/addon/key');

  await expectFilled(dist, key);
  report('copy and paste, without Google’s own pages', started);
  const balance = JSON.parse((await ask(service.base_url, '/v1/credit/balance', key)).text);
  expect(balance.data.key).toMatchObject({ kind: 'sheet', name: 'Google Sheets', monthly_cap: 500, cap_used: 3 });
  expect(problems).toEqual([]);
});

test(
  'a developer pushes the add-on of this server with clasp, and a formula of the uploaded project gives real rows',
  async () => {
    const project = await openScriptProject();
    try {
      const { page } = opened();
      const started = performance.now();
      await page.goto(`${service.base_url}/addon`);
      await openWay(page, 'clasp');
      expect(await page.locator('#clasp-commands').innerText()).toContain('npm run addon:push -- ');
      await project.push(publicAddress);
      const dist = join(folder, 'pushed');
      await mkdir(dist);
      for (const { name, type, source } of project.uploaded()) {
        const ending = { JSON: 'json', SERVER_JS: 'js', HTML: 'html' }[type];
        // Replaces the public address, because the harness calls the local server directly.
        await writeFile(join(dist, `${name}.${ending}`), source.replaceAll(publicAddress, service.base_url));
      }
      await openWay(page, 'copy');
      await expectFilled(dist, await sheetKey(page));
      report('clasp, without its installation and Google’s own pages', started);
    } finally {
      await project.close();
    }
  },
  claspLimitMs,
);

test('the store listing has every address and text that Google asks for, and its add-on fills rows with a person’s own key', async () => {
  const { page, problems } = opened();
  const started = performance.now();
  await page.goto(`${service.base_url}/addon`);
  await openWay(page, 'listing');
  const steps = page.locator('#listing');
  const addresses = (await steps.locator('li code').allInnerTexts()).filter((text) => text.startsWith('http'));
  expect(addresses.map((text) => new URL(text).pathname)).toEqual(['/privacy', '/terms', '/docs/addon', '/']);
  for (const address of addresses) expect((await fetch(address)).status, address).toBe(200);
  const dist = join(folder, 'standalone');
  await writeAddon(service.base_url, dist);
  const manifest = JSON.parse(await readFile(join(dist, 'appsscript.json'), 'utf8'));
  expect(await steps.locator('dt').allInnerTexts()).toEqual(manifest.oauthScopes);
  await expectFilled(dist, printedKey());
  report('own listing, without Google’s own pages', started);
  expect(problems).toEqual([]);
});

test('the downloaded workbook has no key, and its query fills a row for each profile link with the key from its cell', async () => {
  const { page } = opened();
  const started = performance.now();
  await page.goto(`${service.base_url}/addon`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download Tidemark.xlsx' }).click(),
  ]);
  const workbook = readWorkbook(await readFile(await download.path()));
  expect(workbook.key).toBe('');
  const key = printedKey();
  const tables = tableOf([
    { Name: 'ApiKey', Content: tableOf([{ Column1: key }]) },
    { Name: 'Profiles', Content: tableOf(profiles.map((url) => ({ url }))) },
  ]);
  const web = ({ url, headers }: WebRequest) => {
    expect(new URL(url).origin).toBe(service.base_url);
    return ask(service.base_url, url.slice(service.base_url.length), headers['x-api-key'] ?? '');
  };
  const result = (await evaluate(await parseM(workbook.formula), libraryFor({ workbook: tables, web }))) as MTable;
  const column = (name: string) => result.rows.map((row) => row[result.columns.indexOf(name)]);
  expect(column('status')).toEqual(profiles.map(() => 'OK'));
  expect(column('followers')).toEqual(profiles.map(() => 4321));
  report('Excel workbook, without Excel itself', started);
});

test('a new user makes a data link for three profiles, and its address has their numbers as CSV', async () => {
  const { page, problems } = opened();
  const started = performance.now();
  await page.goto(`${service.base_url}/addon`);
  await page.getByRole('link', { name: 'Create a link', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Client sheet');
  await page.getByLabel('Data', { exact: true }).selectOption('profiles');
  await page.getByLabel(/^Profile links/).fill(profiles.join('\n'));
  await page.getByText('More options for profiles').click();
  await page.getByLabel('Fetch new values').selectOption('1d');
  await page.getByLabel('Monthly cap').fill('50');
  await page.getByRole('button', { name: 'Create data link' }).click();
  // The page shows no formula for Google Sheets, because Google cannot reach this server.
  const address = /https?:\S+\.csv/.exec(await page.locator('main').innerText());
  const answer = await fetch(address?.[0] ?? expect.fail('the page shows no address'));
  const rows: Record<string, string>[] = parse(await answer.text(), { bom: true, columns: true });
  expect(rows.map(({ Status, Followers }) => [Status, Followers])).toEqual(profiles.map(() => ['OK', '4321']));
  report('data link, without Google’s own pages', started);
  expect(problems).toEqual([]);
});
