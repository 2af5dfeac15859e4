import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRecipients } from '../../../db/alerts/recipients.ts';
import { listRules } from '../../../db/alerts/rules.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { observedItem } from './observed.ts';

const dayMs = 86_400_000;
const area = '/dashboard/tracking';

let setup: DashboardSetup;
let ann: Member;
let ids: string[];
beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ tier: 'pro_max' });
  ids = await itemsOf(ann, 5);
});
afterAll(() => setup.close());

const daysAgo = (days: number) => new Date(setup.clock.now.getTime() - days * dayMs);
const textOf = (body: string) => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

/**
 * Creates accounts named `shop 0`, `shop 1` … with 1,000, 2,000 … followers, and one check of each per day from 10 to
 * 14 November.
 */
async function itemsOf(member: Member, amount: number): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < amount; n += 1) {
    const url = `https://www.instagram.com/shop.${n}/`;
    const item = { platform: 'photo', kind: 'profile', url, identifier: `shop.${n}`, name: `Shop <${n}>` };
    const checks = [10, 9, 8, 7, 6].map((days) => ({ at: daysAgo(days), followers: 1_000 * (n + 1) + 10 - days }));
    made.push(await observedItem(setup.db.sql, member.workspace_id, { ...item, since: daysAgo(20) }, checks));
  }
  return made;
}

async function pageOf(query: string, member = ann): Promise<{ status: number; body: string; text: string }> {
  const answer = await member.get(`${area}/${ids[0]}${query}`);
  const body = await answer.text();
  return { status: answer.status, body, text: textOf(body) };
}

describe('comparing tracked items', () => {
  test('the comparison shows the metric of up to four items by day, in one chart and its table', async () => {
    const { body, text } = await pageOf(`?with=${ids[1]}&with=${ids[2]}`);
    expect(body.split('<path class="line').length - 1).toBe(3);
    expect(text).toMatch(/Day Shop &lt;0&gt; Shop &lt;1&gt; Shop &lt;2&gt;/);
    expect(text).toContain('14 Nov 2026 1,004 2,004 3,004');
    expect(body).not.toContain('<1>');
  });

  test('the comparison in percent shows items of different sizes from their first day', async () => {
    const { text } = await pageOf(`?with=${ids[1]}&view=percent`);
    expect(text).toContain('14 Nov 2026 0.4 0.2');
  });

  test('an item is removed from the comparison by its link, and the forms keep the metric, view and days', async () => {
    const { body } = await pageOf(`?with=${ids[1]}&with=${ids[2]}&view=percent&days=30`);
    const removal = /<a href="([^"]*)" class="icon-only" aria-label="Do not compare with Shop &lt;1&gt;"/.exec(
      body,
    )?.[1];
    expect(removal).toContain(`with=${ids[2]}`);
    expect(removal).not.toContain(ids[1]);
    const form = /<form method="get"(?:(?!<\/form>).)*Compare with.*?<\/form>/s.exec(body)?.[0] ?? '';
    for (const [name, value] of [
      ['with', ids[1]],
      ['with', ids[2]],
      ['view', 'percent'],
      ['days', '30'],
    ])
      expect(form).toContain(`<input type="hidden" name="${name}" value="${value}">`);
    expect(form).not.toContain(`<option value="${ids[1]}"`);
  });

  test('the comparison leaves out a fourth other item, the item itself and items of other workspaces', async () => {
    const stranger = await setup.member({ tier: 'pro' });
    const [foreign] = await itemsOf(stranger, 1);
    const many = await pageOf(
      `?${ids
        .slice(1)
        .map((id) => `with=${id}`)
        .join('&')}`,
    );
    expect(many.body.split('<path class="line').length - 1).toBe(4);
    expect(many.text).toContain('at most 4 items');
    const others = await pageOf(`?with=${ids[0]}&with=${foreign}&with=nonsense`);
    expect(others.body.split('<path class="line').length - 1).toBe(1);
  });

  test('a comparison with hundreds of items in the address draws at most four lines, and shows hostile values as text', async () => {
    const many = await pageOf(
      `?${Array.from({ length: 300 }, (_, n) => `with=${n % 2 ? ids[n % 5] : `x${n}`}`).join('&')}`,
    );
    expect(many.status).toBe(200);
    expect(many.body.split('<path class="line').length - 1).toBeLessThanOrEqual(4);
    const script = encodeURIComponent('"><script>alert(1)</script>');
    for (const query of [
      `from=${script}`,
      `to=${script}`,
      `from=2026-11-11&with=${script}`,
      `view=${script}&metric=${script}`,
    ]) {
      const { body, status } = await pageOf(`?${query}`);
      expect([query, status < 500, body.includes('<script>alert')]).toEqual([query, true, false]);
    }
  });

  test('selected items of the list open in one comparison, and a wrong number of items gives a message', async () => {
    const post = (chosen: string[]) => ann.post(`${area}/change`, { act: 'compare', id: chosen });
    expect((await post(ids.slice(0, 3))).headers.get('location')).toBe(
      `${area}/${ids[0]}?with=${ids[1]}&with=${ids[2]}`,
    );
    for (const wrong of [ids.slice(0, 1), ids]) {
      const answer = await post(wrong);
      expect([answer.status, textOf(await answer.text())]).toEqual([
        400,
        expect.stringContaining('Select 2 to 4 items'),
      ]);
    }
  });
});

