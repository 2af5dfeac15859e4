import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../db/accounts/keys.ts';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { populate } from '../populated.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  ann = await setup.member({ tier: 'pro' });
  await populate(setup, ann, 'Spring launch');
  const { sql } = setup.db;
  await createKey(sql, ann.workspace_id, { kind: 'sheet', name: 'Weekly sheet of all clients', monthly_cap: 120_000 });
  await createKey(sql, ann.workspace_id, {
    ...{ kind: 'live', name: 'Reporting server', monthly_cap: 999_999, scopes: ['data', 'workflows'] },
    ...{ networks: ['203.0.113.0/24', '2001:db8::/32'], expires_at: new Date('2027-03-01') },
  });
  await sql`update api_keys set last_used_at = now() where workspace_id = ${ann.workspace_id}`;
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

test.each([768, 1440])(
  'the table of API keys fits a window of %i px, including the form to rotate a key',
  async (width) => {
    const { page } = await browser.open({ viewport: { width, height: 900 } });
    await page.context().addCookies(cookiesOf(ann, setup.base_url));
    await page.goto(`${setup.base_url}/dashboard/keys`);
    await page.locator('tbody summary').last().click();
    const table = `document.querySelector('[aria-label^="Keys of this workspace"]')`;
    expect(await page.evaluate<number>(`${table}.scrollWidth - ${table}.clientWidth`)).toBe(0);
  },
);
