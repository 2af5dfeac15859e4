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

/** The events that an endpoint can subscribe to; docs/webhooks.md describes the data of each. */
export const webhookEvents = ['check.completed', 'report.ready', 'credits.low', 'batch.finished'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event of a test delivery, which needs no subscription. */
const testEvent = 'webhook.test';
const secretBytes = 32;

export type WebhookData = Readonly<Record<string, string | number | boolean | null>>;

type Announcer = Pick<JobContext, 'queue' | 'now'>;

/**
 * Writes and enqueues a delivery for each endpoint of the workspace that subscribes to the event. All of it happens in `tx`, so
 * that nothing is sent unless the change that it reports is committed. Runs one statement when no endpoint subscribes.
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

/** Returns the queue item of one attempt. Each attempt has its own key, so that a running attempt can enqueue the next. */
export function attemptItem(next: { workspace_id: string; delivery_id: string; attempts: number }): JobItem {
  const { workspace_id, delivery_id, attempts } = next;
  return { key: `${delivery_id}/${attempts}`, data: { workspace_id, delivery_id, attempts } };
}

/**
 * Sends `credits.low` once each time the balance falls below the workspace's alert. Call it after charges; concurrent calls
 * send one message. Opens a transaction of its own.
 */
export function announceLowBalance(context: Announcer & Pick<JobContext, 'db'>, workspaceId: string): Promise<void> {
  return inTransaction(context.db.sql, async (tx) => {
    if (!(await lockLowBalance(tx, workspaceId))) return;
    const low = await unsentLowBalance(tx, workspaceId);
    if (low) await announce(context, tx, workspaceId, 'credits.low', { ...low });
  });
}

/** Sends a `webhook.test` message to one endpoint. Returns the delivery id, null when the endpoint does not exist or is off. */
export function sendTest(
  context: Announcer & Pick<JobContext, 'db'>,
  workspaceId: string,
  endpointId: string,
): Promise<string | null> {
  const message = { event: testEvent, payload: { endpoint_id: endpointId }, endpoint_id: endpointId } as const;
  return inTransaction(context.db.sql, async (tx) => (await send(context, tx, workspaceId, message))[0] ?? null);
}

/** Sends an ended delivery again under the same id, with a full set of attempts. Returns false when it is still waiting or its endpoint is off. */
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

export type CreateEndpointResult = { ok: true; endpoint_id: string; secret: string } | { ok: false; message: string };

/** Creates a webhook endpoint. Its secret is returned only now. `message` says to the user in one sentence why it was refused. */
export async function createEndpoint(
  sql: Sql,
  workspaceId: string,
  input: { url: string; events: readonly string[] },
  rules: AddressRules,
): Promise<CreateEndpointResult> {
  const refused = refusedAddress(input.url, rules) ?? refusedEvents(input.events);
  if (refused !== null) return { ok: false, message: refused };
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  const events = [...new Set(input.events)];
  const endpointId = await addEndpoint(sql, workspaceId, { url: new URL(input.url).href, secret, events });
  if (endpointId === null) {
    return { ok: false, message: `A workspace can have at most ${maxEndpoints} webhooks: remove one first.` };
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

/** Returns the headers of one attempt. All attempts of a delivery share the id; time and signature differ. */
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
