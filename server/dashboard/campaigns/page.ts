import { html, raw } from 'hono/html';
import { dayOf, isDay } from '../../../db/calendar.ts';
import { type Campaign, findCampaign } from '../../../db/campaigns/campaigns.ts';
import { type ListedReport, listReports, readCampaignItems } from '../../../db/campaigns/reports.ts';
import { listLists } from '../../../db/tracking/lists.ts';
import { maxNameLength } from '../../../pipeline/campaigns/campaign-fields.ts';
import { startOf } from '../../../pipeline/report/period.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import { headlineOf } from '../../../pipeline/report/summary/headline.ts';
import { summarize } from '../../../pipeline/report/summary/summary.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import type { CampaignPageDeps } from '../deps.ts';
import { formatDays, shownName } from '../reports/figures.ts';
import { currentWeek } from '../reports/page.ts';
import { mainChart, tilesOf } from '../reports/summary.ts';
import { readItemRows } from '../tracking/rows.ts';
import { card, count, day, field, form, notice, type Piece, table, tag } from '../ui/components.ts';
import { may, whoCan } from '../ui/rules.ts';
import { type Page, PageNotFound, type Visit } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { itemsCard } from './items.ts';
import { type Failed, readCampaignId, typed } from './request.ts';
import { shareCard } from './share.ts';
import { sheetsCard } from './sheets.ts';

/** Maximum number of weekly reports on one page, about half a year. */
const maxReports = 26;

/** Returns the page of one campaign: reports, share links, spreadsheets, items and settings. */
export async function campaignPage(visit: Visit, deps: CampaignPageDeps, failed: Failed | null): Promise<Page> {
  const { params, visitor, url } = visit;
  const { workspace_id } = visitor;
  const { sql } = deps.db;
  const campaignId = readCampaignId(params);
  const before = beforeOf(url);
  const [campaign, items, tracked, lists, reports] = await Promise.all([
    findCampaign(sql, workspace_id, campaignId),
    readCampaignItems(sql, workspace_id, campaignId),
    readItemRows(visitor, deps),
    listLists(sql, workspace_id),
    listReports(sql, workspace_id, campaignId, { before, limit: maxReports + 1 }),
  ]);
  if (!campaign) throw new PageNotFound();
  const shown = reports.slice(0, maxReports);
  const newest = shown[0]?.report_id ?? null;
  const [shares, sheets, report] = await Promise.all([
    shareCard(visit, deps, campaignId, shown, failed),
    sheetsCard(visit, deps, campaign, failed),
    deps.read_report({ workspace_id, tier: visitor.tier, campaign_id: campaignId, report_id: newest }),
  ]);
  const content = html`${notice(failed?.problem ?? null, 'bad')}${reactivateCard(campaign)}
${report ? numbersPart(report) : null}
${itemsCard({ campaign_id: campaignId, items, tracked, lists, url, visitor, now: deps.now() })}
${reportsCard(campaign, shown, { more: reports.length > shown.length, visitor })}
${shares}
${sheets}
<details class="card"${raw(failed ? ' open' : '')}><summary><h2>Settings</h2></summary>${changeForm(campaign, visitor, failed)}${may(visitor, 'POST', '/dashboard/campaigns') ? stopsHint(campaign) : null}</details>`;
  const facts = html`${campaignTag(campaign.status)} ${campaignDays(campaign)}${campaign.report_name ? html` · report name “${shownName(campaign.report_name)}”` : null}`;
  const alertLink = html`<a class="button quiet" data-needs="/dashboard/alerts/rules" href="/dashboard/alerts/rules?scope=campaign:${campaignId}">New alert for this campaign</a>`;
  const head = {
    title: campaign.name,
    facts,
    actions: html`${alertLink}${actions(campaign, tiers[visitor.tier].campaigns)}`,
  };
  return { ...head, content, status: failed ? 400 : 200 };
}

/** Returns the top of a campaign's page: the main numbers of the newest report. */
function numbersPart(report: Report): Piece {
  if (report.items.length === 0) return null;
  const summary = summarize(report);
  return html`<div class="report"><p class="headline">${headlineOf(report, summary)}</p>
<p class="hint">${formatDays(report.period_start, report.period_end)}</p>
${tilesOf(report, summary.tiles)}${mainChart(report, summary)}</div>`;
}

/**
 * Returns the first day of a week from the query parameter `before`, with which the page lists only reports of earlier
 * weeks. Returns null when the parameter is missing or invalid.
 */
function beforeOf(url: URL): Date | null {
  const day = url.searchParams.get('before') ?? '';
  return isDay(day) ? new Date(startOf(day)) : null;
}

/** Returns the colored label for the status of a campaign. */
export function campaignTag(status: Campaign['status']): Piece {
  return tag(status, status === 'active' ? 'good' : status === 'paused' ? 'warn' : 'plain');
}

/** Returns the days of a campaign, such as `2 Nov 2026 to 29 Nov 2026` or `since 2 Nov 2026`. */
export function campaignDays({ starts_on, ends_on }: Campaign): Piece {
  const [first, last] = [day(new Date(starts_on)), ends_on === null ? null : day(new Date(ends_on))];
  return last === null ? html`since ${first}` : html`${first} to ${last}`;
}

/**
 * Returns the heading of the unfinished report: about this week, or about the last week of an ended or archived
 * campaign.
 */
export function currentWeekLabel({ status }: Campaign): string {
  return status === 'active' || status === 'paused' ? 'This week so far' : 'Last week of the campaign';
}

