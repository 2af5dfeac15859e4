import { html } from 'hono/html';
import {
  type FailingItem,
  failingItems,
  type RecentReport,
  readOverview,
  recentReports,
  type Standing,
  type WaitingBatch,
  waitingBatches,
} from '../../db/overview.ts';
import { day_ms } from '../../pipeline/report-period.ts';
import { tiers } from '../../pipeline/tiers.ts';
import type { Visitor } from './accounts.ts';
import type { SectionDeps } from './deps.ts';
import { type Page, PageNotFound, type Section, type Visit } from './section.ts';
import { itemName, kindName, outcomeWords } from './tracking-words.ts';
import { card, count, day, type Piece, time } from './ui.ts';

type OverviewDeps = Pick<SectionDeps, 'db' | 'now'>;

const listed = 5;
/** Below this a balance is worth a word where no alert is set. */
const few_credits = 20;

/** Where everything stands, and what to do first. */
export function overviewSection(deps: OverviewDeps): Section {
  return {
    menu: { path: '/dashboard', label: 'Overview' },
    pages: { '/dashboard': (visit) => overviewPage(visit, deps) },
    forms: {},
  };
}

async function overviewPage({ visitor }: Visit, { db, now }: OverviewDeps): Promise<Page> {
  const { workspace_id, workspace_name } = visitor;
  const [standing, failing, batches, reports] = await Promise.all([
    readOverview(db.sql, workspace_id, now()),
    failingItems(db.sql, workspace_id, listed),
    waitingBatches(db.sql, workspace_id, listed),
    recentReports(db.sql, workspace_id, listed),
  ]);
  if (!standing) throw new PageNotFound();
  const attention = attentionOf({ standing, failing, batches, visitor });
  const content = html`${figures(standing, visitor)}${firstSteps(standing)}
${card('Needs attention', attention.length > 0 ? html`<ul class="attention">${attention.map((one) => html`<li>${one}</li>`)}</ul>` : html`<p>Nothing: everything goes its way.</p>`)}
${card('Recent reports', reports.length > 0 ? reportList(reports) : html`<p>No weekly report yet. A <a href="/dashboard/campaigns">campaign</a> makes one every Monday of the items it counts.</p>`)}`;
  return { title: workspace_name, content };
}

function figures(standing: Standing, { balance, tier }: Visitor): Piece {
  const { requests, request_credits, scheduled_credits, monthly_cap, items, campaigns } = standing;
  const cap = monthly_cap === null ? 'no monthly cap' : `of a monthly cap of ${count(monthly_cap)}`;
  const shown: [string, string, string, string][] = [
    ['Balance', count(balance), 'credits', '/dashboard/credits'],
    [
      'Requests this month',
      count(requests),
      `${count(request_credits)} ${request_credits === 1 ? 'credit' : 'credits'}`,
      '/dashboard/usage',
    ],
    ['Scheduled work this month', count(scheduled_credits), `credits of tracking and bulk, ${cap}`, '/dashboard/usage'],
    ['Tracked items', count(items), `of ${count(tiers[tier].tracked_items)}`, '/dashboard/tracking'],
    ['Active campaigns', count(campaigns), `of ${count(tiers[tier].campaigns)}`, '/dashboard/campaigns'],
  ];
  return html`<dl class="figures">${shown.map(([name, value, words, path]) => html`<div><dt><a href="${path}">${name}</a></dt><dd>${value}</dd><dd class="hint">${words}</dd></div>`)}</dl>`;
}

/** For a new workspace, until all of it is done. */
function firstSteps({ keys, asked, items }: Standing): Piece {
  const steps: [boolean, Piece][] = [
    [keys > 0, html`<a href="/dashboard/keys">Make a key</a> for your sheet or your program.`],
    [asked, html`Try a request in the <a href="/dashboard/playground">playground</a>.`],
    [items > 0, html`<a href="/dashboard/tracking">Track an account</a>, and see it change from day to day.`],
  ];
  if (steps.every(([done]) => done)) return null;
  const lines = steps.map(
    ([done, words]) =>
      html`<li class="${done ? 'done' : 'open'}">${done ? html`<span class="hidden">Done: </span>` : null}${words}</li>`,
  );
  return card('First steps', html`<ol class="steps">${lines}</ol>`);
}

interface Facts {
  standing: Standing;
  failing: readonly FailingItem[];
  batches: readonly WaitingBatch[];
  visitor: Visitor;
}

function attentionOf({ standing, failing, batches, visitor }: Facts): Piece[] {
  return [
    ...balanceLines(standing, visitor),
    ...(visitor.paused
      ? [html`All scheduled work is paused. <a href="/dashboard/settings">Resume it in the settings</a>`]
      : []),
    ...batches.map(
      ({ batch_id, name, waiting_for }) =>
        html`<a href="/dashboard/batches/${batch_id}">Bulk analysis ${name ?? ''}</a> waits${waiting_for ? `: ${waitingWords[waiting_for]}` : null}.`,
    ),
    ...failing.map(
      (item) =>
        html`<a href="/dashboard/tracking/${item.item_id}">${kindName(item)} ${itemName(item)}</a>: ${outcomeWords(item.outcome)} (${time(item.attempted_at)} UTC).`,
    ),
    ...moreLines(standing, failing),
  ];
}

const waitingWords = {
  PAUSED: 'all scheduled work is paused',
  CAP_REACHED: 'the monthly cap is reached',
  INSUFFICIENT_CREDITS: 'there are not enough credits',
} as const;

function balanceLines({ low_balance_alert, monthly_cap, scheduled_credits }: Standing, { balance }: Visitor): Piece[] {
  const lines: Piece[] = [];
  const low = balance < (low_balance_alert ?? few_credits);
  if (low)
    lines.push(html`The balance is low: ${count(balance)} credits. <a href="/dashboard/credits">Add credits</a>`);
  if (monthly_cap !== null && scheduled_credits >= monthly_cap)
    lines.push(
      html`The monthly cap of ${count(monthly_cap)} credits is reached: tracking and bulk analysis wait for the 1st. <a href="/dashboard/settings">Change the cap</a>`,
    );
  return lines;
}

function moreLines({ items_paused, items_changed }: Standing, failing: readonly FailingItem[]): Piece[] {
  const more = (failing[0]?.failing ?? 0) - failing.length;
  const line = (state: string, number: number, words: string): Piece[] =>
    number > 0 ? [html`<a href="/dashboard/tracking?state=${state}">${words}</a>: ${count(number)}`] : [];
  return [
    ...line('failing', more, 'Further items whose last check gave nothing'),
    ...line('changed', items_changed, 'Addresses that belong to another account now'),
    ...line('paused', items_paused, 'Tracked items that are paused'),
  ];
}

function reportList(reports: readonly RecentReport[]): Piece {
  const lines = reports.map(
    ({ campaign_id, report_id, campaign, period_start, period_end }) =>
      html`<li><a href="/dashboard/campaigns/${campaign_id}/reports/${report_id}">${campaign}</a>, ${day(period_start)} to ${day(new Date(period_end.getTime() - day_ms))}</li>`,
  );
  return html`<ul>${lines}</ul>`;
}
