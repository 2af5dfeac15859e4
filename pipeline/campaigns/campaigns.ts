import type { Sql } from 'postgres';
import { dayOf } from '../../db/calendar.ts';
import {
  archiveCampaign,
  attachItems,
  type Campaign,
  type CampaignStatus,
  changeCampaign,
  detachItems,
  findCampaign,
  insertCampaign,
  moveCampaign,
  type NewCampaign,
  reactivateCampaign,
} from '../../db/campaigns/campaigns.ts';
import { deleteCampaign } from '../../db/campaigns/deletion.ts';
import { isId } from '../../db/ids.ts';
import type { Tier } from '../../db/tier.ts';
import { alone } from '../../db/transaction.ts';
import { tiers } from '../tiers.ts';
import {
  CampaignError,
  checkEnd,
  checkStart,
  invalid,
  readDates,
  readName,
  readReportName,
} from './campaign-fields.ts';

/** Maximum number of campaigns of a workspace, including archived ones. */
export const maxCampaigns = 1_000;
const maxItems = tiers.ultra.tracked_items;

/** The workspace that owns the campaigns, its tier and the current time. */
export interface CampaignOwner {
  workspace_id: string;
  tier: Tier;
  now: Date;
}

interface CampaignInput {
  name: string;
  /** First day of the campaign as `YYYY-MM-DD`, in UTC. */
  starts_on: string;
  ends_on: string | null;
  report_name?: string | null;
  item_ids?: readonly string[];
}

/**
 * Creates an active campaign with its tracked items (accounts and posts) and returns its ID. Throws CampaignError when
 * a field is invalid or the tier does not allow another campaign.
 */
export async function createCampaign(sql: Sql, owner: CampaignOwner, input: CampaignInput): Promise<string> {
  const { workspace_id, tier, now } = owner;
  const { name, starts_on, ends_on, report_name = null } = input;
  const slots = slotsOf(tier);
  const campaign: NewCampaign = {
    name: readName(name),
    report_name: readReportName(report_name, tier),
    ...readDates({ starts_on, ends_on }, now),
  };
  return alone(sql, workspace_id, async (tx) => {
    const campaignId = await insertCampaign(tx, workspace_id, campaign, { slots, total: maxCampaigns });
    if (campaignId === null) throw noFreeSlot(slots);
    if (input.item_ids?.length) await attachToCampaign(tx, workspace_id, campaignId, input.item_ids);
    return campaignId;
  });
}

/** Returns a campaign. Throws CampaignError when the workspace has no campaign with this ID. */
export async function readCampaign(sql: Sql, workspaceId: string, campaignId: string): Promise<Campaign> {
  const campaign = isId(campaignId) ? await findCampaign(sql, workspaceId, campaignId) : null;
  if (!campaign) throw noCampaign();
  return campaign;
}

/**
 * Pauses a campaign. Its tracked accounts and posts are still checked and its weekly reports are still stored, but no
 * report is sent. Throws CampaignError when the campaign is not active.
 */
export async function pauseCampaign(sql: Sql, workspaceId: string, campaignId: string): Promise<void> {
  await move(sql, workspaceId, campaignId, { from: ['active'], to: 'paused' });
}

/**
 * Resumes a paused campaign, so that its weekly reports are sent again. Throws CampaignError when the campaign is not
 * paused.
 */
export async function resumeCampaign(sql: Sql, workspaceId: string, campaignId: string): Promise<void> {
  await move(sql, workspaceId, campaignId, { from: ['paused'], to: 'active' });
}

async function move(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  { from, to }: { from: readonly CampaignStatus[]; to: 'active' | 'paused' },
): Promise<void> {
  const { status } = await readCampaign(sql, workspaceId, campaignId);
  if (await moveCampaign(sql, workspaceId, campaignId, { from, to })) return;
  throw wrongState(status, `it cannot be ${to === 'active' ? 'resumed' : 'paused'}`);
}

/**
 * Archives a campaign, so that it no longer counts toward the limit of active and paused campaigns. If its last day is
 * later than today (UTC) or not set, today becomes the last day. Throws CampaignError when the campaign is already
 * archived.
 */
export async function archive(sql: Sql, { workspace_id, now }: CampaignOwner, campaignId: string): Promise<void> {
  const { status } = await readCampaign(sql, workspace_id, campaignId);
  if (await archiveCampaign(sql, workspace_id, campaignId, dayOf(now.getTime()))) return;
  throw wrongState(status, 'it cannot be archived');
}

/**
 * Makes an archived campaign active again when the tier allows another campaign. `endsOn` is the new last day, and null
 * means no last day. Throws CampaignError.
 */
