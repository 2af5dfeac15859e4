import type { Sql } from 'postgres';
import { withAlertRules } from '../alerts/watched.ts';
import type { CampaignStatus } from './campaigns.ts';

/**
 * The result of a deletion. `unknown`: the workspace has no such campaign. `active` and `paused`: nothing was deleted,
 * because the campaign still has this status.
 */
type Deletion = 'deleted' | 'unknown' | 'active' | 'paused';

/**
 * Maximum number of attempts. A further attempt is needed only when items of the campaign are removed at the same
 * moment.
 */
const maxAttempts = 20;

/**
 * Deletes an archived or ended campaign with its reports, share links, sheet targets and alert rules. Its items are
 * still tracked. Recipients who had chosen only this campaign get no more weekly reports. Its data links stay, but
 * report that the campaign was deleted.
 */
export async function deleteCampaign(sql: Sql, workspaceId: string, campaignId: string): Promise<Deletion> {
  const watched = { workspace_id: workspaceId, scope: 'campaign', scope_id: campaignId } as const;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const result = await withAlertRules(sql, watched, (tx, deleteRules) =>
      tryDelete(tx, workspaceId, campaignId, deleteRules),
    );
    if (result !== 'items locked') return result;
    await waitForItems(sql, workspaceId, campaignId);
  }
  throw new Error(`Items of campaign ${campaignId} were removed during each of ${maxAttempts} attempts to delete it.`);
}

async function tryDelete(
  tx: Sql,
  workspaceId: string,
  campaignId: string,
  deleteRules: () => Promise<unknown>,
): Promise<Deletion | 'items locked'> {
  const campaign = tx`workspace_id = ${workspaceId} and campaign_id = ${campaignId}`;
  const [locked] = await tx<{ status: CampaignStatus }[]>`
    select status from campaigns where ${campaign} for update`;
  if (!locked) return 'unknown';
  if (locked.status === 'active' || locked.status === 'paused') return locked.status;
  // A simultaneous removal of items deletes the same rows of `campaign_items` in a different order. Waiting for it
  // could cause a deadlock, because other transactions lock items before their campaign.
  const items = await tx`
    select from tracked_items where workspace_id = ${workspaceId}
      and item_id = any(array(select item_id from campaign_items where ${campaign}))
    for key share skip locked`;
  const memberships = await tx`select from campaign_items where ${campaign}`;
  if (items.length < memberships.length) return 'items locked';
  await tx`delete from sheet_targets where ${campaign}`;
  // An empty list would mean all campaigns. A recipient who had chosen only this campaign therefore no longer gets
  // weekly reports.
  await tx`
    update alert_recipients set campaign_ids = array_remove(campaign_ids, ${campaignId}::uuid),
      topics = case when campaign_ids <@ array[${campaignId}::uuid] then array_remove(topics, 'weekly_report') else topics end
    where workspace_id = ${workspaceId} and ${campaignId}::uuid = any(campaign_ids)`;
  await deleteRules();
  // Foreign keys delete the campaign's links to its items, its reports and its share links.
  await tx`delete from campaigns where ${campaign}`;
  return 'deleted';
}

/** Waits until no items of the campaign are being removed, without holding other locks. */
async function waitForItems(sql: Sql, workspaceId: string, campaignId: string): Promise<void> {
  await sql`
    select from tracked_items where workspace_id = ${workspaceId} and item_id = any(array(
      select item_id from campaign_items where workspace_id = ${workspaceId} and campaign_id = ${campaignId}))
    order by item_id for key share`;
}
