import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCampaign, listCampaigns } from '../../../db/campaigns/campaigns.ts';
import { readCampaignItems } from '../../../db/campaigns/reports.ts';
import { listTargets } from '../../../db/deliveries/sheet-targets.ts';
import { pageFaults, startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { keepItem } from '../../pipeline/report/report-data.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member, noticeOf } from '../dashboard-server.ts';
import { freezeWeek, hostile, keepCampaign, sendForm } from './campaign-workspace.ts';

const sheetsAccount = 'pushes@example.iam.gserviceaccount.com';
let setup: DashboardSetup;
let browser: TestBrowser;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup({ sheets_account: sheetsAccount }), startBrowser()]);
});
afterAll(() => Promise.all([setup.close(), browser.close()]));

const list = '/dashboard/campaigns';
const spring = { name: 'Spring', starts_on: '2026-11-16', ends_on: '' };

async function make(member: Member, fields: Record<string, string> = {}): Promise<string> {
  const answer = await member.post(list, { ...spring, ...fields });
  expect(answer.status).toBe(303);
  return /campaigns\/([0-9a-f-]{36})/.exec(answer.headers.get('location') ?? '')?.[1] ?? expect.fail('no campaign');
}

const stateOf = async ({ workspace_id }: Member, id: string) =>
  (await findCampaign(setup.db.sql, workspace_id, id))?.status;

test.each([
  ['2026-11-16', 'campaign-made', 'The first report appears here on Monday'],
  ['2026-11-15', 'campaign-made-earlier', 'Reports of the weeks since its first day are created within about an hour'],
  ['2026-11-23', 'campaign-made-later', 'on the Monday after its first week'],
])('the notice of a campaign that starts on %s says when its first report arrives', async (startsOn, name, words) => {
  const ann = await setup.member({ tier: 'ultra' });
  const answer = await ann.post(list, { ...spring, starts_on: startsOn });
  const location = answer.headers.get('location') ?? '';
  expect(noticeOf(answer)).toBe(name);
  expect(await (await ann.get(location)).text()).toContain(words);
});

test('the page of a campaign begins with the numbers of its newest report', async () => {
  const ann = await setup.member({ tier: 'ultra' });
  const { campaign_id } = await keepCampaign(setup, ann);
  const page = async () => (await ann.get(`${list}/${campaign_id}`)).text();
  expect(await page()).toMatch(/so far this week/);
  await freezeWeek(setup, ann, campaign_id);
  const finished = await page();
  expect(finished).toMatch(/Views grew by [\d,]+ .* in the week/);
  expect(finished.indexOf('class="headline"')).toBeLessThan(finished.indexOf('<h2>Items</h2>'));
});

