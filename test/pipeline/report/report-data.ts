import type { Sql } from 'postgres';
import type { CampaignItem, MissedCheck } from '../../../db/campaigns/reports.ts';
import { newId } from '../../../db/ids.ts';
import type { Observed } from '../../../db/observations/observed.ts';
import type { Metric } from '../../../db/schema/metrics.ts';
import { metricValues } from '../../../pipeline/tracking/metrics.ts';

/** Parses a time in UTC without its zone. All report data in this file is invented. */
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

export function observed(itemId: string, at: string, counts: Counts, more: Partial<Observed> = {}): Observed {
  return {
    item_id: itemId,
    observed_at: utc(at),
    ...metricValues({}),
    quality: 0,
    source: 'invented-web',
    ...counts,
    ...more,
  };
}

export function missed(itemId: string, at: string, outcome: string): MissedCheck {
  return { item_id: itemId, attempted_at: utc(at), outcome };
}

/** Stores a tracked item as the service does, and returns its id. */
export async function keepItem(sql: Sql, workspaceId: string, of: Partial<CampaignItem> = {}): Promise<string> {
  const itemId = newId();
  const row = item({ ...of, item_id: itemId });
  await sql`
    insert into tracked_items
      (workspace_id, item_id, platform, kind, url, identifier, name, status, identity_changed, created_at, check_minute)
    values (${workspaceId}, ${itemId}, ${row.platform}, ${row.kind}, ${row.url}, ${itemId}, ${row.name},
      ${row.status}, ${row.identity_changed}, ${row.created_at}, 600)`;
  return itemId;
}

/** Stores observations of tracked items as the service does. */
export async function keepObservations(sql: Sql, workspaceId: string, rows: readonly Observed[]): Promise<void> {
  for (const row of rows) await sql`insert into observations ${sql({ workspace_id: workspaceId, ...row })}`;
}

/** Stores failed tracking attempts as the service does. */
export async function keepMissed(sql: Sql, workspaceId: string, rows: readonly MissedCheck[]): Promise<void> {
  for (const row of rows) {
    const attempt = { workspace_id: workspaceId, attempt_id: newId(), trigger: 'scheduled', credits: 0, ...row };
    await sql`insert into check_attempts ${sql(attempt)}`;
  }
}
