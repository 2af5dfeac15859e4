import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listItems, listLists } from '../../db/tracking.ts';
import { changeWorkSettings } from '../../db/work-settings.ts';
import { createDashboardBench, type DashboardBench, type Member } from './dashboard-bench.ts';

let bench: DashboardBench;
let pro: Member;
let bob: Member;
beforeAll(async () => {
  bench = await createDashboardBench();
  [pro, bob] = [await bench.member({ tier: 'pro' }), await bench.member({ name: 'Bob', tier: 'pro_max' })];
});
afterAll(() => bench.close());

const page = '/dashboard/tracking';
const photo = (handle: string) => `https://www.instagram.com/${handle}/`;
const bodyOf = async (answer: Promise<Response> | Response) => (await answer).text();
const plain = (body: string) => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const itemsOf = ({ workspace_id }: Member) => listItems(bench.db.sql, workspace_id);
const add = (member: Member, ...urls: string[]) => member.post(page, { addresses: urls.join('\n') });

async function item(member: Member, handle: string) {
  await add(member, photo(handle));
  return (await itemsOf(member)).find(({ identifier }) => identifier === handle) ?? expect.fail('not tracked');
}

describe('adding by address', () => {
  test('recognises platform and kind of several at once, and tells duplicates and what cannot be tracked', async () => {
    const ann = await bench.member({ tier: 'ultra' });
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
      /Photo profile tide\.pool tracked now .*Short-video profile kelp\.bed tracked now .*Long-video channel \(preview\) @limpet tracked now .*was tracked already/,
    );
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('Send the address of a profile');
    expect(await itemsOf(ann)).toHaveLength(3);
  });

  test('follows share links and tracks what they lead to; one that leads nowhere is refused with what to send', async () => {
    const ann = await bench.member({ tier: 'ultra' });
    const location = `${photo('shared.one')}?igsh=1`;
    bench.upstream.answer = ({ url }) =>
      url.includes('/share/BAgood') ? { status: 302, headers: { location } } : { status: 404 };
    const links = ['https://www.instagram.com/share/BAgood1/', 'https://www.instagram.com/share/BAbad1/'];
    const answer = await add(ann, ...links).finally(() => {
      bench.upstream.answer = null;
    });
    const body = plain(await bodyOf(answer));
    expect(body).toContain('Photo profile shared.one tracked now');
    expect(body).toContain('Open it in a browser and copy the full address');
    expect((await itemsOf(ann)).map(({ identifier, url }) => [identifier, url])).toEqual([['shared.one', location]]);
  });

  test('takes handles on the platform that is chosen for them, and asks for it when none is', async () => {
    const ann = await bench.member({ tier: 'ultra' });
    const without = await add(ann, '@tide.pool');
    expect([without.status, plain(await bodyOf(without))]).toEqual([
      400,
      expect.stringContaining('choose the platform of @tide.pool'),
    ]);
    const fields = { addresses: '@Tide.Pool\nkelp.bed\nhttps://www.youtube.com/@limpet', handles_on: 'shortvideo' };
    expect((await ann.post(page, fields)).status).toBe(303);
    expect((await itemsOf(ann)).map(({ platform, identifier }) => `${platform} ${identifier}`).sort()).toEqual([
      'longvideo @limpet',
      'shortvideo kelp.bed',
      'shortvideo tide.pool',
    ]);
  });

  test('stops at the limit of the tier and says what would raise it', async () => {
    const ann = await bench.member();
    const answer = await add(ann, photo('first.one'), photo('second.one'));
    expect(plain(await bodyOf(answer))).toContain(
      'No room. Air has 1 tracked item; with a pack: Pro 10, Pro Max 50, Ultra 200.',
    );
    expect(await itemsOf(ann)).toHaveLength(1);
    expect(plain(await bodyOf(ann.get(page)))).toContain('There is no room for more');
  });

  test('of nothing, or of more than can be read at once, is refused by a sentence', async () => {
    expect((await add(pro)).status).toBe(400);
    const many = await add(pro, ...Array.from({ length: 201 }, (_, index) => photo(`handle${index}`)));
    expect([many.status, plain(await many.text())]).toEqual([400, expect.stringContaining('at most 200 addresses')]);
    expect(await itemsOf(pro)).toHaveLength(0);
  });

  test('into a list of another workspace is not found, and nothing is tracked', async () => {
    await bob.post(`${page}/lists`, { name: 'Of Bob' });
    const [list] = await listLists(bench.db.sql, bob.workspace_id);
    const answer = await pro.post(page, { addresses: photo('someone'), list: list?.list_id ?? '' });
    expect(answer.status).toBe(404);
    expect(await itemsOf(pro)).toHaveLength(0);
  });
});

