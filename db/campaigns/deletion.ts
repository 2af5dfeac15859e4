import type { Fragment, Sql } from 'postgres';
import { inTransaction, lockWorkspace } from '../transaction.ts';
import type { CampaignStatus } from './campaigns.ts';

/**
 * The result of a deletion. `unknown`: the workspace has no such campaign. `active` and `paused`: nothing was deleted,
 * because the campaign has this status.
 */
type Deletion = 'deleted' | 'unknown' | 'active' | 'paused';

/**
 * Maximum number of attempts to delete a campaign. Another one is needed only when a rule is added or items are removed
 * at the same moment.
 */
const maxAttempts = 20;

/**
 * Deletes a campaign that is archived or ended, with its reports, share links, sheet targets and alert rules. Its
 * tracked items stay. Recipients who had chosen only this campaign get no weekly reports any more. Its data links stay,
 * and answer that the campaign was deleted.
 */
export async function deleteCampaign(sql: Sql, workspaceId: string, campaignId: string): Promise<Deletion> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const result = await inTransaction(sql, (tx) => tryDelete(tx, workspaceId, campaignId));
    if (result === 'items locked') await waitForItems(sql, workspaceId, campaignId);
    else if (result !== 'rule added') return result;
  }
  throw new Error(`Campaign ${campaignId} changed during each of ${maxAttempts} attempts to delete it.`);
}

type Retry = 'rule added' | 'items locked';

async function tryDelete(tx: Sql, workspaceId: string, campaignId: string): Promise<Deletion | Retry> {
  const campaign = tx`workspace_id = ${workspaceId} and campaign_id = ${campaignId}`;
  const rules = tx`workspace_id = ${workspaceId} and scope = 'campaign' and scope_id = ${campaignId}`;
  if (!(await lockRules(tx, workspaceId, rules))) return 'rule added';
  const [locked] = await tx<{ status: CampaignStatus }[]>`
    select status from campaigns where ${campaign} for update`;
  if (!locked) return 'unknown';
  if (locked.status === 'active' || locked.status === 'paused') return locked.status;
  // The removal of items deletes the same rows of `campaign_items` in another order. It is not awaited here, because it
  // may wait for the evaluation of alert rules, which waits for the rules that are locked here.
  const items = await tx`
    select from tracked_items where workspace_id = ${workspaceId}
      and item_id = any(array(select item_id from campaign_items where ${campaign}))
    for key share skip locked`;
  const memberships = await tx`select from campaign_items where ${campaign}`;
  if (items.length < memberships.length) return 'items locked';
  await tx`delete from sheet_targets where ${campaign}`;
  // An empty list means all campaigns. A recipient whose list becomes empty therefore loses the topic.
  await tx`
    update alert_recipients set campaign_ids = array_remove(campaign_ids, ${campaignId}::uuid),
      topics = case when campaign_ids <@ array[${campaignId}::uuid] then array_remove(topics, 'weekly_report') else topics end
    where workspace_id = ${workspaceId} and ${campaignId}::uuid = any(campaign_ids)`;
  await tx`delete from alert_rules where ${rules}`;
  // Foreign keys delete the memberships of items, the reports and the share links.
  await tx`delete from campaigns where ${campaign}`;
  return 'deleted';
}

/** Waits for the removal of items of a campaign, without holding other locks. */
async function waitForItems(sql: Sql, workspaceId: string, campaignId: string): Promise<void> {
  await sql`
    select from tracked_items where workspace_id = ${workspaceId} and item_id = any(array(
      select item_id from campaign_items where workspace_id = ${workspaceId} and campaign_id = ${campaignId}))
    order by item_id for key share`;
}

/**
 * Locks the alert rules of a campaign, then the workspace: the evaluation of alert rules takes these locks in the same
 * order. Returns false when a rule was added before the workspace was locked, because locking that rule now could be a
 * deadlock.
 */
async function lockRules(tx: Sql, workspaceId: string, rules: Fragment): Promise<boolean> {
  const locked = await tx<{ rule_id: string }[]>`
    select rule_id from alert_rules where ${rules} order by rule_id for update`;
  await lockWorkspace(tx, workspaceId);
  const ids = locked.map(({ rule_id }) => rule_id);
  const added = await tx`select from alert_rules where ${rules} and not rule_id = any(${ids}::uuid[])`;
  return added.length === 0;
}
