import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findWorkspace } from '../../db/accounts/workspaces.ts';
import { listDeliveries } from '../../db/deliveries/webhook-deliveries.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { listEntries } from '../../db/money/ledger-entries.ts';
import { readWorkSettings } from '../../db/tracking/work-settings.ts';
import { batchItem } from '../../pipeline/batches/batches.ts';
import { analyseBatch } from '../../pipeline/jobs/analyse-batch.ts';
import { createDeliverWebhooks } from '../../pipeline/jobs/deliver-webhooks.ts';
import { weeklyReports } from '../../pipeline/jobs/weekly-reports.ts';
import { attemptItem } from '../../pipeline/notify/webhooks.ts';
import type { Report } from '../../pipeline/report/report.ts';
import { pageFaults, startBrowser, type TestBrowser } from '../harness/browser.ts';
import { readPdf } from '../harness/pdf.ts';
import { createDashboardSetup, type DashboardSetup } from './dashboard-server.ts';
import {
  csvRows,
  followersOn,
  growingUpstream,
  holdHandles,
  jobContext,
  type PaymentService,
  paymentPage,
  refusedDay,
  roundedDay,
  runDueChecks,
  startPaymentService,
} from './life-setup.ts';

/** Day of November 2026 on which the story of this test begins, a Monday. */
const firstDay = 16;
const lastDay = 22;
const november = (day: number, time = '10:00:00') => new Date(`2026-11-${String(day).padStart(2, '0')}T${time}Z`);
const person = { name: 'Marina', email: 'marina@example.com', password: 'a tide pool at dawn' };
const campaign = 'Low tide & <high> tide';

let setup: DashboardSetup;
let browser: TestBrowser;
let payments: PaymentService;
let page: Page;
let problems: string[];
let workspaceId = '';
beforeAll(async () => {
  payments = await startPaymentService();
  [setup, browser] = await Promise.all([createDashboardSetup({ payments: payments.config }), startBrowser()]);
  setup.clock.now = november(firstDay);
  setup.upstream.answer = growingUpstream(() => setup.clock.now);
  ({ page, problems } = await browser.open({ acceptDownloads: true }));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: setup.base_url });
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
  await payments?.close();
});

const onPhone = async () => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
};
const atDesk = async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
};

/** Expects the current page to have no accessibility fault, no sideways scrolling and no console error. */
async function expectAccessible(): Promise<void> {
  expect(await pageFaults(page), page.url()).toEqual([]);
  expect(problems, page.url()).toEqual([]);
}

/** Expects the current page to show the message of a refused form, and the console to log only the status 400. */
async function refused(sentence: string): Promise<void> {
  await page.getByRole('alert').or(page.locator('p.error')).filter({ hasText: sentence }).waitFor();
  expect(problems.splice(0)).toEqual([expect.stringContaining('status of 400')]);
  await expectAccessible();
}

const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const unfold = (name: string) => page.locator('summary').filter({ hasText: name }).click();
const follow = (name: string | RegExp) => page.getByRole('link', { name, exact: true }).first().click();
/** Opens an area of the dashboard from the navigation. On a phone, opens the menu first. */
const area = async (name: string) => {
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name }).click();
};
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const figure = (name: string) =>
  page.locator('.tiles > div').filter({ hasText: name }).locator('dd').first().innerText();
const cellsOf = (row: string) =>
  page.getByRole('row').filter({ hasText: row }).first().getByRole('cell').allInnerTexts();
const balance = () => readBalance(setup.db.sql, workspaceId);

async function balanceShown(): Promise<number> {
  return Number((await page.locator('.balance b').innerText()).replaceAll(',', ''));
}

async function downloaded(press: () => Promise<void>): Promise<{ name: string; rows: string[][] }> {
  const [download] = await Promise.all<[Promise<Download>, Promise<void>]>([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), rows: csvRows(await readFile(await download.path(), 'utf8')) };
}

