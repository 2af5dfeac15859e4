import type { Sql } from 'postgres';

/** Accounts of the photo platform that are tracked, as many as there are ids. */
export async function insertTrackedItems(sql: Sql, workspaceId: string, itemIds: readonly string[]): Promise<void> {
  await sql`
    insert into tracked_items (workspace_id, item_id, platform, kind, url, identifier, check_minute)
    select ${workspaceId}::uuid, id, 'photo', 'profile', 'bench', replace(id::text, '-', '_'), 0
    from unnest(${[...itemIds]}::uuid[]) as i (id)`;
}

/** An observation of each item at each moment, written moment by moment as daily checks would. */
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