describe('a check by hand', () => {
  test('costs 1 credit when it succeeds, is the one attempt in 24 hours, and the button says how long to wait', async () => {
    const ann = await bench.member();
    const { item_id } = await item(ann, 'once.a.day');
    const balance = async () => /<b>([\d,]+)<\/b> credits/.exec(await bodyOf(ann.get(page)))?.[1];
    const checked = await ann.post(`${page}/${item_id}/check`, {});
    expect(checked.headers.get('location')).toBe(`${page}/${item_id}?notice=check-OK`);
    expect(await balance()).toBe('99');
    bench.clock.now = new Date(bench.clock.now.getTime() + 5 * 3_600_000);
    const asked = bench.upstream.asked.length;
    const again = await ann.post(`${page}/${item_id}/check`, {});
    expect(again.headers.get('location')).toContain('check-too_early');
    expect([await balance(), bench.upstream.asked.length]).toEqual(['99', asked]);
    expect(await bodyOf(ann.get(`${page}/${item_id}`))).toContain('disabled>Check now (possible in 19 h 0 min)');
    bench.clock.now = new Date(bench.clock.now.getTime() + 19 * 3_600_000);
    expect((await ann.post(`${page}/${item_id}/check`, {})).headers.get('location')).toContain('check-OK');
    expect(await balance()).toBe('98');
  });

  test('that fails is free, and the log says why', async () => {
    const { item_id } = await item(pro, 'not.there');
    bench.upstream.answer = () => ({ status: 404, body: Buffer.from('{}') });
    try {
      const answer = await pro.post(`${page}/${item_id}/check`, {});
      expect(answer.headers.get('location')).toContain('check-failed');
    } finally {
      bench.upstream.answer = null;
    }
    const body = plain(await bodyOf(pro.get(`${page}/${item_id}`)));
    expect(body).toContain('RESOURCE_NOT_FOUND');
    expect(body).toContain('Nothing was observed in this time');
    expect(body).toContain('100 credits');
    expect(plain(await bodyOf(pro.get(`${page}?state=failing`)))).toContain('not.there');
  });

  test.each([
    ['paused', { paused: true }, 'check-workspace_paused'],
    ['at its monthly cap', { monthly_cap: 0 }, 'check-cap_reached'],
  ])('of a workspace that is %s does not use the attempt up', async (_, settings, notice) => {
    const ann = await bench.member();
    const { item_id } = await item(ann, 'waiting');
    await changeWorkSettings(bench.db.sql, ann.workspace_id, settings, bench.clock.now);
    expect((await ann.post(`${page}/${item_id}/check`, {})).headers.get('location')).toContain(notice);
    await changeWorkSettings(bench.db.sql, ann.workspace_id, { paused: false, monthly_cap: null }, bench.clock.now);
    expect((await ann.post(`${page}/${item_id}/check`, {})).headers.get('location')).toContain('check-OK');
  });

  test('of a workspace without credits does not use the attempt up', async () => {
    const ann = await bench.member({ credits: 0 });
    const { item_id } = await item(ann, 'poor');
    expect((await ann.post(`${page}/${item_id}/check`, {})).headers.get('location')).toContain('check-no_credits');
    expect((await itemsOf(ann))[0]?.last_attempt_at).toBeNull();
  });
});

