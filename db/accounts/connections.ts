import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { newId } from '../ids.ts';
import { inTransaction } from '../transaction.ts';
import { hashKey, makeKey } from './keys.ts';

/** What is kept of a token of OAuth: SHA-256 in hex. */
export const hashToken = hashKey;

const maxNameCharacters = 80;

/**
 * Lets a program act for a workspace with a key of its own that nobody ever sees; does nothing while it has one that works.
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
    const [working] = await tx`
      select from connections c join api_keys k on k.workspace_id = c.workspace_id and k.key_id = c.key_id
      where c.workspace_id = ${workspaceId} and c.client_id = ${client.client_id} and k.revoked_at is null`;
    if (working) return;
    const keyId = newId(now);
    const name = `Connected: ${client.name}`.slice(0, maxNameCharacters);
    // The hash of a key that is thrown away: only a token of the program leads to it.
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

/** The hash of the key that an access token stands for; null when the token is unknown or over, or the member who gave it left. */
export async function keyHashOfToken(sql: Sql, token: string, now: Date): Promise<string | null> {
  const [row] = await sql<{ hash: string }[]>`
    select k.hash from oauth_access_tokens t
    join connections c on c.client_id = t.client_id and c.workspace_id::text = t.reference_id
    join members m on m.workspace_id = c.workspace_id and m.user_id = t.user_id
    join api_keys k on k.workspace_id = c.workspace_id and k.key_id = c.key_id
    where t.token = ${hashToken(token)} and t.expires_at > ${now} and t.revoked is null`;
  return row?.hash ?? null;
}
