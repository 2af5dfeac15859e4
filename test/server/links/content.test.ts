import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../../db/accounts/keys.ts';
import { listDataLinks } from '../../../db/deliveries/data-links.ts';
import { newId } from '../../../db/ids.ts';
import { readBalance } from '../../../db/money/ledger.ts';
import { addList, moveItems } from '../../../db/tracking/lists.ts';
import { createBatch } from '../../../pipeline/batches/batches.ts';
import { packQuality } from '../../../pipeline/tracking/metrics.ts';
import { freezeWeek, keepCampaign } from '../../dashboard/campaigns/campaign-workspace.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../../dashboard/dashboard-server.ts';
import { linesOf, makeLink, readLink } from './data-link-setup.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
beforeEach(() => {
  setup.upstream.asked.length = 0;
  setup.upstream.answer = null;
});
afterAll(() => setup.close());

type Rows = Record<string, unknown>[];
const jsonOf = async (token: string) => (await (await readLink(setup, token, 'json')).json()) as Rows;
const balanceOf = ({ workspace_id }: Member) => readBalance(setup.db.sql, workspace_id);
const days = (count: number) => {
  setup.clock.now = new Date(setup.clock.now.getTime() + count * 86_400_000);
};
const address = (handle: string) => `https://www.instagram.com/${handle}/`;

/** Fills the cache through one workflow request for these profiles, as the add-on sends it. */
async function requestProfiles({ workspace_id }: Member, handles: string[], route = 'profile'): Promise<void> {
  const { key } = await createKey(setup.db.sql, workspace_id, { kind: 'live', name: 'add-on' });
  const query = new URLSearchParams(handles.map((handle): [string, string] => ['url', address(handle)]));
  const answer = await fetch(`${setup.base_url}/v1/workflows/${route}?${query}`, { headers: { 'x-api-key': key } });
  expect(answer.status).toBe(200);
}

describe('a data link of tracked items', () => {
  test('a data link shows the newest values of a list, with readable headings, the time of each value, and unknown as empty', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const { item_ids } = await keepCampaign(setup, ann, { items: 3, item_name: (n) => `=cmd|${n}` });
    const listId = (await addList(setup.db.sql, ann.workspace_id, 'Autumn', 10)) ?? '';
    await moveItems(setup.db.sql, ann.workspace_id, item_ids.slice(0, 2), listId);
    const { token } = await makeLink(setup, ann, { content: { kind: 'list', list_id: listId } });
    const answer = await readLink(setup, token);
    expect(answer.headers.get('x-credits-charged')).toBe('0');
    const [head = '', first = '', ...rest] = await linesOf(answer);
    expect(head.split(',').slice(0, 9)).toEqual([
      ...['Name', 'Platform', 'Kind', 'URL', 'List', 'Status', 'Observed at (UTC)', 'Followers', 'Following'],
    ]);
    expect(first).toMatch(/^'=cmd\|0,Instagram,profile,https:.*,Autumn,active,2026-11-20 00:30:00,1206740,210,/);
    expect(first).toContain('followers rounded');
    expect(rest).toHaveLength(1);

    const all = await makeLink(setup, ann, { content: { kind: 'list', list_id: null } });
    const rows = await jsonOf(all.token);
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatchObject({ name: '=cmd|1', likes: null, observed_at: '2026-11-20T01:30:00.000Z' });
  });

  test('a data link shows the history of the items, oldest first, within the days of the tier', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    await keepCampaign(setup, ann, { items: 1 });
    const { token } = await makeLink(setup, ann, { content: { kind: 'history', list_id: null } });
    const rows = await jsonOf(token);
    expect(rows).toHaveLength(19);
    expect([rows[0]?.observed_at, rows.at(-1)?.observed_at]).toEqual([
      '2026-11-02T00:30:00.000Z',
      '2026-11-20T00:30:00.000Z',
    ]);
    await setup.db.sql`update workspaces set tier = 'air' where workspace_id = ${ann.workspace_id}`;
    expect((await jsonOf(token)).length).toBeLessThan(9);
  });

  test('the history and the list of a data link begin with a whole day, as reports do', async () => {
    const ann = await setup.member({ tier: 'air' });
    const { item_ids } = await keepCampaign(setup, ann, { items: 1 });
    await setup.db.sql`
      delete from observations where workspace_id = ${ann.workspace_id} and observed_at >= '2026-11-15'`;
    await setup.db.sql`
      insert into observations (workspace_id, item_id, observed_at, followers, source)
      values (${ann.workspace_id}, ${item_ids[0] ?? ''}, '2026-11-13T23:00:00Z', 1, 'test')`;
    const history = await makeLink(setup, ann, { content: { kind: 'history', list_id: null } });
    const list = await makeLink(setup, ann, { content: { kind: 'list', list_id: null } });
    const times = async (token: string) => (await jsonOf(token)).map(({ observed_at }) => observed_at);
    expect(await times(history.token)).toEqual(['2026-11-14T00:30:00.000Z']);
    await setup.db.sql`
      delete from observations where workspace_id = ${ann.workspace_id} and observed_at >= '2026-11-14'`;
    expect(await times(list.token)).toEqual([null]);
  });
});

