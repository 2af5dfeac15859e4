import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listItems } from '../../../db/tracking/items.ts';
import { deleteRemovedItems } from '../../../db/tracking/removals.ts';
import { changeWorkSettings } from '../../../db/tracking/work-settings.ts';
import { trackCheck } from '../../../pipeline/jobs/track-check.ts';
import { silentLog } from '../../setup/test-database.ts';
import { keepCampaign } from '../campaigns/campaign-workspace.ts';
import { createDashboardSetup, type DashboardSetup, type Member, noticeOf } from '../dashboard-server.ts';

const page = '/dashboard/tracking';
const dayMs = 86_400_000;

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
beforeEach(async () => {
  ann = await setup.member({ tier: 'pro', credits: 500 });
});
afterAll(() => setup.close());

const plain = (body: string) => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const textOf = async (answer: Promise<Response>) => plain(await (await answer).text());
const itemsOf = (member: Member) => listItems(setup.db.sql, member.workspace_id);
const idsOf = async (member: Member) => (await itemsOf(member)).map(({ item_id }) => item_id);
const links = (...handles: string[]) => handles.map((handle) => `https://www.instagram.com/${handle}/`).join('\n');

/** Returns the tracking checks that are in the queue for a workspace. */
async function queued({ workspace_id }: Member): Promise<{ item_id: string; trigger: string; attempt_id: string }[]> {
  const rows = await setup.db.sql<{ data: { item_id: string; trigger: string; attempt_id: string } }[]>`
    select data->'data' as data from jobs.job
    where name = 'track-check' and data->'data'->>'workspace_id' = ${workspace_id}`;
  return rows.map(({ data }) => data);
}

describe('checking selected items now', () => {
  test('before a check of selected items, a page shows its cost and the items that are left out, and starts nothing', async () => {
    await ann.post(page, { addresses: links('kelp', 'limpet', 'urchin') });
    const [kelp = '', limpet = '', urchin = ''] = await idsOf(ann);
    await ann.post(`${page}/${kelp}/check`, {});
    await ann.post(`${page}/${limpet}/pause`, {});
    const body = await textOf(ann.post(`${page}/change?sort=name`, { act: 'check', id: [kelp, limpet, urchin] }));
    expect(body).toContain('Checked now 1 a successful check costs 1 credit');
    expect(body).toContain('Checked in the last 24 hours 1 left out');
    expect(body).toContain('Paused 1 left out');
    expect(body).toContain('Check 1 item for up to 1 credit');
    expect(await queued(ann)).toEqual([]);
  });

  test('a check of selected items queues one manual check for each item, which the queue runs and charges', async () => {
    await ann.post(page, { addresses: links('kelp', 'limpet') });
    const ids = await idsOf(ann);
    const answer = await ann.post(`${page}/check?sort=name`, { id: ids });
    expect([answer.headers.get('location'), noticeOf(answer)]).toEqual([`${page}?sort=name`, 'items-checking']);
    const jobs = await queued(ann);
    expect(jobs.map(({ item_id, trigger }) => [item_id, trigger]).toSorted()).toEqual(
      ids.map((id) => [id, 'manual']).toSorted(),
    );
    const { db, queue, base_url } = setup;
    const { sources } = setup.dashboard_deps;
    const now = () => setup.clock.now;
    const { signal } = new AbortController();
    const context = { db, queue, now, base_url, sources, log: silentLog, signal };
    const items = jobs.map((data) => ({ key: data.item_id, data: { ...data } }));
    await trackCheck.run(items, context);
    const attempts = await db.sql`
      select trigger, outcome, credits from check_attempts where workspace_id = ${ann.workspace_id}`;
    expect(attempts).toEqual([1, 2].map(() => ({ trigger: 'manual', outcome: 'OK', credits: 1 })));
    await trackCheck.run(
      items.map((item) => ({ ...item, data: { ...item.data, attempt_id: crypto.randomUUID() } })),
      context,
    );
    expect(await db.sql`select from check_attempts where workspace_id = ${ann.workspace_id}`).toHaveLength(2);
  });

  test('before a check of selected items, the page warns of missing credits, the monthly cap and paused work', async () => {
    await ann.post(page, { addresses: links('kelp', 'limpet') });
    const ids = await idsOf(ann);
    const confirm = () => textOf(ann.post(`${page}/change`, { act: 'check', id: ids }));
    expect(await confirm()).not.toContain('enough for');
    await changeWorkSettings(setup.db.sql, ann.workspace_id, { monthly_cap: 1 }, setup.clock.now);
    const capped = await confirm();
    expect(capped).toContain('The rest of your monthly cap is enough for 1 of 2 checks.');
    expect(capped).not.toContain('Your balance is enough');
    await changeWorkSettings(setup.db.sql, ann.workspace_id, { paused: true }, setup.clock.now);
    expect(await confirm()).toContain('Checks, analyses and imports are paused, so no check starts.');
  });

  test('selected items of another workspace cannot be checked', async () => {
    const ben = await setup.member({ tier: 'pro', name: 'Ben' });
    await ann.post(page, { addresses: links('kelp') });
    expect((await ben.post(`${page}/check`, { id: await idsOf(ann) })).status).toBe(404);
    expect(await queued(ann)).toEqual([]);
  });
});

