import { html } from 'hono/html';
import { listTargets, removeTarget, type SheetTarget } from '../../../db/deliveries/sheet-targets.ts';
import { createTarget } from '../../../pipeline/sheets/targets.ts';
import type { CampaignDeps } from '../deps.ts';
import { card, field, form, type Piece, select, table, tag, time } from '../ui/components.ts';
import { type FormVisit, type Page, PageNotFound, redirect, type Section, text, type Visit } from '../ui/section.ts';
import { type Failed, readCampaignId, type ShowCampaign, typed } from './request.ts';

const path = '/dashboard/campaigns/:campaign_id/sheets';

/** Creates the forms for the spreadsheets that receive the weekly reports of a campaign. */
export function campaignSheetsSection(deps: CampaignDeps, show: ShowCampaign): Section {
  return {
    pages: {},
    forms: {
      [path]: (visit) => add(visit, deps, show),
      [`${path}/:target_id/remove`]: (visit) => remove(visit, deps),
      [`${path}/:target_id/push`]: (visit) => push(visit, deps),
    },
    notices: {
      'sheet-added': 'Spreadsheet added. Each new weekly report is written into it.',
      'sheet-removed': 'Spreadsheet removed. Reports are no longer written into it; existing rows stay.',
      'sheet-push': 'Writing the missing reports into the spreadsheet. Reload this page to see the result.',
    },
  };
}

/**
 * Returns the card with the spreadsheets of a campaign, the time of the last push to each, and the form to add one. A push writes reports
 * into a spreadsheet.
 */
export async function sheetsCard(
  { visitor }: Visit,
  { db, config }: CampaignDeps,
  campaign: { campaign_id: string; status: string },
  failed: Failed | null,
): Promise<Piece> {
  const { campaign_id, status } = campaign;
  const targets = (await listTargets(db.sql, visitor.workspace_id)).filter((one) => one.campaign_id === campaign_id);
  const paused = status === 'paused' ? html`<p>The campaign is paused, so no reports are written.</p>` : null;
  return card('Google spreadsheets', [
    html`<p>Each new weekly report can be written into a Google spreadsheet.</p>`,
    sharingHint(config.sheets_account),
    paused,
    targets.length === 0 ? null : targetTable(targets),
    newTargetForm(campaign_id, failed),
  ]);
}

function sharingHint(account: string | null): Piece {
  if (account === null) {
    return html`<p class="notice warn">Google Sheets is not set up on this server. Ask your administrator to add a Google service account.</p>`;
  }
  return html`<p>First share your spreadsheet with this account as an editor: <code id="sheets-account">${account}</code> <button type="button" class="link" data-copy="sheets-account">Copy</button></p>`;
}

function targetTable(targets: readonly SheetTarget[]): Piece {
  const rows = targets.map((target) => {
    const { campaign_id, target_id, spreadsheet_id, sheet_name, mode, last_pushed_at } = target;
    const action = `/dashboard/campaigns/${campaign_id}/sheets/${target_id}`;
    return [
      html`<a href="https://docs.google.com/spreadsheets/d/${spreadsheet_id}" rel="noopener noreferrer">${sheet_name}</a>`,
      mode === 'append' ? 'adds rows' : 'replaces the tab',
      outcomeOf(target),
      last_pushed_at === null ? 'never' : time(last_pushed_at),
      html`<div class="row">${form(`${action}/push`, '', 'Push now', 'quiet')}<form method="post" action="${action}/remove" data-confirm="Stop writing into this spreadsheet? Existing rows stay."><button class="danger">Remove</button></form></div>`,
    ];
  });
  const columns = ['Tab', 'Mode', 'Last push', 'Last written (UTC)', 'Action'];
  return table('Spreadsheets of this campaign', columns, rows);
}

