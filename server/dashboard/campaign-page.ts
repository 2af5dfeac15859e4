import { html } from 'hono/html';
import { type Campaign, findCampaign } from '../../db/campaigns.ts';
import { campaignItems, type ListedReport, listReports } from '../../db/reports.ts';
import { listItems } from '../../db/tracking.ts';
import { max_name_length } from '../../pipeline/campaigns.ts';
import { tiers } from '../../pipeline/tiers.ts';
import type { Visitor } from './accounts.ts';
import { itemsCard } from './campaign-items.ts';
import { sheetsCard } from './campaign-sheets.ts';
import { campaignId, type Failed, typed } from './campaign-visit.ts';
import type { CampaignDeps } from './deps.ts';
import { daysInWords, shownName } from './report-figures.ts';
import { running } from './report-page.ts';
import { type Page, PageNotFound, type Visit } from './section.ts';
import { shareCard } from './share.ts';
import { card, field, form, notice, type Piece, table, tag } from './ui.ts';

/** Half a year of weeks on one page. */
const max_reports = 26;

/** One campaign: its reports, links, spreadsheets, items, and what can be changed. */
export async function campaignPage(visit: Visit, deps: CampaignDeps, failed: Failed | null): Promise<Page> {
  const { params, visitor, url } = visit;
  const { workspace_id } = visitor;
  const { sql } = deps.db;
  const campaign_id = campaignId(params);
  const before = beforeOf(url);
  const [campaign, items, tracked, reports] = await Promise.all([
    findCampaign(sql, workspace_id, campaign_id),
    campaignItems(sql, workspace_id, campaign_id),
    listItems(sql, workspace_id),
    listReports(sql, workspace_id, campaign_id, { before, limit: max_reports + 1 }),
  ]);
  if (!campaign) throw new PageNotFound();
  const shown = reports.slice(0, max_reports);
  const [shares, sheets] = await Promise.all([
    shareCard(visit, deps, campaign_id, shown),
    sheetsCard(visit, deps, campaign, failed),
  ]);
  const content = html`${notice(failed?.problem ?? null, 'bad')}
<p class="no-print"><a href="/dashboard/campaigns">All campaigns</a></p>
<p>${stateTag(campaign.status)} ${daysOf(campaign)}${campaign.report_name ? html` · printed as “${shownName(campaign.report_name)}”` : null}</p>
${actions(campaign)}
${reportsCard(campaign_id, shown, reports.length > shown.length)}
${shares}
${sheets}
${itemsCard(campaign_id, items, tracked)}
${card('Change', changeForm(campaign, visitor, failed))}`;
  return { title: campaign.name, content, status: failed ? 400 : 200 };
}

/** The page of older reports begins before the week in the address. */
function beforeOf(url: URL): Date | null {
  const day = url.searchParams.get('before') ?? '';
  const before = new Date(`${day}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(before.getTime()) ? before : null;
}

/** The state of a campaign. */
export function stateTag(status: Campaign['status']): Piece {
  return tag(status, status === 'active' ? 'good' : status === 'paused' ? 'warn' : 'plain');
}

/** From when to when a campaign counts. */
export function daysOf({ starts_on, ends_on }: Campaign): string {
  return ends_on === null ? `from ${starts_on}` : `${starts_on} to ${ends_on}`;
}

function actions({ campaign_id, status, name }: Campaign): Piece {
  const action = (what: string) => `/dashboard/campaigns/${campaign_id}/${what}`;
  const pause = status === 'active' ? form(action('pause'), '', 'Pause', 'quiet') : null;
  const resume = status === 'paused' ? form(action('resume'), '', 'Resume', 'quiet') : null;
  const archive =
    status === 'archived'
      ? null
      : html`<form method="post" action="${action('archive')}" data-confirm="Archive ${name}? Today becomes its last day, and its slot is free."><button class="danger">Archive</button></form>`;
  const back =
    status === 'archived'
      ? html`<form method="post" action="${action('reactivate')}" class="row">${field('New last day', 'ends_on', { type: 'date', hint: 'Empty: an open end.' })}<button>Bring back</button></form>`
      : null;
  return html`<div class="row actions">${pause}${resume}${archive}${back}</div>`;
}

function reportsCard(campaign_id: string, reports: readonly ListedReport[], more: boolean): Piece {
  const path = `/dashboard/campaigns/${campaign_id}`;
  const row = (id: string, name: Piece): Piece[] => [
    html`<a href="${path}/reports/${id}">${name}</a>`,
    html`<a href="${path}/reports/${id}/print">Print or PDF</a>`,
    html`<a href="${path}/reports/${id}/csv">CSV</a>`,
  ];
  const rows = [
    row(running, 'Running period, so far'),
    ...reports.map(({ report_id, period_start, period_end }) =>
      row(report_id, daysInWords(period_start.getTime(), period_end.getTime())),
    ),
  ];
  const last = reports.at(-1);
  return card('Reports', [
    table('Reports of this campaign', ['Week', 'Paper', 'Data'], rows),
    reports.length === 0
      ? html`<p class="hint">The first weekly report is made on a Monday, an hour after the week has ended (UTC).</p>`
      : null,
    more && last
      ? html`<p><a href="${path}?before=${last.period_start.toISOString().slice(0, 10)}">Older reports</a></p>`
      : null,
  ]);
}

function changeForm(campaign: Campaign, visitor: Visitor, failed: Failed | null): Piece {
  const { campaign_id, name, report_name, starts_on, ends_on, status } = campaign;
  const running = status === 'active' || status === 'paused';
  return form(
    `/dashboard/campaigns/${campaign_id}/edit`,
    [
      field('Name', 'name', { required: true, maxlength: max_name_length, value: typed(failed, 'name', name) }),
      reportNameField(visitor, typed(failed, 'report_name', report_name ?? '')),
      running
        ? dateFields(typed(failed, 'starts_on', starts_on), typed(failed, 'ends_on', ends_on ?? ''))
        : html`<p class="hint">The days of a campaign that is ${status} stay as they are.</p>`,
    ],
    'Save',
  );
}

/** A printed name of one's own, or who has it. */
export function reportNameField({ tier }: Visitor, value: string): Piece {
  if (!tiers[tier].report_name) {
    return html`<p class="hint">Reports are printed under the campaign's name. A report name of your own comes with the tiers Pro Max and Ultra.</p>`;
  }
  return field('Report name', 'report_name', {
    value,
    maxlength: max_name_length,
    hint: "Optional; printed on reports instead of the campaign's name.",
  });
}

/** The days that count. */
export function dateFields(starts_on: string, ends_on: string): Piece {
  return html`<div class="columns">${field('First day', 'starts_on', { type: 'date', required: true, value: starts_on })}
${field('Last day', 'ends_on', { type: 'date', value: ends_on, hint: 'Optional; empty is an open end.' })}</div>`;
}
