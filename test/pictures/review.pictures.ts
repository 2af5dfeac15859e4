import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { createKey } from '../../db/accounts/keys.ts';
import { addMember } from '../../db/accounts/members.ts';
import { addShare } from '../../db/campaigns/report-shares.ts';
import { dayMs, hourMs } from '../../db/durations.ts';
import { latencyBoundsMs } from '../../db/requests/health.ts';
import { lockSample } from '../../db/workspace-data/samples.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard/dashboard-server.ts';
import { hostileName, populate } from '../dashboard/populated.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';

/**
 * Folder for pictures of every page in its states, at three widths, light and dark, and for an HTML page that shows all
 * of them. The pictures are for reviewing the design and are not committed. `REVIEW_ONLY=tracking,item` takes only
 * pictures of pages whose names begin with these words. `REVIEW_SIZES=390-light` takes only these sizes.
 */
const folder = process.env.REVIEW_FOLDER ?? join(tmpdir(), 'tidemark-review');

let setup: DashboardSetup;
let browser: TestBrowser;
interface Shown {
  name: string;
  path: string;
  member: Member | null;
  /** Brings the page into the state that the picture must show. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Undoes what `prepare` changed, so that the later pictures show the same data. */
  undo?: (page: Page) => Promise<unknown>;
}
const shown: Shown[] = [];

beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  const [full, fresh, hostile] = [
    await setup.member({ tier: 'ultra', credits: 12_040, name: 'Ann Miller' }),
    await setup.member({ credits: 100, name: 'Ben' }),
    await setup.member({ tier: 'pro', credits: 7, name: 'Carla' }),
  ];
  await populate(setup, full, 'Northwind Agency');
  await useSample(full);
  await addPages(full);
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
  await addBusyPages(await setup.member({ tier: 'ultra', credits: 12_040, name: 'Fay Lindqvist' }));
  await fillHealth();
  const strange = await populate(setup, hostile, hostileName);
  for (const path of ['', '/tracking', `/tracking/${strange.ids.item_id}`, '/campaigns', '/people'])
    shown.push({
      name: `hostile${path.slice(0, 9).replace('/', '-')}${path.length > 20 ? '-item' : ''}`,
      path: `/dashboard${path}`,
      member: hostile,
    });
  for (const [name, path] of Object.entries({
    landing: '/',
    'landing-tried': '/try?profile=%40nasa',
    'landing-refused': '/try?profile=nothing+here',
    prices: '/prices',
    addon: '/addon',
    'sign-in': '/sign-in',
    'sign-up': '/sign-up',
    docs: '/docs',
    'docs-page': '/docs/addon',
    'docs-api': '/docs/api/v1/photo/profile',
    search: '/docs/search?q=followers',
    status: '/status',
    missing: '/no-such-page',
  }))
    shown.push({ name, path, member: null });
  await mkdir(folder, { recursive: true });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

/** Adds the pages of a workspace that has entries in every table, and its printed report. */
async function addBusyPages(member: Member): Promise<void> {
  const { ids } = await populate(setup, member, 'Spring launch with our partners in the north');
  const campaign = `/campaigns/${ids.campaign_id}`;
  for (const path of [
    ...['/alerts', '/batches', '/links', '/imports', '/keys', '/people', '/credits', '/usage', '/settings'],
    ...[campaign, `${campaign}/reports/${ids.report_id}/print`, '/settings/webhooks', '/settings/audit'],
    ...[`/settings/webhooks/${ids.endpoint_id}`, `/imports/${ids.import_id}`, `/batches/${ids.batch_id}`],
    ...[`/tracking/lists/${ids.list_id}/sheets`, '/tracking/lists', `/tracking/${ids.item_id}`],
  ]) {
    const name = path.replace(/\/[\da-f]{8}-[^/]*/g, '-one').replaceAll('/', '-');
    shown.push({ name: `busy${name}`, path: `/dashboard${path}`, member });
  }
}

/** Inserts a health history of three months for some routes, with two bad days. */
async function fillHealth(): Promise<void> {
  const rows = ['/v1/photo/profile', '/v1/photo/user/posts', '/v1/shortvideo/profile', '/v1/longvideo/channel'].flatMap(
    (route, number) =>
      Array.from({ length: 90 }, (_, day) => ({
        hour: new Date(Math.floor(setup.clock.now.getTime() / hourMs) * hourMs - day * dayMs),
        route,
        answered: day === 12 + number ? 20 : 1_200 + 7 * day,
        failed: day === 12 + number ? 41 : day % 3,
        last_success_at: setup.clock.now,
        latency: latencyBoundsMs.map((_bound, index) => (index < 6 ? 40 : 0)),
      })),
  );
  await setup.db.sql`insert into route_health ${setup.db.sql(rows)}`;
}

/**
 * Moves the accounts, posts and campaign of the sample workspace into a member's own workspace, which then looks like
 * one in use.
 */
async function useSample(member: Member): Promise<void> {
  const { sql } = setup.db;
  await member.post('/dashboard/sample', {});
  const sample = (await lockSample(sql, member.user_id)) ?? '';
  await sql`delete from sheet_targets where workspace_id = ${member.workspace_id}`;
  await sql`update workspaces set sample = false, name = 'Northwind Agency' where workspace_id = ${sample}`;
  await sql`update work_settings set paused = false where workspace_id = ${sample}`;
  await sql`update credit_balances set balance = 12040 where workspace_id = ${sample}`;
  await sql`update members set role = 'owner' where workspace_id = ${sample}`;
  await sql`update workspaces set name = 'Client: Tide Bakery' where workspace_id = ${member.workspace_id}`;
  for (const name of ['Dana Cole', 'Emil Winter']) {
    const { user_id } = await setup.member({ name });
    await addMember(sql, sample, user_id, name.startsWith('D') ? 'editor' : 'viewer');
  }
  await sql`insert into operators (user_id) values (${member.user_id}) on conflict do nothing`;
}

