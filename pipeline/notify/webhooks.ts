import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { Webhook } from 'standardwebhooks';
import { addDeliveries, reopenDelivery } from '../../db/deliveries/webhook-deliveries.ts';
import { addEndpoint, maxEndpoints } from '../../db/deliveries/webhooks.ts';
import { lockLowBalance, unsentLowBalance } from '../../db/money/low-balance.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type AddressRules, refusedAddress } from '../network/outbound.ts';
import type { JobContext, JobItem } from '../queue/job.ts';

/** The events to which a webhook endpoint can subscribe. docs/webhooks.md describes the data of each event. */
export const webhookEvents = [
  'check.completed',
  'report.ready',
  'credits.low',
  'batch.finished',
  'import.finished',
  'import.failed',
  'alert.raised',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event of a test webhook, which is sent on a user's request. No endpoint can subscribe to this event. */
const testEvent = 'webhook.test';
const secretBytes = 32;

export type WebhookData = Readonly<Record<string, string | number | boolean | null>>;

type Announcer = Pick<JobContext, 'queue' | 'now'>;

/**
 * Stores and queues a webhook delivery for each endpoint of the workspace that subscribes to the event. Uses the
 * transaction `tx`, so that nothing is sent when the reported change is rolled back. Runs only one SQL statement when
 * no endpoint subscribes.
 */
export async function announce(
  context: Announcer,
  tx: Sql,
  workspaceId: string,
  event: WebhookEvent,
  payload: WebhookData,
): Promise<void> {
  await send(context, tx, workspaceId, { event, payload, endpoint_id: null });
}

interface Message {
  event: WebhookEvent | typeof testEvent;
  payload: WebhookData;
  endpoint_id: string | null;
}

async function send(
  { queue, now }: Announcer,
  tx: Sql,
  workspaceId: string,
  { event, payload, endpoint_id }: Message,
): Promise<string[]> {
  const createdAt = now();
  const body = JSON.stringify({ type: event, timestamp: createdAt.toISOString(), data: payload });
  const ids = await addDeliveries(tx, workspaceId, { event, body, created_at: createdAt, endpoint_id });
  const items = ids.map((deliveryId) =>
    attemptItem({ workspace_id: workspaceId, delivery_id: deliveryId, attempts: 0 }),
  );
  await queue.send('deliver-webhooks', items, { tx });
  return ids;
}

/**
 * Returns the job queue entry for one attempt to deliver a webhook. The queue accepts one entry per key. Each attempt
 * has its own key, because a running attempt must be able to queue the next one. First attempts run before retries, so
 * that failing receivers do not delay the messages of other workspaces.
 */
export function attemptItem(next: { workspace_id: string; delivery_id: string; attempts: number }): JobItem {
  const { workspace_id, delivery_id, attempts } = next;
  return { key: `${delivery_id}/${attempts}`, data: { workspace_id, delivery_id, attempts }, priority: -attempts };
}

/**
 * Sends the webhook event `credits.low` once each time the credits of a workspace fall below its alert value. Must be
 * called after charges. Simultaneous calls send only one event. Opens its own transaction.
 */
export function announceLowBalance(context: Announcer & Pick<JobContext, 'db'>, workspaceId: string): Promise<void> {
  return inTransaction(context.db.sql, async (tx) => {
    if (!(await lockLowBalance(tx, workspaceId))) return;
    const low = await unsentLowBalance(tx, workspaceId);
    if (low) await announce(context, tx, workspaceId, 'credits.low', { ...low });
  });
}

/**
 * Sends a `webhook.test` event to one webhook endpoint. Returns the ID of the delivery. Returns null when the endpoint
 * does not exist or is switched off.
 */
export function sendTest(
  context: Announcer & Pick<JobContext, 'db'>,
  workspaceId: string,
  endpointId: string,
): Promise<string | null> {
  const message = { event: testEvent, payload: { endpoint_id: endpointId }, endpoint_id: endpointId } as const;
  return inTransaction(context.db.sql, async (tx) => (await send(context, tx, workspaceId, message))[0] ?? null);
}

/**
 * Sends a finished webhook delivery (succeeded or failed) again, with the same ID and the full number of attempts.
 * Returns false when the delivery is still waiting or its endpoint is switched off.
 */
export function redeliver(
  { db, queue }: Pick<JobContext, 'db' | 'queue'>,
  workspaceId: string,
  deliveryId: string,
): Promise<boolean> {
  return inTransaction(db.sql, async (tx) => {
    if (!(await reopenDelivery(tx, workspaceId, deliveryId))) return false;
    await queue.send(
      'deliver-webhooks',
      [attemptItem({ workspace_id: workspaceId, delivery_id: deliveryId, attempts: 0 })],
      { tx },
    );
    return true;
  });
}

type CreateEndpointResult =
  | { ok: true; endpoint_id: string; secret: string }
  | { ok: false; field: 'url' | 'events' | null; message: string };

/**
 * Creates a webhook endpoint and returns its signing secret, which cannot be read again later. When the endpoint is
 * refused, returns the reason as one sentence for the user in `message`.
 */
export async function createEndpoint(
  sql: Sql,
  workspaceId: string,
  input: { url: string; events: readonly string[] },
  rules: AddressRules,
): Promise<CreateEndpointResult> {
  const badUrl = refusedAddress(input.url, rules);
  if (badUrl !== null) return { ok: false, field: 'url', message: badUrl };
  const badEvents = refusedEvents(input.events);
  if (badEvents !== null) return { ok: false, field: 'events', message: badEvents };
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  const events = [...new Set(input.events)];
  const endpointId = await addEndpoint(sql, workspaceId, { url: new URL(input.url).href, secret, events });
  if (endpointId === null) {
    const message = `A workspace can have at most ${maxEndpoints} webhooks: remove one first.`;
    return { ok: false, field: null, message };
  }
  return { ok: true, endpoint_id: endpointId, secret };
}

function refusedEvents(events: readonly string[]): string | null {
  const known: readonly string[] = webhookEvents;
  const unknown = events.find((event) => !known.includes(event));
  if (events.length > 0 && unknown === undefined) return null;
  const problem = unknown === undefined ? 'Select at least one event' : `There is no event ${unknown.slice(0, 100)}`;
  return `${problem}: choose from ${webhookEvents.join(', ')}.`;
}

/**
 * Returns the HTTP headers of one attempt to deliver a webhook. The `webhook-id` is the same in all attempts of a
 * delivery. The timestamp and the signature differ.
 */
export function signedHeaders(
  { delivery_id, secret, body }: { delivery_id: string; secret: string; body: string },
  at: Date,
): Record<string, string> {
  return {
    'webhook-id': delivery_id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(delivery_id, at, body),
  };
}
