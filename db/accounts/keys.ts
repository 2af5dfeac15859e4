import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';
import { sequentially } from '../distribution/steps.ts';
import { newId } from '../ids.ts';
import { inTransaction } from '../transaction.ts';
import { belongsTo, capCreditsUsed, isValid } from './key-conditions.ts';
import { type KeyKind, makeKey } from './key-text.ts';
import { hashSecret } from './secrets.ts';

/**
 * The uses that an API key can be limited to. `data`: the data routes. `workflows`: the workflow routes and the
 * balance. `mcp`: all tools of the MCP server at /mcp.
 */
export const keyScopes = ['data', 'workflows', 'mcp'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Limits what an API key may request and from where. Null means no limit. */
export interface KeyLimits {
  scopes: readonly KeyScope[] | null;
  /** IP addresses and CIDR networks from which the API key works. Null: the key works from everywhere. */
  networks: readonly string[] | null;
}

/** Returns a new hash for an API key that no request can send, because no text of the form of a key has this hash. */
export function hashOfNoKey(): string {
  return hashSecret(randomBytes(32).toString('hex'));
}

export interface KeyRow extends KeyLimits {
  key_id: string;
  kind: KeyKind;
  name: string;
  last_four: string;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  monthly_cap: number | null;
  /** Credits charged through this API key, and through the keys that share its cap, in the current UTC month. */
  cap_used: number;
  /** True when the API key belongs to an OAuth client that is connected to the workspace. */
  connected: boolean;
  /**
   * Email address of the member to whom the API key was shown. Null when the key was shown to no one, or when the
   * member is unknown.
   */
  created_by: string | null;
}

interface NewKey extends Partial<KeyLimits> {
  kind: KeyKind;
  name: string;
  expires_at?: Date | null;
  /** Maximum number of credits that may be charged through this API key in a UTC month; null for no limit. */
  monthly_cap?: number | null;
  /** The API key whose row counts the used part of the monthly cap. Default: the new key. */
  cap_key_id?: string | null;
  /** Email address of the member to whom the API key is shown. */
  created_by?: string | null;
}

/**
 * Creates an API key of a workspace. The secret `key` is returned only by this call, because the database stores only
 * its hash. Throws when the workspace does not exist.
 */
export async function createKey(sql: Sql, workspaceId: string, key: NewKey): Promise<{ key_id: string; key: string }> {
  const secret = makeKey(key.kind);
  const keyId = newId();
  await sql`
    insert into api_keys (workspace_id, key_id, hash, kind, name, last_four, expires_at, monthly_cap, scopes, networks,
      created_by, cap_key_id)
    values (${workspaceId}, ${keyId}, ${hashSecret(secret)}, ${key.kind}, ${key.name}, ${secret.slice(-4)},
            ${key.expires_at ?? null}, ${key.monthly_cap ?? null}, ${copyOf(key.scopes)}::text[],
            ${copyOf(key.networks)}::text[], ${key.created_by ?? null}, ${key.cap_key_id ?? null})`;
  return { key_id: keyId, key: secret };
}

/**
 * Returns a mutable copy of the array, because the database driver's types do not accept a read-only array as a
 * parameter.
 */
function copyOf(values: readonly string[] | null | undefined): string[] | null {
  return values ? [...values] : null;
}

/** Maximum number of revoked and expired API keys that a list contains. */
const maxEnded = 200;

/**
 * Returns the API keys of a workspace, oldest first: all valid keys, and the newest of the revoked and expired ones.
 * Leaves out keys of data links, because no request can use them.
 */
export async function listKeys(sql: Sql, workspaceId: string, now: Date = new Date()): Promise<KeyRow[]> {
  return sql<KeyRow[]>`
    select key_id, kind, name, last_four, created_at, last_used_at, expires_at, revoked_at, monthly_cap, scopes, networks,
      created_by, ${capCreditsUsed(sql, 'api_keys', { now, workspace: workspaceId })} as cap_used,
      ${belongsTo(sql, 'connections')} as connected
    from api_keys
    where workspace_id = ${workspaceId} and not ${belongsTo(sql, 'data_links')}
      and (${isValid(sql, 'api_keys', now)} or key_id in (
        select key_id from api_keys
        where workspace_id = ${workspaceId} and not ${isValid(sql, 'api_keys', now)}
        order by created_at desc, key_id limit ${maxEnded}))
    order by created_at, key_id`;
}

/**
 * Returns the hash of a valid API key, which lets the service itself make requests with the key. Returns null when the
 * workspace has no valid key with this id.
 */
export async function workingKeyHash(sql: Sql, workspaceId: string, keyId: string, now: Date): Promise<string | null> {
  const [row] = await sql<{ hash: string }[]>`
    select hash from api_keys
    where workspace_id = ${workspaceId} and key_id = ${keyId} and ${isValid(sql, 'api_keys', now)}`;
  return row?.hash ?? null;
}

/**
 * Revokes an API key immediately, in any workspace or only in `workspaceId`. Returns false when no valid key has this
 * id, or when the key belongs to a data link: it is revoked with its link. If the key belongs to an OAuth client, its
 * connection is deleted, and foreign keys delete the consents and tokens of that connection.
 */
export async function revokeKey(
  sql: Sql,
  keyId: string,
  now: Date,
  workspaceId: string | null = null,
): Promise<boolean> {
  if (isDistributed(sql)) return revokeDistributedKey(sql, keyId, now, workspaceId);
  const rows = await sql`
    with revoked as (
      update api_keys set revoked_at = ${now}
      where key_id = ${keyId} and revoked_at is null and (${workspaceId}::uuid is null or workspace_id = ${workspaceId}::uuid)
        and not ${belongsTo(sql, 'data_links')}
      returning workspace_id, key_id
    ), ended as (
      delete from connections c using revoked r where c.workspace_id = r.workspace_id and c.key_id = r.key_id
      returning c.client_id
    ), left_over as (
      -- The OAuth client keeps its registration and can connect again. Setting updated_at postpones the deletion of
      -- unused clients.
      update oauth_clients o set updated_at = ${now} from ended e where o.client_id = e.client_id
    )
    select key_id from revoked`;
  return rows.length === 1;
}

// Revokes an API key in a distributed database (Citus). Separate statements delete its OAuth consents and tokens,
// because these are on the coordinator, where foreign keys to the key's connection are impossible.
async function revokeDistributedKey(sql: Sql, keyId: string, now: Date, workspaceId: string | null): Promise<boolean> {
  const [key] = await sql<{ workspace_id: string }[]>`
    select workspace_id from api_keys
    where key_id = ${keyId} and (${workspaceId}::uuid is null or workspace_id = ${workspaceId}::uuid)
      and not ${belongsTo(sql, 'data_links')}`;
  if (!key) return false;
  return inTransaction(sql, async (tx) => {
    await sequentially(tx);
    const { count } = await tx`
      update api_keys set revoked_at = ${now}
      where workspace_id = ${key.workspace_id} and key_id = ${keyId} and revoked_at is null`;
    const ended = await tx<{ client_id: string; grant_id: string }[]>`
      delete from connections where workspace_id = ${key.workspace_id} and key_id = ${keyId}
      returning client_id, grant_id`;
    for (const { client_id, grant_id } of ended) {
      await endGrant(tx, grant_id);
      await tx`update oauth_clients set updated_at = ${now} where client_id = ${client_id}`;
    }
    return count === 1;
  });
}

async function endGrant(tx: Sql, grantId: string): Promise<void> {
  for (const table of ['oauth_access_tokens', 'oauth_refresh_tokens', 'oauth_consents'] as const) {
    await tx`delete from ${tx(table)} where reference_id = ${grantId}`;
  }
}

interface Rotation {
  now: Date;
  /** The time at which the replaced API key expires. A key with an earlier expiry date keeps it. */
  old_ends_at: Date;
  /** Email address of the member to whom the new API key is shown. */
  created_by: string;
}

type RotatedKey = Pick<KeyRow, 'kind' | 'name' | 'scopes'> & { key: string };

/**
 * Creates an API key that replaces an old one and has the same settings. Both keys share the monthly cap. The old key
 * expires at `old_ends_at`. Returns null when the old key is not valid, or when it belongs to an OAuth client or a data
 * link: such a key is never shown, so it cannot be rotated.
 */
export async function rotateKey(
  sql: Sql,
  workspaceId: string,
  keyId: string,
  { now, old_ends_at, created_by }: Rotation,
): Promise<RotatedKey | null> {
  return inTransaction(sql, async (tx) => {
    const [old] = await tx<(NewKey & KeyLimits & { expires_at: Date | null })[]>`
      with old as (
        select key_id, expires_at from api_keys
        where workspace_id = ${workspaceId} and key_id = ${keyId} and ${isValid(tx, 'api_keys', now)}
          and not ${belongsTo(tx, 'connections')} and not ${belongsTo(tx, 'data_links')}
        for no key update
      )
      update api_keys k set expires_at = least(old.expires_at, ${old_ends_at}) from old
      where k.workspace_id = ${workspaceId} and k.key_id = old.key_id
      returning k.kind, k.name, old.expires_at, k.monthly_cap, k.scopes, k.networks,
        coalesce(k.cap_key_id, k.key_id) as cap_key_id`;
    if (!old) return null;
    const { key } = await createKey(tx, workspaceId, { ...old, created_by });
    return { key, kind: old.kind, name: old.name, scopes: old.scopes };
  });
}
