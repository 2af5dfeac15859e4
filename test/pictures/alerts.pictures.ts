import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRecipients } from '../../db/alerts/recipients.ts';
import { mailHtml } from '../../pipeline/notify/message.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard/dashboard-server.ts';
import { populate } from '../dashboard/populated.ts';
import { accessibilityFaults, startBrowser, type TestBrowser } from '../harness/browser.ts';

/**
 * Folder for screenshots of the notification pages and of a notification email, for a person to look at. The
 * screenshots are not committed.
 */
const folder = resolve(import.meta.dirname, '../../node_modules/.cache/pictures/alerts');
const area = '/dashboard/alerts';

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
let bob: Member;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  [ann, bob] = [await setup.member({ tier: 'pro', credits: 12_040 }), await setup.member()];
  await populate(setup, ann, 'Spring launch');
  for (const email of [ann.email, 'client@agency.example'])
    await ann.post(`${area}/recipients`, { channel: 'mail', email });
  const [recipient] = await listRecipients(setup.db.sql, ann.workspace_id);
  const rule = { name: 'Followers drop', scope: 'all', condition: 'change', metric: 'followers', direction: 'down' };
  const numbers = { amount: '5', days: '7', cooldown_hours: '24', recipient_ids: recipient?.recipient_id ?? '' };
  await ann.post(`${area}/rules`, { ...rule, ...numbers });
  await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

const mail = mailHtml(
  {
    subject: 'Spring launch: weekly report, 16–22 November 2026',
    lines: ['Followers of 6 items: 1,240,311 (+12,040, +1%).', 'Biggest changes: nasa +8,112, +2.1%; ann −40, −0.5%.'],
    tables: [
      {
        columns: ['Total', 'Now', 'This week'],
        rows: [
          ['Followers', '1,240,311', '+12,040, +1%'],
          ['Views', '–', '–'],
        ],
      },
    ],
    notes: ['Based on 42 of 42 daily checks.'],
    action: { label: 'Open report', path: '/' },
  },
  {
    workspace_name: 'Spring launch',
    base_url: 'https://tidemark.example',
    unsubscribe_url: 'https://tidemark.example/u',
  },
);

test.each([
  [390, 'light'],
  [390, 'dark'],
  [768, 'light'],
  [1440, 'light'],
  [1440, 'dark'],
] as const)('takes the pictures of notifications at %i px in %s mode', async (width, colorScheme) => {
  const { page } = await browser.open({ viewport: { width, height: 900 }, colorScheme });
  const take = (name: string) =>
    page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  const paths = { many: area, choose: `${area}/rules`, change: `${area}/rules?condition=change` };
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`${setup.base_url}${path}`);
    await take(name);
    expect(await accessibilityFaults(page)).toEqual([]);
  }
  await page.context().clearCookies();
  await page.context().addCookies(cookiesOf(bob, setup.base_url));
  await page.goto(`${setup.base_url}${area}`);
  await take('empty');
  // Shows the email without the content security policy of our pages, because email programs apply none.
  await page.goto('about:blank');
  await page.setContent(mail);
  await take('mail');
  await page.context().close();
});
