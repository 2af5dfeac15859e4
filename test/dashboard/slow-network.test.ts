import type { BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createKey, listKeys } from '../../db/accounts/keys.ts';
import { newId } from '../../db/ids.ts';
import { addItem } from '../../db/tracking/items.ts';
import { createBatch } from '../../pipeline/batches/batches.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from './dashboard-server.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
/**
 * The browser context of most tests. Its first page stays open and empty, so that its renderer process keeps running.
 */
let context: BrowserContext;
beforeAll(async () => {
  [setup, browser] = await Promise.all([
    createDashboardSetup({ sheets_account: 'sheets@example.iam.gserviceaccount.com' }),
    startBrowser(),
  ]);
  context = (await browser.open()).page.context();
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});
afterEach(async () => {
  // Closes the pages of the test, because some of them keep refreshing themselves.
  const [, ...opened] = context.pages();
  await Promise.all(opened.map((page) => page.close()));
  await context.clearCookies();
  await context.clearPermissions();
  expect(setup.errors).toEqual([]);
});

async function openAs(member: Member, path: string): Promise<Page> {
  const page = await context.newPage();
  await context.addCookies(cookiesOf(member, setup.base_url));
  await page.goto(setup.base_url + path);
  return page;
}

async function trackingOf(names: readonly string[]): Promise<Member> {
  const ann = await setup.member({ tier: 'pro' });
  for (const name of names) {
    const item = { platform: 'photo', kind: 'profile', identifier: name } as const;
    const url = `https://www.instagram.com/${name}/`;
    await addItem(setup.db.sql, ann.workspace_id, { ...item, url, list_id: null }, 50);
  }
  return ann;
}

async function batchOf(handles: readonly string[]) {
  const ann = await setup.member({ tier: 'pro', credits: 20 });
  const lines = handles.map((handle) => `https://www.instagram.com/${handle}/`);
  const deps = { ...setup.dashboard_deps, sources: setup.service_deps.sources };
  const { batch_id } = await createBatch(deps, ann.workspace_id, 'pro', lines);
  return { ann, path: `/dashboard/batches/${batch_id}` };
}

/** Sends each request to the server immediately, but holds back the answer until `release` is called. */
async function holdAnswers(page: Page, matches: (url: URL, method: string) => boolean) {
  const held: (() => void)[] = [];
  let asked = 0;
  await page.route('**/*', async (route: Route) => {
    const request = route.request();
    if (!matches(new URL(request.url()), request.method())) return route.continue();
    asked += 1;
    const response = await route.fetch();
    await new Promise<void>((resolve) => held.push(resolve));
    await route.fulfill({ response }).catch(() => undefined);
  });
  const until = async (count: number) => expect.poll(() => held.length, { timeout: 5_000 }).toBe(count);
  return { held, until, asked: () => asked };
}

