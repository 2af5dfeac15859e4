import { beforeEach, expect, test } from 'vitest';
import { addDeliveries } from '../../../db/deliveries/webhook-deliveries.ts';
import { addEndpoint, removeEndpoint } from '../../../db/deliveries/webhooks.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { untilLockWaits } from '../../setup/lock-waits.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { sql, now } = setup;
let workspaceId: string;
beforeEach(async () => {
  workspaceId = await setup.workspace();
});

const endpoint = { url: 'https://example.com/', secret: 'whsec_x', events: ['check.completed'] };
const message = { event: 'check.completed', body: '{}', created_at: now, endpoint_id: null };

test('a message while its only webhook endpoint is removed creates no delivery and does not fail', async () => {
  const endpointId = (await addEndpoint(sql, workspaceId, endpoint)) ?? '';
  const adding = await inTransaction(sql, async (tx) => {
    await removeEndpoint(tx, workspaceId, endpointId);
    const added = addDeliveries(sql, workspaceId, message);
    await untilLockWaits(sql, 1);
    return { added };
  });
  expect(await adding.added).toEqual([]);
});
