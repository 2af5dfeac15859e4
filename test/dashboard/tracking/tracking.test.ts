import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listItems } from '../../../db/tracking/items.ts';
import { listLists } from '../../../db/tracking/lists.ts';
import { changeWorkSettings } from '../../../db/tracking/work-settings.ts';
import { createDashboardSetup, type DashboardSetup, type Member, noticeOf } from '../dashboard-server.ts';

let setup: DashboardSetup;
let pro: Member;
let bob: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
  [pro, bob] = [await setup.member({ tier: 'pro' }), await setup.member({ name: 'Bob', tier: 'pro_max' })];
});
afterAll(() => setup.close());

const page = '/dashboard/tracking';
const photo = (handle: string) => `https://www.instagram.com/${handle}/`;
const bodyOf = async (answer: Promise<Response> | Response) => (await answer).text();
const plain = (body: string) => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const itemsOf = ({ workspace_id }: Member) => listItems(setup.db.sql, workspace_id);
const add = (member: Member, ...urls: string[]) => member.post(page, { addresses: urls.join('\n') });

async function item(member: Member, handle: string) {
  await add(member, photo(handle));
  return (await itemsOf(member)).find(({ identifier }) => identifier === handle) ?? expect.fail('not tracked');
}

describe('tracking items by their addresses', () => {
  test('several addresses are tracked at once, and the page shows types, duplicates and refused addresses', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const answer = await add(
      ann,
      photo('tide.pool'),
      'tiktok.com/@kelp.bed',
      'https://www.youtube.com/@limpet',
      'https://www.instagram.com/TIDE.POOL',
      'https://example.com/<script>alert(1)</script>',
    );
    const body = await bodyOf(answer);
    expect(answer.status).toBe(200);
    expect(plain(body)).toMatch(
      /Instagram profile tide\.pool added .*TikTok profile kelp\.bed added .*YouTube channel \(preview\) @limpet added .*already tracked/,
    );
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('This is not a profile, post, video or channel');
    expect(await itemsOf(ann)).toHaveLength(3);
  });

  test('tracking a short link tracks its target, and a short link without a target is refused with advice', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const location = `${photo('shared.one')}?igsh=1`;
    setup.upstream.answer = ({ url }) =>
      url.includes('/share/BAgood') ? { status: 302, headers: { location } } : { status: 404 };
    const links = ['https://www.instagram.com/share/BAgood1/', 'https://www.instagram.com/share/BAbad1/'];
    const answer = await add(ann, ...links).finally(() => {
      setup.upstream.answer = null;
    });
    const body = plain(await bodyOf(answer));
    expect(body).toContain('Instagram profile shared.one added');
    expect(body).toContain('Open it in a browser and use the full link');
    expect((await itemsOf(ann)).map(({ identifier, url }) => [identifier, url])).toEqual([['shared.one', location]]);
  });

  test.each(['', 'preview'])(
    'tracking (act %j) says which short link cannot be followed now, and offers it again',
    async (act) => {
      const ann = await setup.member({ tier: 'ultra' });
      const busy = 'https://www.instagram.com/share/BAbusy1/';
      setup.upstream.answer = ({ url }) => (url === busy ? { status: 429 } : {});
      const answer = await ann.post(page, { addresses: [photo('fine'), busy].join('\n'), act }).finally(() => {
        setup.upstream.answer = null;
      });
      const html = await bodyOf(answer);
      expect(plain(html)).toContain('This short link could not be followed now.');
      expect(/<textarea[^>]*>([^<]*)/.exec(html)?.[1]).toContain(busy);
    },
  );

  test('links with text around them are tracked as in a bulk analysis, and their clean URL is stored', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const pasted = ['IG: @tide.pool', `=HYPERLINK("${photo('kelp')}", "Kelp, the creator")`, `<${photo('limpet')}>,`];
    const fields = { addresses: pasted.join('\n'), handles_on: 'shortvideo' };
    expect((await ann.post(page, fields)).status).toBe(303);
    expect((await itemsOf(ann)).map(({ platform, url }) => [platform, url]).sort()).toEqual([
      ['photo', 'https://www.instagram.com/kelp/'],
      ['photo', 'https://www.instagram.com/limpet/'],
      ['photo', 'https://www.instagram.com/tide.pool'],
    ]);
  });

  test('rows of a spreadsheet with names beside the links are tracked by their links, and a row without a link is one refused line', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const rows = [`Client\tLink`, `Ann Lee\t${photo('kelp')}\t${photo('limpet')}`, 'no link at all'];
    const body = plain(await bodyOf(await ann.post(page, { addresses: rows.join('\n'), act: 'preview' })));
    expect(body).toContain('New 2 ');
    expect(body).toContain('Left out 2 ');
    expect(body).toContain('no link at all');
  });

  test('tracked handles need a chosen platform, which the form asks for when it is missing', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const without = await add(ann, '@tide.pool');
    expect([without.status, plain(await bodyOf(without))]).toEqual([
      400,
      expect.stringContaining('choose the platform of @tide.pool'),
    ]);
    const fields = {
      addresses:
        '\u200b@Tide.\ufeffPool\u2060\nkelp.bed\u200e\nhttps://www.youtube.com/@limpet\nReef ＠reef.fan\n@ gull',
      handles_on: 'shortvideo',
    };
    expect((await ann.post(page, fields)).status).toBe(303);
    expect((await itemsOf(ann)).map(({ platform, identifier }) => `${platform} ${identifier}`).sort()).toEqual([
      'longvideo @limpet',
      'shortvideo gull',
      'shortvideo kelp.bed',
      'shortvideo reef.fan',
      'shortvideo tide.pool',
    ]);
  });

  test('tracking several items stops at the limit of the tier, and the page names the larger packs', async () => {
    const ann = await setup.member();
    const answer = await add(ann, photo('first.one'), photo('second.one'));
    expect(plain(await bodyOf(answer))).toContain(
      'Limit reached. Air has 1 tracked item. Higher tiers: Pro 10, Pro Max 50, Ultra 200.',
    );
    expect(await itemsOf(ann)).toHaveLength(1);
    expect(plain(await bodyOf(ann.get(page)))).toContain('Your limit is reached.');
  });

  test('tracking without any link, or with too many links, is refused with a message', async () => {
    expect((await add(pro)).status).toBe(400);
    const many = await add(pro, ...Array.from({ length: 201 }, (_, index) => photo(`handle${index}`)));
    expect([many.status, plain(await many.text())]).toEqual([400, expect.stringContaining('at most 200 links')]);
    expect(await itemsOf(pro)).toHaveLength(0);
  });

  test('tracked items cannot be added to a list of another workspace', async () => {
    await bob.post(`${page}/lists`, { name: 'Of Bob' });
    const [list] = await listLists(setup.db.sql, bob.workspace_id);
    const answer = await pro.post(page, { addresses: photo('someone'), list: list?.list_id ?? '' });
    expect(answer.status).toBe(400);
    expect(await itemsOf(pro)).toHaveLength(0);
  });
});