/** Finds the sample data in the database, and adds the pages that show it to the list of pictures. */
async function addPages(member: Member): Promise<void> {
  const { sql } = setup.db;
  const sample =
    (await sql<{ workspace_id: string }[]>`select workspace_id from workspaces where name = 'Northwind Agency'`)[0]
      ?.workspace_id ?? '';
  const [item] = await sql<
    { item_id: string }[]
  >`select item_id from tracked_items where workspace_id = ${sample} and identifier = 'sample.harbor.coffee'`;
  const others = await sql<
    { item_id: string }[]
  >`select item_id from tracked_items where workspace_id = ${sample} and kind = 'profile' and item_id <> ${item?.item_id ?? ''} order by item_id limit 2`;
  addDashboardPages(
    member,
    item?.item_id,
    others.map(({ item_id }) => item_id),
  );
  await addReportPages(member, sample);
  await createKey(sql, sample, { kind: 'test', name: 'Trying out' });
  addPlayground(member);
  addTrackingStates(member);
}

function addDashboardPages(member: Member, itemId: string | undefined, otherIds: readonly string[]): void {
  const compared = new URLSearchParams([['view', 'percent'], ...otherIds.map((id): [string, string] => ['with', id])]);
  for (const [name, path] of Object.entries({
    overview: '',
    tracking: '/tracking',
    'tracking-lists': '/tracking/lists',
    item: `/tracking/${itemId}`,
    'item-compared': `/tracking/${itemId}?${compared}`,
    'item-own-days': `/tracking/${itemId}?from=2026-11-10&to=2026-11-01`,
    'alert-filled': `/alerts/rules?condition=change&scope=item:${itemId}&metric=followers&name=Harbor+Coffee`,
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
    gallery: '/admin/design',
  }))
    shown.push({ name, path: `/dashboard${path}`, member });
}

async function addReportPages(member: Member, sample: string): Promise<void> {
  const { sql } = setup.db;
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
      expires_at: new Date(setup.clock.now.getTime() + 9e8),
      label: 'Client',
    },
    'test key',
    setup.clock.now,
  );
  shown.push(
    { name: 'campaign', path: campaign, member },
    { name: 'report', path: `${campaign}/reports/${report?.report_id}`, member },
    { name: 'report-running', path: `${campaign}/reports/running`, member },
  );
  shown.push({ name: 'shared-report', path: `/shared/reports/${share.token}`, member: null });
}

function addPlayground(member: Member): void {
  shown.push({
    name: 'playground-answered',
    path: '/dashboard/playground?route=/v1/photo/profile&p-handle=tidemark.sample',
    member,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.locator('#result').waitFor();
      await page.getByText('JSON', { exact: true }).click();
    },
  });
}

/** Adds the tracking page with selected, previewed and removed items. */
function addTrackingStates(member: Member): void {
  const selectAll = (page: Page) => page.locator('[data-select-all]:visible').first().check();
  const press = async (page: Page, name: string | RegExp) => {
    await selectAll(page);
    await page.getByRole('button', { name }).click();
  };
  const tracking = { path: '/dashboard/tracking', member };
  shown.push(
    { ...tracking, name: 'tracking-selected', prepare: selectAll },
    { ...tracking, name: 'tracking-check', prepare: (page) => press(page, 'Check now…') },
    {
      ...tracking,
      name: 'tracking-preview',
      prepare: async (page) => {
        await page.getByText('Track accounts and posts').click();
        await page
          .getByLabel('Links')
          .fill('https://www.instagram.com/tide.one/\nhttps://www.tiktok.com/@tide.two\nnot a link');
        await page.getByRole('button', { name: 'Track', exact: true }).click();
      },
    },
    {
      ...tracking,
      name: 'tracking-removed',
      prepare: async (page) => {
        await page
          .getByLabel('Select sample.harbor.coffee')
          .or(page.locator('tbody input[type=checkbox]').first())
          .first()
          .check({ force: true });
        await page.getByRole('button', { name: 'Remove', exact: true }).click();
        await page.getByText('1 item removed').first().waitFor();
      },
      undo: (page) => page.getByRole('button', { name: 'Undo' }).first().click(),
    },
  );
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
      if (member) await page.context().addCookies(cookiesOf(member, setup.base_url));
      for (const { name, path, prepare, undo } of shown.filter((one) => one.member === member)) {
        if (only && !only.some((start) => name.startsWith(start))) continue;
        await page.goto(`${setup.base_url}${path}`);
        await prepare?.(page);
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        await undo?.(page);
      }
      await page.context().close();
    }
  },
  600_000,
);

test('writes an HTML page with all pictures of the design review', async () => {
  const rows = shown.map(
    ({ name, path }) =>
      `<h2>${name} <small>${path}</small></h2>${sizes.map(([width, scheme]) => `<img src="${name}-${width}-${scheme}.png" width="${width / 4}" loading="lazy">`).join(' ')}`,
  );
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Review</title>${rows.join('\n')}`,
  );
});