describe('adding selected items to a campaign', () => {
  test('selected items are added to a campaign, which must be chosen, and the filter stays', async () => {
    ann = await setup.member({ tier: 'ultra' });
    const { campaign_id } = await keepCampaign(setup, ann, { items: 1, name: 'Autumn' });
    await ann.post(page, { addresses: links('kelp', 'limpet') });
    const [, kelp = ''] = await idsOf(ann);
    expect(await (await ann.get(page)).text()).toContain(`<option value="${campaign_id}">Autumn</option>`);
    const nothing = await ann.post(`${page}/change`, { act: 'campaign', campaign: '', id: [kelp] });
    expect([nothing.status, /id="campaign-error">([^<]*)/.exec(await nothing.text())?.[1]]).toEqual([
      400,
      'Choose a campaign. Nothing was changed.',
    ]);
    const answer = await ann.post(`${page}/change?q=kelp`, { act: 'campaign', campaign: campaign_id, id: [kelp] });
    expect([answer.headers.get('location'), noticeOf(answer)]).toEqual([`${page}?q=kelp`, 'items-in-campaign']);
    const inside = await setup.db.sql`select from campaign_items where campaign_id = ${campaign_id}`;
    expect(inside).toHaveLength(2);
  });

  test('selected items cannot be added to a campaign of another workspace', async () => {
    const ben = await setup.member({ tier: 'ultra', name: 'Ben' });
    const { campaign_id } = await keepCampaign(setup, ben, { items: 1 });
    await ann.post(page, { addresses: links('kelp') });
    const answer = await ann.post(`${page}/change`, { act: 'campaign', campaign: campaign_id, id: await idsOf(ann) });
    expect(answer.status).toBe(404);
  });
});

