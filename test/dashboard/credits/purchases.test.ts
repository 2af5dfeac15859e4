import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '../../../db/accounts/members.ts';
import { chooseWorkspace } from '../../../db/accounts/team.ts';
import { moveCredits } from '../../../db/money/ledger.ts';
import { recordPurchase, recordReversal } from '../../../db/money/purchases.ts';
import type { ReversalStage } from '../../../db/money/reversals.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let ann: Member;
let events = 0;
beforeAll(async () => {
  const api = { protocol: 'http', host: '127.0.0.1', port: 9 } as const;
  setup = await createDashboardSetup({ payments: { secret_key: 'sk_test_invented', webhook_secret: 'whsec_x', api } });
  ann = await setup.member();
});
afterAll(() => setup.close());

const event = () => {
  events += 1;
  return { event_id: `evt_${events}`, type: 'invented' };
};

interface Back {
  source: string;
  amount: number;
  stage?: ReversalStage;
}

/** Stores a purchase of the pack Pro for $24 with its refunds and disputes. Returns the text of its row on the page. */
async function rowAfter(paymentId: string, backs: readonly Back[], currency = 'usd'): Promise<string> {
  const { sql } = setup.db;
  const bought = { workspace_id: ann.workspace_id, payment_id: paymentId, pack: 'pro', credits: 10_000 } as const;
  await recordPurchase(sql, event(), { ...bought, amount: 2_400, currency }, setup.clock.now);
  setup.clock.now = new Date(setup.clock.now.getTime() + 60_000);
  for (const { stage = 'open', ...back } of backs)
    await recordReversal(sql, event(), { ...back, payment_id: paymentId, stage }, setup.clock.now);
  const page = await (await ann.get('/dashboard/credits')).text();
  const [, rows = ''] = page.split('Purchased packs</caption>');
  return plain(/<tbody>(<tr>.*?<\/tr>)/s.exec(rows)?.[1] ?? '');
}

const plain = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

test.each([
  ['a payment', [], 'paid $'],
  [
    'a refund of half',
    [{ source: 'refund', amount: 1_200 }],
    'partly refunded $12.00 returned, 5,000 credits taken back',
  ],
  ['a full refund', [{ source: 'refund', amount: 2_400 }], 'refunded $24.00 returned, 10,000 credits taken back'],
  [
    'a refund that failed',
    [
      { source: 'refund', amount: 1_200 },
      { source: 'refund:re_1', amount: 1_200, stage: 'won' },
    ],
    'paid $',
  ],
  [
    'two refunds of which one failed',
    [
      { source: 'refund', amount: 1_800 },
      { source: 'refund:re_2', amount: 1_200 },
      { source: 'refund:re_3', amount: 600, stage: 'won' },
    ],
    'partly refunded $12.00 returned, 5,000 credits taken back',
  ],
  [
    'an open dispute',
    [{ source: 'dp_1', amount: 2_400 }],
    'disputed $24.00 disputed, 10,000 credits taken back until the bank decides',
  ],
  [
    'a lost dispute',
    [{ source: 'dp_2', amount: 2_400, stage: 'lost' }],
    'charged back $24.00 returned, 10,000 credits taken back',
  ],
  [
    'a won dispute',
    [
      { source: 'dp_3', amount: 2_400 },
      { source: 'dp_3', amount: 0, stage: 'won' },
    ],
    'paid The dispute is over.',
  ],
  [
    'a refund and an inquiry of the bank',
    [
      { source: 'refund', amount: 1_200 },
      { source: 'dp_4', amount: 0 },
    ],
    'partly refunded $12.00 returned, 5,000 credits taken back',
  ],
  [
    'a refund and a dispute about the rest',
    [
      { source: 'refund', amount: 1_200 },
      { source: 'dp_5', amount: 1_200 },
    ],
    'disputed $12.00 returned, $12.00 disputed, 10,000 credits taken back',
  ],
] satisfies [string, Back[], string][])(
  'the list of purchases says what happened after %s',
  async (name, backs, text) => {
    const row = await rowAfter(`pi_${name.replaceAll(' ', '')}`, backs);
    expect(row.trim()).toMatch(
      text.endsWith('$') ? /10,000 \$24\.00 Open invoice paid$/ : new RegExp(` ${text.replaceAll('$', '\\$')}$`),
    );
  },
);