describe('a manual check of a tracked item', () => {
  test('a successful manual check costs 1 credit and is possible once every 24 hours, as the button shows', async () => {
    const ann = await setup.member();
    const { item_id } = await item(ann, 'once.a.day');
    const balance = async () => /<b>([\d,]+)<\/b> credits/.exec(await bodyOf(ann.get(page)))?.[1];
    const checked = await ann.post(`${page}/${item_id}/check`, {});
    expect([checked.headers.get('location'), noticeOf(checked)]).toEqual([`${page}/${item_id}`, 'check-OK']);
    expect(await balance()).toBe('99');
    setup.clock.now = new Date(setup.clock.now.getTime() + 5 * 3_600_000);
    const asked = setup.upstream.asked.length;
    const again = await ann.post(`${page}/${item_id}/check`, {});
    expect(noticeOf(again)).toBe('check-too_early');
    expect([await balance(), setup.upstream.asked.length]).toEqual(['99', asked]);
    expect(await bodyOf(ann.get(`${page}/${item_id}`))).toContain('disabled>Check again in 19 h 0 min');
    setup.clock.now = new Date(setup.clock.now.getTime() + 19 * 3_600_000);
    expect(noticeOf(await ann.post(`${page}/${item_id}/check`, {}))).toBe('check-OK');
    expect(await balance()).toBe('98');
  });

  test('a failed manual check is free, and the log shows the reason', async () => {
    const { item_id } = await item(pro, 'not.there');
    setup.upstream.answer = () => ({ status: 404, body: Buffer.from('{}') });
    try {
      const answer = await pro.post(`${page}/${item_id}/check`, {});
      expect(noticeOf(answer)).toBe('check-failed');
    } finally {
      setup.upstream.answer = null;
    }
    const body = plain(await bodyOf(pro.get(`${page}/${item_id}`)));
    expect(body).toContain('RESOURCE_NOT_FOUND');
    expect(body).toContain('No data in this period');
    expect(body).toContain('100 credits');
    expect(plain(await bodyOf(pro.get(`${page}?state=failing`)))).toContain('not.there');
  });

  test.each([
    ['paused', { paused: true }, 'check-workspace_paused'],
    ['at its monthly cap', { monthly_cap: 0 }, 'check-cap_reached'],
  ])('a manual check of a workspace that is %s can be repeated later', async (_, settings, notice) => {
    const ann = await setup.member();
    const { item_id } = await item(ann, 'waiting');
    await changeWorkSettings(setup.db.sql, ann.workspace_id, settings, setup.clock.now);
    expect(noticeOf(await ann.post(`${page}/${item_id}/check`, {}))).toBe(notice);
    await changeWorkSettings(setup.db.sql, ann.workspace_id, { paused: false, monthly_cap: null }, setup.clock.now);
    expect(noticeOf(await ann.post(`${page}/${item_id}/check`, {}))).toBe('check-OK');
  });

  test('a manual check that failed because of missing credits can be repeated later', async () => {
    const ann = await setup.member({ credits: 0 });
    const { item_id } = await item(ann, 'poor');
    expect(noticeOf(await ann.post(`${page}/${item_id}/check`, {}))).toBe('check-no_credits');
    expect((await itemsOf(ann))[0]?.last_attempt_at).toBeNull();
  });
});