const outcomeLabels: Readonly<Record<string, string>> = {
  OK: 'done',
  NOT_SHARED: 'not shared with the service account',
  SHEET_NOT_FOUND: 'spreadsheet not found',
  OTHER_TABLE: 'the tab has other content',
  REFUSED: 'refused by Google',
  NOT_CONFIGURED: 'not set up on this server',
  TRY_AGAIN: 'Google did not answer; we will try again',
  INTERNAL: 'failed on our side',
};

function outcomeOf({ last_outcome, last_message }: SheetTarget): Piece {
  if (last_outcome === null) return 'not written yet';
  const label = outcomeLabels[last_outcome] ?? last_outcome;
  const tone = last_outcome === 'OK' ? 'good' : last_outcome === 'TRY_AGAIN' ? 'warn' : 'bad';
  return html`${tag(label, tone)}${last_message ? html` <small>${last_message}</small>` : null}`;
}

function newTargetForm(campaignId: string, failed: Failed | null): Piece {
  const modes: [string, string][] = [
    ['append', 'Add each report below the previous one'],
    ['replace', 'Keep only the newest report (clears the tab first)'],
  ];
  return form(
    `/dashboard/campaigns/${campaignId}/sheets`,
    html`<div class="columns">${field('Spreadsheet', 'spreadsheet', {
      required: true,
      value: typed(failed, 'spreadsheet', ''),
      placeholder: 'https://docs.google.com/spreadsheets/d/…',
      hint: 'Link or ID of the spreadsheet.',
    })}${field('Tab', 'sheet_name', {
      required: true,
      maxlength: 100,
      value: typed(failed, 'sheet_name', 'Reports'),
      hint: 'Created if it does not exist.',
    })}</div>${select('How reports are written', 'mode', modes, { value: typed(failed, 'mode', 'append') })}`,
    'Add spreadsheet',
    'quiet',
  );
}

async function add(visit: FormVisit, deps: CampaignDeps, show: ShowCampaign): Promise<Page | Response> {
  const { form: sent, params, visitor } = visit;
  const campaignId = readCampaignId(params);
  const [spreadsheet, sheetName, mode] = [text(sent, 'spreadsheet'), text(sent, 'sheet_name'), text(sent, 'mode')];
  const created = await createTarget(deps.db.sql, visitor.workspace_id, {
    campaign_id: campaignId,
    spreadsheet,
    sheet_name: sheetName,
    mode,
  });
  if (created.ok) return redirect(`/dashboard/campaigns/${campaignId}`, 'sheet-added');
  if (created.code === 'RESOURCE_NOT_FOUND') throw new PageNotFound();
  return show(visit, { problem: created.message, form: sent });
}

async function remove({ params, visitor }: FormVisit, { db }: CampaignDeps): Promise<Response> {
  const target = await targetOf(params, visitor.workspace_id, db);
  await removeTarget(db.sql, visitor.workspace_id, target.target_id);
  return redirect(`/dashboard/campaigns/${target.campaign_id}`, 'sheet-removed');
}

/**
 * Queues a push, which writes the missing reports into a spreadsheet. The job handles one spreadsheet at a time and skips reports that are
 * already written.
 */
async function push({ params, visitor }: FormVisit, { db, queue }: CampaignDeps): Promise<Response> {
  const { workspace_id } = visitor;
  const { campaign_id, spreadsheet_id } = await targetOf(params, workspace_id, db);
  await queue.send('push-sheets', [
    { key: `${workspace_id}/${spreadsheet_id}`, data: { workspace_id, spreadsheet_id } },
  ]);
  return redirect(`/dashboard/campaigns/${campaign_id}`, 'sheet-push');
}

async function targetOf(
  params: FormVisit['params'],
  workspaceId: string,
  db: CampaignDeps['db'],
): Promise<SheetTarget> {
  const campaignId = readCampaignId(params);
  const targets = await listTargets(db.sql, workspaceId);
  const target = targets.find((one) => one.campaign_id === campaignId && one.target_id === params.target_id);
  if (!target) throw new PageNotFound();
  return target;
}
