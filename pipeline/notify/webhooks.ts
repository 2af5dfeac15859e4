import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { Webhook } from 'standardwebhooks';
import {
  addDeliveries,
  addEndpoint,
  lockLowBalance,
  maxEndpoints,
  reopenDelivery,
  unsentLowBalance,
} from '../../db/deliveries/webhooks.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type AddressRules, refusedAddress } from '../network/outbound.ts';
import type { JobContext, JobItem } from '../queue/job.ts';

/** The events to which a webhook endpoint can subscribe. docs/webhooks.md describes the data of each. */
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

/** The event of a test message. It is sent without a subscription. */
const testEvent = 'webhook.test';
const secretBytes = 32;

export type WebhookData = Readonly<Record<string, string | number | boolean | null>>;

type Announcer = Pick<JobContext, 'queue' | 'now'>;

/**
 * Stores and queues a delivery for each endpoint of the workspace that subscribes to the event. Uses the transaction `tx`, so
 * that nothing is sent unless the reported change is committed. Runs one SQL statement when no endpoint subscribes.
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
 * Returns the queue item for one delivery attempt. Each attempt has its own key: the queue holds one item per key, and a
 * running attempt must be able to queue the next one.
 */
export function attemptItem(next: { workspace_id: string; delivery_id: string; attempts: number }): JobItem {
  const { workspace_id, delivery_id, attempts } = next;
  return { key: `${delivery_id}/${attempts}`, data: { workspace_id, delivery_id, attempts } };
}

/**
 * Sends `credits.low` once each time the workspace's balance falls below its alert value. Call it after charges. Simultaneous
 * calls send only one message. Opens its own transaction.
 */
export function announceLowBalance(context: Announcer & Pick<JobContext, 'db'>, workspaceId: string): Promise<void> {
  return inTransaction(context.db.sql, async (tx) => {
    if (!(await lockLowBalance(tx, workspaceId))) return;
    const low = await unsentLowBalance(tx, workspaceId);
    if (low) await announce(context, tx, workspaceId, 'credits.low', { ...low });
  });
}

/**
 * Sends a `webhook.test` message to one endpoint. Returns the ID of the delivery; null when the endpoint does not exist or is
 * switched off.
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
 * Sends an ended delivery again with the same ID and the full number of attempts. Returns false when the delivery has not ended
 * or its endpoint is switched off.
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

export type CreateEndpointResult =
  | { ok: true; endpoint_id: string; secret: string }
  | { ok: false; field: 'url' | 'events' | null; message: string };

/**
 * Creates a webhook endpoint. Returns its secret, which cannot be read again later. If the endpoint is refused, `message` tells
 * the user why in one sentence.
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
 * Returns the headers of one delivery attempt. All attempts of a delivery have the same `webhook-id`; the timestamp and the
 * signature differ.
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
