import type { Sql } from 'postgres';
import { deleteOld } from '../delete-old.ts';
import { newId } from '../ids.ts';
import { maxEndpoints } from './webhooks.ts';

interface NewMessage {
  event: string;
  /** The JSON text to send to the webhook endpoint. */
  body: string;
  created_at: Date;
  /** The only endpoint that gets the message. Null: every endpoint that is subscribed to the event gets the message. */
  endpoint_id: string | null;
}

/**
 * Creates a webhook delivery for each active endpoint that is subscribed to the event, or only for `endpoint_id`.
 * Returns the ids of the deliveries, which wait to be sent. Leaves out an endpoint that is being deleted.
 */
export async function addDeliveries(sql: Sql, workspaceId: string, message: NewMessage): Promise<string[]> {
  const { event, body, created_at, endpoint_id } = message;
  const ids = Array.from({ length: maxEndpoints }, () => newId(created_at));
  const rows = await sql<{ delivery_id: string }[]>`
    insert into webhook_deliveries as made (workspace_id, delivery_id, endpoint_id, event, body, created_at)
    select workspace_id, (${ids}::uuid[])[row_number() over (order by endpoint_id)], endpoint_id, ${event}, ${body},
      ${created_at}
    from (
      select workspace_id, endpoint_id from webhook_endpoints
      where workspace_id = ${workspaceId} and disabled_at is null
        and case when ${endpoint_id}::uuid is null then ${event} = any(events) else endpoint_id = ${endpoint_id}::uuid end
      order by endpoint_id for key share
    ) e
    returning made.delivery_id`;
  return rows.map(({ delivery_id }) => delivery_id);
}

/** A webhook delivery that must be sent now, with all data for the request. */
export interface WaitingDelivery {
  workspace_id: string;
  delivery_id: string;
  endpoint_id: string;
  attempts: number;
  body: string;
  url: string;
  secret: string;
  enabled: boolean;
}

/**
 * Returns a webhook delivery that must be sent. Returns null when the delivery is finished, or when its number of
 * attempts is not `attempts`, because another process has made an attempt.
 */
export async function waitingDelivery(
  sql: Sql,
  workspaceId: string,
  deliveryId: string,
  attempts: number,
): Promise<WaitingDelivery | null> {
  const [row] = await sql<WaitingDelivery[]>`
    select d.workspace_id, d.delivery_id, d.endpoint_id, d.attempts, d.body, e.url, e.secret,
      e.disabled_at is null as enabled
    from webhook_deliveries d
    join webhook_endpoints e on e.workspace_id = d.workspace_id and e.endpoint_id = d.endpoint_id
    where d.workspace_id = ${workspaceId} and d.delivery_id = ${deliveryId} and d.status = 'waiting'
      and d.attempts = ${attempts}`;
  return row ?? null;
}

export interface AttemptResult {
  /** The new status of the delivery: `waiting` when another attempt follows, otherwise the final result. */
  status: 'waiting' | 'delivered' | 'failed';
  /** False when no request was sent, because the webhook endpoint is off. */
  attempted: boolean;
  /** The HTTP status of the endpoint's response; null when there was no response. */
  last_status: number | null;
  last_message: string;
  at: Date;
}

/**
 * Stores the result of an attempt to send a webhook delivery. Returns false when another process has already stored a
 * result.
 */
export async function recordAttempt(
  sql: Sql,
  { workspace_id, delivery_id, attempts }: WaitingDelivery,
  { status, attempted, last_status, last_message, at }: AttemptResult,
): Promise<boolean> {
  const rows = await sql`
    update webhook_deliveries set status = ${status}, attempts = attempts + ${attempted ? 1 : 0},
      last_status = ${last_status}, last_message = ${last_message},
      delivered_at = ${status === 'delivered' ? at : null}
    where workspace_id = ${workspace_id} and delivery_id = ${delivery_id} and status = 'waiting'
      and attempts = ${attempts}
    returning delivery_id`;
  return rows.length === 1;
}

export interface Delivery {
  delivery_id: string;
  endpoint_id: string;
  event: string;
  body: string;
  status: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  last_status: number | null;
  last_message: string | null;
  created_at: Date;
  delivered_at: Date | null;
}

/** Number of webhook deliveries on one page of the delivery log. */
export const deliveriesPerPage = 100;

/**
 * Returns the webhook deliveries of a workspace, newest first. With `endpointId`, returns only deliveries to that
 * endpoint. With `before` (a delivery id), returns only older ones.
 */
export async function listDeliveries(
  sql: Sql,
  workspaceId: string,
  endpointId: string | null = null,
  before: string | null = null,
): Promise<Delivery[]> {
  return sql<Delivery[]>`
    select delivery_id, endpoint_id, event, body, status, attempts, last_status, last_message, created_at, delivered_at
    from webhook_deliveries
    where workspace_id = ${workspaceId} and (${endpointId}::uuid is null or endpoint_id = ${endpointId}::uuid)
      and (${before}::uuid is null or delivery_id < ${before}::uuid)
    order by delivery_id desc limit ${deliveriesPerPage}`;
}

/** Returns true when the webhook delivery belongs to this endpoint of the workspace. */
export async function isDeliveryOf(
  sql: Sql,
  workspaceId: string,
  endpointId: string,
  deliveryId: string,
): Promise<boolean> {
  const rows = await sql`
    select from webhook_deliveries
    where workspace_id = ${workspaceId} and endpoint_id = ${endpointId} and delivery_id = ${deliveryId}`;
  return rows.length === 1;
}

/**
 * Queues a finished webhook delivery again. Returns false when the delivery is already waiting, its endpoint is off, or
 * it does not exist.
 */
export async function reopenDelivery(sql: Sql, workspaceId: string, deliveryId: string): Promise<boolean> {
  const rows = await sql`
    update webhook_deliveries d set status = 'waiting', attempts = 0, last_status = null, last_message = null,
      delivered_at = null
    where d.workspace_id = ${workspaceId} and d.delivery_id = ${deliveryId} and d.status <> 'waiting'
      and exists (
        select from webhook_endpoints e
        where e.workspace_id = d.workspace_id and e.endpoint_id = d.endpoint_id and e.disabled_at is null)
    returning d.delivery_id`;
  return rows.length === 1;
}

type OverdueDelivery = Pick<WaitingDelivery, 'workspace_id' | 'delivery_id' | 'attempts'>;

const maxOverdue = 1_000;

/**
 * Returns webhook deliveries that were created after `since` and whose next attempt is overdue. `agesS[n]` is the age
 * in seconds at which a delivery with `n` attempts is overdue.
 */
export async function overdueDeliveries(
  sql: Sql,
  now: Date,
  since: Date,
  agesS: readonly number[],
): Promise<OverdueDelivery[]> {
  return sql<OverdueDelivery[]>`
    select workspace_id, delivery_id, attempts from webhook_deliveries
    where created_at > ${since} and status = 'waiting'
      and created_at < ${now}::timestamptz - (${[...agesS]}::int[])[attempts + 1] * interval '1 second'
    order by created_at limit ${maxOverdue}`;
}

/**
 * Deletes finished webhook deliveries of all workspaces that were created before `before`. Returns the number of
 * deleted deliveries.
 */
export function removeDeliveries(sql: Sql, before: Date): Promise<number> {
  return deleteOld(sql, 'webhook_deliveries', sql`created_at < ${before} and status <> 'waiting'`);
}
