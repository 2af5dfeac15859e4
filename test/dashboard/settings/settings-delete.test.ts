import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../db/accounts/keys.ts';
import { addMember } from '../../../db/accounts/members.ts';
import { newId } from '../../../db/ids.ts';
import { ensureMonths } from '../../../db/observations/months.ts';
import { deleteWorkspace } from '../../../db/workspace-data/deletion.ts';
import { batchItem } from '../../../pipeline/batches/batches.ts';
import { analyseBatch } from '../../../pipeline/jobs/analyse-batch.ts';
import { createDeliverWebhooks } from '../../../pipeline/jobs/deliver-webhooks.ts';
import { createPushSheets } from '../../../pipeline/jobs/push-sheets.ts';
import { trackCheck } from '../../../pipeline/jobs/track-check.ts';
import { attemptItem, sendTest } from '../../../pipeline/notify/webhooks.ts';
import type { Job, JobContext, JobItem } from '../../../pipeline/queue/job.ts';
import { keepObservations, observed } from '../../pipeline/report/report-data.ts';
import { silentLog } from '../../setup/test-database.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { hostileName, populate, rowsOf } from '../populated.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

const path = '/dashboard/settings/delete';
const balanceWith = (key: string) => fetch(`${setup.base_url}/v1/credit/balance`, { headers: { 'x-api-key': key } });

/** Returns the names of all tables that contain one of these words. Ignores the tables of the job queue. */
async function tablesWith(words: readonly string[]): Promise<string[]> {
  const { sql } = setup.db;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  expect(tables.length).toBeGreaterThan(30);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql<{ row: string }[]>`select t::text as row from ${sql(name)} t`;
    for (const word of words) if (rows.some(({ row }) => row.includes(word))) found.push(`${name}: ${word}`);
  }
  return found;
}

const context = (): JobContext => ({
  db: setup.db,
  now: () => setup.clock.now,
  queue: setup.queue,
  sources: { fetch: () => Promise.reject(new Error('the test has no network')) } as unknown as JobContext['sources'],
  base_url: setup.base_url,
  log: silentLog,
  signal: new AbortController().signal,
});

/** Creates a user with unused email links and a workspace with data of every kind. */
async function populatedMember(name: string) {
  const member = await setup.member({ tier: 'ultra', credits: 777, name });
  await ensureMonths(setup.db.sql, setup.clock.now);
  const populated = await populate(setup, member, name);
  await keepObservations(setup.db.sql, member.workspace_id, [observed(newId(), '2020-01-01T00:00:00', { likes: 1 })]);
  await setup.dashboard.accounts.signInLink(member.email);
  await setup.dashboard.accounts.requestReset(member.email);
  return { ...member, ...populated, name };
}

const remove = (member: Member & { name: string }) => member.post(path, { name: member.name });

