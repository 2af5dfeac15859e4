import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateAlerts } from '../../pipeline/jobs/evaluate-alerts.ts';
import { createSendNotifications } from '../../pipeline/jobs/send-notifications.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { decoded, startMailServer } from '../pipeline/notify/mail-server.ts';
import { createDashboardSetup, type DashboardSetup } from './dashboard-server.ts';
import { jobContext, type PaymentService, paymentPage, runDueChecks, startPaymentService } from './life-setup.ts';

const november = (day: number) => new Date(`2026-11-${day}T23:59:30Z`);
const handles = Array.from({ length: 20 }, (_, n) => `tide.shop.${n + 1}`);

let setup: DashboardSetup;
let browser: TestBrowser;
let payments: PaymentService;
let page: Page;
let problems: string[];
beforeAll(async () => {
  payments = await startPaymentService();
  [setup, browser] = await Promise.all([createDashboardSetup({ payments: payments.config }), startBrowser()]);
  setup.clock.now = november(16);
  setup.upstream.answer = ({ url }) => ({ body: Buffer.from(JSON.stringify({ data: { user: userOf(url) } })) });
  ({ page, problems } = await browser.open({ viewport: { width: 1_280, height: 900 } }));
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
  await payments?.close();
});

/**
 * Returns the fake platform data of an account, whose followers grow every day by a fifth of the first day's number.
 */
function userOf(url: string) {
  const handle = new URL(url).searchParams.get('username') ?? '';
  const first = 1_000 * (handles.indexOf(handle) + 2);
  const count = first + (first / 5) * (setup.clock.now.getUTCDate() - 16);
  return {
    ...{ id: String(700_000 + first), username: handle, full_name: `${handle} Instagram`, edge_follow: { count: 12 } },
    ...{ edge_followed_by: { count }, edge_owner_to_timeline_media: { count: 31, page_info: {}, edges: [] } },
  };
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const area = (name: string) => page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name }).click();

async function signUp(): Promise<void> {
  await page.goto(setup.base_url);
  await page.getByRole('link', { name: 'Start with 100 free credits' }).first().click();
  await page.getByLabel('Name').fill('Marina');
  await page.getByLabel('Email').fill('marina@example.com');
  await page.getByLabel('Password').fill('a tide pool at dawn');
  await press('Sign up');
  await expect.poll(() => setup.mails.length).toBe(1);
  await page.goto(/http\S+/.exec(setup.mails[0]?.text ?? '')?.[0] ?? expect.fail('the email has no link'));
  await page.getByLabel('Password').fill('a tide pool at dawn');
  await press('Confirm and sign in');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

async function fillFirstRow(): Promise<void> {
  await page.getByLabel('Profile link').fill('https://www.instagram.com/tide.shop.1/');
  await press('Show the numbers (1 credit)');
  await page.getByRole('heading', { name: 'Your first row' }).waitFor();
  await says('2,000');
}

/** Buys, on a fake payment page, the pack that allows twenty tracked accounts. */
async function buyPack(): Promise<void> {
  await area('Credits');
  const intercepted = await page.context().newCDPSession(page);
  await intercepted.send('Fetch.enable', { patterns: [{ urlPattern: `${paymentPage}*` }] });
  intercepted.on('Fetch.requestPaused', ({ requestId }) => {
    const success = payments.orders.at(-1)?.get('success_url') ?? '';
    const body = `<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,"><a href="${success}">Pay</a></html>`;
    void intercepted.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      body: Buffer.from(body).toString('base64'),
    });
  });
  await press('Buy Pro Max');
  await page.waitForURL(paymentPage);
  await intercepted.detach();
  expect((await payments.pay(setup.base_url)).status).toBe(200);
  await page.getByRole('link', { name: 'Pay' }).click();
  await says('Thank you.');
}

async function trackAccounts(): Promise<void> {
  await area('Tracking');
  await page.getByLabel('Links').fill(handles.map((handle) => `https://www.instagram.com/${handle}/`).join('\n'));
  await press('Track');
  await press('Track 20 items');
  await says('Items added.');
  // Sets the items' creation time, because the database uses the real time instead of the clock of the test.
  await setup.db.sql`update tracked_items set created_at = ${setup.clock.now}`;
  await runDueChecks(setup);
  await page.reload();
  await says('Showing 20 of 20 items');
  await says('21,000');
}

async function createCampaign(): Promise<void> {
  await area('Campaigns');
  await page.getByLabel('Name', { exact: true }).fill('Low tide');
  await page.getByLabel('First day').fill('2026-11-16');
  for (const handle of handles)
    await page
      .getByRole('checkbox', { name: `${handle} Instagram` })
      .first()
      .check();
  await press('Create campaign');
  await says('Campaign created.');
}

async function shareReport(): Promise<void> {
  await press('Create link');
  const link = await page.getByLabel('Link').inputValue();
  const client = await browser.open();
  await client.page.goto(link);
  await client.page.getByRole('heading', { name: 'Low tide' }).waitFor();
  expect(await client.page.content()).toContain('20 accounts and posts');
  expect(client.problems).toEqual([]);
  await client.page.context().close();
}

/**
 * Creates an alert rule on the page of an item, lets a day pass, and expects a real mail server to receive the alert.
 */
async function receiveAlert(): Promise<void> {
  const server = await startMailServer();
  await area('Tracking');
  await page.getByRole('link', { name: 'tide.shop.7', exact: true }).click();
  await page.getByLabel('More actions for tide.shop.7').click();
  await page.getByRole('link', { name: 'New alert for this item' }).click();
  await page.getByLabel('Within days').fill('1');
  await press('Create rule');
  await says('Alert rule created.');
  setup.clock.now = november(17);
  await runDueChecks(setup);
  await evaluateAlerts.run([], jobContext(setup));
  const post = () => Promise.reject(new Error('no Slack in this test'));
  await createSendNotifications({ mail: server.mail, post }).run([], jobContext(setup));
  expect(server.received.map(({ to }) => to)).toEqual([['marina@example.com']]);
  const source = server.received[0]?.source ?? '';
  for (const part of ['tide.shop.7', '9,600']) expect(decoded(source)).toContain(part);
}

const steps: readonly (readonly [string, () => Promise<void>])[] = [
  ['sign up and confirm the address', signUp],
  ['first filled row', fillFirstRow],
  ['buy a pack', buyPack],
  ['track twenty accounts, with their first numbers', trackAccounts],
  ['campaign with all of them', createCampaign],
  ['report shared and opened by a client', shareReport],
  ['alert received by mail', receiveAlert],
];

test('a new user gets from sign-up to an alert by email in a real browser, and the time of each step is printed', async () => {
  const lines: string[] = [];
  const began = performance.now();
  for (const [name, walk] of steps) {
    const started = performance.now();
    await walk();
    lines.push(`  ${((performance.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${name}`);
  }
  console.log(
    `The walk of a stranger:\n${lines.join('\n')}\n  ${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  in all`,
  );
  expect(problems).toEqual([]);
  expect(setup.errors).toEqual([]);
}, 120_000);
