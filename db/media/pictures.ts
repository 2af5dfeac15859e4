import type { Sql } from 'postgres';

/** Identifies a tracked item. */
export interface ItemKey {
  workspace_id: string;
  item_id: string;
}

/** A stored copy of an avatar or thumbnail: its media type and its bytes. */
export interface KeptPicture {
  type: string;
  bytes: Buffer;
}

export interface PendingPicture extends ItemKey {
  pending_url: string;
}

/** Returns the avatars and thumbnails that tracking checks found and that are not downloaded yet, oldest first. */
export function pendingPictures(sql: Sql, limit: number): Promise<PendingPicture[]> {
  return sql<PendingPicture[]>`
    select workspace_id, item_id, pending_url from item_pictures
    where pending_url is not null order by pending_since limit ${limit}`;
}

interface NewPicture extends PendingPicture, KeptPicture {
  picture_key: string;
  now: Date;
  /** Maximum number of bytes of all stored pictures of the workspace together. */
  workspace_bytes: number;
}

/**
 * Stores a downloaded avatar or thumbnail. Returns false when the pictures of the workspace would exceed their size
 * limit, or when the tracked item was removed.
 */
export async function keepPicture(sql: Sql, picture: NewPicture): Promise<boolean> {
  const { workspace_id, item_id, pending_url, picture_key, type, bytes, now, workspace_bytes } = picture;
  const { count } = await sql`
    update item_pictures set picture_key = ${picture_key}, type = ${type}, bytes = ${bytes}, kept_at = ${now},
      pending_url = null, pending_since = null
    where workspace_id = ${workspace_id} and item_id = ${item_id} and pending_url = ${pending_url}
      and ${bytes.length}::bigint + (
        select coalesce(sum(octet_length(o.bytes)), 0) from item_pictures o
        where o.workspace_id = ${workspace_id} and o.item_id <> ${item_id}) <= ${workspace_bytes}`;
  return count === 1;
}

/**
 * Deletes the URL of an avatar or thumbnail that cannot be downloaded or stored, so that the download is not tried
 * again. Keeps an older stored copy. The next tracking check stores a new URL.
 */
export async function dropPending(sql: Sql, { workspace_id, item_id, pending_url }: PendingPicture): Promise<void> {
  await sql`
    update item_pictures set pending_url = null, pending_since = null
    where workspace_id = ${workspace_id} and item_id = ${item_id} and pending_url = ${pending_url}`;
}

/** Returns the newest stored copy of an avatar or thumbnail, from any tracked item; null when there is no copy. */
export async function keptByKey(sql: Sql, pictureKey: string): Promise<KeptPicture | null> {
  const [row] = await sql<KeptPicture[]>`
    select type, bytes from item_pictures where picture_key = ${pictureKey} order by kept_at desc limit 1`;
  return row ?? null;
}

interface ItemPicture {
  kept: KeptPicture | null;
  pending_url: string | null;
}

/**
 * Returns the stored avatar or thumbnail of a tracked item, and the URL of a picture that is not downloaded yet.
 * Returns null when no check has found a picture.
 */
export async function pictureOfItem(sql: Sql, { workspace_id, item_id }: ItemKey): Promise<ItemPicture | null> {
  const [row] = await sql<{ type: string | null; bytes: Buffer | null; pending_url: string | null }[]>`
    select type, bytes, pending_url from item_pictures
    where workspace_id = ${workspace_id} and item_id = ${item_id}`;
  if (!row) return null;
  const { type, bytes, pending_url } = row;
  return { kept: type !== null && bytes !== null ? { type, bytes } : null, pending_url };
}

/**
 * Returns the given tracked items whose avatar or thumbnail is stored or about to be downloaded. For all others, pages
 * show initials.
 */
export async function itemsWithPicture(
  sql: Sql,
  workspaceId: string,
  itemIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ item_id: string }[]>`
    select item_id from item_pictures
    where workspace_id = ${workspaceId} and item_id = any(${[...itemIds]}::uuid[])
      and (kept_at is not null or pending_url is not null)`;
  return new Set(rows.map(({ item_id }) => item_id));
}