/** Returns a sentence that says what the buttons Pause and Archive of a campaign do. */
function stopsHint({ status }: Campaign): Piece {
  if (status !== 'active' && status !== 'paused') return null;
  return html`<p class="hint no-print">Pausing only stops sending the reports. Archiving makes today the last day. Neither stops the checks, which cost credits: to stop them, pause the items under <a href="/dashboard/tracking">Tracking</a>.</p>`;
}

/** Returns the card that makes an archived campaign active again. Returns null for a campaign that is not archived. */
function reactivateCard({ campaign_id, status }: Campaign): Piece {
  if (status !== 'archived') return null;
  return card(
    'This campaign is archived',
    html`<form method="post" action="/dashboard/campaigns/${campaign_id}/reactivate"><p>It gets no new reports. Its reports stay here.</p><div class="row">${field('New last day', 'ends_on', { type: 'date', hint: 'Empty = no end date.' })}<button>Reactivate</button></div></form>`,
  );
}

function actions({ campaign_id, status, name }: Campaign, limit: number): Piece {
  const action = (name: string) => `/dashboard/campaigns/${campaign_id}/${name}`;
  const pause =
    status === 'active'
      ? html`<form method="post" action="${action('pause')}" data-confirm="Pause ${name}? It gets no new reports until you resume it. Its items are still checked, which costs credits: to stop that, pause the items under Tracking."><button class="quiet">Pause</button></form>`
      : null;
  const resume = status === 'paused' ? form(action('resume'), '', 'Resume', 'quiet') : null;
  const archive =
    status === 'archived'
      ? null
      : html`<form method="post" action="${action('archive')}" data-confirm="Archive ${name}? Today becomes its last day, it gets no new reports, and it no longer counts toward your limit of ${count(limit)}. Its items are still checked, which costs credits. You can reactivate it later."><button class="danger">Archive</button></form>`;
  const remove =
    status === 'archived' || status === 'ended'
      ? html`<form method="post" action="${action('delete')}" data-confirm="Delete ${name}? You cannot undo this. Its reports, share links and alert rules are deleted, and nothing more is written into its spreadsheets. Data links to it stop working. Recipients of only this campaign get no more weekly reports. Its items and their history stay. They are still checked, which costs credits."><button class="danger">Delete campaign</button></form>`
      : null;
  return html`${pause}${resume}${archive}${remove}`;
}

function reportsCard(
  campaign: Campaign,
  reports: readonly ListedReport[],
  { more, visitor }: { more: boolean; visitor: Visitor },
): Piece {
  const path = `/dashboard/campaigns/${campaign.campaign_id}`;
  const row = (id: string, name: Piece): Piece[] => [
    html`<a href="${path}/reports/${id}">${name}</a>`,
    html`<a href="${path}/reports/${id}/print">Print or PDF</a>`,
    html`<a href="${path}/reports/${id}/csv">CSV</a> · <a href="${path}/reports/${id}/xlsx">Excel</a>`,
  ];
  const rows = [
    row(currentWeek, currentWeekLabel(campaign)),
    ...reports.map(({ report_id, period_start, period_end }) =>
      row(report_id, formatDays(period_start.getTime(), period_end.getTime())),
    ),
  ];
  const last = reports.at(-1);
  const notifications = html`To get it by email, add a recipient under <a href="/dashboard/alerts">Notifications</a>.`;
  const byEmail = whoCan(visitor, '/dashboard/alerts/recipients', notifications, 'add recipients who get it by email');
  return card('Reports', [
    table('Reports of this campaign', ['Week', 'Print', 'Data'], rows),
    reports.length === 0
      ? html`<p class="hint">Each weekly report appears here on Monday after 01:00 UTC. ${byEmail}</p>`
      : null,
    more && last ? html`<p><a href="${path}?before=${dayOf(last.period_start)}">Older reports</a></p>` : null,
  ]);
}

function changeForm(campaign: Campaign, visitor: Visitor, failed: Failed | null): Piece {
  const { campaign_id, name, report_name, starts_on, ends_on, status } = campaign;
  const canChangeDates = status === 'active' || status === 'paused';
  return form(
    `/dashboard/campaigns/${campaign_id}/edit`,
    [
      field('Name', 'name', { required: true, maxlength: maxNameLength, value: typed(failed, 'name', name) }),
      reportNameField(visitor, typed(failed, 'report_name', report_name ?? '')),
      canChangeDates
        ? dateFields(typed(failed, 'starts_on', starts_on), typed(failed, 'ends_on', ends_on ?? ''))
        : html`<p class="hint">The dates of a campaign that is ${status} cannot be changed.</p>`,
    ],
    'Save changes',
  );
}

/**
 * Returns the form field for the name on printed reports. In a tier without this feature, returns a hint that names the
 * tiers with the feature.
 */
export function reportNameField({ tier }: Visitor, value: string): Piece {
  if (!tiers[tier].report_name) {
    return html`<p class="hint">Reports show the name of the campaign. A custom report name needs the tier Pro Max or Ultra.</p>`;
  }
  return field('Report name', 'report_name', {
    value,
    maxlength: maxNameLength,
    hint: 'Optional. Reports show it instead of the campaign name.',
  });
}

/** Returns the form fields for the first and the last day of a campaign, as `YYYY-MM-DD`. The last day may be empty. */
export function dateFields(startsOn: string, endsOn: string): Piece {
  return html`<div class="columns">${field('First day', 'starts_on', { type: 'date', required: true, value: startsOn })}
${field('Last day', 'ends_on', { type: 'date', value: endsOn, hint: 'Optional. Empty = no end date. Reports end on this day. Daily checks continue and cost credits until you pause the items.' })}</div>`;
}
