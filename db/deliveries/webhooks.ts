import type { Sql } from 'postgres';
import { newId } from '../ids.ts';
import { alone } from '../transaction.ts';

export interface Endpoint {
  endpoint_id: string;
  url: string;
  events: string[];
  /**
   * When the webhook endpoint was switched off, by a user or because it answered 410. Null while it is on. Nothing is
   * sent while it is off.
   */
  disabled_at: Date | null;
  disabled_reason: string | null;
  created_at: Date;
}

interface NewEndpoint {
  url: string;
  /** The signing secret of the endpoint in the format of Standard Webhooks, `whsec_…`. */
  secret: string;
  events: readonly string[];
}

/** Maximum number of webhook endpoints of one workspace. */
export const maxEndpoints = 10;

/** Creates a webhook endpoint. Returns its id, or null when the limit is reached. Uses its own transaction. */
export function addEndpoint(sql: Sql, workspaceId: string, endpoint: NewEndpoint): Promise<string | null> {
  return alone(sql, workspaceId, async (tx) => {
    const [row] = await tx<{ endpoint_id: string }[]>`
      insert into webhook_endpoints as made (workspace_id, endpoint_id, url, secret, events)
      select workspace_id, ${newId()}::uuid, ${endpoint.url}, ${endpoint.secret}, ${[...endpoint.events]}::text[]
      from workspaces where workspace_id = ${workspaceId}
        and (select count(*) from webhook_endpoints e where e.workspace_id = ${workspaceId}) < ${maxEndpoints}
      returning made.endpoint_id`;
    return row?.endpoint_id ?? null;
  });
}

/** Returns the webhook endpoints of a workspace, oldest first, without their secrets. */
export async function listEndpoints(sql: Sql, workspaceId: string): Promise<Endpoint[]> {
  return sql<Endpoint[]>`
    select endpoint_id, url, events, disabled_at, disabled_reason, created_at from webhook_endpoints
    where workspace_id = ${workspaceId} order by created_at, endpoint_id`;
}

/**
 * Locks a webhook endpoint until the transaction ends. A transaction that changes an endpoint and its deliveries must
 * call this first: the deletion of an endpoint locks the endpoint before its deliveries, and a different order could
 * cause a deadlock.
 */
export async function lockEndpoint(tx: Sql, workspaceId: string, endpointId: string): Promise<void> {
  await tx`
    select from webhook_endpoints where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}
    for no key update`;
}

/** Deletes a webhook endpoint and the log of its deliveries. Returns false when the workspace has no such endpoint. */
export async function removeEndpoint(sql: Sql, workspaceId: string, endpointId: string): Promise<boolean> {
  const rows = await sql`
    delete from webhook_endpoints where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}
    returning endpoint_id`;
  return rows.length === 1;
}

/** When and why a webhook endpoint is switched off; null to switch it on. */
type SwitchedOff = { at: Date; reason: string } | null;

/**
 * Switches a webhook endpoint off or on. An endpoint that is already off keeps its first reason. Returns false when the
 * workspace has no such endpoint.
 */
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
