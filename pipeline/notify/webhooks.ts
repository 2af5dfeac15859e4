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

/** What a workspace can be told; docs/webhooks.md has the data of each. */
export const webhookEvents = ['check.completed', 'report.ready', 'credits.low', 'batch.finished'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event of a test delivery, which every endpoint gets. */
const testEvent = 'webhook.test';
const secretBytes = 32;

export type WebhookData = Readonly<Record<string, string | number | boolean | null>>;

type Announcer = Pick<JobContext, 'queue' | 'now'>;

/**
 * Tells the endpoints of a workspace that want the event: their deliveries are written and enqueued in `tx`, so that they are
 * sent exactly when what they speak of is committed. Costs one statement when nobody wants to know.
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

/** One attempt as the queue holds it: each has its own key, so that a running one can enqueue the next. */
export function attemptItem(next: { workspace_id: string; delivery_id: string; attempts: number }): JobItem {
  const { workspace_id, delivery_id, attempts } = next;
  return { key: `${delivery_id}/${attempts}`, data: { workspace_id, delivery_id, attempts } };
}

/**
 * Sends `credits.low` when the balance is below the workspace's alert and nothing was sent since it was last at or above it.
 * Call it after charges; whatever number of them comes at once, one message goes out. Opens a transaction of its own.
 */
export function announceLowBalance(context: Announcer & Pick<JobContext, 'db'>, workspaceId: string): Promise<void> {
  return inTransaction(context.db.sql, async (tx) => {
    if (!(await lockLowBalance(tx, workspaceId))) return;
    const low = await unsentLowBalance(tx, workspaceId);
    if (low) await announce(context, tx, workspaceId, 'credits.low', { ...low });
  });
}

/** Sends a `webhook.test` message to one endpoint; its delivery id, or null when there is no such endpoint or it is off. */
export function sendTest(
  context: Announcer & Pick<JobContext, 'db'>,
  workspaceId: string,
  endpointId: string,
): Promise<string | null> {
  const message = { event: testEvent, payload: { endpoint_id: endpointId }, endpoint_id: endpointId } as const;
  return inTransaction(context.db.sql, async (tx) => (await send(context, tx, workspaceId, message))[0] ?? null);
}

/** Sends an ended delivery again under its own id, with all its attempts; false when it still waits or its endpoint is off. */
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

export type EndpointMade = { ok: true; endpoint_id: string; secret: string } | { ok: false; message: string };

/** Makes an endpoint. The secret is shown here and never again; `message` is one sentence for the person who asked. */
export async function createEndpoint(
  sql: Sql,
  workspaceId: string,
  wish: { url: string; events: readonly string[] },
  rules: AddressRules,
): Promise<EndpointMade> {
  const refused = refusedAddress(wish.url, rules) ?? refusedEvents(wish.events);
  if (refused !== null) return { ok: false, message: refused };
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  const events = [...new Set(wish.events)];
  const endpointId = await addEndpoint(sql, workspaceId, { url: new URL(wish.url).href, secret, events });
  if (endpointId === null) {
    return { ok: false, message: `A workspace has at most ${maxEndpoints} endpoints: remove one first.` };
  }
  return { ok: true, endpoint_id: endpointId, secret };
}

function refusedEvents(events: readonly string[]): string | null {
  const known: readonly string[] = webhookEvents;
  const unknown = events.find((event) => !known.includes(event));
  if (events.length > 0 && unknown === undefined) return null;
  const problem = unknown === undefined ? 'Name at least one event' : `There is no event ${unknown.slice(0, 100)}`;
  return `${problem}: choose from ${webhookEvents.join(', ')}.`;
}

/** The headers of one attempt: the id stays the same over all attempts of a delivery, time and signature are its own. */
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