describe('removing selected items', () => {
  /** Returns all stored data about the items of a workspace. */
  async function stored({ workspace_id }: Member) {
    const { sql } = setup.db;
    return {
      items: await sql`select * from tracked_items where workspace_id = ${workspace_id} order by item_id`,
      attempts: await sql`select * from check_attempts where workspace_id = ${workspace_id} order by attempt_id`,
      campaigns:
        await sql`select * from campaign_items where workspace_id = ${workspace_id} order by campaign_id, item_id`,
      pictures: await sql`select * from item_pictures where workspace_id = ${workspace_id} order by item_id`,
      observations:
        await sql`select * from observations where workspace_id = ${workspace_id} order by item_id, observed_at`,
    };
  }
  const removalIn = (body: string) => /name="removal_id" value="([^"]+)"/.exec(body)?.[1] ?? '';

  test('removing selected items is undone with one button, and all their data is exactly as before', async () => {
    ann = await setup.member({ tier: 'ultra' });
    const { item_ids } = await keepCampaign(setup, ann, { items: 6 });
    await setup.db.sql`
      insert into item_pictures (workspace_id, item_id, type, bytes)
      values (${ann.workspace_id}, ${item_ids[0] ?? ''}, 'image/png', ${Buffer.from([0, 1, 255])})`;
    const before = await stored(ann);
    expect(before.attempts.length * before.campaigns.length * before.observations.length).toBeGreaterThan(0);
    const removed = await ann.post(`${page}/change?sort=name`, { act: 'remove', id: item_ids.slice(0, 3) });
    expect([removed.status, removed.headers.get('location')]).toEqual([303, `${page}?sort=name`]);
    expect((await itemsOf(ann)).map(({ item_id }) => item_id).toSorted()).toEqual(item_ids.slice(3).toSorted());
    const body = await (await ann.get(page)).text();
    expect(plain(body)).toMatch(
      /3 items removed just now : item 0, item 1, item 2 ?\. You can undo this for 24 hours\. Undo/,
    );
    const undone = await ann.post(`${page}/undo`, { removal_id: removalIn(body) });
    expect(noticeOf(undone)).toBe('items-restored');
    expect(await stored(ann)).toEqual(before);
    expect((await ann.post(`${page}/undo`, { removal_id: removalIn(body) })).status).toBe(404);
  });

  test('the tracking page lists at most 50 removals, however often an item was added and removed', async () => {
    await setup.db.sql`
      insert into removed_items (workspace_id, item_id, removal_id, removed_at, rows)
      select ${ann.workspace_id}, gen_random_uuid(), gen_random_uuid(), ${setup.clock.now}::timestamptz - n * interval '1 s',
        jsonb_build_object('item', jsonb_build_object('name', 'item ' || n)) from generate_series(1, 200) n`;
    const body = await (await ann.get(page)).text();
    await setup.db.sql`delete from removed_items where workspace_id = ${ann.workspace_id}`;
    expect(body.split('name="removal_id"')).toHaveLength(51);
    expect(plain(body)).toContain('item 1 . You can undo this for 24 hours. Undo');
  });

  test('removing selected items can be undone for 24 hours, and then the numbers are deleted', async () => {
    const { item_ids } = await keepCampaign(setup, await ultra(), { items: 2 });
    await ann.post(`${page}/change`, { act: 'remove', id: [item_ids[0] ?? ''] });
    const body = await (await ann.get(page)).text();
    const start = setup.clock.now;
    try {
      setup.clock.now = new Date(start.getTime() + dayMs - 1_000);
      expect(await deleteRemovedItems(setup.db.sql, setup.clock.now)).toBe(0);
      expect(await textOf(ann.get(page))).toContain('Removed in the last 24 hours (1)');
      setup.clock.now = new Date(start.getTime() + dayMs);
      expect(await textOf(ann.get(page))).not.toContain('Removed in the last 24 hours');
      expect((await ann.post(`${page}/undo`, { removal_id: removalIn(body) })).status).toBe(404);
      expect(await deleteRemovedItems(setup.db.sql, setup.clock.now)).toBeGreaterThan(0);
    } finally {
      setup.clock.now = start;
    }
    const left = await setup.db.sql<{ item_id: string }[]>`
      select distinct item_id from observations where workspace_id = ${ann.workspace_id}`;
    expect(left.map(({ item_id }) => item_id)).toEqual([item_ids[1]]);
  });

  async function ultra(): Promise<Member> {
    ann = await setup.member({ tier: 'ultra' });
    return ann;
  }

  test('undoing a removal while the limit of the tier is reached says that nothing is restored', async () => {
    const air = await setup.member({ tier: 'air' });
    await air.post(page, { addresses: links('kelp') });
    await air.post(`${page}/change`, { act: 'remove', id: await idsOf(air) });
    const removalId = removalIn(await (await air.get(page)).text());
    await air.post(page, { addresses: links('limpet') });
    const undone = await air.post(`${page}/undo`, { removal_id: removalId });
    expect(noticeOf(undone)).toBe('items-not-restored');
    expect((await itemsOf(air)).map(({ identifier }) => identifier)).toEqual(['limpet']);
  });

  test('undoing a removal restores items up to the limit of the tier, and never doubles an item that was added again', async () => {
    await ann.post(page, { addresses: links('kelp', 'limpet', 'urchin') });
    await ann.post(`${page}/change`, { act: 'remove', id: await idsOf(ann) });
    await ann.post(page, { addresses: links('kelp') });
    const body = await (await ann.get(page)).text();
    const undone = await ann.post(`${page}/undo`, { removal_id: removalIn(body) });
    expect(noticeOf(undone)).toBe('items-partly-restored');
    expect((await itemsOf(ann)).map(({ identifier }) => identifier).toSorted()).toEqual(['kelp', 'limpet', 'urchin']);
    await setup.db.sql`update workspaces set tier = 'air' where workspace_id = ${ann.workspace_id}`;
    await ann.post(`${page}/change`, { act: 'remove', id: await idsOf(ann) });
    const again = await (await ann.get(page)).text();
    await ann.post(`${page}/undo`, { removal_id: removalIn(again) });
    expect(await itemsOf(ann)).toHaveLength(1);
  });

  test('an item that was removed and restored or added again is not checked a second time within 24 hours', async () => {
    await ann.post(page, { addresses: links('kelp') });
    const [kelp = ''] = await idsOf(ann);
    await ann.post(`${page}/${kelp}/check`, {});
    await ann.post(`${page}/change`, { act: 'remove', id: [kelp] });
    const body = await (await ann.get(page)).text();
    await ann.post(`${page}/undo`, { removal_id: removalIn(body) });
    expect(noticeOf(await ann.post(`${page}/${kelp}/check`, {}))).toBe('check-too_early');
    await ann.post(`${page}/${kelp}/remove`, {});
    await ann.post(page, { addresses: links('kelp') });
    const [again = ''] = await idsOf(ann);
    expect(noticeOf(await ann.post(`${page}/${again}/check`, {}))).toBe('check-too_early');
  });

  test('a removal in another workspace is neither shown nor undone', async () => {
    const ben = await setup.member({ tier: 'pro', name: 'Ben' });
    await ann.post(page, { addresses: links('kelp') });
    expect((await ben.post(`${page}/change`, { act: 'remove', id: await idsOf(ann) })).status).toBe(404);
    await ann.post(`${page}/change`, { act: 'remove', id: await idsOf(ann) });
    const removalId = removalIn(await (await ann.get(page)).text());
    expect(await textOf(ben.get(page))).not.toContain('Undo');
    expect((await ben.post(`${page}/undo`, { removal_id: removalId })).status).toBe(404);
    expect(await itemsOf(ann)).toEqual([]);
  });
});