/** Resolves the next time that htmx has replaced a part of the page. */
const nextRefresh = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    document.addEventListener('htmx:after:swap', () => setTimeout(resolve), { once: true });
  })`);

const names = (page: Page) => page.locator('#items a.item').allInnerTexts();

test('a search shows the results of the last typed text, even while the answer to the first is late', async () => {
  const page = await openAs(await trackingOf(['apple', 'apricot', 'banana']), '/dashboard/tracking');
  const { held, until } = await holdAnswers(page, (url) => url.searchParams.get('q') === 'ap');
  const field = page.getByRole('searchbox');
  await field.fill('ap');
  await until(1);
  for (const typed of ['app', 'banana']) {
    const sent = page.waitForRequest((request) => new URL(request.url()).searchParams.get('q') === typed);
    await field.fill(typed);
    await sent;
  }
  for (const release of held) release();
  await expect.poll(() => names(page), { timeout: 3_000 }).toEqual(['banana']);
  expect(new URL(page.url()).searchParams.get('q')).toBe('banana');
});

test('after Back from a search, the table and its search field show the earlier state, and the page works', async () => {
  const page = await openAs(await trackingOf(['apple', 'banana']), '/dashboard/tracking');
  await page.getByRole('searchbox').fill('banana');
  await expect.poll(() => names(page)).toEqual(['banana']);
  await page.goBack();
  await expect.poll(() => names(page)).toEqual(['apple', 'banana']);
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
});

test('the copy buttons of a page work after Back from a search', async () => {
  const ann = await trackingOf(['apple']);
  const created = await ann.post('/dashboard/campaigns', { name: 'Autumn', starts_on: '2026-11-20' });
  const path = new URL(String(created.headers.get('location')), setup.base_url).pathname;
  const [item] = await setup.db.sql<{ item_id: string }[]>`
    select item_id from tracked_items where workspace_id = ${ann.workspace_id}`;
  await ann.post(`${path}/attach`, { items: String(item?.item_id) });
  await ann.post(`${path}/shares`, { report: 'running', days: '7', label: '' });
  const page = await openAs(ann, path);
  page.setDefaultTimeout(4_000);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('searchbox', { name: 'Search items' }).fill('nothing');
  await page.getByText('No items match this search.').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'apple' }).first().waitFor();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor({ timeout: 3_000 });
});

test('the page of an item shows the result of a slow check by itself, with the new numbers', async () => {
  const { sql } = setup.db;
  const ann = await trackingOf(['apple']);
  const { workspace_id } = ann;
  const [{ item_id } = { item_id: '' }] = await sql<{ item_id: string }[]>`
    update tracked_items set attempt_id = ${newId()} where workspace_id = ${workspace_id} returning item_id`;
  const page = await openAs(ann, `/dashboard/tracking/${item_id}?since=${setup.clock.now.getTime()}`);
  await page.getByText('The check takes longer than usual').waitFor();
  const loaded = page.waitForNavigation({ timeout: 10_000 });
  await sql`update tracked_items set attempt_id = null where workspace_id = ${workspace_id}`;
  const attempt = { workspace_id, item_id, attempt_id: newId(), attempted_at: setup.clock.now, trigger: 'manual' };
  await sql`insert into check_attempts ${sql({ ...attempt, outcome: 'OK', credits: 1, duration_ms: 40_000 })}`;
  await loaded;
  await page.getByText('Checked for 1 credit. The new numbers are below.').waitFor();
  expect(await page.locator('[data-hx-trigger^="every"]').count()).toBe(0);
});

test.each([
  ['tracked items', async () => ({ ann: await trackingOf(['apple', 'banana']), path: '/dashboard/tracking' }), 'items'],
  ['lines of a bulk analysis', () => batchOf(['apple', 'banana']), 'lines'],
])('a screen reader is told how many %s a search found', async (_, open, what) => {
  const { ann, path } = await open();
  const page = await openAs(ann, path);
  const status = page.getByRole('status').filter({ hasText: 'Showing' });
  const before = await status.elementHandle({ timeout: 3_000 });
  expect(await before?.innerText()).toContain(`Showing 2 of 2 ${what}.`);
  await page.getByRole('searchbox').fill('banana');
  await expect.poll(() => before?.innerText()).toContain(`Showing 1 of 2 ${what}.`);
});

test('a running bulk analysis keeps the search for its lines while it refreshes', async () => {
  const { ann, path } = await batchOf(['apple', 'banana']);
  const page = await openAs(ann, path);
  await page.getByRole('searchbox').fill('banana');
  await page.locator('#batch-rows', { hasNotText: 'apple' }).waitFor();
  await nextRefresh(page);
  expect(await page.locator('#batch-rows').innerText()).not.toContain('apple');
});

test('the focus stays on a link of the progress of a bulk analysis while it refreshes', async () => {
  const { ann, path } = await batchOf(['apple', 'banana']);
  const page = await openAs(ann, path);
  await page.getByRole('link', { name: 'Refresh' }).focus();
  await nextRefresh(page);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Refresh');
});

test('a ticked line of a running bulk analysis stays ticked and counted when a later answer changes the order', async () => {
  const { ann, path } = await batchOf(['apple', 'banana', 'cherry']);
  const batchId = path.split('/').at(-1) as string;
  const answer = (row: number, followers: number) => setup.db.sql`
    update batch_rows set status = 'OK', answered_at = now(), cells = ${JSON.stringify({ followers })}
    where workspace_id = ${ann.workspace_id} and batch_id = ${batchId} and row_no = ${row}`;
  await answer(1, 100);
  const page = await openAs(ann, `${path}?sort=-followers`);
  await page.getByRole('checkbox', { name: 'Select line 1' }).check();
  expect(await page.locator('[data-selected]').innerText()).toBe('1 selected');
  await answer(3, 500);
  await expect.poll(() => page.locator('tbody input').first().getAttribute('value'), { timeout: 5_000 }).toBe('3');
  const ticked = await page
    .locator('tbody input:checked')
    .evaluateAll((all) => all.map((box) => box.getAttribute('value')));
  expect(ticked).toEqual(['1']);
  expect(await page.locator('[data-selected]').innerText()).toBe('1 selected');
});

test('the page of a sheet import offers its next run as soon as the current one ends', async () => {
  const ann = await setup.member({ tier: 'pro' });
  const created = await ann.post('/dashboard/imports', {
    ...{ label: 'Rivals', spreadsheet: `https://docs.google.com/spreadsheets/d/${'a'.repeat(44)}/edit` },
    ...{ source_range: 'People!B2:B', kind: 'profiles', columns_profiles: 'followers', target_sheet: 'Numbers' },
    ...{ target_cell: 'C3', mode: 'replace', max_age: '7d', schedule: 'manual', next_run: '', monthly_cap: '' },
  });
  const path = String(created.headers.get('location'));
  await ann.post(`${path}/run`, {});
  const page = await openAs(ann, path);
  expect(await page.getByRole('button', { name: 'Run now' }).count()).toBe(0);
  const [run] = await setup.db.sql<{ run_id: string }[]>`
    select run_id from sheet_import_runs where workspace_id = ${ann.workspace_id}`;
  await ann.post(`${path}/runs/${run?.run_id}/cancel`, {});
  await page.getByText('Cancelled. Nothing was written by this run.').first().waitFor();
  expect(await page.getByRole('button', { name: 'Run now' }).count()).toBe(1);
});

