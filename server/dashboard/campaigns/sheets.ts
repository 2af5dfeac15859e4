import { html } from 'hono/html';
import type { CampaignPageDeps } from '../deps.ts';
import { type TargetOwner, targetForms, targetOnce, targetsCard } from '../sheets/targets.ts';
import type { Piece } from '../ui/components.ts';
import type { Section, Visit } from '../ui/section.ts';
import { type Failed, readCampaignId, type ShowCampaign, typed } from './request.ts';

const campaignTargets: TargetOwner = {
  column: 'campaign_id',
  path: '/dashboard/campaigns/:campaign_id/sheets',
  idIn: readCampaignId,
  page: (id) => `/dashboard/campaigns/${id}`,
  notices: { added: 'sheet-added', removed: 'sheet-removed', pushed: 'sheet-push' },
  labels: {
    table: 'Spreadsheets of this campaign',
    modes: [
      ['append', 'Add each report below the previous one'],
      ['replace', 'Keep only the newest report (deletes everything else in the tab)'],
    ],
    default_tab: 'Reports',
  },
};

/** Creates the forms for the spreadsheets that receive the weekly reports of a campaign. */
export function campaignSheetsSection(deps: CampaignPageDeps, show: ShowCampaign): Section {
  return {
    pages: {},
    forms: targetForms(campaignTargets, deps, (visit, problem) => show(visit, { problem, form: visit.form })),
    once: targetOnce(campaignTargets),
    notices: {
      'sheet-added': 'Spreadsheet added. Each new weekly report is written into it.',
      'sheet-removed': 'Spreadsheet removed. Reports are no longer written into it; existing rows stay.',
      'sheet-push': 'Writing the missing reports into the spreadsheet. The table shows the result.',
    },
  };
}

/** Returns the card with the spreadsheets of a campaign. A push writes the campaign's reports into a spreadsheet. */
export function sheetsCard(
  visit: Visit,
  deps: CampaignPageDeps,
  { campaign_id, status }: { campaign_id: string; status: string },
  failed: Failed | null,
): Promise<Piece> {
  const paused = status === 'paused' ? html`<p>The campaign is paused, so no reports are written.</p>` : null;
  const intro = html`<p>Each new weekly report can be written into a Google spreadsheet.</p>${paused}`;
  const card = { id: campaign_id, intro, typed: (name: string, value: string) => typed(failed, name, value) };
  return targetsCard(visit, campaignTargets, deps, card);
}
