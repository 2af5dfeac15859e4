import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '../../../db/accounts/members.ts';
import type { Role } from '../../../db/accounts/roles.ts';
import { chooseWorkspace } from '../../../db/accounts/team.ts';
import { bulkAnalysis, insertBatch, type WaitingFor } from '../../../db/deliveries/batches.ts';
import { newId } from '../../../db/ids.ts';
import { changeWorkSettings } from '../../../db/tracking/work-settings.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let owner: Member;
let editor: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
  owner = await setup.member({ tier: 'pro', credits: 2 });
  editor = await join('editor');
  const change = { monthly_cap: 1, paused: true };
  await changeWorkSettings(setup.db.sql, owner.workspace_id, change, setup.clock.now);
});
afterAll(() => setup.close());

/** Returns a person who works in the owner's workspace with this role. */
async function join(role: Role): Promise<Member> {
  const { sql } = setup.db;
  const person = await setup.member({ name: role });
  await addMember(sql, owner.workspace_id, person.user_id, role);
  const [session] = await sql<{ id: string }[]>`select id from auth_sessions where user_id = ${person.user_id}`;
  await chooseWorkspace(sql, { session_id: session?.id ?? '', user_id: person.user_id }, owner.workspace_id);
  return person;
}

/** Stores a bulk analysis of the owner's workspace that waits. Returns the path of its page. */
async function waitingBatch(reason: WaitingFor): Promise<string> {
  const { workspace_id } = owner;
  const batchId = newId();
  const batch = { workspace_id, batch_id: batchId, name: 'Autumn', now: setup.clock.now, plan: bulkAnalysis };
  const row = { row_no: 1, url: 'https://www.instagram.com/a/', duplicate_of: null, status: null, cells: null };
  await inTransaction(setup.db.sql, (tx) => insertBatch(tx, batch, [row]));
  await setup.db.sql`
    update batches set status = 'paused', waiting_for = ${reason}
    where workspace_id = ${workspace_id} and batch_id = ${batchId}`;
  return `/dashboard/batches/${batchId}`;
}

const contentOf = async (answer: Response) => (await answer.text()).split('<main')[1] ?? '';

test.each([
  ['INSUFFICIENT_CREDITS', '/dashboard/credits', 'Ask an owner of this workspace to add credits.'],
  ['CAP_REACHED', '/dashboard/settings', 'Ask an owner of this workspace to change the cap.'],
  ['PAUSED', '/dashboard/settings', 'Ask an owner of this workspace to resume them.'],
] as const)(
  'a bulk analysis that waits for %s leads an owner to the page %s, and tells an editor to ask an owner',
  async (reason, page, sentence) => {
    const path = await waitingBatch(reason);
    const own = (await contentOf(await owner.get(path))).split('waiting; nothing is lost')[1]?.split('</p>')[0];
    expect(own).toContain(`<a href="${page}">`);
    const other = (await contentOf(await editor.get(path))).split('waiting; nothing is lost')[1]?.split('</p>')[0];
    expect(other).not.toContain('<a ');
    expect(other).toContain(sentence);
  },
);

test('no notice about credits, the cap or the pause leads an editor to a page that only owners may change', async () => {
  await waitingBatch('PAUSED');
  const lines = ['a', 'b', 'c'].map((name) => `https://www.instagram.com/${name}/`).join('\n');
  for (const answer of [
    await editor.get('/dashboard'),
    await editor.get('/dashboard/batches'),
    await editor.post('/dashboard/batches/preview', { lines }),
  ]) {
    const content = await contentOf(answer);
    expect(content).not.toMatch(/>(?:Add credits|Change the cap|Resume in settings)</);
    expect(content).toContain('Ask an owner of this workspace to resume them.');
  }
});

test('an owner gets the links to the credits, the cap and the pause', async () => {
  const lines = ['a', 'b', 'c'].map((name) => `https://www.instagram.com/${name}/`).join('\n');
  const content = await contentOf(await owner.post('/dashboard/batches/preview', { lines }));
  for (const link of [
    '<a href="/dashboard/credits">Add credits</a>',
    '<a href="/dashboard/settings">Change the cap</a>',
    '<a href="/dashboard/settings">Resume in settings</a>',
  ])
    expect(content).toContain(link);
});
