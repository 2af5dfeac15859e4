import { afterAll, beforeAll, expect, test } from 'vitest';
import { listKeys } from '../../../db/accounts/keys.ts';
import { addMember } from '../../../db/accounts/members.ts';
import { changeRole } from '../../../db/accounts/team.ts';
import { inTransaction, lockWorkspace } from '../../../db/transaction.ts';
import { untilLockWaits } from '../../setup/lock-waits.ts';
import { createDashboardSetup, type DashboardSetup, type Member, noticeOf } from '../dashboard-server.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

const area = '/dashboard/people';
const keysPage = (email: string) => `${area}/keys?email=${encodeURIComponent(email)}`;
const page = async (answer: Promise<Response>) => (await answer).text();

/** Creates a workspace of Ann in which Bob works as a member. */
async function pair(role: 'owner' | 'editor'): Promise<{ ann: Member; bob: Member }> {
  const [ann, bob] = [await setup.member(), await setup.member()];
  await addMember(setup.db.sql, ann.workspace_id, bob.user_id, role);
  await bob.post('/dashboard/workspaces/switch', { workspace_id: ann.workspace_id });
  return { ann, bob };
}

const newKey = { kind: 'live', name: 'Copied key' };
const createKeyOf = (bob: Member, { workspace_id }: Member, more: Record<string, string> = {}) =>
  bob.post('/dashboard/keys', { ...newKey, ...more, for_workspace: workspace_id });
const working = async ({ workspace_id }: Member) =>
  (await listKeys(setup.db.sql, workspace_id, setup.clock.now)).filter(({ revoked_at }) => revoked_at === null);

test('the removal of a person leads to the keys that were shown to this person, and one button revokes them', async () => {
  const { ann, bob } = await pair('owner');
  await ann.post('/dashboard/keys', { ...newKey, name: 'Key of Ann' });
  await createKeyOf(bob, ann);
  await createKeyOf(bob, ann, { name: 'Other copy' });
  const removed = await ann.post(`${area}/remove`, { user_id: bob.user_id });
  expect([removed.headers.get('location'), noticeOf(removed)]).toEqual([keysPage(bob.email), 'person-removed']);
  const shown = await page(ann.get(keysPage(bob.email)));
  expect(shown).toContain('Copied key');
  expect(shown).toContain('Other copy');
  expect(shown).not.toContain('Key of Ann');
  const revoked = await ann.post(`${area}/keys`, { email: bob.email });
  expect([revoked.headers.get('location'), noticeOf(revoked)]).toEqual([area, 'keys-revoked']);
  expect((await working(ann)).map(({ name }) => name)).toEqual(['Key of Ann']);
  expect(await page(ann.get(keysPage(bob.email)))).not.toContain('Copied key');
  expect(await page(ann.get('/dashboard/settings/audit'))).toContain(`revoked the keys of a person`);
});

test('an owner whose role is lowered keeps the copied keys, so the form leads to these keys', async () => {
  const { ann, bob } = await pair('owner');
  const setRole = async ({ user_id }: Member, role: string) => {
    const answer = await ann.post(`${area}/role`, { user_id, role });
    return [answer.headers.get('location'), noticeOf(answer)];
  };
  expect(await setRole(bob, 'owner')).toEqual([area, 'role-changed']);
  expect(await setRole(bob, 'editor')).toEqual([area, 'role-changed']);
  await setRole(bob, 'owner');
  await createKeyOf(bob, ann);
  expect(await setRole(bob, 'owner')).toEqual([area, 'role-changed']);
  expect(await setRole(bob, 'viewer')).toEqual([keysPage(bob.email), 'role-lowered']);
  expect(await page(ann.get(keysPage(bob.email)))).toContain('Copied key');
  expect(await setRole(bob, 'editor')).toEqual([area, 'role-changed']);
  expect(await setRole(bob, 'editor')).toEqual([area, 'role-changed']);
  expect(await setRole(bob, 'viewer')).toEqual([keysPage(bob.email), 'role-lowered']);
});

