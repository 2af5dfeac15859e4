import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addMember } from '../../../db/accounts/members.ts';
import { openWorkspace } from '../../../db/accounts/workspaces.ts';
import { newId } from '../../../db/ids.ts';
import { moveCredits } from '../../../db/money/ledger.ts';
import { changeWorkSettings } from '../../../db/tracking/work-settings.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createLowBalance } from '../../../pipeline/jobs/low-balance.ts';
import type { Mail } from '../../../pipeline/notify/mail.ts';
import { insertUser } from '../../harness/users.ts';
import { createBatchSetup } from '../batches/batch-workspace.ts';

let setup: Awaited<ReturnType<typeof createBatchSetup>>;
let mails: Mail[] = [];
let mailFails = false;
/** An address for which the mail server refuses emails. */
let refused = '';
beforeAll(async () => {
  setup = await createBatchSetup();
});
afterAll(() => setup.close());
beforeEach(async () => {
  mails = [];
  mailFails = false;
  refused = '';
  await setup.db.sql`delete from workspaces`;
});

const job = createLowBalance(async (mail) => {
  if (mailFails) throw new Error('the mail server is down');
  if (mail.to === refused) throw Object.assign(new Error('no such mailbox'), { code: 'EENVELOPE', responseCode: 550 });
  mails.push(mail);
});
const tick = () => job.run([], setup.context);

/** Creates a workspace with one member, who wants an email when the balance falls below 50 credits. */
async function workspace(credits: number): Promise<string> {
  return inTransaction(setup.db.sql, async (tx) => {
    const userId = await insertUser(tx, 'Ann', `${newId()}@example.com`);
    const workspaceId = await openWorkspace(tx, { name: 'Ann & Co', credits });
    await addMember(tx, workspaceId, userId);
    await changeWorkSettings(tx, workspaceId, { low_balance_alert: 50 }, new Date());
    return workspaceId;
  });
}
const move = (workspaceId: string, credits: number) =>
  moveCredits(setup.db.sql, workspaceId, { kind: 'adjustment', credits, reason: 'this test' });

test('members get one email when the balance falls below their alert, for any kind of charge', async () => {
  const workspaceId = await workspace(60);
  await tick();
  expect(mails).toEqual([]);
  await move(workspaceId, -11);
  await tick();
  await tick();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain(
    'The workspace Ann & Co has 49 credits left. You asked for an alert when its balance falls below 50 credits.',
  );
});

test('a low-balance email has numbers with separators, and one credit in the singular', async () => {
  await changeWorkSettings(setup.db.sql, await workspace(1_000), { low_balance_alert: 1_200 }, new Date());
  await workspace(1);
  await tick();
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual(['1 credit left', '1,000 credits left']);
  expect(mails.map(({ text }) => text).join()).toContain('falls below 1,200 credits.');
});

test('members get another email after the balance was above the alert in between', async () => {
  const workspaceId = await workspace(10);
  await tick();
  await move(workspaceId, 40);
  await tick();
  await move(workspaceId, -1);
  await tick();
  expect(mails).toHaveLength(2);
});

test('a low-balance email that could not be sent is sent by the next run of the job', async () => {
  await workspace(10);
  mailFails = true;
  await tick();
  mailFails = false;
  await tick();
  expect(mails).toHaveLength(1);
});

test('members get a low-balance email once when the mail server refuses the address of another member', async () => {
  const workspaceId = await workspace(10);
  refused = `${newId()}@example.com`;
  await addMember(setup.db.sql, workspaceId, await insertUser(setup.db.sql, 'Bob', refused));
  for (let runs = 0; runs < 3; runs += 1) await tick();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.to).not.toBe(refused);
});

test('a low-balance email that the mail server permanently refuses is not sent again', async () => {
  const workspaceId = await workspace(10);
  const [row] = await setup.db.sql`
    select u.email from members m join auth_users u on u.id = m.user_id where m.workspace_id = ${workspaceId}`;
  refused = row?.email;
  await tick();
  refused = '';
  await tick();
  expect(mails).toEqual([]);
});