describe('the campaigns of a tier', () => {
  test('a tier without campaigns gets an explanation of the packs, and cannot create a campaign', async () => {
    const air = await setup.member({ tier: 'air' });
    const page = await air.get(list);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Campaigns need the tier Pro or higher');
    const refused = await air.post(list, spring);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('Campaigns need the tier Pro or higher');
    expect(await listCampaigns(setup.db.sql, air.workspace_id)).toEqual([]);
  });

  test('active and paused campaigns use slots, archiving frees a slot, and reactivating needs one', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const first = await make(ann);
    expect(await (await ann.get(list)).text()).toContain('<b>1 of 1</b> campaign in use');
    const path = `${list}/${first}`;
    expect(await (await ann.get(path)).text()).toContain('Neither stops the checks, which cost credits');
    await ann.post(`${path}/pause`, {});
    expect(await stateOf(ann, first)).toBe('paused');
    const full = await ann.post(list, { ...spring, name: 'Second' });
    expect(full.status).toBe(400);
    expect(await full.text()).toContain('Archive a campaign first');
    await ann.post(`${path}/archive`, {});
    expect(await stateOf(ann, first)).toBe('archived');
    const second = await make(ann, { name: 'Second' });
    const back = await ann.post(`${path}/reactivate`, { ends_on: '' });
    expect(back.status).toBe(400);
    expect(await back.text()).toContain(
      'At most 1 of your campaigns can be active or paused in this tier: archive one first.',
    );
    await ann.post(`${list}/${second}/archive`, {});
    expect((await ann.post(`${path}/reactivate`, { ends_on: '2026-12-24' })).status).toBe(303);
    expect(await findCampaign(setup.db.sql, ann.workspace_id, first)).toMatchObject({
      status: 'active',
      ends_on: '2026-12-24',
    });
  });

  test('only Pro Max and Ultra have a custom report name, and other tiers see a hint', async () => {
    for (const tier of ['pro_max', 'ultra'] as const) {
      const member = await setup.member({ tier });
      const id = await make(member, { report_name: 'For the board' });
      expect(await findCampaign(setup.db.sql, member.workspace_id, id)).toMatchObject({ report_name: 'For the board' });
    }
    const pro = await setup.member({ tier: 'pro' });
    const page = await (await pro.get(list)).text();
    expect(page).toContain('A custom report name needs the tier Pro Max or Ultra');
    expect(page).not.toContain('name="report_name"');
    const refused = await pro.post(list, { ...spring, report_name: 'For the board' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('needs the tier Pro Max or Ultra');
  });
});

describe('a campaign', () => {
  test('a campaign can only change to an allowed status, and a refusal has a message', async () => {
    const ann = await setup.member({ tier: 'pro_max' });
    const id = await make(ann);
    const move = (action: string) => ann.post(`${list}/${id}/${action}`, {});
    expect((await move('resume')).status).toBe(400);
    expect((await move('pause')).status).toBe(303);
    expect((await move('resume')).status).toBe(303);
    expect((await move('archive')).status).toBe(303);
    const again = await move('archive');
    expect(again.status).toBe(400);
    expect(await again.text()).toContain('This campaign is archived: it cannot be archived.');
    expect(await (await ann.get(`${list}/${id}`)).text()).toContain('Reactivate');
  });

  test('the name, dates and report name of a campaign can be changed, and a refused form keeps the typed text', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const id = await make(ann);
    const days = { starts_on: '2026-11-10', ends_on: '2026-12-01' };
    expect((await ann.post(`${list}/${id}/edit`, { name: 'Summer', report_name: 'Sun', ...days })).status).toBe(303);
    const changed = { name: 'Summer', report_name: 'Sun', ...days };
    expect(await findCampaign(setup.db.sql, ann.workspace_id, id)).toMatchObject(changed);
    const refused = await ann.post(`${list}/${id}/edit`, {
      name: 'Typed',
      starts_on: '2026-11-10',
      ends_on: '2026-11-01',
    });
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(page).toContain('The last day must not be before the first day.');
    expect(page).toContain('value="Typed"');
    expect(await findCampaign(setup.db.sql, ann.workspace_id, id)).toMatchObject(changed);
  });

  test('a campaign that began before the stored history can still get a new end date', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const id = await make(ann);
    await setup.db.sql`update campaigns set starts_on = '2024-01-01' where campaign_id = ${id}`;
    const fields = { name: 'Long', starts_on: '2024-01-01', ends_on: '2027-01-31' };
    expect((await ann.post(`${list}/${id}/edit`, fields)).status).toBe(303);
    expect(await findCampaign(setup.db.sql, ann.workspace_id, id)).toMatchObject({ ends_on: '2027-01-31' });
  });

  test('tracked items can be added to a campaign and removed, one or many at once', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const { sql } = setup.db;
    const items = [await keepItem(sql, ann.workspace_id), await keepItem(sql, ann.workspace_id)];
    const id = await make(ann, { items: items[0] as string });
    const attached = async () =>
      (await readCampaignItems(sql, ann.workspace_id, id)).map(({ item_id }) => item_id).toSorted();
    expect(await attached()).toEqual([items[0]]);
    expect((await ann.post(`${list}/${id}/attach`, {})).status).toBe(400);
    await sendForm(
      setup,
      ann,
      `${list}/${id}/attach`,
      items.map((item) => ['items', item]),
    );
    expect(await attached()).toEqual(items.toSorted());
    await sendForm(
      setup,
      ann,
      `${list}/${id}/detach`,
      items.map((item) => ['items', item]),
    );
    expect(await attached()).toEqual([]);
  });

  test('names from users and platforms are escaped on the campaign pages', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const { campaign_id } = await keepCampaign(setup, ann, {
      name: hostile,
      item_name: () => hostile,
      report_name: hostile,
    });
    for (const path of [list, `${list}/${campaign_id}`]) {
      const page = await (await ann.get(path)).text();
      expect(page).toContain('&lt;script&gt;');
      expect(page).not.toContain('<script>alert');
      expect(page).not.toContain('<img src=x');
    }
  });

  test('a campaign of another workspace is not found by any page or form, and is not changed', async () => {
    const [ann, bob] = [await setup.member({ tier: 'ultra' }), await setup.member({ tier: 'ultra', name: 'Bob' })];
    const { campaign_id, item_ids } = await keepCampaign(setup, ann, { items: 2 });
    const reportId = await freezeWeek(setup, ann, campaign_id);
    const before = await findCampaign(setup.db.sql, ann.workspace_id, campaign_id);
    const path = `${list}/${campaign_id}`;
    const reports = ['running', reportId].flatMap((id) => ['', '/print', '/csv'].map((of) => `/reports/${id}${of}`));
    for (const of of ['', ...reports]) expect((await bob.get(path + of)).status, of).toBe(404);
    const forms = {
      ...{ pause: {}, resume: {}, archive: {}, reactivate: { ends_on: '' } },
      edit: { name: 'Mine', ends_on: '' },
      attach: { items: item_ids[0] as string },
      detach: { items: item_ids[0] as string },
      shares: { report: 'running', days: '30' },
      sheets: { spreadsheet: 'a'.repeat(30), sheet_name: 'x', mode: 'append' },
    };
    for (const [of, fields] of Object.entries(forms)) {
      expect((await bob.post(`${path}/${of}`, fields)).status, of).toBe(404);
    }
    expect(await findCampaign(setup.db.sql, ann.workspace_id, campaign_id)).toEqual(before);
    expect(await readCampaignItems(setup.db.sql, ann.workspace_id, campaign_id)).toHaveLength(2);
    const own = await make(bob);
    expect((await bob.post(`${list}/${own}/attach`, { items: item_ids[0] as string })).status).toBe(400);
    expect(await readCampaignItems(setup.db.sql, bob.workspace_id, own)).toEqual([]);
  });
});