test('an owner who lowers their own role stays on a page that the new role may open', async () => {
  const { ann } = await pair('owner');
  await ann.post('/dashboard/keys', newKey);
  const answer = await ann.post(`${area}/role`, { user_id: ann.user_id, role: 'editor' });
  expect([answer.headers.get('location'), noticeOf(answer)]).toEqual([area, 'role-changed']);
});

test('a person who joins and is removed at the same moment is reported as removed', async () => {
  const [ann, bob] = [await setup.member(), await setup.member()];
  const { sql } = setup.db;
  const { removal } = await inTransaction(sql, async (tx) => {
    await lockWorkspace(tx, ann.workspace_id);
    await addMember(tx, ann.workspace_id, bob.user_id, 'editor');
    const removal = ann.post(`${area}/remove`, { user_id: bob.user_id });
    await untilLockWaits(sql, 1);
    return { removal: () => removal };
  });
  expect(noticeOf(await removal())).toBe('person-removed');
});

test('a form that revokes no key says so, and is not in the audit log', async () => {
  const { ann, bob } = await pair('editor');
  const answer = await ann.post(`${area}/keys`, { email: bob.email });
  expect([answer.status, noticeOf(answer)]).toEqual([409, null]);
  expect((await answer.text()).replace(/<[^>]+>/g, '')).toContain(`No working key was shown to ${bob.email}.`);
  expect(await page(ann.get('/dashboard/settings/audit'))).not.toContain('revoked the keys of a person');
});

test('only owners see in the list of keys to whom a key was shown', async () => {
  const { ann, bob } = await pair('owner');
  await createKeyOf(bob, ann);
  const eve = await setup.member();
  await addMember(setup.db.sql, ann.workspace_id, eve.user_id, 'viewer');
  await eve.post('/dashboard/workspaces/switch', { workspace_id: ann.workspace_id });
  await ann.post(`${area}/remove`, { user_id: bob.user_id });
  const [forOwner, forViewer] = [await page(ann.get('/dashboard/keys')), await page(eve.get('/dashboard/keys'))];
  expect(forOwner).toContain(bob.email);
  expect(forOwner).toContain('not a member');
  expect(forViewer).toContain('Copied key');
  expect(forViewer).not.toContain(bob.email);
  expect(forViewer).not.toContain('not a member');
});

test('a rotated key was shown to the person who rotated it, and not to the person who created the old one', async () => {
  const { ann, bob } = await pair('owner');
  await createKeyOf(bob, ann);
  const [{ key_id } = { key_id: '' }] = await working(ann);
  await ann.post(`/dashboard/keys/${key_id}/rotate`, { overlap: '7' });
  const makers = (await working(ann)).map(({ created_by }) => created_by);
  expect(makers.toSorted()).toEqual([ann.email, bob.email].toSorted());
  expect(await page(ann.get('/dashboard/keys'))).toContain(bob.email);
});

test('the removal of a person to whom no key was shown leads back to the people', async () => {
  const { ann, bob } = await pair('editor');
  const removed = await ann.post(`${area}/remove`, { user_id: bob.user_id });
  expect([removed.headers.get('location'), noticeOf(removed)]).toEqual([area, 'person-removed']);
});

test('only owners see and revoke the keys of a person, and only those of their workspace', async () => {
  const { ann, bob } = await pair('owner');
  await createKeyOf(bob, ann);
  await changeRole(setup.db.sql, ann.workspace_id, bob.user_id, 'editor');
  expect((await bob.get(keysPage(bob.email))).status).toBe(403);
  const posted = await bob.post(`${area}/keys`, { email: bob.email, for_workspace: ann.workspace_id });
  expect(posted.status).toBe(403);
  const eve = await setup.member();
  expect(await page(eve.get(keysPage(bob.email)))).not.toContain('Copied key');
  await eve.post(`${area}/keys`, { email: bob.email });
  expect(await working(ann)).toHaveLength(1);
});