export async function reactivate(
  sql: Sql,
  { workspace_id, tier, now }: CampaignOwner,
  campaignId: string,
  endsOn: string | null,
): Promise<void> {
  const { status, starts_on } = await readCampaign(sql, workspace_id, campaignId);
  if (status !== 'archived') throw wrongState(status, 'it cannot be reactivated');
  if (endsOn !== null) checkEnd(endsOn, starts_on, now);
  const slots = slotsOf(tier);
  const done = await alone(sql, workspace_id, (tx) =>
    reactivateCampaign(tx, workspace_id, campaignId, { ends_on: endsOn, slots }),
  );
  if (!done) throw noFreeSlot(slots);
}

/**
 * Deletes an archived or ended campaign with its reports, share links, spreadsheets and alert rules. Its tracked
 * accounts and posts stay. Throws CampaignError when the campaign is active or paused.
 */
export async function removeCampaign(sql: Sql, workspaceId: string, campaignId: string): Promise<void> {
  const result = await deleteCampaign(sql, workspaceId, campaignId);
  if (result === 'unknown') throw noCampaign();
  if (result !== 'deleted') throw wrongState(result, 'archive it before you delete it');
}

export interface CampaignChange {
  name?: string;
  report_name?: string | null;
  starts_on?: string;
  ends_on?: string | null;
}

/**
 * Changes the name, report name or dates of a campaign. Weekly reports that are already final do not change. Throws
 * CampaignError when a new value is invalid.
 */
export async function editCampaign(
  sql: Sql,
  { workspace_id, tier, now }: CampaignOwner,
  campaignId: string,
  change: CampaignChange,
): Promise<void> {
  const campaign = await readCampaign(sql, workspace_id, campaignId);
  const checked: Partial<NewCampaign> = {};
  if (change.name !== undefined) checked.name = readName(change.name);
  if (change.report_name !== undefined) checked.report_name = readReportName(change.report_name, tier);
  if (change.starts_on !== undefined || change.ends_on !== undefined) {
    if (campaign.status !== 'active' && campaign.status !== 'paused')
      throw wrongState(campaign.status, 'its dates cannot be changed');
    const { starts_on = campaign.starts_on, ends_on = campaign.ends_on } = change;
    // Checks the first day only when the user changes it. The unchanged first day of a long campaign may be older than
    // the oldest history that the database keeps.
    if (starts_on !== campaign.starts_on) checkStart(starts_on, now);
    if (ends_on !== null) checkEnd(ends_on, starts_on, now);
    Object.assign(checked, { starts_on, ends_on });
  }
  if (Object.keys(checked).length === 0) return;
  if (!(await changeCampaign(sql, workspace_id, campaignId, checked)))
    throw wrongState('archived', 'its dates cannot be changed');
}

/**
 * Adds tracked items (accounts and posts) of the workspace to a campaign. When the workspace does not track one of the
 * items, adds none of them and throws CampaignError.
 */
export async function attachToCampaign(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  itemIds: readonly string[],
): Promise<void> {
  const ids = readIds(itemIds);
  const { campaign, unknown } = await attachItems(sql, workspaceId, campaignId, ids);
  if (!campaign) throw noCampaign();
  if (unknown.length === 0) return;
  throw new CampaignError(
    'RESOURCE_NOT_FOUND',
    `This workspace does not track these items: ${unknown.join(', ')}. Track them first, or correct their IDs.`,
  );
}

/**
 * Removes tracked items (accounts and posts) from a campaign and returns how many were removed. Their daily checks
 * continue. Throws CampaignError when the workspace has no such campaign.
 */
export async function detachFromCampaign(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  itemIds: readonly string[],
): Promise<number> {
  await readCampaign(sql, workspaceId, campaignId);
  return detachItems(sql, workspaceId, campaignId, readIds(itemIds));
}

function noCampaign(): CampaignError {
  return new CampaignError('RESOURCE_NOT_FOUND', 'This workspace has no such campaign: check its ID.');
}

function slotsOf(tier: Tier): number {
  const slots = tiers[tier].campaigns;
  if (slots > 0) return slots;
  throw new CampaignError(
    'PAID_ACCESS_REQUIRED',
    'Campaigns need the tier Pro or higher: buy any credit pack, or ask your Tidemark administrator.',
  );
}

function noFreeSlot(slots: number): CampaignError {
  return invalid(`At most ${slots} of your campaigns can be active or paused in this tier: archive one first.`);
}

function wrongState(status: CampaignStatus, consequence: string): CampaignError {
  return invalid(`This campaign is ${status}: ${consequence}.`);
}

function readIds(itemIds: readonly string[]): readonly string[] {
  if (itemIds.length > maxItems) throw invalid(`Send at most ${maxItems} items at once.`);
  const invalidId = itemIds.find((id) => !isId(id));
  if (invalidId !== undefined)
    throw invalid('An item ID is not valid: send the ID of each item, as the list of tracked items shows it.');
  return itemIds;
}
