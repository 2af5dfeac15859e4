import type { Sql } from 'postgres';
import { newId } from '../../../db/ids.ts';
import { addItem } from '../../../db/tracking/items.ts';

/**
 * A past check of an item. When `outcome` is OK, it has the observed numbers. Otherwise, `outcome` says why the check
 * failed.
 */
export interface PastCheck {
  at: Date;
  followers?: number | null;
  /** Data quality of the follower count (two bits): 0 exact, 1 rounded, 2 hidden, 3 not exposed by the platform. */
  quality?: number;
  outcome?: string;
}

/** Creates an item that has been tracked since `since`, and stores its past checks. */
export async function observedItem(
  sql: Sql,
  workspaceId: string,
  item: Parameters<typeof addItem>[2] & { name?: string; since: Date },
  checks: readonly PastCheck[],
): Promise<string> {
  const added = await addItem(sql, workspaceId, item, 200);
  if (added.outcome === 'full') throw new Error('the limit of items is reached');
  const { item_id } = added;
  const last = checks.at(-1)?.at ?? null;
  await sql`
    update tracked_items set created_at = ${item.since}, last_attempt_at = ${last}, name = ${item.name ?? null}
    where workspace_id = ${workspaceId} and item_id = ${item_id}`;
  for (const { at, followers = null, quality = 0, outcome = 'OK' } of checks) {
    if (outcome === 'OK')
      await sql`
        insert into observations (workspace_id, item_id, observed_at, followers, quality, source)
        values (${workspaceId}, ${item_id}, ${at}, ${followers}, ${quality}, 'invented')`;
    await sql`
      insert into check_attempts (workspace_id, item_id, attempt_id, attempted_at, trigger, outcome, credits)
      values (${workspaceId}, ${item_id}, ${newId(at)}, ${at}, 'scheduled', ${outcome}, ${outcome === 'OK' ? 1 : 0})`;
  }
  return item_id;
}
