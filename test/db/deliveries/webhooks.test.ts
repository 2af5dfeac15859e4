import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import {
  addDeliveries,
  listDeliveries,
  overdueDeliveries,
  recordAttempt,
  removeDeliveries,
  waitingDelivery,
} from '../../../db/deliveries/webhook-deliveries.ts';
import { addEndpoint, listEndpoints, removeEndpoint, switchEndpoint } from '../../../db/deliveries/webhooks.ts';
import { newId } from '../../../db/ids.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

const at = new Date('2026-11-20T10:00:00.000Z');
const workspace = async () =>
  (await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'test', credits: 0 }))).workspace_id;
const endpoint = async (workspaceId: string) =>
  (await addEndpoint(db.sql, workspaceId, {
    url: 'https://a.example/',
    secret: 'whsec_x',
    events: ['report.ready'],
  })) ?? expect.fail('the workspace has too many endpoints');
const message = { event: 'report.ready', body: '{}', created_at: at, endpoint_id: null };

/** Creates a workspace with one webhook endpoint and one waiting delivery. */
async function waiting(createdAt = at) {
  const workspaceId = await workspace();
  const endpointId = await endpoint(workspaceId);
  const [deliveryId = ''] = await addDeliveries(db.sql, workspaceId, { ...message, created_at: createdAt });
  return { workspace_id: workspaceId, endpoint_id: endpointId, delivery_id: deliveryId };
}
const read = async ({ workspace_id, delivery_id }: { workspace_id: string; delivery_id: string }, attempts = 0) =>
  (await waitingDelivery(db.sql, workspace_id, delivery_id, attempts)) ?? expect.fail('the delivery is not waiting');
const failure = { status: 'waiting', attempted: true, last_status: 500, last_message: 'down', at } as const;

describe('a webhook endpoint', () => {
  test('a webhook endpoint of another workspace cannot be listed, switched or removed', async () => {
    const [mine, other] = [await workspace(), await workspace()];
    const endpointId = await endpoint(mine);
    expect(await listEndpoints(db.sql, other)).toEqual([]);
    expect(await switchEndpoint(db.sql, other, endpointId, { at, reason: 'no' })).toBe(false);
    expect(await removeEndpoint(db.sql, other, endpointId)).toBe(false);
    expect(await listEndpoints(db.sql, mine)).toMatchObject([{ endpoint_id: endpointId, disabled_at: null }]);
  });

  test('a webhook endpoint is not created for a workspace that does not exist', async () => {
    const newEndpoint = { url: 'https://a.example/', secret: 'whsec_x', events: [] };
    expect(await addEndpoint(db.sql, newId(), newEndpoint)).toBeNull();
  });

  test('a webhook endpoint keeps the first reason for being off until it is switched on again', async () => {
    const workspaceId = await workspace();
    const endpointId = await endpoint(workspaceId);
    const later = new Date(at.getTime() + 1_000);
    await switchEndpoint(db.sql, workspaceId, endpointId, { at, reason: 'first' });
    await switchEndpoint(db.sql, workspaceId, endpointId, { at: later, reason: 'second' });
    expect(await listEndpoints(db.sql, workspaceId)).toMatchObject([{ disabled_at: at, disabled_reason: 'first' }]);
    await switchEndpoint(db.sql, workspaceId, endpointId, null);
    expect(await listEndpoints(db.sql, workspaceId)).toMatchObject([{ disabled_at: null, disabled_reason: null }]);
  });
});

describe('an attempt of a webhook delivery', () => {
  test('an attempt of a webhook delivery is stored once when several processes report it', async () => {
    const ids = await waiting();
    const delivery = await read(ids);
    const written = await Promise.all(Array.from({ length: 6 }, () => recordAttempt(db.sql, delivery, failure)));
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await listDeliveries(db.sql, ids.workspace_id)).toMatchObject([{ attempts: 1, last_status: 500 }]);
    expect(await waitingDelivery(db.sql, ids.workspace_id, ids.delivery_id, 0)).toBeNull();
  });

  test('an attempt that is reported after its webhook delivery has ended changes nothing', async () => {
    const ids = await waiting();
    const delivery = await read(ids);
    await recordAttempt(db.sql, delivery, { ...failure, status: 'delivered', last_status: 204 });
    expect(await recordAttempt(db.sql, { ...delivery, attempts: 1 }, failure)).toBe(false);
    expect(await listDeliveries(db.sql, ids.workspace_id)).toMatchObject([{ status: 'delivered', delivered_at: at }]);
  });
});

test('the log of a webhook endpoint has no deliveries of other endpoints', async () => {
  const { workspace_id, endpoint_id } = await waiting();
  const second = await endpoint(workspace_id);
  await addDeliveries(db.sql, workspace_id, { ...message, endpoint_id: second });
  expect(await listDeliveries(db.sql, workspace_id)).toHaveLength(2);
  expect(await listDeliveries(db.sql, workspace_id, endpoint_id)).toMatchObject([{ endpoint_id }]);
});

test('a webhook delivery is overdue when it is older than its number of attempts allows', async () => {
  const now = new Date('2026-12-01T12:00:00.000Z');
  const made = (secondsAgo: number) => waiting(new Date(now.getTime() - secondsAgo * 1_000));
  const [fresh, late, tried] = [await made(90), await made(110), await made(150)];
  await recordAttempt(db.sql, await read(tried), failure);
  const overdue = async (since: Date) =>
    (await overdueDeliveries(db.sql, now, since, [100, 200])).map(({ delivery_id }) => delivery_id);
  expect(await overdue(new Date(now.getTime() - 86_400_000))).toEqual([late.delivery_id]);
  expect(await overdue(new Date(now.getTime() - 105_000))).toEqual([]);
  expect(fresh.delivery_id).not.toBe(late.delivery_id);
});

test('old webhook deliveries are removed once they have ended', async () => {
  const [ended, open] = [await waiting(new Date(0)), await waiting(new Date(0))];
  await recordAttempt(db.sql, await read(ended), { ...failure, status: 'failed' });
  expect(await removeDeliveries(db.sql, new Date(1_000))).toBe(1);
  expect(await listDeliveries(db.sql, ended.workspace_id)).toEqual([]);
  expect(await listDeliveries(db.sql, open.workspace_id)).toHaveLength(1);
});
