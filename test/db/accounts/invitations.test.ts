import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '../../../db/accounts/members.ts';
import { acceptInvitation, addWorkspace, invite, maxWorkspaces } from '../../../db/accounts/team.ts';
import { newId } from '../../../db/ids.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { untilLockWaits } from '../../setup/lock-waits.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';

const now = new Date('2026-11-02T10:00:00Z');
const times = { now, expires_at: new Date('2026-11-09T10:00:00Z') };
let db: TestDatabase;
let owner: string;

async function user(): Promise<{ user_id: string; email: string }> {
  const [userId, email] = [newId(), `${newId()}@example.com`];
  await db.sql`
    insert into auth_users (id, name, email, email_verified, created_at, updated_at)
    values (${userId}, 'invented', ${email}, true, ${now}, ${now})`;
  return { user_id: userId, email };
}

async function workspace(): Promise<string> {
  const id = await addWorkspace(db.sql, owner, 'invented');
  if (id === null) throw new Error('The owner has too many workspaces.');
  return id;
}

async function invitation(workspaceId: string): Promise<string> {
  const invited = { email: null, role: 'viewer', invited_by: 'ann@example.com' } as const;
  return (await invite(db.sql, workspaceId, invited, times)) ?? '';
}

/** Accepts both invitations at the same time. Each acceptance waits until the other one has begun. */
async function acceptTogether(calls: readonly [token: string, person: { user_id: string; email: string }][]) {
  const ids = calls.map(([, { user_id }]) => user_id);
  const { joining } = await inTransaction(db.sql, async (tx) => {
    await tx`select from auth_users where id = any(${ids}::text[]) for update`;
    const joining = calls.map(([token, person]) => acceptInvitation(db.sql, token, person, now));
    await untilLockWaits(db.sql, calls.length);
    return { joining };
  });
  return Promise.all(joining);
}

beforeAll(async () => {
  db = await createTestDatabase();
  ({ user_id: owner } = await user());
});
afterAll(() => db.close());

describe('invitations that are accepted at the same time', () => {
  test('two people cannot both join a workspace that has space for one', async () => {
    const id = await workspace();
    for (let members = 1; members < 99; members += 1) await addMember(db.sql, id, (await user()).user_id);
    const [one, other] = [await invitation(id), await invitation(id)];
    const joined = await acceptTogether([
      [one, await user()],
      [other, await user()],
    ]);
    expect(joined.filter((result) => result !== null)).toEqual([{ workspace_id: id, role: 'viewer' }]);
  });

  test('a person cannot join two workspaces when one more is allowed', async () => {
    const person = await user();
    for (let count = 1; count < maxWorkspaces; count += 1) await addWorkspace(db.sql, person.user_id, 'invented');
    const [one, other] = [await invitation(await workspace()), await invitation(await workspace())];
    const joined = await acceptTogether([
      [one, person],
      [other, person],
    ]);
    expect(joined.filter((result) => result !== null)).toHaveLength(1);
  });
});
