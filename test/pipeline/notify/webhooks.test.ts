import type { Sql } from 'postgres';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { addDeliveries, listDeliveries } from '../../../db/deliveries/webhook-deliveries.ts';
import { switchEndpoint } from '../../../db/deliveries/webhooks.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createDeliverWebhooks, retryDelaysS } from '../../../pipeline/jobs/deliver-webhooks.ts';
import { announce, attemptItem } from '../../../pipeline/notify/webhooks.ts';
import type { JobQueue } from '../../../pipeline/queue/job.ts';
import { startQueue } from '../../../pipeline/queue/queue.ts';
import { until } from '../../setup/processes.ts';
import { silentLog } from '../../setup/test-database.ts';
import { createJobSetup, data, deliverWebhooks, post, startReceiver } from './webhook-receiver.ts';

let setup: Awaited<ReturnType<typeof createJobSetup>>;
beforeAll(async () => {
  setup = await createJobSetup();
});
afterAll(() => setup.db.close());
afterEach(() => setup.reset());

describe('announcing a webhook event', () => {
  test('an event writes one delivery for each webhook endpoint of the workspace that is on and subscribes to it', async () => {
    const [mine, other] = [await setup.workspace(), await setup.workspace()];
    const wanting = await setup.endpoint(mine, 'https://a.example/', ['report.ready', 'credits.low']);
    await setup.endpoint(mine, 'https://b.example/', ['batch.finished']);
    const off = await setup.endpoint(mine, 'https://c.example/');
    await switchEndpoint(setup.db.sql, mine, off.endpoint_id, { at: new Date(), reason: 'by hand' });
    await setup.endpoint(other, 'https://d.example/');
    await announce(setup.context, setup.db.sql, mine, 'report.ready', data);
    const deliveries = await listDeliveries(setup.db.sql, mine);
    expect(deliveries.map(({ endpoint_id }) => endpoint_id)).toEqual([wanting.endpoint_id]);
    expect(setup.queued.map((item) => item.data.delivery_id)).toEqual([deliveries[0]?.delivery_id]);
    expect(await listDeliveries(setup.db.sql, other)).toEqual([]);
  });

  test('a webhook delivery is enqueued only when the transaction of its event commits', async () => {
    const workspaceId = await setup.workspace();
    await setup.endpoint(workspaceId, 'https://a.example/');
    const { sql } = setup.db;
    const queue = await startQueue({ sql, jobs: [deliverWebhooks], log: silentLog, work: null });
    onTestFinished(() => queue.stop());
    const queued = async () => (await queue.states())[0]?.queued;
    const announcement = (tx: Sql) =>
      announce({ queue, now: setup.context.now }, tx, workspaceId, 'report.ready', data);
    const undone = inTransaction(sql, async (tx) => {
      await announcement(tx);
      expect(await queued()).toBe(0);
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
    expect([await queued(), await listDeliveries(sql, workspaceId)]).toEqual([0, []]);
    await inTransaction(sql, announcement);
    expect([await queued(), (await listDeliveries(sql, workspaceId)).length]).toEqual([1, 1]);
  });

  test('an event is delivered to the webhook receiver through the queue', async () => {
    const at = await startReceiver({ status: 204 });
    const workspaceId = await setup.workspace();
    await setup.endpoint(workspaceId, at.url);
    const { sql } = setup.db;
    const work = (queue: JobQueue) => ({ ...setup.context, queue });
    const queue = await startQueue({ sql, jobs: [deliverWebhooks], log: silentLog, work });
    onTestFinished(() => queue.stop());
    await announce({ queue, now: setup.context.now }, sql, workspaceId, 'report.ready', data);
    await until(async () => (await listDeliveries(sql, workspaceId))[0]?.status === 'delivered');
    expect(at.received.map(({ body }) => JSON.parse(body).data)).toEqual([data]);
  });
});

test('later attempts of webhook deliveries to a receiver that does not answer do not delay a first attempt', async () => {
  const { sql } = setup.db;
  const [slow, quick] = [await setup.workspace(), await setup.workspace()];
  await setup.endpoint(slow, 'https://slow.example/');
  await setup.endpoint(quick, 'https://quick.example/');
  const held = Promise.withResolvers<void>();
  const job = createDeliverWebhooks(async ({ url }) => {
    if (url.includes('slow')) await held.promise;
    return { status: 200, message: '', retry_after_seconds: null };
  });
  const work = (queue: JobQueue) => ({ ...setup.context, queue });
  const idle = await startQueue({ sql, jobs: [job], log: silentLog, work: null });
  for (let n = 0; n < 2 * job.items_per_run; n += 1) await announce(setup.context, sql, slow, 'report.ready', data);
  await sql`update webhook_deliveries set attempts = 1 where workspace_id = ${slow}`;
  const later = (await listDeliveries(sql, slow)).map(({ delivery_id }) =>
    attemptItem({ workspace_id: slow, delivery_id, attempts: 1 }),
  );
  await idle.send(job.name, later);
  await announce({ queue: idle, now: setup.context.now }, sql, quick, 'report.ready', data);
  const working = await startQueue({ sql, jobs: [job], log: silentLog, work });
  onTestFinished(async () => {
    held.resolve();
    await Promise.all([idle.stop(), working.stop()]);
  });
  await until(async () => (await listDeliveries(sql, quick))[0]?.status === 'delivered');
});

describe('a webhook delivery', () => {
  test('a webhook delivery is signed by Standard Webhooks, with type, time and data in its body', async () => {
    const { received, secret, delivery } = await setup.announced({ status: 200, body: 'thanks' });
    await setup.runQueued();
    const { headers, body } = received[0] ?? expect.fail('nothing came');
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(verified).toEqual({ type: 'report.ready', timestamp: setup.clock.now.toISOString(), data });
    expect(await delivery()).toMatchObject({
      delivery_id: headers['webhook-id'],
      status: 'delivered',
      attempts: 1,
      last_status: 200,
      last_message: 'thanks',
      delivered_at: setup.clock.now,
    });
  });

  test('a webhook delivery is retried with growing pauses, logs each attempt and has failed after the last one', async () => {
    const { received, delivery } = await setup.announced({ status: 500, body: 'down' });
    const waits: number[] = [];
    for (let attempt = 1; setup.queued.length > 0; attempt++) {
      await setup.runQueued();
      expect(await delivery()).toMatchObject({ attempts: attempt, last_status: 500, last_message: 'down' });
      const next = setup.queued[0]?.start_after;
      if (next) waits.push((next.getTime() - setup.clock.now.getTime()) / 1_000);
      setup.clock.now = next ?? setup.clock.now;
    }
    expect(waits).toEqual(retryDelaysS);
    expect(await delivery()).toMatchObject({ status: 'failed', attempts: 7, delivered_at: null });
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-signature'])).size).toBe(7);
  });

  test('a webhook delivery that fails once arrives with the next attempt', async () => {
    const { delivery } = await setup.announced({ status: 503 }, { status: 204 });
    await setup.runQueued();
    expect((await delivery()).status).toBe('waiting');
    await setup.runQueued();
    expect(await delivery()).toMatchObject({ status: 'delivered', attempts: 2, last_status: 204 });
    expect(setup.queued).toEqual([]);
  });

  test('a webhook delivery respects the Retry-After of the receiver, up to one day', async () => {
    await setup.announced(
      { status: 429, headers: { 'retry-after': '900' } },
      { status: 503, headers: { 'retry-after': '9999999' } },
    );
    for (const waitS of [900, 86_400]) {
      await setup.runQueued();
      expect(setup.queued[0]?.start_after).toEqual(new Date(setup.clock.now.getTime() + waitS * 1_000));
    }
  });

  test('a webhook delivery to an unreachable address records why there was no answer', async () => {
    const { close, delivery } = await setup.announced({ status: 204 });
    await close();
    await setup.runQueued();
    expect(await delivery()).toMatchObject({ status: 'waiting', last_status: null });
    expect((await delivery()).last_message).toMatch(/^No connection: .*ECONNREFUSED/);
  });

  test('a webhook delivery is repeated with the same id after a crash between the post and its record', async () => {
    const { received, delivery } = await setup.announced({ status: 204 });
    const [item] = setup.queued.splice(0);
    const dying = createDeliverWebhooks(async (message) => {
      await post(message);
      throw new Error('killed');
    });
    await expect(dying.run([item ?? expect.fail('not queued')], setup.context)).rejects.toThrow('killed');
    expect((await delivery()).status).toBe('waiting');
    await deliverWebhooks.run([item ?? expect.fail('not queued')], setup.context);
    expect((await delivery()).status).toBe('delivered');
    expect(received).toHaveLength(2);
    expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
  });

  test('a webhook delivery is not sent again by a queue entry that returns late', async () => {
    const { received } = await setup.announced({ status: 204 });
    const items = setup.queued.splice(0);
    await deliverWebhooks.run(items, setup.context);
    await deliverWebhooks.run(items, setup.context);
    expect(received).toHaveLength(1);
  });

  test('a webhook delivery that two processes attempt at the same time is recorded once and enqueues one next attempt', async () => {
    const { received, delivery } = await setup.announced({ status: 500 });
    const items = setup.queued.splice(0);
    await Promise.all([deliverWebhooks.run(items, setup.context), deliverWebhooks.run(items, setup.context)]);
    expect(received.length).toBeGreaterThanOrEqual(1);
    expect((await delivery()).attempts).toBe(1);
    expect(setup.queued).toHaveLength(1);
  });

  test('only a webhook delivery whose queue entry was lost is enqueued again by the scheduled job', async () => {
    const { received, delivery } = await setup.announced({ status: 204 });
    await setup.announced({ status: 204 });
    const kept = setup.queued.splice(0)[1];
    setup.clock.now = new Date(setup.clock.now.getTime() + 3_000_000);
    await deliverWebhooks.run([{ key: 'deliver-webhooks', data: {} }], setup.context);
    expect(setup.queued).toEqual([]);
    setup.clock.now = new Date(setup.clock.now.getTime() + 1_000_000);
    await deliverWebhooks.run([{ key: 'deliver-webhooks', data: {} }], setup.context);
    expect(setup.queued.map(({ key }) => key)).toContain(kept?.key);
    await setup.runQueued();
    expect(received).toHaveLength(1);
    expect((await delivery()).status).toBe('delivered');
  });
});

test('no webhook delivery is written for an endpoint of another workspace', async () => {
  const { endpoint_id } = await setup.announced({ status: 204 });
  const message = { event: 'webhook.test', body: '{}', created_at: new Date(), endpoint_id };
  expect(await addDeliveries(setup.db.sql, await setup.workspace(), message)).toEqual([]);
});