test('the history of a data link has at most 10,000 rows, the newest ones, in every format', async () => {
  const ann = await setup.member({ tier: 'ultra' });
  const { item_ids } = await keepCampaign(setup, ann, { items: 1 });
  await setup.db.sql`
    insert into observations (workspace_id, item_id, observed_at, followers, quality, source)
    select ${ann.workspace_id}, ${item_ids[0] ?? ''}, ${setup.clock.now}::timestamptz - n * interval '61 seconds', n, 0, 'test'
    from generate_series(1, 10050) n`;
  const { token } = await makeLink(setup, ann, { content: { kind: 'history', list_id: null } });
  const rows = await jsonOf(token);
  expect(rows).toHaveLength(10_000);
  const quality = 'following not exposed; posts not exposed';
  expect(rows.at(-1)).toMatchObject({
    observed_at: '2026-11-20T09:58:59.000Z',
    followers: 1,
    following: null,
    quality,
  });
  expect(await linesOf(await readLink(setup, token))).toHaveLength(10_001);
  const [sheet] = await readWorkbook(Buffer.from(await (await readLink(setup, token, 'xlsx')).arrayBuffer()));
  expect(sheet?.data).toHaveLength(10_001);
});

describe('a data link of a bulk analysis or a campaign report', () => {
  test('a data link shows the rows of a bulk analysis', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const deps = { db: setup.db, queue: setup.queue, now: () => setup.clock.now };
    const { batch_id } = await createBatch(deps, ann.workspace_id, 'pro', [address('one'), 'nothing'], {
      name: 'Creators',
    });
    const { token } = await makeLink(setup, ann, { content: { kind: 'batch', batch_id } });
    const rows = await jsonOf(token);
    expect(rows.map(({ url, status }) => [url, status])).toEqual([
      [address('one'), null],
      ['nothing', 'INVALID_INPUT'],
    ]);
  });

  test('a data link of a bulk analysis begins with the own columns of its file, in every format, and loses none', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const deps = { db: setup.db, queue: setup.queue, now: () => setup.clock.now };
    const own = { headings: ['Client', 'url', 'Client'], rows: [['Tide', 'x', '=1+1'], ['Kelp, "big"']] };
    const lines = [address('one'), 'nothing'];
    const { batch_id } = await createBatch(deps, ann.workspace_id, 'pro', lines, { name: 'Creators', own });
    const { token } = await makeLink(setup, ann, { content: { kind: 'batch', batch_id } });
    const [head = '', first = '', second = ''] = await linesOf(await readLink(setup, token));
    expect(head).toMatch(/^Client,url,Client,URL,/);
    expect(first).toMatch(/^Tide,x,'=1\+1,https:/);
    expect(second).toMatch(/^"Kelp, ""big""",,,nothing,/);
    expect((await jsonOf(token))[0]).toMatchObject({ Client: 'Tide', 'url 2': 'x', 'Client 2': '=1+1', url: lines[0] });
    const [sheet] = await readWorkbook(Buffer.from(await (await readLink(setup, token, 'xlsx')).arrayBuffer()));
    expect(sheet?.data[0]?.slice(0, 4)).toEqual(['Client', 'url', 'Client', 'URL']);
    expect(sheet?.data[1]?.slice(0, 2)).toEqual(['Tide', 'x']);
  });

  test('a data link shows totals, items and series of the newest finished report, as CSV and with real dates in Excel', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const { campaign_id } = await keepCampaign(setup, ann, { items: 2 });
    const link = (section: 'totals' | 'items' | 'series') =>
      makeLink(setup, ann, { content: { kind: 'report', campaign_id, section } });
    const totals = await link('totals');
    expect((await jsonOf(totals.token))[0]).toMatchObject({ metric: 'followers', final: false });
    await freezeWeek(setup, ann, campaign_id);
    expect((await jsonOf(totals.token))[0]).toMatchObject({
      metric: 'followers',
      final: true,
      period_start: '2026-11-09T00:00:00.000Z',
    });
    const [head = ''] = await linesOf(await readLink(setup, totals.token));
    expect(head).toBe(
      'Metric,Start,End,Change,Change (%),Exact or rounded,Items,Items missing,Campaign,Period start (UTC),Period end (UTC),Final,Generated at (UTC)',
    );
    const items = await jsonOf((await link('items')).token);
    expect(items.map(({ name }) => name)).toEqual(['item 1', 'item 0']);
    const [series] = await readWorkbook(
      Buffer.from(await (await readLink(setup, (await link('series')).token, 'xlsx')).arrayBuffer()),
    );
    expect(series?.data[0]?.slice(0, 5)).toEqual(['Platform', 'Metric', 'Step', 'Day (UTC)', 'Value']);
    expect(series?.data[1]?.[3]).toBeInstanceOf(Date);
    expect(typeof series?.data[1]?.[4]).toBe('number');
  });
});