describe('deleting the account', () => {
  test('the page to delete the account lists what is deleted and does nothing until the name is typed', async () => {
    const ann = await populatedMember(hostileName);
    const page = await (await ann.get(path)).text();
    expect(page).toContain('<b>777 credits</b>');
    expect(page).toContain('6 tracked items with');
    expect(page).toContain('1 campaign with 1 weekly report');
    const before = await rowsOf(setup, ann.workspace_id);
    for (const name of ['', 'Ann', hostileName.toUpperCase()]) {
      const answer = await ann.post(path, { name });
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('Nothing was deleted')]);
    }
    expect(await rowsOf(setup, ann.workspace_id)).toEqual(before);
  });

  test('deleting an account leaves no row of the workspace or the user, and changes no other workspace', async () => {
    const [ann, bob] = [await populatedMember('The name of Ann'), await populatedMember('Bob')];
    const before = { rows: await rowsOf(setup, bob.workspace_id), seen: await tablesWith([bob.email, bob.user_id]) };
    const { client_id: _, ...ids } = ann.ids;
    const words = [ann.workspace_id, ann.user_id, ann.email, 'The name of Ann', ...Object.values(ids)];
    const filled = (await tablesWith([ann.workspace_id])).map((entry) => entry.split(':')[0]);
    expect(filled).toEqual(
      expect.arrayContaining(['observations_2026_11', 'observations_default', 'members', 'ledger_entries']),
    );
    const answer = await remove(ann);
    expect(answer.status).toBe(200);
    // OAuth clients belong to no workspace. This client remains after the account is deleted, so the test removes it.
    await setup.db.sql`delete from oauth_clients where client_id = ${ann.ids.client_id ?? ''}`;
    expect(await tablesWith(words)).toEqual([]);
    expect(await rowsOf(setup, bob.workspace_id)).toEqual(before.rows);
    expect(await tablesWith([bob.email, bob.user_id])).toEqual(before.seen);
    expect((await bob.get('/dashboard/settings')).status).toBe(200);
  });

  test('deleting an account ends sessions, keys and links immediately, and the address can sign up again', async () => {
    const ann = await populatedMember('Gone');
    const { key } = await createKey(setup.db.sql, ann.workspace_id, { kind: 'live', name: 'one' });
    const signInLink = await setup.dashboard.accounts.signInLink(ann.email);
    const other = await setup.follow(signInLink);
    const elsewhere = other.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const lateLink = await setup.dashboard.accounts.signInLink(ann.email);
    expect((await balanceWith(key)).status).toBe(200);
    const shared = `/shared/reports/${ann.secrets[1]}`;
    expect((await setup.send(shared, '')).status).toBe(200);

    const answer = await remove(ann);
    const page = await answer.text();
    expect(page).toContain('<h1>The workspace is deleted</h1>');
    expect(page).not.toContain('Sign out');
    expect(answer.headers.getSetCookie().join()).toMatch(/tidemark\.session_token=;.*Max-Age=0/);
    expect((await balanceWith(key)).status).toBe(401);
    expect((await setup.send(shared, '')).status).toBe(404);
    for (const cookie of [ann.cookie, elsewhere]) expect((await setup.send('/dashboard', cookie)).status).toBe(303);
    expect((await setup.follow(lateLink)).status).toBe(400);

    const person = { name: 'Ann', email: ann.email, password: 'a long password' };
    const headers = { origin: setup.base_url };
    const signed = await setup.send('/sign-up', '', { method: 'POST', body: new URLSearchParams(person), headers });
    expect(signed.status).toBe(200);
    expect(setup.mails.at(-1)).toMatchObject({ to: ann.email, subject: 'Confirm your email address for Tidemark' });
  });

  test('members who also belong to another workspace keep their sign-in', async () => {
    const [ann, bob] = [await populatedMember('Of both'), await setup.member({ name: 'Bob' })];
    await addMember(setup.db.sql, ann.workspace_id, bob.user_id);
    expect((await remove(ann)).status).toBe(200);
    expect((await bob.get('/dashboard/settings')).status).toBe(200);
    expect(await tablesWith([ann.workspace_id])).toEqual([]);
  });

  test('an account is deleted once, even after repeated clicks', async () => {
    const ann = await populatedMember('Once');
    const answers = await Promise.all([1, 2, 3].map(() => remove(ann)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(setup.errors).toEqual([]);
    expect(await deleteWorkspace(setup.db.sql, ann.workspace_id)).toBe(false);
  });
});

describe('work in progress while an account is deleted', () => {
  test('queued jobs of a deleted workspace end without an error', async () => {
    const ann = await populatedMember('Working');
    const { workspace_id, ids } = ann;
    const { item_id = '', batch_id = '', endpoint_id = '', campaign_id = '' } = ids;
    const deliveryId = (await sendTest(context(), workspace_id, endpoint_id)) ?? expect.fail('no test');
    await remove(ann);
    const posted: string[] = [];
    const deliverWebhooks = createDeliverWebhooks(async ({ url }) => {
      posted.push(url);
      return { status: 200, message: '', retry_after_seconds: null };
    });
    const work: [Job, JobItem][] = [
      [trackCheck, { key: item_id, data: { workspace_id, item_id, attempt_id: newId() } }],
      [analyseBatch, batchItem({ workspace_id, batch_id })],
      [deliverWebhooks, attemptItem({ workspace_id, delivery_id: deliveryId, attempts: 0 })],
      [createPushSheets(null), { key: campaign_id, data: { workspace_id, campaign_id } }],
      [createPushSheets(null), { key: 'sheet', data: { workspace_id, spreadsheet_id: 'a'.repeat(44) } }],
    ];
    for (const [job, item] of work) await job.run([item], context());
    expect(posted).toEqual([]);
    expect(await tablesWith([workspace_id])).toEqual([]);
  });

  test('requests of another workspace do not fail during a deletion', async () => {
    const [ann, bob] = [await populatedMember('Busy'), await setup.member({ name: 'Bob' })];
    const [anns, bobs] = await Promise.all(
      [ann, bob].map(({ workspace_id }) => createKey(setup.db.sql, workspace_id, { kind: 'live', name: 'busy' })),
    );
    const statuses = { anns: new Set<number>(), bobs: new Set<number>() };
    let over = false;
    const use = async (key: string, seen: Set<number>) => {
      while (!over) {
        const { status } = await balanceWith(key);
        // Counts a rate-limited request as a success, because its key was valid.
        seen.add(status === 429 ? 200 : status);
      }
    };
    const users = [1, 2, 3].flatMap(() => [use(anns?.key ?? '', statuses.anns), use(bobs?.key ?? '', statuses.bobs)]);
    expect((await remove(ann)).status).toBe(200);
    expect((await balanceWith(anns?.key ?? '')).status).toBe(401);
    over = true;
    await Promise.all(users);
    expect([...statuses.bobs]).toEqual([200]);
    for (const status of statuses.anns) expect([200, 401]).toContain(status);
    expect(await tablesWith([ann.workspace_id])).toEqual([]);
  });
});
