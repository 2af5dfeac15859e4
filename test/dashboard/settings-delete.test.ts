import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../db/ids.ts';
import { createKey } from '../../db/keys.ts';
import { addMember } from '../../db/members.ts';
import { ensureMonths } from '../../db/observation-months.ts';
import { deleteWorkspace } from '../../db/workspace-deletion.ts';
import { batchItem } from '../../pipeline/batches.ts';
import { analyseBatch } from '../../pipeline/jobs/analyse-batch.ts';
import { createDeliverWebhooks } from '../../pipeline/jobs/deliver-webhooks.ts';
import type { Job, JobContext, JobItem } from '../../pipeline/jobs/job.ts';
import { createPushSheets } from '../../pipeline/jobs/push-sheets.ts';
import { trackCheck } from '../../pipeline/jobs/track-check.ts';
import { attemptItem, sendTest } from '../../pipeline/webhooks.ts';
import { keepObservations, observed } from '../pipeline/report-data.ts';
import { silentLog } from '../setup/test-database.ts';
import { createDashboardBench, type DashboardBench, type Member } from './dashboard-bench.ts';
import { hostile_name, populate, rowsOf } from './populated.ts';

let bench: DashboardBench;
beforeAll(async () => {
  bench = await createDashboardBench();
});
afterAll(() => bench.close());

const path = '/dashboard/settings/delete';
const balanceWith = (key: string) => fetch(`${bench.base_url}/v1/credit/balance`, { headers: { 'x-api-key': key } });

/** Every place in the database where one of these words stands, the queue of jobs aside. */
async function placesOf(words: readonly string[]): Promise<string[]> {
  const { sql } = bench.db;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  expect(tables.length).toBeGreaterThan(30);
  const places: string[] = [];
  for (const { name } of tables) {
    const rows = await sql<{ row: string }[]>`select t::text as row from ${sql(name)} t`;
    for (const word of words) if (rows.some(({ row }) => row.includes(word))) places.push(`${name}: ${word}`);
  }
  return places;
}

const context = (): JobContext => ({
  db: bench.db,
  now: () => bench.clock.now,
  queue: bench.queue,
  sources: { fetch: () => Promise.reject(new Error('no source is asked')) } as unknown as JobContext['sources'],
  base_url: bench.base_url,
  log: silentLog,
  signal: new AbortController().signal,
});

/** Somebody with a password, a session more, open links, and something of everything. */
async function whole(name: string) {
  const member = await bench.member({ tier: 'ultra', credits: 777, name });
  await ensureMonths(bench.db.sql, bench.clock.now);
  const made = await populate(bench, member, name);
  await keepObservations(bench.db.sql, member.workspace_id, [observed(newId(), '2020-01-01T00:00:00', { likes: 1 })]);
  await bench.dashboard.accounts.signInLink(member.email);
  await bench.dashboard.accounts.requestReset(member.email);
  return { ...member, ...made, name };
}

const remove = (member: Member & { name: string }) => member.post(path, { name: member.name });