test('a data link calls the views of a channel as pages do', async () => {
  const ann = await setup.member({ tier: 'ultra' });
  const { campaign_id } = await keepCampaign(setup, ann, { items: 5 });
  await setup.db.sql`
    update observations set quality = ${packQuality({ total_views: 'rounded' })} where workspace_id = ${ann.workspace_id}`;
  const rowsOf = async (section: 'totals' | 'series') =>
    jsonOf((await makeLink(setup, ann, { content: { kind: 'report', campaign_id, section } })).token);
  const metrics = [...(await rowsOf('totals')), ...(await rowsOf('series'))].map(({ metric }) => metric);
  expect(metrics).toContain('channel views');
  expect(metrics).not.toContain('total views');
  const items = await jsonOf((await makeLink(setup, ann, { content: { kind: 'list', list_id: null } })).token);
  expect(items.at(-1)).toMatchObject({ kind: 'channel', quality: 'channel views rounded' });
});

describe('a data link of one week of a campaign report', () => {
  const form = (campaignId: string, week: string) => ({ label: 'Week', shows: `report:${campaignId}:totals`, week });
  const startsOf = async (token: string) => new Set((await jsonOf(token)).map((row) => row.period_start));

  test('a data link of one week of a report shows that week even when a newer report is finished', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const { campaign_id } = await keepCampaign(setup, ann, { items: 1 });
    await freezeWeek(setup, ann, campaign_id);
    const page = await (await ann.post('/dashboard/links', form(campaign_id, '2026-11-11'))).text();
    const token = /\/links\/([\w-]{43})\.csv/.exec(page)?.[1] ?? expect.fail(page);
    const newest = await makeLink(setup, ann, { content: { kind: 'report', campaign_id, section: 'totals' } });
    await setup.db.sql`
      insert into reports select (jsonb_populate_record(r, jsonb_build_object(
        'report_id', ${newId()}::text, 'period_start', r.period_start + interval '7 days', 'body',
        replace(r.body, ${String(Date.parse('2026-11-09'))}, ${String(Date.parse('2026-11-16'))})))).*
      from reports r where campaign_id = ${campaign_id}`;
    expect(await startsOf(newest.token)).toEqual(new Set(['2026-11-16T00:00:00.000Z']));
    expect(await startsOf(token)).toEqual(new Set(['2026-11-09T00:00:00.000Z']));
    expect(await (await ann.get('/dashboard/links')).text()).toContain('totals, week from 2026-11-09');
    await setup.db.sql`delete from reports where campaign_id = ${campaign_id} and period_start < '2026-11-16'`;
    const gone = await readLink(setup, token);
    expect([gone.status, await gone.text()]).toEqual([410, expect.stringContaining('was deleted')]);
  });

  test.each([
    ['2026-11-18', 'or no finished report of that week'],
    ['next week', 'Enter the week as one of its days, such as 2026-11-09.'],
  ])('a data link is refused for %s, which is not a finished week', async (week, problem) => {
    const ann = await setup.member({ tier: 'ultra' });
    const { campaign_id } = await keepCampaign(setup, ann, { items: 1 });
    await freezeWeek(setup, ann, campaign_id);
    const answer = await ann.post('/dashboard/links', form(campaign_id, week));
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(problem)]);
    const wrong = await ann.post('/dashboard/links', { label: 'L', shows: 'list', week: '2026-11-09' });
    expect(await wrong.text()).toContain('Only campaign reports have a week.');
  });
});

