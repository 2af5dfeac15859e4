import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { addMember } from '../../db/accounts/members.ts';
import { addShare } from '../../db/campaigns/report-shares.ts';
import { findSample } from '../../db/workspace-data/samples.ts';
import { cookiesOf } from '../dashboard/campaigns/campaign-workspace.ts';
import { createDashboardBench, type DashboardBench, type Member } from '../dashboard/dashboard-server.ts';
import { hostileName, populate } from '../dashboard/populated.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';

/**
 * Takes pictures of every page in its states, at three widths, light and dark, with a page that shows all of them. They are for a look at
 * the design and are not committed. `REVIEW_ONLY=tracking,item` takes only the pages whose names begin so, `REVIEW_SIZES=390-light` only
 * these sizes.
 */
const folder = process.env.REVIEW_FOLDER ?? join(tmpdir(), 'tidemark-review');

let bench: DashboardBench;
let browser: TestBrowser;
const shown: { name: string; path: string; member: Member | null }[] = [];

beforeAll(async () => {
  [bench, browser] = await Promise.all([createDashboardBench(), startBrowser()]);
  const [full, fresh, hostile] = [
    await bench.member({ tier: 'ultra', credits: 12_040, name: 'Ann Miller' }),
    await bench.member({ credits: 100, name: 'Ben' }),
    await bench.member({ tier: 'pro', credits: 7, name: 'Carla' }),
  ];
  const { ids } = await populate(bench, full, 'Northwind Agency');
  await useSample(full);
  await keepPages(full, ids);
  for (const path of [
    '',
    '/tracking',
    '/campaigns',
    '/alerts',
    '/batches',
    '/links',
    '/imports',
    '/keys',
    '/usage',
    '/credits',
  ])
    shown.push({ name: `new${path.replace('/', '-')}`, path: `/dashboard${path}`, member: fresh });
  const strange = await populate(bench, hostile, hostileName);
  for (const path of ['', '/tracking', `/tracking/${strange.ids.item_id}`, '/campaigns', '/people'])
    shown.push({
      name: `hostile${path.slice(0, 9).replace('/', '-')}${path.length > 20 ? '-item' : ''}`,
      path: `/dashboard${path}`,
      member: hostile,
    });
  for (const [name, path] of Object.entries({
    landing: '/',
    prices: '/prices',
    addon: '/addon',
    'sign-in': '/sign-in',
    'sign-up': '/sign-up',
    docs: '/docs',
    'docs-page': '/docs/addon',
    'docs-api': '/docs/api/photo/profile',
    search: '/docs/search?q=followers',
    status: '/status',
    missing: '/no-such-page',
  }))
    shown.push({ name, path, member: null });
  await mkdir(folder, { recursive: true });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await bench?.close();
});

/** Moves the accounts, posts and campaign of a sample into a member's own workspace, which then looks like one in use. */
async function useSample(member: Member): Promise<void> {
  const { sql } = bench.db;
  await member.post('/dashboard/sample', {});
  const sample = (await findSample(sql, member.user_id)) ?? '';
  await sql`delete from sheet_targets where workspace_id = ${member.workspace_id}`;
  await sql`update workspaces set sample = false, name = 'Northwind Agency' where workspace_id = ${sample}`;
  await sql`update work_settings set paused = false where workspace_id = ${sample}`;
  await sql`update credit_balances set balance = 12040 where workspace_id = ${sample}`;
  await sql`update members set role = 'owner' where workspace_id = ${sample}`;
  await sql`update workspaces set name = 'Client: Tide Bakery' where workspace_id = ${member.workspace_id}`;
  for (const name of ['Dana Cole', 'Emil Winter']) {
    const { user_id } = await bench.member({ name });
    await addMember(sql, sample, user_id, name.startsWith('D') ? 'editor' : 'viewer');
  }
  await sql`insert into operators (user_id) values (${member.user_id}) on conflict do nothing`;
}

async function keepPages(member: Member, ids: Record<string, string>): Promise<void> {
  const { sql } = bench.db;
  const sample =
    (await sql<{ workspace_id: string }[]>`select workspace_id from workspaces where name = 'Northwind Agency'`)[0]
      ?.workspace_id ?? '';
  const [item] = await sql<
    { item_id: string }[]
  >`select item_id from tracked_items where workspace_id = ${sample} and identifier = 'sample.harbor.coffee'`;
  const [report] = await sql<
    { campaign_id: string; report_id: string }[]
  >`select campaign_id, report_id from reports where workspace_id = ${sample} order by period_start desc limit 1`;
  const campaign = `/dashboard/campaigns/${report?.campaign_id}`;
  const share = await addShare(
    sql,
    sample,
    {
      campaign_id: report?.campaign_id ?? '',
      report_id: report?.report_id ?? '',
      expires_at: new Date(bench.clock.now.getTime() + 9e8),
      label: 'Client',
    },
    'test key',
    bench.clock.now,
  );
  for (const [name, path] of Object.entries({
    overview: '',
    tracking: '/tracking',
    'tracking-lists': '/tracking/lists',
    item: `/tracking/${item?.item_id}`,
    campaigns: '/campaigns',
    alerts: '/alerts',
    'alerts-rule': '/alerts/rules',
    batches: '/batches',
    links: '/links',
    imports: '/imports',
    playground: '/playground',
    keys: '/keys',
    people: '/people',
    credits: '/credits',
    usage: '/usage',
    settings: '/settings',
    admin: '/admin',
    webhooks: '/settings/webhooks',
    audit: '/settings/audit',
  }))
    shown.push({ name, path: `/dashboard${path}`, member });
  shown.push(
    { name: 'campaign', path: campaign, member },
    { name: 'report', path: `${campaign}/reports/${report?.report_id}`, member },
    { name: 'report-running', path: `${campaign}/report`, member },
  );
  shown.push({ name: 'shared-report', path: `/shared/reports/${share.token}`, member: null });
  void ids;
}

const sizes = [
  [390, 'light'],
  [390, 'dark'],
  [768, 'light'],
  [768, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
] as const;
const wantedSizes = process.env.REVIEW_SIZES?.split(',');
const only = process.env.REVIEW_ONLY?.split(',');

test.each(sizes.filter(([width, scheme]) => !wantedSizes || wantedSizes.includes(`${width}-${scheme}`)))(
  'takes the pictures for a review at %i px in %s mode',
  async (width, colorScheme) => {
    for (const member of new Set(shown.map((one) => one.member))) {
      const { page } = await browser.open({ viewport: { width, height: 900 }, colorScheme });
      if (member) await page.context().addCookies(cookiesOf(member, bench.base_url));
      for (const { name, path } of shown.filter((one) => one.member === member)) {
        if (only && !only.some((start) => name.startsWith(start))) continue;
        await page.goto(`${bench.base_url}${path}`);
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
      await page.context().close();
    }
  },
  600_000,
);

test('writes a page with all pictures of the review', async () => {
  const rows = shown.map(
    ({ name, path }) =>
      `<h2>${name} <small>${path}</small></h2>${sizes.map(([width, scheme]) => `<img src="${name}-${width}-${scheme}.png" width="${width / 4}" loading="lazy">`).join(' ')}`,
  );
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Review</title>${rows.join('\n')}`,
  );
});
