import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../db/accounts/keys.ts';
import { listEntries } from '../../../db/money/ledger-entries.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createBatch } from '../../../pipeline/batches/batches.ts';
import { isCitusRun } from '../../setup/citus.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { populate } from '../populated.ts';
import { observedItem } from '../tracking/observed.ts';

const page = '/dashboard/credits';

let setup: DashboardSetup;
let ann: Member;
let keyId: string;
let itemId: string;
let batchId: string;
const plain = (body: string) => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const bodyOf = async (member: Member, path: string) => (await member.get(path)).text();
const csvOf = async (query: string): Promise<Record<string, string>[]> =>
  parse(await bodyOf(ann, `${page}/ledger.csv${query}`), { columns: true });

/** Adds a charge from the past to the ledger, in the same way as the service. */
async function charge(
  entry: { at: string; route: string; key_id?: string; request_id?: string; reason?: string },
  member = ann,
) {
  await setup.db.sql`
    with b as (
      update credit_balances set balance = balance - 1, entries = entries + 1 where workspace_id = ${member.workspace_id} returning *
    )
    insert into ledger_entries
      (workspace_id, entry_no, kind, credits, balance_after, charge_id, request_id, key_id, route, reason, created_at)
    select workspace_id, entries, 'charge', -1, balance, gen_random_uuid(), ${entry.request_id ?? null},
      ${entry.key_id ?? null}, ${entry.route}, ${entry.reason ?? null}, ${new Date(entry.at)} from b`;
}

beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ tier: 'pro', credits: 500 });
  const { sql } = setup.db;
  keyId = (await createKey(sql, ann.workspace_id, { kind: 'live', name: 'site' })).key_id;
  const item = { platform: 'photo', kind: 'profile', url: 'https://www.instagram.com/a/', identifier: 'tide.pool' };
  itemId = await observedItem(sql, ann.workspace_id, { ...item, since: new Date('2026-10-01') }, []);
  const deps = { db: setup.db, queue: setup.queue, now: () => setup.clock.now };
  const batch = await createBatch(deps, ann.workspace_id, 'pro', ['https://www.instagram.com/b/'], {
    name: '<b>Spring',
  });
  batchId = batch.batch_id;
  await charge({ at: '2026-11-02T23:59:59Z', route: '/v1/photo/profile', key_id: keyId, request_id: 'req_<i>' });
  await charge({ at: '2026-11-03T00:00:00Z', route: 'tracking', reason: itemId });
  await charge({ at: '2026-11-03T23:59:59Z', route: '/v1/photo/profile', request_id: batchId });
  await charge({ at: '2026-11-04T00:00:00Z', route: 'tracking', reason: '01a0b0c0-0000-7000-8000-000000000000' });
});
afterAll(() => setup.close());

test('a request whose client chose a UUID as its id is shown as a request of its route', async () => {
  const id = '01a0b0c0-0000-7000-8000-00000000000f';
  const ben = await setup.member({ tier: 'pro', credits: 500 });
  await charge({ at: '2026-11-05T00:00:00Z', route: '/v1/photo/post', key_id: keyId, request_id: id }, ben);
  expect(await bodyOf(ben, page)).toContain(`<small>/v1/photo/post ${id}</small>`);
});

test('a charge in the ledger names the tracked item, the batch or the route, with a link to it', async () => {
  const body = await bodyOf(ann, page);
  expect(body).toContain(`Check of <a href="/dashboard/tracking/${itemId}">tide.pool</a>`);
  expect(body).toContain(`Bulk analysis <a href="/dashboard/batches/${batchId}">&lt;b&gt;Spring</a>`);
  expect(body).toContain('href="/dashboard/usage?period=2026-11&amp;route=%2Fv1%2Fphoto%2Fprofile"');
  expect(body).toContain('<small>/v1/photo/profile req_&lt;i&gt;</small>');
  expect(plain(body)).toContain('Check of a removed item');
  expect((await csvOf('')).map(({ item_name }) => item_name)).toContain('tide.pool');
});

