import type { Sql } from 'postgres';

/**
 * Inserts one tracked Instagram profile for each id. The handle is the end of the id, because handles have at most 30
 * characters.
 */
export async function insertTrackedItems(sql: Sql, workspaceId: string, itemIds: readonly string[]): Promise<void> {
  await sql`
    insert into tracked_items (workspace_id, item_id, platform, kind, url, identifier, check_minute)
    select ${workspaceId}::uuid, id, 'photo', 'profile', 'bench', right(replace(id::text, '-', ''), 30), 0
    from unnest(${[...itemIds]}::uuid[]) as i (id)`;
}

/** Inserts an observation of each item at each time, ordered by time as daily checks are. */
export async function insertObservations(
  sql: Sql,
  workspaceId: string,
  itemIds: readonly string[],
  moments: readonly Date[],
): Promise<void> {
  for (const moment of moments) {
    await sql`
      insert into observations (workspace_id, item_id, observed_at, followers, following, posts, views, likes, comments,
        shares, favorites, total_views, quality, source)
      select ${workspaceId}::uuid, id, ${moment}, 1000 + n, 10, 100, null, 5000 + n, null, null, null, 90000 + n, 0, 'instagram-web'
      from unnest(${[...itemIds]}::uuid[]) with ordinality as i (id, n)`;
  }
}
