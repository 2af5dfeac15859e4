import type { Sql } from 'postgres';
import type { CampaignItem, MissedCheck, Observed } from '../../../db/campaigns/reports.ts';
import { newId } from '../../../db/ids.ts';
import type { Metric } from '../../../db/tracking/checks.ts';

/** Everything here is invented. */
export const utc = (text: string) => new Date(`${text}Z`);

export function item(of: Partial<CampaignItem> & { item_id: string }): CampaignItem {
  return {
    platform: 'photo',
    kind: 'profile',
    url: `https://www.instagram.com/${of.item_id}/`,
    name: of.item_id,
    status: 'active',
    identity_changed: false,
    created_at: utc('2026-01-01T00:00:00'),
    ...of,
  };
}

export type Counts = Partial<Record<Metric, number>>;

export function observed(item_id: string, at: string, counts: Counts, more: Partial<Observed> = {}): Observed {
  return {
    item_id,
    observed_at: utc(at),
    ...{ followers: null, following: null, posts: null, views: null, likes: null },
    ...{ comments: null, shares: null, favorites: null, total_views: null },
    quality: 0,
    source: 'invented-web',
    ...counts,
    ...more,
  };
}

export function missed(item_id: string, at: string, outcome: string): MissedCheck {
  return { item_id, attempted_at: utc(at), outcome };
}

/** Keeps an item as tracking does; its id. */
export async function keepItem(sql: Sql, workspace_id: string, of: Partial<CampaignItem> = {}): Promise<string> {
  const item_id = newId();
  const row = item({ ...of, item_id });
  await sql`
    insert into tracked_items
      (workspace_id, item_id, platform, kind, url, identifier, name, status, identity_changed, created_at, check_minute)
    values (${workspace_id}, ${item_id}, ${row.platform}, ${row.kind}, ${row.url}, ${item_id}, ${row.name},
      ${row.status}, ${row.identity_changed}, ${row.created_at}, 600)`;
  return item_id;
}

/** Keeps observations as tracking does. */
export async function keepObservations(sql: Sql, workspace_id: string, rows: readonly Observed[]): Promise<void> {
  for (const row of rows) await sql`insert into observations ${sql({ workspace_id, ...row })}`;
}

/** Keeps attempts that gave nothing, as tracking does. */
export async function keepMissed(sql: Sql, workspace_id: string, rows: readonly MissedCheck[]): Promise<void> {
  for (const row of rows) {
    const attempt = { workspace_id, attempt_id: newId(), trigger: 'scheduled', credits: 0, ...row };
    await sql`insert into check_attempts ${sql(attempt)}`;
  }
}