test('a page that refreshes itself stops and says so when its analysis is no longer found', async () => {
  const { ann, path } = await batchOf(['apple']);
  const page = await openAs(ann, path);
  const batchId = path.split('/').at(-1) as string;
  await setup.db.sql`delete from batch_rows where workspace_id = ${ann.workspace_id} and batch_id = ${batchId}`;
  await setup.db.sql`delete from batches where workspace_id = ${ann.workspace_id} and batch_id = ${batchId}`;
  await page.getByRole('heading', { name: 'Not found' }).waitFor({ timeout: 5_000 });
});

test('a page that refreshes itself stays open while the server cannot answer, and continues afterwards', async () => {
  const { ann, path } = await batchOf(['apple']);
  const page = await openAs(ann, path);
  let failures = 0;
  await page.route(`**${path}`, (route) => {
    failures += 1;
    return failures > 1 ? route.continue() : route.fulfill({ status: 503, body: 'down' });
  });
  await expect.poll(() => failures).toBe(3);
  expect(await page.getByText('0 of 1 lines done').isVisible()).toBe(true);
});

test('a screen reader is told when a bulk analysis changes its state', async () => {
  const { ann, path } = await batchOf(['apple']);
  const page = await openAs(ann, path);
  const status = page.locator('#batch-progress').getByRole('status');
  const before = await status.elementHandle({ timeout: 3_000 });
  expect(await before?.innerText()).toContain('Queued.');
  await ann.post(`${path}/cancel`, {});
  await expect.poll(() => before?.innerText()).toContain('Cancelled.');
});

