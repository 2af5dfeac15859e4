import type { Sql } from 'postgres';
import { deleteOld } from '../delete-old.ts';
import { newId } from '../ids.ts';

/**
 * An action of a person in a workspace, for the audit log. `address` is the IP address and `device` the browser; both
 * are null when unknown.
 */
interface AuditEntry {
  /** The email address of the person who acted, or `operator`. */
  actor: string;
  action: string;
  subject?: string | null;
  address?: string | null;
  device?: string | null;
}

interface AuditRow extends Required<AuditEntry> {
  entry_id: string;
  created_at: Date;
}

/**
 * Maximum number of characters of `subject`, `address` and `device` in an audit log entry. Longer texts are shortened.
 */
const maxCharacters = 200;

const kept = (text: string | null | undefined) => text?.slice(0, maxCharacters) || null;

/** Adds an entry to the audit log of a workspace. Does nothing when the workspace is being deleted. */
export async function addAudit(sql: Sql, workspaceId: string, entry: AuditEntry, now: Date): Promise<void> {
  const { actor, action, subject, address, device } = entry;
  await sql`
    insert into audit_entries (workspace_id, entry_id, created_at, actor, action, subject, address, device)
    select workspace_id, ${newId(now)}, ${now}, ${actor}, ${action}, ${kept(subject)}, ${kept(address)}, ${kept(device)}
    from workspaces where workspace_id = ${workspaceId} for key share`;
}

/**
 * Adds an entry to the audit log of every workspace of the user with this email address. Does nothing when no user has
 * this address.
 */
export async function addUserAudit(sql: Sql, email: string, entry: AuditEntry, now: Date): Promise<void> {
  const rows = await sql<{ workspace_id: string }[]>`
    select m.workspace_id from members m join auth_users u on u.id = m.user_id
    where u.email = ${email.toLowerCase()}`;
  for (const { workspace_id } of rows) await addAudit(sql, workspace_id, entry, now);
}

/**
 * Adds an entry to the audit log when the operator acts on an API key. The entry belongs to the key's workspace and
 * shows the name of the key.
 */
export async function addKeyAudit(sql: Sql, keyId: string, action: string, now: Date): Promise<void> {
  const rows = await sql<{ workspace_id: string; name: string }[]>`
    select workspace_id, name from api_keys where key_id = ${keyId}`;
  for (const { workspace_id, name } of rows)
    await addAudit(sql, workspace_id, { actor: 'operator', action, subject: name }, now);
}

/**
 * Returns audit log entries of a workspace, newest first. With `before` (an entry id), returns only entries older than
 * that entry.
 */
export async function listAudit(
  sql: Sql,
  workspaceId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<AuditRow[]> {
  return sql<AuditRow[]>`
    select entry_id, created_at, actor, action, subject, address, device from audit_entries
    where workspace_id = ${workspaceId} and (${before}::uuid is null or entry_id < ${before}::uuid)
    order by entry_id desc limit ${limit}`;
}

/** Deletes audit log entries that were created before `before`. Returns the number of deleted entries. */
export function removeAuditEntries(sql: Sql, before: Date): Promise<number> {
  return deleteOld(sql, 'audit_entries', sql`created_at < ${before}`);
}
