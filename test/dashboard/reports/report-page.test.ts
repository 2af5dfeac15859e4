import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frozenReport } from '../../../db/campaigns/reports.ts';
import { reportCsv } from '../../../pipeline/report/csv.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import { packQuality } from '../../../pipeline/tracking/metrics.ts';
import { pageFaults, startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { keepObservations, observed } from '../../pipeline/report/report-data.ts';
import { freezeWeek, hostile, keepCampaign, renameItem, sendForm } from '../campaigns/campaign-workspace.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  ann = await setup.member({ tier: 'ultra' });
});
afterAll(() => Promise.all([setup.close(), browser.close()]));

const pathOf = (campaignId: string, reportId: string) => `/dashboard/campaigns/${campaignId}/reports/${reportId}`;
const maxCompressedBytes = 150_000;

/** Returns the text of an HTML page, without tags and with single spaces. */
async function read(path: string): Promise<string> {
  const answer = await ann.get(path);
  expect(answer.status).toBe(200);
  return (await answer.text())
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replace(/\s+/g, ' ');
}

describe('the page of a report', () => {
  test('the report page shows totals, coverage, platforms, items, missing days, rates, notes and method', async () => {
    const { campaign_id } = await keepCampaign(setup, ann);
    const reportId = await freezeWeek(setup, ann, campaign_id);
    const { totals, notes, method, coverage } = JSON.parse(
      (await frozenReport(setup.db.sql, ann.workspace_id, campaign_id, { report_id: reportId })) ?? '',
    ) as Report;
    const page = await read(pathOf(campaign_id, reportId));
    const number = new Intl.NumberFormat('en-US');
    const { start = 0, end = 0, change = 0, change_percent = 0 } = totals.views ?? {};
    const views = [
      number.format(start ?? 0),
      number.format(end ?? 0),
      `+${number.format(change ?? 0)}`,
      `+${change_percent}%`,
    ];
    expect(page).toContain(`Views ${views.join(' ')} 3 0`);
    expect(page).toContain(
      `Based on ${coverage.observations} of ${coverage.expected_observations} daily checks of 6 accounts and posts.`,
    );
    for (const text of [
      ...notes,
      method,
      '9–15 November 2026',
      'Instagram: 2 accounts and posts',
      'TikTok profiles',
      'YouTube channels',
    ]) {
      expect(page.replaceAll(/\s*–\s*/g, '–')).toContain(text.replaceAll(/\s*–\s*/g, '–').replace(/\s+/g, ' '));
    }
    expect(page).toContain('the platform did not answer in time');
    expect(page).toContain('Engagement rate by views:');
    expect(page).toContain('(likes + comments + shares + favorites) / views × 100');
  });

  test('the report page marks rounded and hidden numbers, and shows unknown ones as – and as gaps', async () => {
    const { campaign_id } = await keepCampaign(setup, ann, { items: 2 });
    const reportId = await freezeWeek(setup, ann, campaign_id);
    const page = await read(pathOf(campaign_id, reportId));
    expect(page).toContain('item 0');
    expect(page).toMatch(/≈1,206,055 ≈\+/);
    expect(page).toMatch(/– hidden/);
    expect(page).toContain('Likes – – – – 0 1');
    expect(page).toContain('11 Nov 2026 – no number');
    expect(page).toContain('Views so far on Instagram, at the end of each week');
    expect(page).toContain('in the two weeks before (26 October – 8 November 2026)');
    expect(page).toContain('gray: unknown');
    expect(page).toContain('squares (≈): rounded by the platform');
  });

  test('the report page says "not shown" beside a number that the platform does not show, and explains it', async () => {
    const { campaign_id } = await keepCampaign(setup, ann, { items: 3 });
    const page = await read(pathOf(campaign_id, await freezeWeek(setup, ann, campaign_id)));
    expect(page).toContain('– not shown');
    expect(page).toContain('not shown not shown by the platform');
  });

  test('the report page has ≈ before a rounded number of views of a best post', async () => {
    const { campaign_id, item_ids } = await keepCampaign(setup, ann, { items: 4 });
    await setup.db.sql`
      update observations set quality = ${packQuality({ views: 'rounded' })}
      where workspace_id = ${ann.workspace_id} and item_id = ${item_ids[3] as string}`;
    const reportId = await freezeWeek(setup, ann, campaign_id);
    expect(await read(pathOf(campaign_id, reportId))).toMatch(
      /Posts with the most new views I3 item 3 TikTok video new views ↑ ≈\+[\d,]+ views so far ≈1\.94M/,
    );
  });

  test('the report page has ≈ before every change and rate that was computed from a rounded number', async () => {
    const { campaign_id, item_ids } = await keepCampaign(setup, ann, { items: 4 });
    await setup.db.sql`
      update observations set quality = ${packQuality({ views: 'rounded' })}
      where workspace_id = ${ann.workspace_id} and item_id = ${item_ids[3] as string}`;
    const page = await read(pathOf(campaign_id, 'running'));
    expect(page).toMatch(/Followers ≈[\d,]+ ≈[\d,]+ ≈\+[\d,]+ \+0\.\d+%/);
    expect(page).toMatch(/Followers .*? previous week: ≈\+/);
    expect(page).toMatch(/TikTok: 2 accounts and posts .* Engagement rate by views: ≈\d/);
    expect(page).toMatch(/TikTok videos: values .* item 3 .* ≈[\d.]+% Rate: engagement rate by views/);
    // The rate of the Instagram post is unknown, because its likes are hidden.
    expect(page).toMatch(/Engagement rate by views: – /);
  });

  test('the report page does not say that every item was checked on every day before a day of the week is over', async () => {
    setup.clock.now = new Date('2026-11-16T00:30:00Z');
    const { campaign_id, item_ids } = await keepCampaign(setup, ann, { items: 1 });
    await setup.db
      .sql`delete from observations where item_id = ${item_ids[0] as string} and observed_at >= '2026-11-16'`;
    const page = await read(pathOf(campaign_id, 'running'));
    expect(page).toContain('Missing days No missing days: this period has no finished day that counts.');
    setup.clock.now = new Date('2026-11-20T10:00:00Z');
  });

  test('the report of a finished week never changes, even after renames, new observations and removed items', async () => {
    const { campaign_id, item_ids } = await keepCampaign(setup, ann, { report_name: 'For the board' });
    const reportId = await freezeWeek(setup, ann, campaign_id);
    const pages = () => Promise.all(['', '/print', '/csv'].map((of) => read(pathOf(campaign_id, reportId) + of)));
    const before = await pages();
    expect(before[0]).toContain('For the board');
    await ann.post(`/dashboard/campaigns/${campaign_id}/edit`, { name: 'Other', report_name: 'Another' });
    await renameItem(setup, ann, item_ids[0] as string, 'renamed');
    await keepObservations(setup.db.sql, ann.workspace_id, [
      observed(item_ids[0] as string, '2026-11-12T23:00:00', { followers: 1 }),
    ]);
    await sendForm(
      setup,
      ann,
      `/dashboard/campaigns/${campaign_id}/detach`,
      item_ids.map((id) => ['items', id]),
    );
    // The next page shows the message about the last form, but only once.
    expect(await read(`/dashboard/campaigns/${campaign_id}`)).toContain('Reports of finished weeks do not change.');
    expect(await pages()).toEqual(before);
  });

  test('the report of the current week is computed again only when its data has changed', async () => {
    const { campaign_id, item_ids } = await keepCampaign(setup, ann, { items: 1 });
    const path = pathOf(campaign_id, 'running');
    const first = await read(path);
    expect(first).toContain('so far');
    expect(first).toContain('As of 20 Nov 2026, 10:00');
    const later = (minutes: number) => {
      setup.clock.now = new Date(setup.clock.now.getTime() + minutes * 60_000);
    };
    later(5);
    expect(await read(path)).toBe(first);
    await keepObservations(setup.db.sql, ann.workspace_id, [
      observed(item_ids[0] as string, '2026-11-20T10:03:00', { followers: 7_654_321 }),
    ]);
    const second = await read(path);
    expect(second).toContain('7,654,321');
    expect(second).toContain('As of 20 Nov 2026, 10:05');
    later(1);
    await renameItem(setup, ann, item_ids[0] as string, 'another name');
    expect(await read(path)).toContain('another name');
    await ann.post(`/dashboard/campaigns/${campaign_id}/edit`, { name: 'Changed' });
    expect(await read(path)).toContain('Changed');
    await sendForm(setup, ann, `/dashboard/campaigns/${campaign_id}/detach`, [['items', item_ids[0] as string]]);
    expect(await read(path)).toContain('This campaign has no accounts or posts.');
  });

  test('the CSV download of a report has the same numbers as its page', async () => {
    const { campaign_id } = await keepCampaign(setup, ann);
    const reportId = await freezeWeek(setup, ann, campaign_id);
    const body = (await frozenReport(setup.db.sql, ann.workspace_id, campaign_id, { report_id: reportId })) ?? '';
    const answer = await ann.get(`${pathOf(campaign_id, reportId)}/csv`);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="campaign-report-2026-11-09.csv"');
    expect(await answer.text()).toBe(reportCsv(JSON.parse(body) as Report));
  });

  test('an unknown report, or a report of another campaign, is not found', async () => {
    const [one, other] = [await keepCampaign(setup, ann, { items: 1 }), await keepCampaign(setup, ann, { items: 1 })];
    const reportId = await freezeWeek(setup, ann, one.campaign_id);
    for (const id of [reportId, 'nothing', crypto.randomUUID()]) {
      expect((await ann.get(pathOf(other.campaign_id, id))).status).toBe(404);
    }
    expect((await ann.get(pathOf(crypto.randomUUID(), 'running'))).status).toBe(404);
  });

  test('the report page escapes names and links only to web addresses', async () => {
    const { campaign_id, item_ids } = await keepCampaign(setup, ann, {
      items: 6,
      name: hostile,
      item_name: () => hostile,
    });
    await setup.db.sql`
      update tracked_items set url = 'javascript:alert(1)' where workspace_id = ${ann.workspace_id} and item_id = ${item_ids[0] as string}`;
    const reportId = await freezeWeek(setup, ann, campaign_id);
    for (const of of ['', '/print']) {
      const page = await (await ann.get(pathOf(campaign_id, reportId) + of)).text();
      expect(page).toContain('&lt;script&gt;');
      expect(page).not.toMatch(/<script>|<img|javascript:/);
    }
  });

  test('the report page of 200 items stays below the size limit', async () => {
    const { campaign_id } = await keepCampaign(setup, ann, { items: 200 });
    const page = await (await ann.get(pathOf(campaign_id, 'running'))).text();
    expect(page).toContain('item 199');
    expect(gzipSync(page).length).toBeLessThan(maxCompressedBytes);
  });
});

test('the report page is accessible and fits on a phone', async () => {
  const itemName = () => 'averylongname'.repeat(20);
  const { campaign_id } = await keepCampaign(setup, ann, { items: 1, item_name: itemName });
  const path = `${setup.base_url}${pathOf(campaign_id, 'running')}`;
  for (const [width, address] of [
    [360, path],
    [1280, path],
    [360, `${path}/print`],
  ] as const) {
    const { page, problems } = await browser.open({ viewport: { width, height: 900 } });
    await page.context().addCookies(cookiesOf(ann, setup.base_url));
    await page.goto(address);
    expect(await pageFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  }
});
