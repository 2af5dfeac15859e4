import { html } from 'hono/html';
import {
  failedImports,
  failingItems,
  type Overview,
  type RecentReport,
  readOverview,
  recentReports,
  waitingBatches,
} from '../../../db/workspace-data/overview.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { icon } from '../../design/icons.ts';
import type { SectionDeps } from '../deps.ts';
import { readItemRows } from '../tracking/rows.ts';
import { card, count, type Piece, period } from '../ui/components.ts';
import { rowList, type Tile, tiles } from '../ui/parts/blocks.ts';
import { cellNumber, compact } from '../ui/parts/numbers.ts';
import { may, whoCan } from '../ui/rules.ts';
import { sampleButton } from '../ui/sample-banner.ts';
import { type Page, PageNotFound, type Section, type Visit } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { attentionOf } from './attention.ts';
import { audienceCard, audienceTiles, moversCard } from './audience.ts';
import { checksLine } from './checks.ts';
import { firstProfileForm, firstProfilePath, showFirstProfile } from './first-profile.ts';
import { firstSteps } from './first-steps.ts';
import { creditForecast } from './forecast.ts';

type OverviewDeps = Pick<SectionDeps, 'db' | 'now' | 'base_url' | 'callAs' | 'media'>;

const listed = 5;

/**
 * Creates the overview page: followers, accounts that changed most, problems, checks, newest reports, usage and first
 * steps.
 */
export function overviewSection(deps: OverviewDeps): Section {
  return {
    menu: { path: '/dashboard', label: 'Overview' },
    pages: { '/dashboard': (visit) => overviewPage(visit, deps) },
    forms: { [firstProfilePath]: (visit) => showFirstProfile(visit, deps) },
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
    readItemRows(visitor, { db, now }),
  ]);
  if (!overview) throw new PageNotFound();
  const moment = now();
  const isNew = overview.items === 0 && !overview.has_requests;
  const attention = attentionOf({ overview, failing, imports, batches, visitor, now: moment });
  const audience = audienceTiles(rows, moment);
  const balance = balanceTile(overview, visitor, moment);
  const usage = usageTiles(overview, visitor);
  const beginning = may(visitor, 'POST', firstProfilePath)
    ? html`${isNew ? firstProfileForm(moment) : null}${firstSteps(overview, visitor.tier)}`
    : nothingTracked(overview);
  const content = html`${beginning}${audience.length > 0 ? tiles([...audience, balance]) : null}
${audienceCard(rows, moment)}
${moversCard(rows, moment)}
<div class="columns"><div>${card('Needs attention', attention.length > 0 ? rowList(attention) : html`<p class="calm">${icon('circle-check')}All good. Nothing needs your attention.</p>`)}
${rows.length > 0 ? card('Checks', checksLine(rows, visitor.tier, moment)) : null}</div>
${card('Newest reports', reports.length > 0 ? reportList(reports) : noReports(visitor))}</div>
${tiles(audience.length > 0 ? usage : [balance, ...usage])}`;
  return { title: 'Overview', facts: workspace_name, content };
}

/** Returns the first card of the overview for users who may not track items. Returns null when something is tracked. */
function nothingTracked({ items }: Overview): Piece {
  if (items > 0) return null;
  return html`<section class="card start"><h2>Nothing is tracked in this workspace yet</h2><p>Owners and editors can track accounts and posts. Their numbers appear here after the first check.</p>${sampleButton()}</section>`;
}

function noReports(visitor: Visitor): Piece {
  const create = html`Create a <a href="/dashboard/campaigns">campaign</a> to get one every Monday.`;
  return html`<p>No weekly reports yet. ${whoCan(visitor, '/dashboard/campaigns', create, 'create a campaign, which gets one every Monday')}</p>`;
}

function balanceTile(overview: Overview, { balance }: Visitor, now: Date): Tile {
  const forecast = creditForecast(overview, balance, now) ?? 'credits, which never expire';
  return { label: 'Balance', value: cellNumber(balance), hint: forecast, path: '/dashboard/credits' };
}

function usageTiles(overview: Overview, { tier }: Visitor): Tile[] {
  const { requests, request_credits, scheduled_credits, monthly_cap, items, campaigns } = overview;
  const cap = monthly_cap === null ? 'no monthly cap' : `at most ${count(monthly_cap)} (your monthly cap)`;
  return [
    {
      label: 'Requests this month',
      value: compact(requests),
      hint: quantity(request_credits, 'credit'),
      path: '/dashboard/usage',
    },
    {
      label: 'Checks, analyses, imports',
      value: html`${compact(scheduled_credits)} <small>credits</small>`,
      hint: `this month, ${cap}`,
      path: '/dashboard/usage',
    },
    {
      label: 'Tracked items',
      value: count(items),
      hint: `of ${count(tiers[tier].tracked_items)}`,
      path: '/dashboard/tracking',
    },
    {
      label: 'Active campaigns',
      value: count(campaigns),
      hint: `of ${count(tiers[tier].campaigns)}`,
      path: '/dashboard/campaigns',
    },
  ];
}

function reportList(reports: readonly RecentReport[]): Piece {
  const lines = reports.map(({ campaign_id, report_id, campaign, period_start, period_end }) => ({
    icon: 'file-text' as const,
    text: html`<a href="/dashboard/campaigns/${campaign_id}/reports/${report_id}"><bdi>${campaign}</bdi></a>`,
    end: period(period_start, period_end),
  }));
  return rowList(lines);
}