describe('deleting the account', () => {
  test('says what is lost, the credits first, and does nothing until the name is typed', async () => {
    const ann = await whole(hostile_name);
    const page = await (await ann.get(path)).text();
    expect(page).toContain('<b>777 credits</b>');
    expect(page).toContain('6 tracked items with');
    expect(page).toContain('1 campaign with 1 weekly report');
    const before = await rowsOf(bench, ann.workspace_id);
    for (const name of ['', 'Ann', hostile_name.toUpperCase()]) {
      const answer = await ann.post(path, { name });
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('nothing was deleted')]);
    }
    expect(await rowsOf(bench, ann.workspace_id)).toEqual(before);
  });

  test('leaves no row in any table or partition that names the workspace or the person, and others as they were', async () => {
    const [ann, bob] = [await whole('The name of Ann'), await whole('Bob')];
    const before = { rows: await rowsOf(bench, bob.workspace_id), seen: await placesOf([bob.email, bob.user_id]) };
    const { client_id: _, ...ids } = ann.ids;
    const words = [ann.workspace_id, ann.user_id, ann.email, 'The name of Ann', ...Object.values(ids)];
    const held = (await placesOf([ann.workspace_id])).map((place) => place.split(':')[0]);
    expect(held).toEqual(
      expect.arrayContaining(['observations_2026_11', 'observations_default', 'members', 'ledger_entries']),
    );
    const answer = await remove(ann);
    expect(answer.status).toBe(200);
    // A program that registered here is its own: it is named by itself.
    await bench.db.sql`delete from oauth_clients where client_id = ${ann.ids.client_id ?? ''}`;
    expect(await placesOf(words)).toEqual([]);
    expect(await rowsOf(bench, bob.workspace_id)).toEqual(before.rows);
    expect(await placesOf([bob.email, bob.user_id])).toEqual(before.seen);
    expect((await bob.get('/dashboard/settings')).status).toBe(200);
  });

  test('signs out everywhere, says so, stops keys and links at once, and the address may sign up anew', async () => {
    const ann = await whole('Gone');
    const { key } = await createKey(bench.db.sql, ann.workspace_id, { kind: 'live', name: 'one' });
    const sign_in_link = await bench.dashboard.accounts.signInLink(ann.email);
    const other = await bench.send(sign_in_link.slice(bench.base_url.length), '');
    const elsewhere = other.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const late_link = await bench.dashboard.accounts.signInLink(ann.email);
    expect((await balanceWith(key)).status).toBe(200);
    const shared = `/shared/reports/${ann.secrets[1]}`;
    expect((await bench.send(shared, '')).status).toBe(200);

    const answer = await remove(ann);
    const page = await answer.text();
    expect(page).toContain('<h1>Your account is deleted</h1>');
    expect(page).not.toContain('Sign out');
    expect(answer.headers.getSetCookie().join()).toMatch(/tidemark\.session_token=;.*Max-Age=0/);
    expect((await balanceWith(key)).status).toBe(401);
    expect((await bench.send(shared, '')).status).toBe(404);
    for (const cookie of [ann.cookie, elsewhere]) expect((await bench.send('/dashboard', cookie)).status).toBe(303);
    expect((await bench.send(late_link.slice(bench.base_url.length), '')).status).toBe(400);

    const person = { name: 'Ann', email: ann.email, password: 'a long password' };
    const headers = { origin: bench.base_url };
    const signed = await bench.send('/sign-up', '', { method: 'POST', body: new URLSearchParams(person), headers });
    expect(signed.status).toBe(200);
    expect(bench.mails.at(-1)).toMatchObject({ to: ann.email, subject: 'Confirm your address for Tidemark' });
  });

  test('leaves members who belong to another workspace, too, their sign-in there', async () => {
    const [ann, bob] = [await whole('Of both'), await bench.member({ name: 'Bob' })];
    await addMember(bench.db.sql, ann.workspace_id, bob.user_id);
    expect((await remove(ann)).status).toBe(200);
    expect((await bob.get('/dashboard/settings')).status).toBe(200);
    expect(await placesOf([ann.workspace_id])).toEqual([]);
  });

  test('happens once, whatever number of times it is pressed', async () => {
    const ann = await whole('Once');
    const answers = await Promise.all([1, 2, 3].map(() => remove(ann)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(bench.errors).toEqual([]);
    expect(await deleteWorkspace(bench.db.sql, ann.workspace_id)).toBe(false);
  });
});

describe('what is at work while an account is deleted', () => {
  test('ends quietly: queued checks, batches, messages and pushes of a workspace that is gone', async () => {
    const ann = await whole('Working');
    const { workspace_id, ids } = ann;
    const { item_id = '', batch_id = '', endpoint_id = '', campaign_id = '' } = ids;
    const delivery_id = (await sendTest(context(), workspace_id, endpoint_id)) ?? expect.fail('no test');
    await remove(ann);
    const posted: string[] = [];
    const deliverWebhooks = createDeliverWebhooks(async ({ url }) => {
      posted.push(url);
      return { status: 200, message: '', retry_after_seconds: null };
    });
    const work: [Job, JobItem][] = [
      [trackCheck, { key: item_id, data: { workspace_id, item_id, attempt_id: newId() } }],
      [analyseBatch, batchItem({ workspace_id, batch_id })],
      [deliverWebhooks, attemptItem({ workspace_id, delivery_id, attempts: 0 })],
      [createPushSheets(null), { key: campaign_id, data: { workspace_id, campaign_id } }],
      [createPushSheets(null), { key: 'sheet', data: { workspace_id, spreadsheet_id: 'a'.repeat(44) } }],
    ];
    for (const [job, item] of work) await job.run([item], context());
    expect(posted).toEqual([]);
    expect(await placesOf([workspace_id])).toEqual([]);
  });

  test('fails nobody else: keys of two workspaces that are used all the time', async () => {
    const [ann, bob] = [await whole('Busy'), await bench.member({ name: 'Bob' })];
    const [hers, his] = await Promise.all(
      [ann, bob].map(({ workspace_id }) => createKey(bench.db.sql, workspace_id, { kind: 'live', name: 'busy' })),
    );
    const statuses = { hers: new Set<number>(), his: new Set<number>() };
    let over = false;
    const use = async (key: string, seen: Set<number>) => {
      while (!over) {
        const { status } = await balanceWith(key);
        // Refused for their number, requests are counted all the same.
        seen.add(status === 429 ? 200 : status);
      }
    };
    const users = [1, 2, 3].flatMap(() => [use(hers?.key ?? '', statuses.hers), use(his?.key ?? '', statuses.his)]);
    expect((await remove(ann)).status).toBe(200);
    expect((await balanceWith(hers?.key ?? '')).status).toBe(401);
    over = true;
    await Promise.all(users);
    expect([...statuses.his]).toEqual([200]);
    for (const status of statuses.hers) expect([200, 401]).toContain(status);
    expect(await placesOf([ann.workspace_id])).toEqual([]);
  });
});