describe('tracked items', () => {
  test('tracked items are paused and resumed, single items and many at once', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const made = [await item(ann, 'one'), await item(ann, 'two')];
    await ann.post(`${page}/${made[0]?.item_id}/pause`, {});
    expect((await itemsOf(ann)).map(({ status }) => status).toSorted()).toEqual(['active', 'paused']);
    const marked = new URLSearchParams({ act: 'paused' });
    for (const { item_id } of made) marked.append('id', item_id);
    const headers = { origin: setup.base_url };
    const sent = await setup.send(`${page}/change`, ann.cookie, { method: 'POST', body: marked, headers });
    expect(sent.status).toBe(303);
    expect((await itemsOf(ann)).map(({ status }) => status)).toEqual(['paused', 'paused']);
    expect(noticeOf(await ann.post(`${page}/${made[0]?.item_id}/check`, {}))).toBe('check-paused');
    await ann.post(`${page}/${made[0]?.item_id}/resume`, {});
    expect(plain(await bodyOf(ann.get(`${page}?state=paused`)))).toContain('Showing 1 of 2 items');
  });

  test('tracked items are removed with their history after a page that shows what is deleted', async () => {
    const ann = await setup.member();
    const { item_id } = await item(ann, 'leaving');
    await ann.post(`${page}/${item_id}/check`, {});
    const question = plain(await bodyOf(ann.get(`${page}/${item_id}/remove`)));
    expect(question).toContain('will be deleted with its log and 1 observation');
    expect(await itemsOf(ann)).toHaveLength(1);
    expect((await ann.post(`${page}/${item_id}/remove`, {})).status).toBe(303);
    expect(await itemsOf(ann)).toHaveLength(0);
    expect((await ann.get(`${page}/${item_id}`)).status).toBe(404);
  });

  test('tracked items of another workspace are not found by any page or form, and are not changed', async () => {
    const { item_id } = await item(pro, 'private');
    const before = await itemsOf(pro);
    for (const path of ['', '/remove', '/observations.csv'])
      expect((await bob.get(`${page}/${item_id}${path}`)).status).toBe(404);
    for (const action of ['check', 'pause', 'resume', 'move', 'remove'])
      expect((await bob.post(`${page}/${item_id}/${action}`, {})).status).toBe(404);
    expect((await bob.post(`${page}/change`, { id: item_id, act: 'paused' })).status).toBe(404);
    expect(await itemsOf(pro)).toEqual(before);
  });

  test.each(['nonsense', "'; drop table tracked_items; --", '00000000-0000-0000-0000-000000000000'])(
    'tracked items with the id %j are not found',
    async (id) => {
      expect((await pro.get(`${page}/${encodeURIComponent(id)}`)).status).toBe(404);
      expect((await pro.get(`${page}?list=${encodeURIComponent(id)}`)).status).toBe(404);
      expect((await pro.post(`${page}/${encodeURIComponent(id)}/check`, {})).status).toBe(404);
    },
  );

  test('tracked items are not changed by a form from another site', async () => {
    const { item_id } = await item(pro, 'steady');
    const headers = { origin: 'https://evil.example' };
    const body = new URLSearchParams();
    const sent = await setup.send(`${page}/${item_id}/remove`, pro.cookie, { method: 'POST', body, headers });
    expect(sent.status).toBe(403);
    expect((await itemsOf(pro)).some((one) => one.item_id === item_id)).toBe(true);
  });
});

