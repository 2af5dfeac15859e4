import { html } from 'hono/html';
import {
  type FailedImport,
  type FailingItem,
  failedImports,
  failingItems,
  type Overview,
  type RecentReport,
  readOverview,
  recentReports,
  type WaitingBatch,
  waitingBatches,
} from '../../db/workspace-data/overview.ts';
import { dayMs } from '../../pipeline/report/period.ts';
import { tiers } from '../../pipeline/tiers.ts';
import { audience } from './audience.ts';
import type { SectionDeps } from './deps.ts';
import { itemName, outcomeLabel } from './tracking/labels.ts';
import { readRows } from './tracking/rows.ts';
import { card, count, day, type Piece, time } from './ui/components.ts';
import { kindName } from './ui/platform-names.ts';
import { type Page, PageNotFound, type Section, type Visit } from './ui/section.ts';
import type { Visitor } from './ui/visitor.ts';

type OverviewDeps = Pick<SectionDeps, 'db' | 'now'>;

const listed = 5;
/** Number of credits below which a workspace that has set no alert of its own is warned. */
const fewCredits = 20;

/** Creates the overview page: balance, usage, first steps, problems and recent reports. */
export function overviewSection(deps: OverviewDeps): Section {
  return {
    menu: { path: '/dashboard', label: 'Overview' },
    pages: { '/dashboard': (visit) => overviewPage(visit, deps) },
    forms: {},
  };
}

async function overviewPage({ visitor }: Visit, { db, now }: OverviewDeps): Promise<Page> {
  const { workspace_id, workspace_name } = visitor;
  const [overview, failing, imports, batches, reports, rows] = await Promise.all([
    readOverview(db.sql, workspace_id, now()),
    failingItems(db.sql, workspace_id, listed),
    failedImports(db.sql, workspace_id, listed),
    waitingBatches(db.sql, workspace_id, listed),
    recentReports(db.sql, workspace_id, listed),
    readRows(visitor, { db, now }),
  ]);
  if (!overview) throw new PageNotFound();
  const attention = attentionOf({ overview, failing, imports, batches, visitor });
  const content = html`${audience(rows, now())}${figures(overview, visitor)}${firstSteps(overview)}
${card('Needs attention', attention.length > 0 ? html`<ul class="attention">${attention.map((one) => html`<li>${one}</li>`)}</ul>` : html`<p>All good. Nothing needs your attention.</p>`)}
${card('Recent reports', reports.length > 0 ? reportList(reports) : html`<p>No weekly reports yet. Create a <a href="/dashboard/campaigns">campaign</a> to get one every Monday.</p>`)}`;
  return { title: workspace_name, content };
}

function figures(overview: Overview, { balance, tier }: Visitor): Piece {
  const { requests, request_credits, scheduled_credits, monthly_cap, items, campaigns } = overview;
  const cap = monthly_cap === null ? 'no monthly cap' : `of your monthly cap of ${count(monthly_cap)}`;
  const shown: [string, string, string, string][] = [
    ['Balance', count(balance), 'credits', '/dashboard/credits'],
    [
      'Requests this month',
      count(requests),
      `${count(request_credits)} ${request_credits === 1 ? 'credit' : 'credits'}`,
      '/dashboard/usage',
    ],
    [
      'Scheduled work this month',
      count(scheduled_credits),
      `credits for tracking and bulk analysis, ${cap}`,
      '/dashboard/usage',
    ],
    ['Tracked items', count(items), `of ${count(tiers[tier].tracked_items)}`, '/dashboard/tracking'],
    ['Active campaigns', count(campaigns), `of ${count(tiers[tier].campaigns)}`, '/dashboard/campaigns'],
  ];
  return html`<dl class="figures">${shown.map(([name, value, hint, path]) => html`<div><dt><a href="${path}">${name}</a></dt><dd>${value}</dd><dd class="hint">${hint}</dd></div>`)}</dl>`;
}