describe('the Google spreadsheets of a campaign', () => {
  const input = {
    spreadsheet: `https://docs.google.com/spreadsheets/d/${'a'.repeat(44)}/edit`,
    sheet_name: 'Weeks',
    mode: 'append',
  };

  test('a spreadsheet for campaign reports can be added, filled and removed, and shows the result of the last push', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const id = await make(ann);
    expect((await ann.post(`${list}/${id}/sheets`, input)).status).toBe(303);
    const [target] = await listTargets(setup.db.sql, ann.workspace_id);
    expect(target).toMatchObject({ campaign_id: id, sheet_name: 'Weeks', mode: 'append' });
    const message = `Share the spreadsheet with ${sheetsAccount} as an editor.`;
    await setup.db.sql`
      update sheet_targets set last_outcome = 'NOT_SHARED', last_message = ${message} where target_id = ${target?.target_id ?? ''}`;
    const page = await (await ann.get(`${list}/${id}`)).text();
    expect(page).toContain(sheetsAccount);
    expect(page).toContain('not shared with the service account');
    const path = `${list}/${id}/sheets/${target?.target_id}`;
    const pushed = await ann.post(`${path}/push`, {});
    expect(pushed.status).toBe(303);
    const location = pushed.headers.get('location') ?? expect.fail('no location');
    const writing = await (await ann.get(location)).text();
    expect(writing).toMatch(/id="sheet-targets" data-hx-get="[^"]*" data-hx-trigger="every/);
    expect(writing).toMatch(/<noscript>.*Reload this page.*<\/noscript>/);
    expect(writing).toContain('<span class="tag plain">writing</span>');
    const jobs = await setup.db.sql`
      update jobs.job set state = 'completed'
      where name = 'push-sheets' and data->'data'->>'workspace_id' = ${ann.workspace_id} returning id`;
    expect(jobs).toHaveLength(1);
    const written = await (await ann.get(location)).text();
    expect(written).toContain('not shared with the service account');
    expect(written).toContain('id="sheet-targets"><');
    expect((await ann.post(`${path}/remove`, {})).status).toBe(303);
    expect(await listTargets(setup.db.sql, ann.workspace_id)).toEqual([]);
    expect((await ann.post(`${path}/push`, {})).status).toBe(404);
  });

  test('an invalid spreadsheet link of a campaign is refused with a message, and the typed text is kept', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const id = await make(ann);
    const refused = await ann.post(`${list}/${id}/sheets`, { ...input, spreadsheet: 'my sheet' });
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(page).toContain('This is not a Google spreadsheet: use its link from the browser, or its ID.');
    expect(page).toContain('value="my sheet"');
  });

  test('the spreadsheets of a campaign of another workspace are not found', async () => {
    const [ann, bob] = [await setup.member({ tier: 'pro' }), await setup.member({ tier: 'pro' })];
    const [annsId, bobsId] = [await make(ann), await make(bob)];
    await ann.post(`${list}/${annsId}/sheets`, input);
    const [target] = await listTargets(setup.db.sql, ann.workspace_id);
    for (const id of [annsId, bobsId]) {
      for (const action of ['push', 'remove']) {
        expect((await bob.post(`${list}/${id}/sheets/${target?.target_id}/${action}`, {})).status).toBe(404);
      }
    }
    expect(await listTargets(setup.db.sql, ann.workspace_id)).toHaveLength(1);
  });
});

test('the campaign pages are accessible and fit on a phone', async () => {
  const ann = await setup.member({ tier: 'ultra' });
  const air = await setup.member({ tier: 'air' });
  const { campaign_id } = await keepCampaign(setup, ann, { items: 3, item_name: () => 'averylongname'.repeat(12) });
  await freezeWeek(setup, ann, campaign_id);
  await ann.post(`${list}/${campaign_id}/sheets`, { spreadsheet: 'a'.repeat(30), sheet_name: 'Weeks', mode: 'append' });
  for (const viewport of [
    { width: 360, height: 800 },
    { width: 1280, height: 900 },
  ]) {
    for (const [member, path] of [
      [ann, list],
      [ann, `${list}/${campaign_id}`],
      [air, list],
    ] as const) {
      const { page, problems } = await browser.open({ viewport });
      await page.context().addCookies(cookiesOf(member, setup.base_url));
      await page.goto(`${setup.base_url}${path}`);
      expect(await pageFaults(page), path).toEqual([]);
      expect(problems, path).toEqual([]);
      await page.context().close();
    }
  }
});