describe('tracking lists', () => {
  test('tracking lists are created up to the limit of the tier, renamed, filled and removed, and their items stay', async () => {
    const ann = await setup.member({ tier: 'pro' });
    await ann.post(`${page}/lists`, { name: '<b>Brands</b>' });
    const full = await ann.post(`${page}/lists`, { name: 'Second' });
    expect([full.status, plain(await full.text())]).toEqual([
      400,
      expect.stringContaining('List limit reached. Pro has 1 list. Higher tiers: Pro Max 5, Ultra 20.'),
    ]);
    const listId = (await listLists(setup.db.sql, ann.workspace_id))[0]?.list_id ?? '';
    expect(await bodyOf(ann.get(`${page}/lists`))).not.toContain('<b>Brands');
    await ann.post(`${page}/lists/${listId}/rename`, { name: 'Brands' });
    expect(await bodyOf(ann.get(`${page}/lists`))).toContain(
      'data-confirm="Remove the list Brands? You cannot undo this. Its alert rules are deleted, and nothing more is written into its spreadsheets. Data links to it stop working. Its items are still tracked."',
    );
    const { item_id } = await item(ann, 'listed');
    await ann.post(`${page}/${item_id}/move`, { list: listId });
    expect(plain(await bodyOf(ann.get(`${page}?list=${listId}`)))).toContain('Showing 1 of 1 items');
    expect((await ann.post(`${page}/lists/${listId}/remove`, {})).status).toBe(303);
    expect((await itemsOf(ann)).map((one) => one.list_id)).toEqual([null]);
  });

  test('tracking lists of another workspace are not found', async () => {
    const [list] = await listLists(setup.db.sql, bob.workspace_id);
    const { item_id } = await item(pro, 'mover');
    expect((await pro.post(`${page}/${item_id}/move`, { list: list?.list_id ?? '' })).status).toBe(404);
    expect((await pro.post(`${page}/change`, { id: item_id, act: 'move', to: list?.list_id ?? '' })).status).toBe(404);
    for (const action of ['rename', 'remove'])
      expect((await pro.post(`${page}/lists/${list?.list_id}/${action}`, { name: 'Mine' })).status).toBe(404);
    expect(await listLists(setup.db.sql, bob.workspace_id)).toEqual([list]);
  });
});