/** Returns the list of first steps, or nothing once every step is done. */
function firstSteps({ keys, has_requests, items }: Overview): Piece {
  const steps: [boolean, Piece][] = [
    [
      keys > 0,
      html`<a href="/addon">Get the add-on</a> for Google Sheets or Excel, or <a href="/dashboard/keys">create an API key</a> for your app.`,
    ],
    [has_requests, html`Send a request in the <a href="/dashboard/playground">playground</a>.`],
    [items > 0, html`<a href="/dashboard/tracking">Track an account</a> and see how it changes every day.`],
  ];
  if (steps.every(([done]) => done)) return null;
  const lines = steps.map(
    ([done, step]) =>
      html`<li class="${done ? 'done' : 'open'}">${done ? html`<span class="hidden">Done: </span>` : null}${step}</li>`,
  );
  return card('First steps', html`<ol class="steps">${lines}</ol>`);
}

interface Facts {
  overview: Overview;
  failing: readonly FailingItem[];
  imports: readonly FailedImport[];
  batches: readonly WaitingBatch[];
  visitor: Visitor;
}

function attentionOf({ overview, failing, imports, batches, visitor }: Facts): Piece[] {
  return [
    ...balanceLines(overview, visitor),
    ...(visitor.paused
      ? [html`All scheduled work is paused. <a href="/dashboard/settings">Resume it in settings</a>`]
      : []),
    ...batches.map(
      ({ batch_id, name, waiting_for, import_id }) =>
        html`<a href="/dashboard/${import_id === null ? `batches/${batch_id}` : `imports/${import_id}`}">${import_id === null ? 'Bulk analysis' : 'Sheet import'} ${name ?? ''}</a> is waiting${waiting_for ? `: ${waitingReasons[waiting_for]}` : null}.`,
    ),
    ...imports.map(
      ({ import_id, label, message, finished_at }) =>
        html`<a href="/dashboard/imports/${import_id}">Sheet import ${label}</a> failed (${time(finished_at)} UTC). ${message}`,
    ),
    ...failing.map(
      (item) =>
        html`<a href="/dashboard/tracking/${item.item_id}">${kindName(item)} ${itemName(item)}</a>: ${outcomeLabel(item.outcome)} (${time(item.attempted_at)} UTC).`,
    ),
    ...moreLines(overview, failing),
  ];
}

const waitingReasons = {
  PAUSED: 'scheduled work is paused',
  CAP_REACHED: 'the monthly cap is reached',
  INSUFFICIENT_CREDITS: 'you do not have enough credits',
  IMPORT_PAUSED: 'the import is paused',
  IMPORT_CAP_REACHED: 'the monthly limit of the import is reached',
} as const;

function balanceLines({ low_balance_alert, monthly_cap, scheduled_credits }: Overview, { balance }: Visitor): Piece[] {
  const lines: Piece[] = [];
  const low = balance < (low_balance_alert ?? fewCredits);
  if (low)
    lines.push(html`Your balance is low: ${count(balance)} credits. <a href="/dashboard/credits">Add credits</a>`);
  if (monthly_cap !== null && scheduled_credits >= monthly_cap)
    lines.push(
      html`Your monthly cap of ${count(monthly_cap)} credits is reached. Tracking and bulk analysis continue on the 1st (UTC). <a href="/dashboard/settings">Change the cap</a>`,
    );
  return lines;
}

function moreLines({ items_paused, items_changed }: Overview, failing: readonly FailingItem[]): Piece[] {
  const more = (failing[0]?.failing ?? 0) - failing.length;
  const line = (state: string, number: number, one: string, many: string): Piece[] =>
    number > 0
      ? [html`<a href="/dashboard/tracking?state=${state}">${count(number)} ${number === 1 ? one : many}</a>`]
      : [];
  return [
    ...line('failing', more, 'more item failed its last check', 'more items failed their last check'),
    ...line(
      'changed',
      items_changed,
      'tracked handle now belongs to another account',
      'tracked handles now belong to another account',
    ),
    ...line('paused', items_paused, 'tracked item is paused', 'tracked items are paused'),
  ];
}

function reportList(reports: readonly RecentReport[]): Piece {
  const lines = reports.map(
    ({ campaign_id, report_id, campaign, period_start, period_end }) =>
      html`<li><a href="/dashboard/campaigns/${campaign_id}/reports/${report_id}">${campaign}</a>, ${day(period_start)} to ${day(new Date(period_end.getTime() - dayMs))}</li>`,
  );
  return html`<ul>${lines}</ul>`;
}