describe('items', () => {
  test('are paused and resumed one by one and together', async () => {
    const ann = await bench.member({ tier: 'pro' });
    const made = [await item(ann, 'one'), await item(ann, 'two')];
    await ann.post(`${page}/${made[0]?.item_id}/pause`, {});
    expect((await itemsOf(ann)).map(({ status }) => status).toSorted()).toEqual(['active', 'paused']);
    const marked = new URLSearchParams({ action: 'paused' });
    for (const { item_id } of made) marked.append('item', item_id);
    const headers = { origin: bench.base_url };
    const sent = await bench.send(`${page}/change`, ann.cookie, { method: 'POST', body: marked, headers });
    expect(sent.status).toBe(303);
    expect((await itemsOf(ann)).map(({ status }) => status)).toEqual(['paused', 'paused']);
    expect((await ann.post(`${page}/${made[0]?.item_id}/check`, {})).headers.get('location')).toContain('check-paused');
    await ann.post(`${page}/${made[0]?.item_id}/resume`, {});
    expect(plain(await bodyOf(ann.get(`${page}?state=paused`)))).toContain('1 of 2 shown');
  });

  test('are removed with their history, after a page that says what is lost', async () => {
    const ann = await bench.member();
    const { item_id } = await item(ann, 'leaving');
    await ann.post(`${page}/${item_id}/check`, {});
    const question = plain(await bodyOf(ann.get(`${page}/${item_id}/remove`)));
    expect(question).toContain('with its log and 1 observation will be deleted for good');
    expect(await itemsOf(ann)).toHaveLength(1);
    expect((await ann.post(`${page}/${item_id}/remove`, {})).status).toBe(303);
    expect(await itemsOf(ann)).toHaveLength(0);
    expect((await ann.get(`${page}/${item_id}`)).status).toBe(404);
  });

  test('of another workspace are not found, on every page and form, and nothing happens to them', async () => {
    const { item_id } = await item(pro, 'private');
    const before = await itemsOf(pro);
    for (const path of ['', '/remove', '/observations.csv'])
      expect((await bob.get(`${page}/${item_id}${path}`)).status).toBe(404);
    for (const action of ['check', 'pause', 'resume', 'move', 'remove'])
      expect((await bob.post(`${page}/${item_id}/${action}`, {})).status).toBe(404);
    expect((await bob.post(`${page}/change`, { item: item_id, action: 'paused' })).status).toBe(404);
    expect(await itemsOf(pro)).toEqual(before);
  });

  test.each(['nonsense', "'; drop table tracked_items; --", '00000000-0000-0000-0000-000000000000'])(
    'of the id %j are not found',
    async (id) => {
      expect((await pro.get(`${page}/${encodeURIComponent(id)}`)).status).toBe(404);
      expect((await pro.get(`${page}?list=${encodeURIComponent(id)}`)).status).toBe(404);
      expect((await pro.post(`${page}/${encodeURIComponent(id)}/check`, {})).status).toBe(404);
    },
  );

  test('are not changed by a form of another site', async () => {
    const { item_id } = await item(pro, 'steady');
    const headers = { origin: 'https://evil.example' };
    const body = new URLSearchParams();
    const sent = await bench.send(`${page}/${item_id}/remove`, pro.cookie, { method: 'POST', body, headers });
    expect(sent.status).toBe(403);
    expect((await itemsOf(pro)).some((one) => one.item_id === item_id)).toBe(true);
  });
});

describe('lists', () => {
  test('are made as far as the tier has room, renamed, filled and removed; their items stay', async () => {
    const ann = await bench.member({ tier: 'pro' });
    await ann.post(`${page}/lists`, { name: '<b>Brands</b>' });
    const full = await ann.post(`${page}/lists`, { name: 'Second' });
    expect([full.status, plain(await full.text())]).toEqual([
      400,
      expect.stringContaining('no room for another list. Pro has 1 list; with a pack: Pro Max 5, Ultra 20.'),
    ]);
    const list_id = (await listLists(bench.db.sql, ann.workspace_id))[0]?.list_id ?? '';
    expect(await bodyOf(ann.get(`${page}/lists`))).not.toContain('<b>Brands');
    await ann.post(`${page}/lists/${list_id}/rename`, { name: 'Brands' });
    const { item_id } = await item(ann, 'listed');
    await ann.post(`${page}/${item_id}/move`, { list: list_id });
    expect(plain(await bodyOf(ann.get(`${page}?list=${list_id}`)))).toContain('1 of 1 shown');
    expect((await ann.post(`${page}/lists/${list_id}/remove`, {})).status).toBe(303);
    expect((await itemsOf(ann)).map((one) => one.list_id)).toEqual([null]);
  });

  test('of another workspace are not found', async () => {
    const [list] = await listLists(bench.db.sql, bob.workspace_id);
    const { item_id } = await item(pro, 'mover');
    expect((await pro.post(`${page}/${item_id}/move`, { list: list?.list_id ?? '' })).status).toBe(404);
    expect((await pro.post(`${page}/change`, { item: item_id, action: `list:${list?.list_id}` })).status).toBe(404);
    for (const action of ['rename', 'remove'])
      expect((await pro.post(`${page}/lists/${list?.list_id}/${action}`, { name: 'Mine' })).status).toBe(404);
    expect(await listLists(bench.db.sql, bob.workspace_id)).toEqual([list]);
  });
});