test('the message after a form appears on its page, even while another tab refreshes itself', async () => {
  const { ann, path } = await batchOf(['apple']);
  const live = await openAs(ann, path);
  const page = await live.context().newPage();
  await page.goto(`${setup.base_url}/dashboard/tracking/lists`);
  // Does not follow the form's redirect, so that the other tab refreshes before this page requests the next one.
  await page.evaluate(`fetch('/dashboard/tracking/lists', {
    method: 'POST', redirect: 'manual', body: new URLSearchParams({ name: 'Rivals' }),
  })`);
  await live.waitForResponse((response) => new URL(response.url()).pathname === path);
  await page.goto(`${setup.base_url}/dashboard/tracking/lists`);
  await page.getByText('List created.').first().waitFor();
});

test('a search in a list of check boxes still applies to the list after Back', async () => {
  const page = await openAs(await trackingOf(['apple', 'banana']), '/dashboard/campaigns');
  await page.getByLabel('Search the items below').fill('banana');
  await page.getByRole('link', { name: 'Report branding' }).click();
  await page.goBack();
  const searched = await page.getByLabel('Search the items below').inputValue();
  const shown = await page.locator('[data-filtered] label:visible').count();
  expect({ searched, shown }).toEqual(searched === '' ? { searched: '', shown: 2 } : { searched: 'banana', shown: 1 });
});

test('a copy button that is pressed twice gets its own label back', async () => {
  const { page } = await browser.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.clock.install();
  await page.goto(`${setup.base_url}/docs/credits`);
  const button = page.locator('.code button').first();
  const label = await button.innerText();
  for (const time of [1, 2]) {
    await button.click();
    // The button changes to "Copied" after writing to the clipboard. Reading the clipboard waits for that write.
    await page.evaluate('navigator.clipboard.readText()');
    expect(await button.innerText(), String(time)).toBe('Copied');
  }
  await page.clock.runFor(2_000);
  expect(await button.innerText()).toBe(label);
});

test('pressing a button twice before the server answers creates one key and shows this key', async () => {
  const ann = await setup.member();
  const page = await openAs(ann, '/dashboard/keys');
  const { held, until } = await holdAnswers(page, (_, method) => method === 'POST');
  await page.getByLabel('Name').fill('weekly');
  await page.getByLabel('Type').selectOption('live');
  const pressedTwice = page.waitForEvent('console', (message) => message.text() === 'pressed twice');
  // Clicks the button by script, because after its own click Playwright waits until the next page begins to load.
  await page.evaluate(`for (const delay of [0, 1000]) setTimeout(() => {
    document.querySelector('form[action="/dashboard/keys"] button').click();
    if (delay > 0) console.log('pressed twice');
  }, delay)`);
  await until(1);
  await pressedTwice;
  for (const release of held) release();
  await page.getByRole('heading', { name: 'Your new key' }).waitFor({ timeout: 5_000 });
  const [key, ...others] = await listKeys(setup.db.sql, ann.workspace_id);
  expect(others).toEqual([]);
  expect((await page.getByLabel('Key', { exact: true }).inputValue()).slice(-4)).toBe(key?.last_four);
});

test('a button can be pressed again when the user changed the form, and after Back', async () => {
  const ann = await setup.member();
  const page = await openAs(ann, '/dashboard/keys');
  for (const name of ['first', 'second']) {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Type').selectOption('live');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'Your new key' }).waitFor();
    await page.goBack();
    await page.getByText('New key').click();
    await page.getByRole('button', { name: 'Create key' }).waitFor();
  }
  const keys = await listKeys(setup.db.sql, ann.workspace_id);
  expect(keys.map(({ name }) => name)).toEqual(['first', 'second']);
});

test('an export can be downloaded twice in a row', async () => {
  const page = await openAs(await trackingOf(['apple']), '/dashboard/tracking');
  await page.locator('tbody input[type=checkbox]').check();
  for (const time of [1, 2]) {
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 5_000 }),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename(), String(time)).toBe('tracked-items.csv');
  }
});

