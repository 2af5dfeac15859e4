import { findCampaign } from '../../../db/campaigns/campaigns.ts';
import { CampaignError } from '../../../pipeline/campaigns/campaign-fields.ts';
import {
  archive,
  type CampaignChange,
  type CampaignOwner,
  editCampaign,
  pauseCampaign,
  reactivate,
  readCampaign,
  removeCampaign,
  resumeCampaign,
} from '../../../pipeline/campaigns/campaigns.ts';
import type { CampaignPageDeps } from '../deps.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { type FormVisit, type Page, PageNotFound, redirect, type Section, text, type Visit } from '../ui/section.ts';
import { readCampaignId, type ShowCampaign } from './request.ts';

const path = '/dashboard/campaigns/:campaign_id';

/** Creates the forms that change the status, the names or the dates of a campaign. */
export function campaignFormsSection(deps: CampaignPageDeps, show: ShowCampaign): Section {
  const { sql } = deps.db;
  const change = (
    noticeName: string,
    work: (visit: FormVisit, campaignId: string) => Promise<unknown>,
    next = (campaignId: string) => `/dashboard/campaigns/${campaignId}`,
  ) => {
    return async (visit: FormVisit): Promise<Page | Response> => {
      const campaignId = readCampaignId(visit.params);
      const problem = await attempt(() => work(visit, campaignId));
      if (problem !== null) return show(visit, { problem, form: visit.form });
      return redirect(next(campaignId), noticeName);
    };
  };
  return {
    pages: {},
    forms: {
      [`${path}/pause`]: change('campaign-paused', ({ visitor }, id) => pauseCampaign(sql, visitor.workspace_id, id)),
      [`${path}/resume`]: change('campaign-resumed', ({ visitor }, id) =>
        resumeCampaign(sql, visitor.workspace_id, id),
      ),
      [`${path}/archive`]: change('campaign-archived', (visit, id) => archive(sql, ownerOf(visit, deps), id)),
      [`${path}/reactivate`]: change('campaign-back', (visit, id) =>
        reactivate(sql, ownerOf(visit, deps), id, text(visit.form, 'ends_on') || null),
      ),
      [`${path}/delete`]: change(
        'campaign-deleted',
        ({ visitor }, id) => removeCampaign(sql, visitor.workspace_id, id),
        () => '/dashboard/campaigns',
      ),
      [`${path}/edit`]: change('campaign-saved', (visit, id) => edit(visit, deps, id)),
    },
    audits: {
      [`${path}/delete`]: { action: 'deleted a campaign', subject: (visit) => nameOf(visit, deps) },
    },
    notices: {
      'campaign-paused': 'Campaign paused. Its reports are kept but not sent anywhere. Its items are still checked.',
      'campaign-resumed': 'Campaign resumed.',
      'campaign-archived': 'Campaign archived. It no longer counts toward your limit. Its items are still checked.',
      'campaign-back': 'Campaign reactivated.',
      'campaign-deleted': 'Campaign deleted. Its items are still tracked.',
      'campaign-saved': 'Changes saved. Reports of finished weeks do not change.',
    },
  };
}

async function nameOf({ params, visitor }: Visit, { db }: CampaignPageDeps): Promise<string | null> {
  return (await findCampaign(db.sql, visitor.workspace_id, readCampaignId(params)))?.name ?? null;
}

/** Returns the workspace and its tier, which decide whether a change of a campaign is allowed. */
export function ownerOf({ visitor }: Visit, { now }: Pick<CampaignPageDeps, 'now'>): CampaignOwner {
  return { workspace_id: visitor.workspace_id, tier: visitor.tier, now: now() };
}

/**
 * Runs `work`, which changes a campaign. Returns null after success, or one sentence for the user after a refusal. When
 * the campaign or an item does not exist, returns `missing`, or throws PageNotFound when `missing` is null.
 */
export async function attempt(work: () => Promise<unknown>, missing: Problem | null = null): Promise<Problem | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof CampaignError)) throw error;
    if (error.code === 'RESOURCE_NOT_FOUND' && missing === null) throw new PageNotFound();
    if (error.code === 'RESOURCE_NOT_FOUND') return missing;
    const message = error.message.replaceAll('starts_on', 'the first day').replaceAll('ends_on', 'the last day');
    return at(error.field, message.charAt(0).toUpperCase() + message.slice(1));
  }
}

/**
 * Saves the names and dates in the form. Leaves out unchanged dates, because the names of an archived or ended campaign
 * can be changed, but a change that contains dates is refused.
 */
async function edit(visit: FormVisit, deps: CampaignPageDeps, campaignId: string): Promise<void> {
  const { form, visitor } = visit;
  const campaign = await readCampaign(deps.db.sql, visitor.workspace_id, campaignId);
  const change: CampaignChange = { name: text(form, 'name') };
  if (form.has('report_name')) change.report_name = text(form, 'report_name') || null;
  const [startsOn, endsOn] = [text(form, 'starts_on'), text(form, 'ends_on') || null];
  if (form.has('starts_on') && startsOn !== campaign.starts_on) change.starts_on = startsOn;
  if (form.has('ends_on') && endsOn !== campaign.ends_on) change.ends_on = endsOn;
  await editCampaign(deps.db.sql, ownerOf(visit, deps), campaignId, change);
}