describe("a period of the user's choice", () => {
  test('the item page shows the period that the user chose, with its first and last day', async () => {
    const { text, body } = await pageOf('?from=2026-11-11&to=2026-11-12');
    expect(text).toContain('12 Nov 2026 1,002');
    expect(text).toContain('11 Nov 2026 1,001');
    expect(text).not.toMatch(/2026-11-1[034] 1,00/);
    expect(body).toContain('name="from" type="date" value="2026-11-11"');
    expect(body).toMatch(/href="[^"]*days=90"/);
    expect(body).not.toMatch(/href="[^"]*days=90[^"]*from=/);
  });

  test.each([
    ['from=2026-11-31', 'Enter a day'],
    ['from=yesterday', 'Enter a day'],
    ['from=2027-01-01', 'in the future'],
    ['from=2026-11-12&to=2026-11-11', 'before the first day'],
    ['to=2020-01-01', 'Your history begins on \\d+ Aug 2026'],
  ])('the period %s is refused at its field, and the usual days are shown', async (query, message) => {
    const { status, body, text } = await pageOf(`?${query}`);
    expect(status).toBe(400);
    expect(body).toMatch(new RegExp(`<p class="error" id="(?:from|to)-error">[^<]*${message}`));
    expect(body).toMatch(/aria-invalid="true" autofocus/);
    expect(text).toContain('14 Nov 2026 1,004');
  });

  test("a period of the user's choice begins at most as far back as the history of the tier", async () => {
    const air = await setup.member();
    const url = 'https://www.instagram.com/old.one/';
    const item = { platform: 'photo', kind: 'profile', url, identifier: 'old.one', since: daysAgo(60) };
    const checks = [
      { at: daysAgo(20), followers: 77_777 },
      { at: daysAgo(2), followers: 88_888 },
    ];
    const own = await observedItem(setup.db.sql, air.workspace_id, item, checks);
    const text = textOf(await (await air.get(`${area}/${own}?from=2026-01-01`)).text());
    expect(text).toContain('88,888');
    expect(text).not.toContain('77,777');
  });
});

describe('an alert for a tracked item', () => {
  test('the alert button of an item opens a rule that is filled in for the item and alerts the user', async () => {
    const { body } = await pageOf('');
    const path =
      /href="([^"]*)"><svg[^>]*>(?:(?!<\/svg>).)*<\/svg>New alert for this item/
        .exec(body)?.[1]
        ?.replaceAll('&amp;', '&') ?? expect.fail('no button');
    const form = await (await ann.get(path)).text();
    expect(form).toContain('value="Shop &lt;0&gt;: followers change"');
    expect(form).toContain(`<option value="item:${ids[0]}" selected>`);
    expect(form).toContain('<option value="followers" selected>');
    expect(form).toContain('name="own" checked');
    const fields = { condition: 'change', metric: 'followers', direction: 'both', amount: '10', days: '7' };
    const sent = { ...fields, name: 'Shop', scope: `item:${ids[0]}`, cooldown_hours: '24', own: 'on' };
    expect((await ann.post('/dashboard/alerts/rules', sent)).status).toBe(303);
    const [recipient] = await listRecipients(setup.db.sql, ann.workspace_id);
    expect(recipient).toMatchObject({ address: ann.email, confirmed_at: expect.any(Date) });
    const [rule] = await listRules(setup.db.sql, ann.workspace_id);
    expect(rule).toMatchObject({ scope_id: ids[0], recipient_ids: [recipient?.recipient_id] });
    expect(await (await ann.get(path)).text()).not.toContain('name="own"');
  });

  test('an alert rule that is saved without the checkbox adds no recipient', async () => {
    const ben = await setup.member({ tier: 'pro' });
    const rule = { name: 'All', scope: 'all', condition: 'not_found', cooldown_hours: '24' };
    expect((await ben.post('/dashboard/alerts/rules', rule)).status).toBe(303);
    expect(await listRecipients(setup.db.sql, ben.workspace_id)).toHaveLength(0);
  });
});
