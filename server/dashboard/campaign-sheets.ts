import { html } from 'hono/html';
import { listTargets, removeTarget, type SheetTarget } from '../../db/sheet-targets.ts';
import { createTarget } from '../../pipeline/sheet-targets.ts';
import { campaignId, type Failed, type ShowCampaign, typed } from './campaign-visit.ts';
import type { CampaignDeps } from './deps.ts';
import { type FormVisit, type Page, PageNotFound, redirect, type Section, text, type Visit } from './section.ts';
import { card, field, form, type Piece, select, table, tag, time } from './ui.ts';

const path = '/dashboard/campaigns/:campaign_id/sheets';

/** The spreadsheets that the weekly reports of a campaign are written into. */
export function campaignSheetsSection(deps: CampaignDeps, show: ShowCampaign): Section {
  return {
    pages: {},
    forms: {
      [path]: (visit) => add(visit, deps, show),
      [`${path}/:target_id/remove`]: (visit) => remove(visit, deps),
      [`${path}/:target_id/push`]: (visit) => push(visit, deps),
    },
    notices: {
      'sheet-added': 'The spreadsheet is named: each weekly report is written into it when it is made.',
      'sheet-removed': 'Nothing is written into it any more; what was written stays there.',
      'sheet-push':
        'A push is under way: reports that the spreadsheet does not hold yet are written now. Reload for its outcome.',
    },
  };
}

/** The spreadsheets of a campaign with how their last push went, and the form for another. */
export async function sheetsCard(
  { visitor }: Visit,
  { db, config }: CampaignDeps,
  campaign: { campaign_id: string; status: string },
  failed: Failed | null,
): Promise<Piece> {
  const { campaign_id, status } = campaign;
  const targets = (await listTargets(db.sql, visitor.workspace_id)).filter((one) => one.campaign_id === campaign_id);
  const paused = status === 'paused' ? html`<p>Nothing is written while the campaign is paused.</p>` : null;
  return card('Google spreadsheets', [
    html`<p>Each weekly report is written into a spreadsheet when it is made.</p>`,
    sharingWords(config.sheets_account),
    paused,
    targets.length === 0 ? null : targetTable(targets),
    newTargetForm(campaign_id, failed),
  ]);
}

function sharingWords(account: string | null): Piece {
  if (account === null) {
    return html`<p class="notice warn">The operator of this server has not set up a Google service account: nothing can be written until then.</p>`;
  }
  return html`<p>First share the spreadsheet, as an editor, with <code id="sheets-account">${account}</code> <button type="button" class="link" data-copy="sheets-account">Copy</button></p>`;
}

function targetTable(targets: readonly SheetTarget[]): Piece {
  const rows = targets.map((target) => {
    const { campaign_id, target_id, spreadsheet_id, sheet_name, mode, last_pushed_at } = target;
    const action = `/dashboard/campaigns/${campaign_id}/sheets/${target_id}`;
    return [
      html`<a href="https://docs.google.com/spreadsheets/d/${spreadsheet_id}" rel="noopener noreferrer">${sheet_name}</a>`,
      mode === 'append' ? 'adds below' : 'replaces',
      outcomeOf(target),
      last_pushed_at === null ? 'never' : time(last_pushed_at),
      html`<div class="row">${form(`${action}/push`, '', 'Push now', 'quiet')}<form method="post" action="${action}/remove" data-confirm="Stop writing into this spreadsheet? What was written stays there."><button class="danger">Remove</button></form></div>`,
    ];
  });
  const columns = ['Tab', 'Mode', 'Last push', 'Last written (UTC)', 'Action'];
  return table('Spreadsheets that the reports are written into', columns, rows);
}

const outcomeWords: Readonly<Record<string, string>> = {
  OK: 'done',
  NOT_SHARED: 'not shared with us',
  SHEET_NOT_FOUND: 'no such spreadsheet',
  OTHER_TABLE: 'the tab holds something else',
  REFUSED: 'refused by Google',
  NOT_CONFIGURED: 'not set up by the operator',
  TRY_AGAIN: 'Google did not answer; tried again by itself',
  INTERNAL: 'an error of ours',
};

function outcomeOf({ last_outcome, last_message }: SheetTarget): Piece {
  if (last_outcome === null) return 'none yet';
  const words = outcomeWords[last_outcome] ?? last_outcome;
  const tone = last_outcome === 'OK' ? 'good' : last_outcome === 'TRY_AGAIN' ? 'warn' : 'bad';
  return html`${tag(words, tone)}${last_message ? html` <small>${last_message}</small>` : null}`;
}

function newTargetForm(campaign_id: string, failed: Failed | null): Piece {
  const modes: [string, string][] = [
    ['append', 'Add each report below the last'],
    ['replace', 'Only the newest report; everything else in the tab is cleared'],
  ];
  return form(
    `/dashboard/campaigns/${campaign_id}/sheets`,
    html`<div class="columns">${field('Spreadsheet', 'spreadsheet', {
      required: true,
      value: typed(failed, 'spreadsheet', ''),
      placeholder: 'https://docs.google.com/spreadsheets/d/…',
      hint: 'Its address, or its id.',
    })}${field('Tab', 'sheet_name', {
      required: true,
      maxlength: 100,
      value: typed(failed, 'sheet_name', 'Reports'),
      hint: 'Made when it is missing.',
    })}</div>${select('What a push does', 'mode', modes, { value: typed(failed, 'mode', 'append') })}`,
    'Add the spreadsheet',
    'quiet',
  );
}

async function add(visit: FormVisit, deps: CampaignDeps, show: ShowCampaign): Promise<Page | Response> {
  const { form: sent, params, visitor } = visit;
  const campaign_id = campaignId(params);
  const [spreadsheet, sheet_name, mode] = [text(sent, 'spreadsheet'), text(sent, 'sheet_name'), text(sent, 'mode')];
  const wish = { campaign_id, spreadsheet, sheet_name, mode };
  const made = await createTarget(deps.db.sql, visitor.workspace_id, wish);
  if (made.ok) return redirect(`/dashboard/campaigns/${campaign_id}`, 'sheet-added');
  if (made.code === 'RESOURCE_NOT_FOUND') throw new PageNotFound();
  return show(visit, { problem: made.message, form: sent });
}

async function remove({ params, visitor }: FormVisit, { db }: CampaignDeps): Promise<Response> {
  const target = await targetOf(params, visitor.workspace_id, db);
  await removeTarget(db.sql, visitor.workspace_id, target.target_id);
  return redirect(`/dashboard/campaigns/${target.campaign_id}`, 'sheet-removed');
}

/** The queue works one spreadsheet at a time, and what it holds already is not written again. */
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
  workspace_id: string,
  db: CampaignDeps['db'],
): Promise<SheetTarget> {
  const campaign_id = campaignId(params);
  const targets = await listTargets(db.sql, workspace_id);
  const target = targets.find((one) => one.campaign_id === campaign_id && one.target_id === params.target_id);
  if (!target) throw new PageNotFound();
  return target;
}
