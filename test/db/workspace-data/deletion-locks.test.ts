import { beforeEach, describe, expect, test } from 'vitest';
import { addNotifications } from '../../../db/alerts/notifications.ts';
import { addRecipient } from '../../../db/alerts/recipients.ts';
import { addRule } from '../../../db/alerts/rules.ts';
import { closeBatch } from '../../../db/deliveries/batches.ts';
import { addDataLink, revokeDataLink } from '../../../db/deliveries/data-links.ts';
import { addDeliveries } from '../../../db/deliveries/webhook-deliveries.ts';
import { addEndpoint } from '../../../db/deliveries/webhooks.ts';
import { newId } from '../../../db/ids.ts';
import { recordPurchase } from '../../../db/money/purchases.ts';
import { ensureMonths } from '../../../db/observations/months.ts';
import { removeItems } from '../../../db/tracking/removals.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { deleteWorkspace } from '../../../db/workspace-data/deletion.ts';
import { collide, untilLockWaits } from '../../setup/lock-waits.ts';
import { until } from '../../setup/processes.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { db, sql, now } = setup;
let workspaceId: string;
beforeEach(async () => {
  workspaceId = await setup.workspace();
});

const endpoint = { url: 'https://example.com/', secret: 'whsec_x', events: ['check.completed'] };
const message = { event: 'check.completed', body: '{}', created_at: now, endpoint_id: null };

