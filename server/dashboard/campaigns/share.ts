import { html } from 'hono/html';
import {
  addShare,
  type ListedShare,
  listShares,
  maxLiveShares,
  revokeShare,
} from '../../../db/campaigns/report-shares.ts';
import type { ListedReport } from '../../../db/campaigns/reports.ts';
import { dayMs, weekMs } from '../../../db/durations.ts';
import { isOneLine } from '../../../pipeline/parse/text.ts';
import type { CampaignPageDeps } from '../deps.ts';
import { formatDays } from '../reports/figures.ts';
import { currentWeek } from '../reports/page.ts';
import { readShareKey } from '../reports/share-key.ts';
import {
  card,
  controlsColumn,
  count,
  field,
  form,
  type Piece,
  secret,
  select,
  success,
  table,
  tag,
  time,
  titleColumn,
} from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import {
  type FormVisit,
  idOf,
  type Page,
  PageNotFound,
  redirect,
  type Section,
  text,
  type Visit,
} from '../ui/section.ts';
import { validityOf } from '../ui/validity.ts';
import { type Failed, readCampaignId, type ShowCampaign, typed } from './request.ts';

/** Maximum number of characters in the label of a share link. */
const maxLabel = 80;
const lifetimes = ['7', '30', '90'] as const;
const path = '/dashboard/campaigns/:campaign_id/shares';

/**
 * Creates the forms for the share links of reports. A link can be copied again, expires on a date, and can be revoked.
 */
export function shareSection(deps: CampaignPageDeps, show: ShowCampaign): Section {
  const labelOf = async ({ params, visitor }: Visit) => {
    const shares = await listShares(
      deps.db.sql,
      visitor.workspace_id,
      readCampaignId(params),
      await readShareKey(deps),
    );
    return shares.find(({ share_id }) => share_id === params.share_id)?.label ?? null;
  };
  return {
    pages: {},
    forms: {
      [path]: (visit) => share(visit, deps, show),
      [`${path}/:share_id/revoke`]: (visit) => revoke(visit, deps),
    },
    audits: {
      [path]: { action: 'created a share link', subject: ({ form: fields }) => text(fields, 'label') },
      [`${path}/:share_id/revoke`]: { action: 'revoked a share link', subject: labelOf },
    },
    once: { [path]: '/dashboard/campaigns/:campaign_id' },
    notices: { 'share-revoked': 'Link revoked. It no longer works.' },
  };
}

/** Returns the card with the share links of a campaign and the form for a new one. */
export async function shareCard(
  { visitor }: Visit,
  deps: CampaignPageDeps,
  campaignId: string,
  reports: readonly ListedReport[],
  failed: Failed | null,
): Promise<Piece> {
  const shares = await listShares(deps.db.sql, visitor.workspace_id, campaignId, await readShareKey(deps));
  const list = shares.length === 0 ? null : shareTable(shares, campaignId, deps);
  const intro = html`<p>Anyone with the link can read its report without signing in, and sees nothing else of your workspace. A link to a finished week always shows that week. A link to the current week shows, at each opening, the week in which it is opened.</p>`;
  return card('Share links', [intro, list, newShareForm(campaignId, reports, failed)]);
}

function shareTable(
  shares: readonly ListedShare[],
  campaignId: string,
  { now, base_url }: Pick<CampaignPageDeps, 'now' | 'base_url'>,
): Piece {
  const rows = shares.map((one) => {
    const state = validityOf(one, now());
    const action = `/dashboard/campaigns/${campaignId}/shares/${one.share_id}/revoke`;
    return [
      html`${one.label === '' ? null : html`<b><bdi>${one.label}</bdi></b><br>`}${one.period_start ? weekOf(one.period_start) : 'Current week'}`,
      count(one.views),
      time(one.last_viewed_at),
      state === 'active' ? html`<div class="address">${copyField(one, base_url)}</div>` : null,
      time(one.expires_at),
      state === 'active' ? tag(state, 'good') : tag(state),
      state === 'active'
        ? html`<form method="post" action="${action}" data-confirm="Revoke this link? It stops working immediately."><button class="danger">Revoke link</button></form>`
        : null,
    ];
  });
  return table(
    'Share links of this campaign',
    [
      titleColumn('Report'),
      { heading: 'Opened', number: true },
      { heading: 'Last opened', time: true },
      { heading: 'Link', long: true },
      { heading: 'Expires', time: true },
      'Status',
      controlsColumn,
    ],
    rows,
    { as_cards: true },
  );
}