describe('a data link of profiles and posts', () => {
  test('a data link of profiles shows cached values only, however old, and never fetches or charges', async () => {
    const ann = await setup.member({ credits: 50 });
    await requestProfiles(ann, ['stored']);
    setup.upstream.asked.length = 0;
    days(20);
    const content = {
      kind: 'profiles',
      urls: [address('stored'), address('never_asked')],
      fields: ['username', 'followers', 'bio'],
    } as const;
    const { token } = await makeLink(setup, ann, { content });
    const answer = await readLink(setup, token);
    expect(answer.headers.get('x-credits-charged')).toBe('0');
    const [head, stored, missing] = await linesOf(answer);
    expect(head).toBe('URL,Status,Username,Followers,Bio,Retrieved at (UTC),Message');
    expect(stored).toBe(
      `${address('stored')},OK,stored,4321,"'=HYPERLINK(""http://invented.example"")",2026-11-20 10:00:00,`,
    );
    expect(missing).toMatch(/^https:.*never_asked\/,NOT_STORED,,,,,"?No cached value yet/);
    expect(setup.upstream.asked).toEqual([]);
    expect(await balanceOf(ann)).toBe(49);
    setup.clock.now = new Date('2026-11-20T10:00:00.000Z');
  });

  test('a data link with refresh fetches outdated values: one read at a time, up to its monthly cap, on its own key', async () => {
    const ann = await setup.member({ credits: 50 });
    const urls = ['first', 'second', 'third'].map((name) => address(`refresh_${name}`));
    const { token } = await makeLink(setup, ann, {
      content: { kind: 'profiles', urls, fields: null },
      refresh: { max_age: '1d', monthly_cap: 2 },
    });
    expect((await readLink(setup, token, 'csv', { method: 'HEAD' })).status).toBe(200);
    expect(setup.upstream.asked).toEqual([]);
    const answers = await Promise.all([readLink(setup, token, 'json'), readLink(setup, token, 'json')]);
    const charged = answers.map(({ headers }) => Number(headers.get('x-credits-charged'))).toSorted();
    expect(charged).toEqual([0, 2]);
    expect(await balanceOf(ann)).toBe(48);
    const [listed] = await listDataLinks(setup.db.sql, ann.workspace_id, setup.clock.now);
    expect(listed).toMatchObject({ monthly_cap: 2, cap_used: 2 });

    setup.upstream.asked.length = 0;
    days(2);
    const later = await jsonOf(token);
    expect(setup.upstream.asked).toEqual([]);
    expect(later.filter(({ status }) => status === 'OK')).toHaveLength(2);
    const refused = later.find(({ status }) => status !== 'OK');
    expect(refused?.message).toContain('The monthly cap of this data link is used up');
    expect(await balanceOf(ann)).toBe(48);
  });

  test('a data link fetches outdated values again after the clock was days ahead and is set back', async () => {
    const ann = await setup.member({ credits: 50 });
    const { token } = await makeLink(setup, ann, {
      content: { kind: 'profiles', urls: [address('clock_ahead')], fields: null },
      refresh: { max_age: '1d', monthly_cap: 5 },
    });
    days(3);
    await jsonOf(token);
    days(-3);
    expect((await readLink(setup, token, 'json')).headers.get('x-credits-charged')).toBe('1');
    expect((await readLink(setup, token, 'json')).headers.get('x-credits-charged')).toBe('0');
  });

  test('a data link shows the last cached value when a new one cannot be fetched', async () => {
    const ann = await setup.member({ credits: 50 });
    await requestProfiles(ann, ['fragile']);
    days(3);
    setup.upstream.answer = () => ({ status: 404, body: Buffer.from('{}') });
    const { token } = await makeLink(setup, ann, {
      content: { kind: 'profiles', urls: [address('fragile')], fields: null },
      refresh: { max_age: '1d', monthly_cap: 5 },
    });
    expect(await jsonOf(token)).toMatchObject([{ status: 'OK', username: 'fragile', followers: 4321 }]);
    expect(setup.upstream.asked.length).toBeGreaterThan(0);
    expect(await balanceOf(ann)).toBe(49);
  });

  test('a data link shows the newest posts of accounts, even from a longer list that is stored', async () => {
    const ann = await setup.member({ credits: 50 });
    await requestProfiles(ann, ['poster'], 'posts');
    const before = await balanceOf(ann);
    const { token } = await makeLink(setup, ann, { content: { kind: 'posts', urls: [address('poster')], limit: 2 } });
    const rows = await jsonOf(token);
    expect(rows.map(({ status, author }) => [status, author])).toEqual([
      ['OK', 'poster'],
      ['OK', 'poster'],
    ]);
    expect(rows[0]).not.toHaveProperty('credits_charged');
    expect(await balanceOf(ann)).toBe(before);
  });
});

test('a data link shows only data of its own workspace', async () => {
  const ann = await setup.member({ tier: 'ultra' });
  const bob = await setup.member({ tier: 'ultra', name: 'Bob' });
  const { campaign_id } = await keepCampaign(setup, ann, { items: 1, item_name: () => 'only of Ann' });
  await expect(makeLink(setup, bob, { content: { kind: 'report', campaign_id, section: 'items' } })).rejects.toThrow(
    'unknown',
  );
  const { token } = await makeLink(setup, bob, { content: { kind: 'history', list_id: null } });
  expect(await jsonOf(token)).toEqual([]);
});
