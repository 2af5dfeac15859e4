import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { newId } from '../ids.ts';
import { inTransaction } from '../transaction.ts';
import { hashKey, makeKey } from './keys.ts';

/** Returns the stored form of an OAuth token: SHA-256 in hex. */
export const hashToken = hashKey;

const maxNameCharacters = 80;

/**
 * Gives an OAuth client its own key in a workspace, which is never shown; does nothing when it already has a valid one.
 * Called when a member consents.
 */
export async function connect(
  sql: Sql,
  workspaceId: string,
  client: { client_id: string; name: string },
  now: Date,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await tx`select from workspaces where workspace_id = ${workspaceId} for no key update`;
    const [validKey] = await tx`
      select from connections c join api_keys k on k.workspace_id = c.workspace_id and k.key_id = c.key_id
      where c.workspace_id = ${workspaceId} and c.client_id = ${client.client_id} and k.revoked_at is null`;
    if (validKey) return;
    const keyId = newId(now);
    const name = `Connected: ${client.name}`.slice(0, maxNameCharacters);
    // The key itself is discarded: only an access token of the client leads to this hash.
    const hash = hashKey(`${makeKey('live')}${randomBytes(16).toString('hex')}`);
    await tx`
      insert into api_keys (workspace_id, key_id, hash, kind, name, last_four)
      values (${workspaceId}, ${keyId}, ${hash}, 'live', ${name}, '')`;
    await tx`
      insert into connections (workspace_id, client_id, key_id, created_at)
      values (${workspaceId}, ${client.client_id}, ${keyId}, ${now})
      on conflict (workspace_id, client_id) do update set key_id = excluded.key_id, created_at = excluded.created_at`;
  });
}

/** Returns the hash of the key behind an access token; null when the token is unknown, expired or revoked, or its member left. */
export async function keyHashOfToken(sql: Sql, token: string, now: Date): Promise<string | null> {
  const [row] = await sql<{ hash: string }[]>`
    select k.hash from oauth_access_tokens t
    join connections c on c.client_id = t.client_id and c.workspace_id::text = t.reference_id
    join members m on m.workspace_id = c.workspace_id and m.user_id = t.user_id
    join api_keys k on k.workspace_id = c.workspace_id and k.key_id = c.key_id
    where t.token = ${hashToken(token)} and t.expires_at > ${now} and t.revoked is null`;
  return row?.hash ?? null;
}