describe('the preview of several links to track', () => {
  const sent = `${links('kelp', 'limpet')}\nhttps://example.com/nothing\n${links('kelp', 'urchin')}`;

  test('the preview of several links shows what happens to each and what new items cost, and adds nothing', async () => {
    await ann.post(page, { addresses: links('urchin') });
    const answer = await ann.post(page, { act: 'preview', addresses: sent });
    const body = await answer.text();
    expect([answer.status, await itemsOf(ann)]).toEqual([200, [expect.objectContaining({ identifier: 'urchin' })]]);
    expect(plain(body)).toContain('New 2 Up to 2 credits a day');
    expect(plain(body)).toContain('Left out 3');
    for (const state of ['already tracked', 'repeated', 'cannot be tracked']) expect(plain(body)).toContain(state);
    const addresses = /name="addresses" value="([^"]*)"/.exec(body)?.[1] ?? '';
    expect(addresses).toBe(links('kelp', 'limpet'));
    expect((await ann.post(page, { addresses })).status).toBe(303);
    expect((await itemsOf(ann)).map(({ identifier }) => identifier)).toEqual(['urchin', 'kelp', 'limpet']);
  });

  test('the preview of several links marks the links beyond the limit of the tier', async () => {
    const air = await setup.member();
    const body = await textOf(air.post(page, { act: 'preview', addresses: links('kelp', 'limpet') }));
    expect(body).toContain('New 1 You start each check yourself');
    expect(body).toContain('limit reached');
  });

  test('a single link is tracked immediately, without a preview', async () => {
    const answer = await ann.post(page, { act: 'preview', addresses: links('kelp') });
    expect([answer.status, noticeOf(answer)]).toEqual([303, 'item-added']);
  });
});