test('a price in a currency without cents is not divided by 100', async () => {
  expect(await rowAfter('pi_yen', [], 'jpy')).toContain('¥2,400');
});

test('the ledger says in words why credits of a purchase were added, taken and returned', async () => {
  await setup.db.sql`update credit_balances set balance = 9000 where workspace_id = ${ann.workspace_id}`;
  await rowAfter('pi_spent', []);
  await setup.db.sql`update credit_balances set balance = 900 where workspace_id = ${ann.workspace_id}`;
  await recordReversal(
    setup.db.sql,
    event(),
    { payment_id: 'pi_spent', source: 'refund', amount: 2_400, stage: 'open' },
    setup.clock.now,
  );
  const page = plain(await (await ann.get('/dashboard/credits')).text());
  expect(page).toContain('Refund or dispute of a purchase 10,000 credits were due, but only 900 were left. pi_spent');
  expect(page).toContain('Pro pack pi_spent');
  expect(page).toContain('refunded $24.00 returned, 900 credits taken back');
  expect(page).toContain('Credits returned after a dispute pi_awondispute');
});

test('the ledger shows a reason that an operator typed unchanged, even when it looks like the reason of a purchase', async () => {
  const typed = ['refund of order-17', 'return after a dispute of order-18', 'pro pack order-19'];
  for (const reason of typed)
    await moveCredits(setup.db.sql, ann.workspace_id, { kind: 'adjustment', credits: 1, reason });
  const page = plain(await (await ann.get('/dashboard/credits')).text());
  for (const reason of typed) expect(page).toContain(` ${reason} `);
});

test('the refund of a payment is named in the ledger after 1,000 newer payments', async () => {
  const { sql } = setup.db;
  const bob = await setup.member();
  const bought = { workspace_id: bob.workspace_id, pack: 'pro', credits: 10, amount: 2_400, currency: 'usd' } as const;
  await recordPurchase(sql, event(), { ...bought, payment_id: 'pi_oldest' }, setup.clock.now);
  await sql`
    insert into purchases (workspace_id, payment_id, pack, credits, amount, currency, created_at)
    select ${bob.workspace_id}, 'pi_newer' || n, 'pro', 10, 2400, 'usd', ${setup.clock.now}::timestamptz + n * interval '1 second'
    from generate_series(1, 1000) as n`;
  const refund = { payment_id: 'pi_oldest', source: 'refund', amount: 2_400, stage: 'open' } as const;
  await recordReversal(sql, event(), refund, setup.clock.now);
  const page = plain(await (await bob.get('/dashboard/credits')).text());
  expect(page).toContain('Refund or dispute of a purchase pi_oldest');
});

test('when the payment page cannot be opened, the credits page says that nothing was paid', async () => {
  const answer = await ann.post('/dashboard/credits/buy', { pack: 'pro' });
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('The payment page could not be opened, so nothing was paid.');
  expect(setup.errors.splice(0)).toHaveLength(1);
}, 30_000);

test('people who cannot buy packs see the names of the packs and who can buy them', async () => {
  const { sql } = setup.db;
  const bob = await setup.member({ name: 'Bob' });
  await addMember(sql, ann.workspace_id, bob.user_id, 'editor');
  const [session] = await sql<{ id: string }[]>`select id from auth_sessions where user_id = ${bob.user_id}`;
  await chooseWorkspace(sql, { session_id: session?.id ?? '', user_id: bob.user_id }, ann.workspace_id);
  const page = await (await bob.get('/dashboard/credits')).text();
  expect(page).toMatch(/<td[^>]*>Pro Max<\/td><td[^>]*>\$40<\/td>/);
  expect(page).toContain('Only owners can buy packs.');
  const [, table = ''] = page.split('<caption class="hidden">Credit packs</caption>');
  expect(table.split('</thead>')[0]?.match(/<th /g)).toHaveLength(3);
});