describe('a user from sign-up to sign-out', { timeout: 120_000 }, () => {
  test('a new user signs up, confirms the email address, and gets 100 credits and the first steps', async () => {
    await onPhone();
    await page.goto(setup.base_url);
    await expectAccessible();
    await follow('Start with 100 free credits');
    await heading('Sign up');
    await expectAccessible();
    await page.getByLabel('Name').fill(person.name);
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await press('Sign up');
    await heading('Confirm your email address');
    await expectAccessible();
    await expect.poll(() => setup.mails.length).toBe(1);
    expect(setup.mails[0]?.to).toBe(person.email);
    await page.goto(/http\S+/.exec(setup.mails[0]?.text ?? '')?.[0] ?? expect.fail('the email has no link'));
    await heading('Confirm your email address');
    await expectAccessible();
    await page.getByLabel('Password').fill(person.password);
    await press('Confirm and sign in');
    await heading('Overview');
    expect(await page.locator('.page-head .facts').innerText()).toBe('Marina');
    expect(await figure('Balance')).toBe('100');
    expect(await page.getByRole('listitem').filter({ hasText: 'Get the add-on' }).count()).toBe(1);
    await expectAccessible();
    const [membership] = await setup.db.sql<{ workspace_id: string }[]>`select workspace_id from members`;
    workspaceId = membership?.workspace_id ?? expect.fail('there is no workspace');
    expect(await balance()).toBe(100);
  });

  test('a new API key is shown once and can be copied, and a sheet key needs a monthly cap', async () => {
    await atDesk();
    await area('Keys');
    await heading('Keys');
    await expectAccessible();
    await page.getByLabel('Name').fill('program');
    await page
      .getByLabel('Type')
      .selectOption({ label: 'Production: live data for programs. Never put it into a spreadsheet' });
    await press('Create key');
    await heading('Your new key');
    const key = await page.getByLabel('Key').inputValue();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await expectAccessible();
    await follow('Back to keys');
    await heading('Keys');
    expect(await page.content()).not.toContain(key);

    await unfold('New key');
    await page.getByLabel('Name').fill('sheet');
    await page.getByLabel('Type').selectOption('sheet');
    await press('Create key');
    await refused('A sheet key needs a monthly cap, because a sheet can be shared.');
    expect(await page.getByLabel('Name').inputValue()).toBe('sheet');
    await page.getByLabel('Monthly cap').fill('500');
    await press('Create key');
    await heading('Your new key');
    await follow('Back to keys');
    await unfold('New key');
    await page.getByLabel('Name').fill('trying out');
    await page.getByLabel('Type').selectOption('test');
    await press('Create key');
    await follow('Back to keys');
    expect(await cellsOf('sheet')).toContain('0 of 500 used');
    await expectAccessible();
    const kept = await setup.db
      .sql`select name, kind, monthly_cap::int from api_keys where workspace_id = ${workspaceId}`;
    expect(kept).toHaveLength(3);
    expect(kept).toContainEqual({ name: 'sheet', kind: 'sheet', monthly_cap: 500 });
  });

  test('a playground request is free with a development key, charged with a production key, and free from the cache', async () => {
    await onPhone();
    await area('Playground');
    await heading('Playground');
    await page.getByLabel('Route').selectOption('/v1/photo/profile');
    await press('Choose route');
    await expectAccessible();
    await press('Send request');
    await says(/Sandbox sample · free/);
    await expectAccessible();

    await page.getByRole('combobox', { name: 'Key' }).selectOption({ index: await keyAt('program') });
    await page.getByLabel('handle', { exact: true }).fill('tide.pool');
    await press('Show cost');
    await says('This request costs at most 1 credit.');
    expect(await balance()).toBe(100);
    await press('Send request');
    await says(/Live data · 1 credit charged/);
    await page.getByText('JSON', { exact: true }).click();
    expect(await page.locator('#answer').innerText()).toContain('Tide Pool');
    await page.getByText('Headers', { exact: true }).click();
    const [, requestId] = await cellsOf('x-request-id');
    await expectAccessible();
    const [newest] = await listEntries(setup.db.sql, workspaceId, { before: null, limit: 1 });
    expect(newest).toMatchObject({ kind: 'charge', credits: -1, request_id: requestId, key_name: 'program' });

    await page.getByText('More parameters').click();
    await page.getByLabel('cache_max_age').selectOption('1d');
    await press('Send request');
    await says(/Live data, cached · free/);
    await expectAccessible();
    expect([await balance(), await balanceShown()]).toEqual([99, 99]);
    await area('Credits');
    expect((await cellsOf(String(requestId))).join(' ')).toContain('/v1/photo/profile');
    await expectAccessible();
  });

  test('accounts are tracked by link, and the page reports duplicates and the limit of the tier', async () => {
    await atDesk();
    await area('Tracking');
    await heading('Tracking');
    await expectAccessible();
    const addresses = [
      'https://www.instagram.com/tide.pool/',
      'https://instagram.com/Tide.Pool?hl=en',
      'https://www.tiktok.com/@kelp.forest',
    ];
    await page.getByLabel('Links').fill(addresses.join('\n'));
    await press('Track');
    await heading('Track these?');
    expect((await cellsOf('@kelp.forest')).at(-1)).toBe('limit reached');
    expect((await cellsOf('Tide.Pool?hl=en')).at(-1)).toBe('repeated');
    expect(await page.getByText(/Air has 1 tracked item\. Higher tiers: Pro 10,/).count()).toBeGreaterThan(0);
    await expectAccessible();
    await press('Track 1 item');
    await says('Items added.');
    const kept = await setup.db.sql`select identifier from tracked_items where workspace_id = ${workspaceId}`;
    expect([...kept]).toEqual([{ identifier: 'tide.pool' }]);
  });

  test('a bought pack adds its credits and its tier after the signed payment event', async () => {
    await onPhone();
    await area('Credits');
    const intercepted = await page.context().newCDPSession(page);
    await intercepted.send('Fetch.enable', { patterns: [{ urlPattern: `${paymentPage}*` }] });
    intercepted.on('Fetch.requestPaused', ({ requestId }) => {
      const success = payments.orders.at(-1)?.get('success_url') ?? '';
      const body = `<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,"><a href="${success}">Pay</a></html>`;
      const answer = { requestId, responseCode: 200, body: Buffer.from(body).toString('base64') };
      void intercepted.send('Fetch.fulfillRequest', answer);
    });
    await press('Buy Pro');
    await page.waitForURL(paymentPage);
    await intercepted.detach();
    expect(payments.orders.map((order) => order.get('metadata[workspace_id]'))).toEqual([workspaceId]);
    expect(await balance()).toBe(99);
    expect((await payments.pay(setup.base_url)).status).toBe(200);
    await follow('Pay');
    await says('Thank you.');
    expect([await balanceShown(), await balance()]).toEqual([10_099, 10_099]);
    expect(await page.locator('.balance').innerText()).toContain('Pro');
    expect(await cellsOf('$20.00')).toContain('10,000');
    await expectAccessible();
    expect((await findWorkspace(setup.db.sql, workspaceId))?.tier).toBe('pro');
    await area('Tracking');
    await page.getByText('Track accounts and posts').click();
    await page.getByLabel('Links').fill('https://www.tiktok.com/@kelp.forest');
    await press('Track');
    await says('Items added.');
    await expectAccessible();
  });

  test('tracked items are checked every day, and their pages show the history, missing days with causes, and rounded numbers', async () => {
    await atDesk();
    // Sets the items' creation time, because the database uses the real time instead of the clock of the test.
    await setup.db.sql`update tracked_items set created_at = ${setup.clock.now} where workspace_id = ${workspaceId}`;
    await follow('tide.pool');
    await press('Check now (1 credit)');
    await says('Checked for 1 credit.');
    await expectAccessible();
    for (let day = firstDay; day <= lastDay; day += 1) {
      setup.clock.now = november(day, '23:59:30');
      await runDueChecks(setup);
    }
    await page.reload();
    expect(await figure('Followers')).toBe(followersOn.photo(lastDay).toLocaleString('en-US'));
    await page.getByRole('img', { name: 'Followers' }).waitFor();
    expect(await page.locator('.chart .gap').count()).toBeGreaterThan(0);
    expect(await cellsOf(`${refusedDay} Nov 2026`)).toEqual([
      `${refusedDay} Nov 2026`,
      '1',
      'the platform restricts access',
    ]);
    await expectAccessible();
    await area('Tracking');
    await expectAccessible();
    await follow('kelp.forest');
    await page.getByText('Show as a table: Followers').click();
    const values = page.getByRole('table', { name: 'Followers' });
    const rounded = values.getByRole('row').filter({ hasText: `${roundedDay} Nov 2026` });
    expect(await rounded.getByRole('cell').allInnerTexts()).toEqual([
      `${roundedDay} Nov 2026`,
      '≈24,300',
      'rounded by the platform',
    ]);
    await expectAccessible();
    const seen = await setup.db.sql<{ platform: string; day: number; followers: number }[]>`
      select platform, extract(day from observed_at at time zone 'UTC')::int as day, followers::int
      from observations join tracked_items using (workspace_id, item_id)
      where workspace_id = ${workspaceId} order by platform, observed_at`;
    const days = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index);
    const expected = (platform: 'photo' | 'shortvideo') =>
      days
        .filter((day) => platform === 'shortvideo' || day !== refusedDay)
        .map((day) => ({ platform, day, followers: followersOn[platform](day) }));
    expect([...seen]).toEqual([...expected('photo'), ...expected('shortvideo')]);
    expect(await balance()).toBe(10_099 - 13);
  });

  test('a campaign gets its report on Monday: as a page, CSV, print and share link, until the link is revoked', async () => {
    await onPhone();
    await area('Campaigns');
    await heading('Campaigns');
    await expectAccessible();
    await page.getByLabel('Name').fill(campaign);
    await page.getByLabel('First day').fill(`2026-11-${firstDay}`);
    await page.getByLabel('tide.pool').check();
    await press('Create campaign');
    await says('Campaign created.');
    await expectAccessible();
    await page.locator('summary', { hasText: 'Add items' }).click();
    await page.getByLabel('kelp.forest').check();
    await press('Add items');
    await says('Items added.');
    await expectAccessible();
    const campaignPage = new URL(page.url()).pathname;
    setup.clock.now = november(lastDay + 1, '02:05:00');
    await weeklyReports.run([], jobContext(setup));
    await page.reload();
    await atDesk();
    await follow(/^16\s?–\s?22 November 2026$/);
    await heading(campaign);
    await says('Based on 13 of 14 daily checks of 2 accounts and posts');
    await says('finished week');
    await expectAccessible();
    const [kept] = await setup.db.sql<{ body: string }[]>`
      select body from reports where workspace_id = ${workspaceId}`;
    const report = JSON.parse(kept?.body ?? '{}') as Report;
    const followers = followersOn.photo(lastDay) + followersOn.shortvideo(lastDay);
    const growth = followers - followersOn.photo(firstDay) - followersOn.shortvideo(firstDay);
    expect(report.totals.followers).toMatchObject({ end: followers, change: growth, items: 2, items_missing: 0 });
    const totals = page
      .getByRole('table', { name: 'Totals of all accounts and posts' })
      .getByRole('row', { name: 'Followers' });
    await page.getByRole('heading', { name: 'Totals', exact: true }).click();
    expect(await totals.innerText()).toContain(followers.toLocaleString('en-US'));
    const csv = await downloaded(() => follow('Download CSV'));
    expect(csv.name).toBe(`campaign-report-2026-11-${firstDay}.csv`);
    const column = csv.rows[0]?.indexOf('followers_end') ?? -1;
    expect(
      csv.rows
        .slice(1)
        .map((row) => Number(row[column]))
        .sort(),
    ).toEqual([followersOn.photo(lastDay), followersOn.shortvideo(lastDay), followers].sort());

    await follow('Print or save as PDF');
    await heading(campaign);
    await expectAccessible();
    const paper = readPdf(await page.pdf({ preferCSSPageSize: true }));
    expect(paper.pages).toBeGreaterThanOrEqual(1);
    expect(paper.text).toContain(campaign.replaceAll(' ', ''));
    expect(paper.text).toContain('16–22November2026');

    await onPhone();
    await page.goto(setup.base_url + campaignPage);
    await press('Create link');
    await heading('Your new link');
    await expectAccessible();
    const link = await page.getByLabel('Link').inputValue();
    const stranger = await browser.open();
    await stranger.page.goto(link);
    await stranger.page.getByRole('heading', { name: campaign }).waitFor();
    expect(await pageFaults(stranger.page)).toEqual([]);
    expect(stranger.problems).toEqual([]);
    await follow('Back to the campaign');
    await press('Revoke link');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke link' }).click();
    await says('Link revoked.');
    await expectAccessible();
    expect((await stranger.page.reload())?.status()).toBe(404);
    await stranger.page.getByRole('heading', { name: 'Report not found' }).waitFor();
    await stranger.page.context().close();
  });

  test('a list of profiles is previewed, started, followed and downloaded as CSV', async () => {
    await atDesk();
    const handles = ['gull', 'crab', 'lost.shell', 'limpet'];
    const gates = holdHandles(setup, handles);
    const [gull = '', ...others] = handles.map((handle) => `https://www.instagram.com/${handle}/`);
    await area('Bulk analysis');
    await heading('Bulk analysis');
    await expectAccessible();
    await page
      .getByLabel('Profile links')
      .fill([gull, ...others, 'https://instagram.com/Gull', 'a nonsense'].join('\n'));
    await page.getByLabel('Name').fill('shore');
    await press('Check the list');
    expect(
      await Promise.all(
        ['Profiles to fetch', 'Duplicates (free)', 'No profile link (free)', 'Maximum cost'].map(figure),
      ),
    ).toEqual(['4', '1', '1', '4']);
    await expectAccessible();
    await press('Start (at most 4 credits)');
    await says('the analysis runs within a minute');
    await expectAccessible();
    await onPhone();
    await page.evaluate('window.same_page = true');
    const batchId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const context = jobContext(setup);
    const sources = { ...context.sources, fetch: gates.fetch };
    const worked = analyseBatch.run([batchItem({ workspace_id: workspaceId, batch_id: batchId })], {
      ...context,
      sources,
    });
    await says('running');
    await expectAccessible();
    gates.release('gull');
    await says('3 of 6 lines done');
    expect(await page.getByRole('link', { name: 'Invented gull' }).count()).toBe(2);
    await page.locator('.balance').filter({ hasText: '10,085 credits' }).waitFor();
    for (const handle of handles) gates.release(handle);
    await worked;
    await says('6 of 6 lines done');
    expect(await page.evaluate('window.same_page')).toBe(true);
    expect(await Promise.all(['Succeeded', 'Failed', 'Credits'].map(figure))).toEqual(['4', '2', '3']);
    expect(await cellsOf('lost.shell')).toContain('not found');
    await expectAccessible();
    const csv = await downloaded(() => follow('Download CSV'));
    const [head = [], ...rows] = csv.rows;
    expect(rows.map((row) => row[head.indexOf('status')])).toEqual([
      'OK',
      'OK',
      'RESOURCE_NOT_FOUND',
      'OK',
      'OK',
      'INVALID_INPUT',
    ]);
    expect(await balance()).toBe(10_083);
  });

  test('scheduled work is paused and resumed, a monthly cap is saved, and a webhook is tested', async () => {
    await atDesk();
    await area('Settings');
    await heading('Settings');
    await expectAccessible();
    await press('Pause checks, analyses and imports');
    await says('Checks, analyses and imports are paused.');
    expect(await readWorkSettings(setup.db.sql, workspaceId, setup.clock.now)).toMatchObject({ paused: true });
    await expectAccessible();
    setup.clock.now = november(lastDay + 2);
    await runDueChecks(setup);
    expect(await balance()).toBe(10_083);
    await press('Resume checks, analyses and imports');
    await says('Checks, analyses and imports are resumed.');
    await page.getByLabel('Monthly cap of checks, analyses and sheet imports, in credits').fill('16');
    await press('Save cap');
    await says('Monthly cap saved.');
    await says('of 16 credits.');
    expect(await page.locator('body').innerText()).toContain('cap reached');
    await expectAccessible();

    await onPhone();
    await follow('Webhooks');
    await heading('Webhooks');
    await expectAccessible();
    await page.getByLabel('Webhook URL').fill('https://receiver.example/hook');
    await press('Create webhook');
    await heading('Your new webhook');
    await expectAccessible();
    await follow('Open webhook');
    await press('Send test message');
    await says('Sending the test message.');
    await expectAccessible();
    const [delivery] = await listDeliveries(setup.db.sql, workspaceId);
    const { delivery_id } = delivery ?? expect.fail('nothing is sent');
    const job = createDeliverWebhooks(async () => ({ status: 503, message: 'Not today.', retry_after_seconds: null }));
    await job.run([attemptItem({ workspace_id: workspaceId, delivery_id, attempts: 0 })], jobContext(setup));
    await page.reload();
    expect((await cellsOf('webhook.test')).slice(1, 6)).toEqual(['waiting', 'webhook.test', '1', '503', 'Not today.']);
    await expectAccessible();
  });

  test('after sign-out no page of the user is shown, and the ledger is exact', async () => {
    await atDesk();
    await area('Overview');
    await heading('Overview');
    await expectAccessible();
    expect(await balanceShown()).toBe(10_083);
    await area('Usage');
    await heading('Usage');
    await expectAccessible();
    await area('Credits');
    expect((await page.reload())?.headers()['cache-control']).toBe('no-store');
    await page.locator('summary', { hasText: 'Your account' }).click();
    await press('Sign out');
    await heading('Sign in');
    await expectAccessible();
    await page.goBack();
    await heading('Sign in');
    expect(await page.content()).not.toContain('10,083');
    await page.goto(`${setup.base_url}/dashboard/keys`);
    await heading('Sign in');
    await expectAccessible();
    expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
    expect(setup.errors).toEqual([]);
    expect(await setup.db.sql`select sum(credits)::int as sum from ledger_entries`).toEqual([{ sum: 10_083 }]);
  });
});

/** Returns the position of an API key in the list of keys on the playground page. */
async function keyAt(name: string): Promise<number> {
  const keys = await page.getByRole('combobox', { name: 'Key' }).getByRole('option').allInnerTexts();
  return keys.findIndex((label) => label.startsWith(`${name} (`));
}