describe('the deletion of a workspace', () => {
  test('the deletion of a workspace does not deadlock with a batch that finishes', async () => {
    await addEndpoint(sql, workspaceId, endpoint);
    const batch = await setup.batch({ workspace_id: workspaceId, batch_id: newId() }, 'OK');
    const work = await inTransaction(sql, async (tx) => {
      expect(await closeBatch(tx, batch, null, now)).toBe('finished');
      const deletion = deleteWorkspace(sql, workspaceId);
      await untilLockWaits(sql, 1);
      await addDeliveries(tx, workspaceId, message);
      return { deletion };
    });
    expect(await work.deletion).toBe(true);
  });

  test.each(['usage', 'removed_items', 'removed_attempts', 'batches', 'alert_rules', 'webhook_endpoints', 'purchases'])(
    'the deletion of a workspace does not lock the workspace while it waits for a row of %s',
    async (table) => {
      await removeItems(sql, workspaceId, [await setup.item(workspaceId, 'removed')], now);
      await sql`
      insert into removed_attempts (workspace_id, platform, kind, identifier, last_attempt_at)
      values (${workspaceId}, 'photo', 'profile', 'removed', ${now})`;
      await setup.item(workspaceId, 'tracked');
      await setup.batch({ workspace_id: workspaceId, batch_id: newId() }, 'OK');
      await addEndpoint(sql, workspaceId, endpoint);
      const condition = { condition: 'not_found', metric: null, direction: null, amount: null, days: null } as const;
      const rule = { name: 'r', scope: 'all', scope_id: null, ...condition, checks: null, cooldown_hours: 0 } as const;
      await addRule(sql, workspaceId, { ...rule, recipient_ids: [] }, now);
      const pack = { pack: 'pro', credits: 1, amount: 1, currency: 'usd' } as const;
      const payment = { workspace_id: workspaceId, payment_id: newId(), ...pack };
      await recordPurchase(sql, { event_id: newId(), type: 't' }, payment, now);
      const use = { workspace_id: workspaceId, key_id: newId(), day: '2026-11-01', route: 'r', outcome: 'OK' };
      await sql`insert into usage ${sql({ ...use, requests: 1, credits: 1 })}`;
      const work = await inTransaction(sql, async (tx) => {
        // Locks nothing else, because other locks could stop the deletion's first transaction too early.
        const locked = await tx`
        select from ${tx(table)} where workspace_id = ${workspaceId} for key share`;
        expect(locked.length).toBeGreaterThan(0);
        const deletion = deleteWorkspace(sql, workspaceId);
        await untilLockWaits(sql, 1);
        await tx`select from workspaces where workspace_id = ${workspaceId} for key share`;
        return { deletion };
      });
      expect(await work.deletion).toBe(true);
    },
  );

  test('the deletion of a workspace does not lock the workspace while it waits for a tracked item', async () => {
    const itemId = await setup.item(workspaceId, 'tracked');
    const use = { workspace_id: workspaceId, key_id: newId(), day: '2026-11-01', route: 'r', outcome: 'OK' };
    await sql`insert into usage ${sql({ ...use, requests: 1, credits: 1 })}`;
    const work = await inTransaction(sql, async (tx) => {
      // Stops the deletion after its first transaction, which has already locked and released the item.
      const stopped = await inTransaction(db.background, async (stop) => {
        await stop`select from usage where workspace_id = ${workspaceId} for update`;
        const deletion = deleteWorkspace(sql, workspaceId);
        await untilLockWaits(sql, 1);
        await tx`select from tracked_items where workspace_id = ${workspaceId} and item_id = ${itemId} for update`;
        return { deletion };
      });
      await until(async () => (await sql`select from usage where workspace_id = ${workspaceId}`).length === 0);
      await untilLockWaits(sql, 1);
      await tx`select from workspaces where workspace_id = ${workspaceId} for key share`;
      return stopped;
    });
    expect(await work.deletion).toBe(true);
  });

  test('the deletion of a workspace deletes the observations of all months in portions, before it waits for other rows', async () => {
    await ensureMonths(sql, now);
    await sql`
      insert into observations (workspace_id, item_id, observed_at, source)
      select ${workspaceId}, ${newId()}, month + n * interval '1 second', 'invented'
      from generate_series(1, 6000) n,
        unnest(array[date_trunc('month', now()), date_trunc('month', now()) + interval '1 month']) month`;
    const use = { workspace_id: workspaceId, key_id: newId(), day: '2026-11-01', route: 'r', outcome: 'OK' };
    await sql`insert into usage ${sql({ ...use, requests: 1, credits: 1 })}`;
    const work = await inTransaction(sql, async (tx) => {
      await tx`select from usage where workspace_id = ${workspaceId} for update`;
      const deletion = deleteWorkspace(sql, workspaceId);
      await untilLockWaits(sql, 1);
      expect(await sql`select from observations where workspace_id = ${workspaceId}`).toHaveLength(0);
      return { deletion };
    });
    expect(await work.deletion).toBe(true);
  });

  test('the deletion of a workspace does not deadlock with messages that are stored for two recipients', async () => {
    const recipients: string[] = [];
    for (const address of ['a', 'b']) {
      const recipient = { channel: 'slack', address, label: address, topics: [], campaign_ids: [] } as const;
      const added = await addRecipient(sql, workspaceId, recipient, now);
      if (added.outcome === 'added') recipients.unshift(added.recipient_id);
    }
    const work = await inTransaction(sql, async (tx) => {
      const store = (id: string) => {
        const notice = { kind: 'alert', subject_key: id, message: '{}' };
        return addNotifications(tx, workspaceId, { recipient_ids: [id] }, notice, now);
      };
      const [first = '', second = ''] = recipients;
      expect(await store(first)).toBe(1);
      const deletion = deleteWorkspace(sql, workspaceId);
      await untilLockWaits(sql, 1);
      expect(await store(second)).toBe(1);
      return { deletion };
    });
    expect(await work.deletion).toBe(true);
  });

  test('the deletion of a workspace does not deadlock with the revocation of a data link', async () => {
    const link = { label: 'l', content: { kind: 'list', list_id: null }, refresh: { max_age: '1h', monthly_cap: 1 } };
    const added = await addDataLink(sql, workspaceId, { ...link, expires_at: null } as never, now);
    if (added.token === null) throw new Error(added.reason);
    const [deleted] = await collide(
      sql,
      (tx) => tx`select from api_keys where workspace_id = ${workspaceId} and name like 'Data link%' for update`,
      () => deleteWorkspace(sql, workspaceId),
      () => revokeDataLink(sql, { workspace_id: workspaceId, link_id: added.link_id }, now),
    );
    expect(deleted).toBe(true);
  });

  test('the deletion of a workspace does not deadlock with a purchase that raises its tier', async () => {
    await sql`update workspaces set tier = 'air' where workspace_id = ${workspaceId}`;
    const pack = { pack: 'pro', credits: 1, amount: 1, currency: 'usd' } as const;
    const payment = { workspace_id: workspaceId, payment_id: newId(), ...pack };
    const [bought, deleted] = await collide(
      sql,
      (tx) => tx`select from credit_balances where workspace_id = ${workspaceId} for update`,
      () => recordPurchase(sql, { event_id: newId(), type: 't' }, payment, now),
      () => deleteWorkspace(sql, workspaceId),
    );
    expect([bought, deleted]).toEqual(['done', true]);
  });
});