test('a refused list of a bulk analysis keeps the pasted lines, the name and the platform of handles', async () => {
  const page = await openAs(await setup.member({ tier: 'pro' }), '/dashboard/batches');
  await page.getByLabel('Profile links').fill('@nasa');
  await page.getByLabel('Name', { exact: true }).fill('Rivals');
  await page.locator('[name=handles_on]').selectOption({ index: 2 });
  const platform = await page.locator('[name=handles_on]').inputValue();
  await page.getByLabel('Or upload a file').setInputFiles({
    ...{ name: 'list.csv', mimeType: 'text/csv' },
    buffer: Buffer.from('https://www.instagram.com/nasa/'),
  });
  await page.getByRole('button', { name: 'Check the list' }).click();
  await page.getByText('Paste links or upload a file, not both.').waitFor();
  expect(await page.getByLabel('Profile links').inputValue()).toBe('@nasa');
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Rivals');
  expect(await page.locator('[name=handles_on]').inputValue()).toBe(platform);
});

test('links that were typed for a list that was removed in another tab are kept, with the reason', async () => {
  const ann = await setup.member({ tier: 'pro' });
  await ann.post('/dashboard/tracking/lists', { name: 'Rivals' });
  const page = await openAs(ann, '/dashboard/tracking');
  await page.getByLabel('Links').fill('https://www.instagram.com/apple/');
  await page.getByLabel('Add to list').selectOption('Rivals');
  const [list] = await setup.db.sql<{ list_id: string }[]>`
    select list_id from tracking_lists where workspace_id = ${ann.workspace_id}`;
  await ann.post(`/dashboard/tracking/lists/${list?.list_id}/remove`, {});
  await page.getByRole('button', { name: 'Track', exact: true }).click();
  await page.getByText('This list no longer exists. Choose another one.').waitFor({ timeout: 5_000 });
  expect(await page.getByLabel('Links').inputValue()).toBe('https://www.instagram.com/apple/');
});

test('a new campaign whose item was removed in another tab keeps what was typed, with the reason', async () => {
  const ann = await trackingOf(['apple', 'banana']);
  const page = await openAs(ann, '/dashboard/campaigns');
  await page.getByLabel('Name').fill('Autumn');
  await page.getByRole('checkbox', { name: 'apple' }).check();
  await page.getByRole('checkbox', { name: 'banana' }).check();
  const [item] = await setup.db.sql<{ item_id: string }[]>`
    select item_id from tracked_items where workspace_id = ${ann.workspace_id} and identifier = 'apple'`;
  await ann.post(`/dashboard/tracking/${item?.item_id}/remove`, {});
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await page
    .getByText('An item that you selected was removed. Check your selection and send the form again.')
    .waitFor({ timeout: 5_000 });
  expect(await page.getByLabel('Name').inputValue()).toBe('Autumn');
  expect(await page.getByRole('checkbox', { name: 'banana' }).isChecked()).toBe(true);
});

test('the history of the playground shows the day of a request, and its time in UTC as on other pages', async () => {
  const ann = await setup.member();
  await createKey(setup.db.sql, ann.workspace_id, { kind: 'test', name: 'trying' });
  const page = await openAs(ann, '/dashboard/playground');
  const sent = { path: '/dashboard/playground?route=/v1/photo/profile', request: 'x', status: 200, credits: 1_234 };
  const stored = { [ann.workspace_id]: [{ ...sent, milliseconds: 5, at: '2026-11-18T22:05:00.000Z' }] };
  await page.evaluate(`localStorage.setItem('playground', ${JSON.stringify(JSON.stringify(stored))})`);
  await page.reload();
  expect(await page.locator('.history li').innerText()).toContain('18 Nov 2026, 22:05 UTC');
});

test('a table does not show rows of another workspace that was chosen in a second tab', async () => {
  const ann = await trackingOf(['apple']);
  const page = await openAs(ann, '/dashboard/tracking');
  const other = await ann.post('/dashboard/workspaces', { name: 'Client' });
  expect(other.status).toBe(303);
  await page.getByRole('searchbox').fill('app');
  await page.locator('.side', { hasText: 'Client' }).waitFor({ timeout: 5_000 });
  expect(await names(page)).toEqual([]);
});
