import { html } from 'hono/html';
import { addShare, type ListedShare, listShares, max_live_shares, revokeShare } from '../../db/report-shares.ts';
import type { ListedReport } from '../../db/reports.ts';
import { day_ms } from '../../pipeline/report-period.ts';
import { campaignId, rowId, type ShowCampaign } from './campaign-visit.ts';
import type { CampaignDeps } from './deps.ts';
import { daysInWords } from './report-figures.ts';
import { running } from './report-page.ts';
import { type FormVisit, type Page, PageNotFound, redirect, type Section, text, type Visit } from './section.ts';
import { card, form, notice, type Piece, secret, select, table, tag, time } from './ui.ts';

const lifetimes = ['7', '30', '90'] as const;
const path = '/dashboard/campaigns/:campaign_id/shares';

/** Links by which somebody without an account reads a report: made and shown once, expiring, revoked. */
export function shareSection(deps: CampaignDeps, show: ShowCampaign): Section {
  return {
    pages: {},
    forms: {
      [path]: (visit) => share(visit, deps, show),
      [`${path}/:share_id/revoke`]: (visit) => revoke(visit, deps),
    },
    notices: { 'share-revoked': 'The link is revoked: whoever opens it now finds nothing.' },
  };
}

/** The links of a campaign and the form for a new one; `reports` are those to choose from. */
export async function shareCard(
  { visitor }: Visit,
  { db, now }: CampaignDeps,
  campaign_id: string,
  reports: readonly ListedReport[],
): Promise<Piece> {
  const shares = await listShares(db.sql, visitor.workspace_id, campaign_id);
  const list = shares.length === 0 ? null : shareTable(shares, campaign_id, now());
  const intro = html`<p>A link shows one report to anybody who has it, without signing in and without anything else of this workspace.</p>`;
  return card('Share links', [intro, list, newShareForm(campaign_id, reports)]);
}

function shareTable(shares: readonly ListedShare[], campaign_id: string, now: Date): Piece {
  const rows = shares.map((one) => {
    const state = stateOf(one, now);
    const action = `/dashboard/campaigns/${campaign_id}/shares/${one.share_id}/revoke`;
    return [
      one.period_start ? weekOf(one.period_start) : 'Running period',
      time(one.created_at),
      time(one.expires_at),
      state === 'open' ? tag(state, 'good') : tag(state),
      state === 'open'
        ? html`<form method="post" action="${action}" data-confirm="Revoke this link? It stops working at once."><button class="danger">Revoke</button></form>`
        : null,
    ];
  });
  return table(
    'Links to reports of this campaign; times in UTC',
    ['Report', 'Made', 'Expires', 'State', 'Action'],
    rows,
  );
}

function stateOf({ revoked_at, expires_at }: ListedShare, now: Date): 'open' | 'revoked' | 'expired' {
  if (revoked_at) return 'revoked';
  return expires_at <= now ? 'expired' : 'open';
}

function weekOf(period_start: Date): string {
  return daysInWords(period_start.getTime(), period_start.getTime() + 7 * day_ms);
}

function newShareForm(campaign_id: string, reports: readonly ListedReport[]): Piece {
  const choices: [string, string][] = [
    [running, 'Running period, as it is when the link is opened'],
    ...reports.map(({ report_id, period_start }): [string, string] => [report_id, `Week of ${weekOf(period_start)}`]),
  ];
  const lives = lifetimes.map((days): [string, string] => [days, `${days} days`]);
  const fields = html`<div class="columns">${select('Report', 'report', choices, { value: reports[0]?.report_id ?? running })}${select('The link works for', 'days', lives, { value: '30' })}</div>`;
  return form(`/dashboard/campaigns/${campaign_id}/shares`, fields, 'Make a link', 'quiet');
}

async function share(visit: FormVisit, deps: CampaignDeps, show: ShowCampaign): Promise<Page> {
  const { form: sent, params, visitor } = visit;
  const campaign_id = campaignId(params);
  const chosen = text(sent, 'report');
  const days = lifetimes.find((one) => one === text(sent, 'days'));
  if (!days) return show(visit, { problem: 'Choose how long the link works: 7, 30 or 90 days.' });
  const report_id = chosen === running ? null : rowId(chosen);
  const expires_at = new Date(deps.now().getTime() + Number(days) * day_ms);
  const wish = { campaign_id, report_id, expires_at };
  const made = await addShare(deps.db.sql, visitor.workspace_id, wish, deps.now());
  if (made.token !== null) {
    return { title: 'Your new link', content: shownOnce(`${deps.base_url}/shared/reports/${made.token}`, campaign_id) };
  }
  if (made.reason === 'unknown') throw new PageNotFound();
  const problem = `A campaign has at most ${max_live_shares} links that work: revoke one first.`;
  return show(visit, { problem });
}

function shownOnce(link: string, campaign_id: string) {
  return html`${notice('Copy it now: it is shown only this once.', 'good')}
${secret('Link', link)}
<p><a href="${link}">Open it</a> · <a href="/dashboard/campaigns/${campaign_id}">Back to the campaign</a></p>`;
}

async function revoke({ params, visitor }: FormVisit, { db, now }: CampaignDeps): Promise<Response> {
  const campaign_id = campaignId(params);
  const wish = { campaign_id, share_id: rowId(params.share_id), now: now() };
  if (!(await revokeShare(db.sql, visitor.workspace_id, wish))) throw new PageNotFound();
  return redirect(`/dashboard/campaigns/${campaign_id}`, 'share-revoked');
}