/**
 * Returns a field with the URL of a share link. When the server's secret key has changed since the link was created,
 * the URL cannot be shown, but still opens the report.
 */
function copyField({ share_id, token }: ListedShare, baseUrl: string): Piece {
  if (token === null)
    return html`<small>Works, but cannot be copied, because the server’s secret key changed after it was created.</small>`;
  const id = `share-${share_id}`;
  return html`<input id="${id}" class="mono" readonly aria-label="Link" value="${baseUrl}/shared/reports/${token}"><button type="button" class="quiet" data-copy="${id}">Copy link</button>`;
}

function weekOf(periodStart: Date): string {
  return formatDays(periodStart.getTime(), periodStart.getTime() + weekMs);
}

function newShareForm(campaignId: string, reports: readonly ListedReport[], failed: Failed | null): Piece {
  const choices: [string, string][] = [
    ...reports.map(({ report_id, period_start }): [string, string] => [report_id, `Week of ${weekOf(period_start)}`]),
    [currentWeek, 'Current, unfinished week at each opening (nearly empty on Mondays)'],
  ];
  const lives = lifetimes.map((days): [string, string] => [days, `${days} days`]);
  const fields = html`${field('Label', 'label', { value: typed(failed, 'label', ''), maxlength: maxLabel, hint: 'Optional, for example the client. Only your workspace sees it.' })}<div class="columns">${select('Report', 'report', choices, { value: typed(failed, 'report', reports[0]?.report_id ?? currentWeek) })}${select('Valid for', 'days', lives, { value: typed(failed, 'days', '30') })}</div>`;
  return form(`/dashboard/campaigns/${campaignId}/shares`, fields, 'Create link', 'quiet');
}

async function share(visit: FormVisit, deps: CampaignPageDeps, show: ShowCampaign): Promise<Page> {
  const { form: fields, params, visitor } = visit;
  const campaignId = readCampaignId(params);
  const refused = (problem: Problem) => show(visit, { problem, form: fields });
  const chosen = text(fields, 'report');
  const days = lifetimes.find((one) => one === text(fields, 'days'));
  if (!days) return refused(at('days', 'Choose how long the link is valid: 7, 30 or 90 days.'));
  const reportId = chosen === currentWeek ? null : idOf(chosen);
  const label = text(fields, 'label');
  if ([...label].length > maxLabel || !isOneLine(label)) {
    return refused(at('label', `A label has at most ${maxLabel} characters on one line.`));
  }
  const expiresAt = new Date(deps.now().getTime() + Number(days) * dayMs);
  const link = { campaign_id: campaignId, report_id: reportId, expires_at: expiresAt, label };
  const created = await addShare(deps.db.sql, visitor.workspace_id, link, await readShareKey(deps), deps.now());
  if (created.token !== null) {
    return {
      title: 'Your new link',
      content: newLinkContent(`${deps.base_url}/shared/reports/${created.token}`, campaignId),
    };
  }
  if (created.reason === 'unknown') throw new PageNotFound();
  return refused(`A campaign can have ${maxLiveShares} active links. Revoke one first.`);
}

function newLinkContent(link: string, campaignId: string) {
  return html`${success('Link created. You can copy it again on the page of the campaign.')}
${secret('Link', link)}
<p><a href="${link}">Open link</a> · <a href="/dashboard/campaigns/${campaignId}">Back to the campaign</a></p>`;
}

async function revoke({ params, visitor }: FormVisit, { db, now }: CampaignPageDeps): Promise<Response> {
  const campaignId = readCampaignId(params);
  const link = { campaign_id: campaignId, share_id: idOf(params.share_id), now: now() };
  if (!(await revokeShare(db.sql, visitor.workspace_id, link))) throw new PageNotFound();
  return redirect(`/dashboard/campaigns/${campaignId}`, 'share-revoked');
}
