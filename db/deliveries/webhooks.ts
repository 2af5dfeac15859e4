import type { Sql } from 'postgres';
import { newId } from '../ids.ts';
import { inTransaction } from '../transaction.ts';

export interface Endpoint {
  endpoint_id: string;
  url: string;
  events: string[];
  /** Set when the receiver answered 410 or a person switched it off; nothing is sent to it then. */
  disabled_at: Date | null;
  disabled_reason: string | null;
  created_at: Date;
}

export interface NewEndpoint {
  url: string;
  /** Standard Webhooks secret, `whsec_…`. */
  secret: string;
  events: readonly string[];
}

/** Endpoints of one workspace. */
export const maxEndpoints = 10;

/** Makes an endpoint while the workspace has room for one; its id, or null. Opens a transaction of its own. */
export function addEndpoint(sql: Sql, workspaceId: string, endpoint: NewEndpoint): Promise<string | null> {
  return inTransaction(sql, async (tx) => {
    // A statement counts what was committed before it began: the lock comes first.
    await tx`select from workspaces where workspace_id = ${workspaceId} for no key update`;
    const [row] = await tx<{ endpoint_id: string }[]>`
      insert into webhook_endpoints (workspace_id, endpoint_id, url, secret, events)
      select workspace_id, ${newId()}::uuid, ${endpoint.url}, ${endpoint.secret}, ${[...endpoint.events]}::text[]
      from workspaces where workspace_id = ${workspaceId}
        and (select count(*) from webhook_endpoints where workspace_id = ${workspaceId}) < ${maxEndpoints}
      returning endpoint_id`;
    return row?.endpoint_id ?? null;
  });
}

/** The endpoints of a workspace, oldest first; never their secrets. */
export async function listEndpoints(sql: Sql, workspaceId: string): Promise<Endpoint[]> {
  return sql<Endpoint[]>`
    select endpoint_id, url, events, disabled_at, disabled_reason, created_at from webhook_endpoints
    where workspace_id = ${workspaceId} order by created_at, endpoint_id`;
}

/** Removes an endpoint with its delivery log; false when the workspace has none of that id. */
export async function removeEndpoint(sql: Sql, workspaceId: string, endpointId: string): Promise<boolean> {
  const rows = await sql`
    delete from webhook_endpoints where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}
    returning endpoint_id`;
  return rows.length === 1;
}

/** Why an endpoint is switched off, and since when; null switches it on again. */
export type SwitchedOff = { at: Date; reason: string } | null;

/** Switches an endpoint off or on; one that is off keeps its first reason. False when the workspace has none of that id. */
export async function switchEndpoint(
  sql: Sql,
  workspaceId: string,
  endpointId: string,
  off: SwitchedOff,
): Promise<boolean> {
  const rows = await sql`
    update webhook_endpoints set
      disabled_reason = case when ${off !== null} then coalesce(disabled_reason, ${off?.reason ?? null}) end,
      disabled_at = case when ${off !== null} then coalesce(disabled_at, ${off?.at ?? null}::timestamptz) end
    where workspace_id = ${workspaceId} and endpoint_id = ${endpointId} returning endpoint_id`;
  return rows.length === 1;
}

export interface NewMessage {
  event: string;
  /** JSON text, sent as it is. */
  body: string;
  created_at: Date;
  /** Null: every endpoint that wants the event. */
  endpoint_id: string | null;
}

/** Writes one waiting delivery for each endpoint that is on and wants the event (or is named); their ids. */
export async function addDeliveries(sql: Sql, workspaceId: string, message: NewMessage): Promise<string[]> {
  const { event, body, created_at, endpoint_id } = message;
  const ids = Array.from({ length: maxEndpoints }, () => newId(created_at));
  const rows = await sql<{ delivery_id: string }[]>`
    insert into webhook_deliveries (workspace_id, delivery_id, endpoint_id, event, body, created_at)
    select workspace_id, (${ids}::uuid[])[row_number() over (order by endpoint_id)], endpoint_id, ${event}, ${body},
      ${created_at}
    from webhook_endpoints
    where workspace_id = ${workspaceId} and disabled_at is null
      and case when ${endpoint_id}::uuid is null then ${event} = any(events) else endpoint_id = ${endpoint_id}::uuid end
    returning delivery_id`;
  return rows.map(({ delivery_id }) => delivery_id);
}

/** A delivery whose next attempt is due, with what it takes. */
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

/** A delivery after so many attempts; null when it went on or ended meanwhile. */
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
  /** `waiting` for another attempt, or how it ended. */
  status: 'waiting' | 'delivered' | 'failed';
  /** False when the endpoint is off: nothing was sent. */
  attempted: boolean;
  /** HTTP status; null without an answer. */
  last_status: number | null;
  last_message: string;
  at: Date;
}

/** Writes down what came of an attempt; false when another process wrote down the same one before. */
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

/** Deliveries that one page of the log shows. */
export const logPage = 100;

/** The newest deliveries of a workspace, of one endpoint when `endpoint_id` is given, made before `before` when that is given. */
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
    order by delivery_id desc limit ${logPage}`;
}

/** Whether a delivery is in the log of an endpoint of the workspace. */
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

/** Makes an ended delivery wait for its first attempt again, once; false when it waits, its endpoint is off, or there is none. */
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

export type OverdueDelivery = Pick<WaitingDelivery, 'workspace_id' | 'delivery_id' | 'attempts'>;

const maxOverdue = 1_000;

/**
 * Waiting deliveries that are older than the schedule lets them be: `ages_s` is, for each number of attempts made, the age in
 * seconds by which the next one was due. Only those made since `since`.
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

/** Removes ended deliveries made before `before`, of all workspaces; the number of them. */
export async function removeDeliveries(sql: Sql, before: Date): Promise<number> {
  const { count } = await sql`delete from webhook_deliveries where created_at < ${before} and status <> 'waiting'`;
  return count;
}

export interface LowBalance {
  balance: number;
  threshold: number;
  /** Number of the ledger entry that the balance is of. */
  entry_no: number;
}

/** Whether the balance is below the workspace's alert; then its settings are locked until the transaction ends. */
export async function lockLowBalance(tx: Sql, workspaceId: string): Promise<boolean> {
  const rows = await tx`
    select s.workspace_id from work_settings s join credit_balances b on b.workspace_id = s.workspace_id
    where s.workspace_id = ${workspaceId} and b.balance < s.low_balance_alert for no key update of s`;
  return rows.length === 1;
}

// The ledger remembers whether the balance was above the alert since the last message: the message names the entry it was sent at.
/** A balance below the alert of which no message was written since it was last at or above it; null when there is nothing to say. */
export async function untoldLowBalance(tx: Sql, workspaceId: string): Promise<LowBalance | null> {
  const [row] = await tx<LowBalance[]>`
    select b.balance, s.low_balance_alert as threshold, b.entries as entry_no
    from work_settings s join credit_balances b on b.workspace_id = s.workspace_id
    where s.workspace_id = ${workspaceId} and b.balance < s.low_balance_alert
      and not exists (
        select from webhook_deliveries d
        where d.workspace_id = ${workspaceId} and d.event = 'credits.low'
          and (d.body::json #>> '{data,entry_no}')::bigint > coalesce((
            select l.entry_no from ledger_entries l
            where l.workspace_id = ${workspaceId} and l.balance_after >= s.low_balance_alert
            order by l.entry_no desc limit 1), 0))`;
  return row ?? null;
}