test('a charge of a bulk analysis without a name or of a sheet import has the name on the page of this work', async () => {
  const { sql } = setup.db;
  const cy = await setup.member({ tier: 'pro', credits: 500 });
  const deps = { db: setup.db, queue: setup.queue, now: () => setup.clock.now };
  const { ids } = await populate(setup, cy, 'Kelp');
  const batch = await createBatch(deps, cy.workspace_id, 'pro', ['https://www.instagram.com/b/'], {});
  const [run] = await sql<{ batch_id: string }[]>`
    select batch_id from batches where workspace_id = ${cy.workspace_id} and import_id is not null`;
  for (const requestId of [batch.batch_id, run?.batch_id ?? ''])
    await charge({ at: '2026-11-05T00:00:00Z', route: '/v1/photo/profile', request_id: requestId }, cy);
  const body = await bodyOf(cy, page);
  const { title } =
    /<h1[^>]*>(?<title>[^<]*)/.exec(await bodyOf(cy, `/dashboard/batches/${batch.batch_id}`))?.groups ?? {};
  expect(title).toMatch(/^Bulk analysis of /);
  expect(body).toContain(`<a href="/dashboard/batches/${batch.batch_id}">${title}</a>`);
  expect(body).toContain(`Sheet import <a href="/dashboard/imports/${ids.import_id}">Kelp</a>`);
  const rows: Record<string, string>[] = parse(await bodyOf(cy, `${page}/ledger.csv`), { columns: true, bom: true });
  expect(rows.slice(0, 2).map(({ batch_name }) => batch_name)).toEqual(['Kelp', title]);
});

test('the ledger is filtered by kind, API key and days in UTC, on the page and in its download', async () => {
  const times = async (query: string) => (await csvOf(query)).map(({ created_at = '' }) => created_at.slice(5, 16));
  expect(await times('?kind=charge&from=2026-11-03&to=2026-11-03')).toEqual(['11-03T23:59', '11-03T00:00']);
  expect(await times(`?key=${keyId}`)).toEqual(['11-02T23:59']);
  expect(await times('?kind=purchase')).toEqual([]);
  expect(await times('?kind=nonsense&key=nonsense&from=2026-02-31&to=x')).toHaveLength(5);
  const body = await bodyOf(ann, `${page}?kind=charge&from=2026-11-04`);
  expect(body).toContain('href="/dashboard/credits/ledger.csv?kind=charge&amp;from=2026-11-04"');
  expect(plain(body)).not.toContain('tide.pool');
  expect(plain(await bodyOf(ann, `${page}?kind=purchase`))).toContain('No entries match this filter.');
});

/** Creates a member whose ledger has this number of entries. */
async function memberWith(entries: number): Promise<Member> {
  const member = await setup.member({ tier: 'pro', credits: 1 });
  const { workspace_id } = member;
  await setup.db.sql`
    insert into ledger_entries (workspace_id, entry_no, kind, credits, balance_after, reason)
    select ${workspace_id}, n, 'adjustment', 1, n, 'invented' from generate_series(2, ${entries}::int) n`;
  await setup.db.sql`
    update credit_balances set balance = ${entries}, entries = ${entries} where workspace_id = ${workspace_id}`;
  return member;
}

test('a ledger with 10,000 entries is shown in pages of 50 with the filter, and a page reads no other entries', async () => {
  const many = await memberWith(10_000);
  // Updates the statistics of the table, as autovacuum does in the background.
  await setup.db.sql`analyze ledger_entries`;
  const first = await bodyOf(many, `${page}?kind=adjustment`);
  const rowsOf = (body: string) => body.split('>Adjustment</td>').length - 1;
  const older = /href="([^"]*before=\d+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect([rowsOf(first), older]).toEqual([50, `${page}?kind=adjustment&before=9951`]);
  expect(rowsOf(await bodyOf(many, older))).toBe(50);
  // On a Citus cluster, the nodes count the rows that were read, so this test cannot see the number.
  if (isCitusRun) return;
  const rowsRead = await inTransaction(setup.db.sql, async (tx) => {
    // The numbers can contain rows of earlier transactions, which PostgreSQL has not added to the statistics yet.
    const total = async () => {
      const [counts] = await tx<{ rows: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
        where relname = 'ledger_entries'`;
      return counts?.rows ?? 0;
    };
    const before = await total();
    await listEntries(tx, many.workspace_id, { before: null, limit: 51 });
    return (await total()) - before;
  });
  expect(rowsRead).toBe(51);
});
