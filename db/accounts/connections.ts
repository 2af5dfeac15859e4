import type { Sql } from 'postgres';
import { deleteOld } from '../delete-old.ts';
import { isDistributed } from '../distribution/distributed.ts';
import { newId } from '../ids.ts';
import { alone } from '../transaction.ts';
import { hashOfNoKey } from './keys.ts';
import { hashSecret } from './secrets.ts';

const maxNameCharacters = 80;

/**
 * Connects an OAuth client to a workspace after a member has consented. Creates an API key that is never shown, and a
 * grant id, to which the client's consents and tokens refer. Returns false when the client is already connected.
 */
export async function addConnection(
  sql: Sql,
  workspaceId: string,
  client: { client_id: string; name: string },
  now: Date,
): Promise<boolean> {
  return alone(sql, workspaceId, async (tx) => {
    const [connected] = await tx`
      select from connections where workspace_id = ${workspaceId} and client_id = ${client.client_id}`;
    if (connected) {
      // A repeated consent makes this the newest connection of the OAuth client. The client acts for the workspace of
      // its newest connection (see `grantOfUser`).
      await tx`
        update connections set created_at = ${now}
        where workspace_id = ${workspaceId} and client_id = ${client.client_id}`;
      return false;
    }
    const keyId = newId(now);
    const name = `Connected: ${client.name}`.slice(0, maxNameCharacters);
    // Requests can use this key only through an access token of the OAuth client.
    await tx`
      insert into api_keys (workspace_id, key_id, hash, kind, name, last_four)
      values (${workspaceId}, ${keyId}, ${hashOfNoKey()}, 'live', ${name}, '')`;
    await tx`
      insert into connections (workspace_id, client_id, key_id, created_at)
      values (${workspaceId}, ${client.client_id}, ${keyId}, ${now})`;
    return true;
  });
}

/**
 * Deletes the connection of an OAuth client to a workspace, with its API key. Called when the user did not complete the
 * consent.
 */
export async function removeConnection(sql: Sql, workspaceId: string, clientId: string): Promise<void> {
  await sql`
    delete from api_keys k using connections c
    where c.workspace_id = ${workspaceId} and c.client_id = ${clientId}
      and k.workspace_id = c.workspace_id and k.key_id = c.key_id`;
}

/**
 * Returns the grant id of an OAuth client for the workspace to which it was connected last. Considers only workspaces
 * that the user owns. Returns null when the client is connected to none of these.
 */
export async function grantOfUser(sql: Sql, userId: string, clientId: string): Promise<string | null> {
  const [row] = await sql<{ grant_id: string }[]>`
    select c.grant_id from connections c
    join members m on m.workspace_id = c.workspace_id and m.user_id = ${userId} and m.role = 'owner'
    where c.client_id = ${clientId} order by c.created_at desc, c.grant_id limit 1`;
  return row?.grant_id ?? null;
}

/**
 * Matches the names of three foreign keys of OAuth tokens: to the user, the connection, and the refresh token. Storing
 * a token violates one of them when the user or the connection was deleted, or when a second use of the same
 * authorization code deleted the refresh token. Only the beginnings of the names are compared, because a Citus cluster
 * appends a shard number and shortens long names.
 */
const endedGrant = /_(?:user_id_auth_users|reference_id_connections|refresh_id_oauth_refresh)/;
/**
 * Matches the names of the foreign keys from OAuth tokens to their session. As in {@link endedGrant}, only the
 * beginnings of the names are compared.
 */
const endedSession = /^oauth_\w+_session_id_auth_sessions/;

/** Returns true when storing an OAuth token failed because its user, connection or refresh token was deleted. */
export const isEndedGrant = (error: unknown): boolean => violates(error, endedGrant);

/** Returns true when storing an OAuth token failed because its session has ended. */
export const isEndedSession = (error: unknown): boolean => violates(error, endedSession);

function violates(error: unknown, foreignKeys: RegExp): boolean {
  const { cause, code, constraint_name: constraint } = Object(error) as Record<string, unknown>;
  if (code === '23503' && foreignKeys.test(String(constraint))) return true;
  return cause !== undefined && violates(cause, foreignKeys);
}

/** Returns true when PostgreSQL refused a text because it contains a NUL character. */
export function isRefusedText(error: unknown): boolean {
  const { cause, code } = Object(error) as Record<string, unknown>;
  return code === '22021' || (cause !== undefined && isRefusedText(cause));
}

/**
 * Returns the hash of the API key that belongs to an OAuth access token. Returns null when the token is unknown,
 * expired or revoked, or when the member who gave consent no longer owns the workspace.
 */
export async function keyHashOfToken(sql: Sql, token: string, now: Date): Promise<string | null> {
  const [row] = await sql<{ hash: string }[]>`
    select k.hash from oauth_access_tokens t
    join connections c on c.grant_id = t.reference_id
    join members m on m.workspace_id = c.workspace_id and m.user_id = t.user_id and m.role = 'owner'
    join api_keys k on k.workspace_id = c.workspace_id and k.key_id = c.key_id
    where t.token = ${hashSecret(token)} and t.expires_at > ${now} and t.revoked is null`;
  return row?.hash ?? null;
}

/**
 * Returns true when a new OAuth access token belongs to an existing connection. Sends no query without Citus, because
 * foreign keys already guarantee this. With Citus, tokens and connections are on different nodes, between which foreign
 * keys are impossible.
 */
export async function isConnected(sql: Sql, token: string, now: Date): Promise<boolean> {
  return !isDistributed(sql) || (await keyHashOfToken(sql, token, now)) !== null;
}

/**
 * Deletes expired OAuth tokens. Also deletes OAuth clients that have not changed since `before` and are not connected
 * to any workspace.
 */
export async function removeUnusedClients(
  sql: Sql,
  { now, before }: { now: Date; before: Date },
): Promise<{ oauth_clients: number; oauth_tokens: number }> {
  const clients = isDistributed(sql)
    ? await sql`
    delete from oauth_clients where coalesce(updated_at, created_at) < ${before}
      and client_id <> all(${await connectedClients(sql)}::text[])`
    : await sql`
    delete from oauth_clients o where coalesce(o.updated_at, o.created_at) < ${before}
      and not exists (select from connections c where c.client_id = o.client_id)`;
  const access = await deleteOld(sql, 'oauth_access_tokens', sql`expires_at <= ${now}`);
  const refresh = await deleteOld(sql, 'oauth_refresh_tokens', sql`expires_at <= ${now}`);
  await deleteOld(sql, 'oauth_client_assertions', sql`expires_at <= ${now}`);
  return { oauth_clients: clients.count, oauth_tokens: access + refresh };
}

async function connectedClients(sql: Sql): Promise<string[]> {
  const rows = await sql<{ client_id: string }[]>`select distinct client_id from connections`;
  return rows.map(({ client_id }) => client_id);
}
