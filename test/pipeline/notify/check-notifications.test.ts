import { expect, test } from 'vitest';
import { inheritDistribution } from '../../../db/distribution/distributed.ts';
import { announceChecks } from '../../../pipeline/notify/check-notifications.ts';
import { createAlertSetup } from '../alerts/alert-workspace.ts';

test('events about checks are stored without a transaction on the connections that combined statements share', async () => {
  const { db, context, queued, ...setup } = await createAlertSetup();
  const workspaceId = await setup.workspace(10);
  await setup.endpoint(workspaceId, 'https://a.example/', ['check.completed']);
  const itemId = await setup.item(workspaceId);
  await setup.check(workspaceId, itemId, { day: 0, followers: 5 });
  const attempts = await db.sql<{ workspace_id: string; item_id: string; attempt_id: string }[]>`
    select workspace_id, item_id, attempt_id from check_attempts where item_id = ${itemId}`;
  const begin = () => Promise.reject(new Error('A transaction began on the pipelined connections.'));
  const proxy = new Proxy(db.pipelined, {
    get: (client, name) => (name === 'begin' ? begin : Reflect.get(client, name)),
  });
  const pipelined = inheritDistribution(db.pipelined, proxy);
  await announceChecks({ ...context, db: { ...db, pipelined } }, attempts);
  expect(queued).toMatchObject([{ job: 'deliver-webhooks' }]);
  await db.close();
});
