import { html } from 'hono/html';
import { dayOf } from '../../../db/calendar.ts';
import { countSlots, listCampaigns } from '../../../db/campaigns/campaigns.ts';
import { weekMs } from '../../../db/durations.ts';
import type { Tier } from '../../../db/tier.ts';
import { listItems, type TrackedItem } from '../../../db/tracking/items.ts';
import { listLists, type TrackingList } from '../../../db/tracking/lists.ts';
import { maxNameLength } from '../../../pipeline/campaigns/campaign-fields.ts';
import { createCampaign } from '../../../pipeline/campaigns/campaigns.ts';
import { weekStart } from '../../../pipeline/report/period.ts';
import { type TierLimits, tiers } from '../../../pipeline/tiers.ts';
import type { CampaignPageDeps } from '../deps.ts';
import { brandingSection } from '../reports/branding.ts';
import { reportSection } from '../reports/page.ts';
import { card, count, field, form, notice, type Piece, table } from '../ui/components.ts';
import { listWithForm } from '../ui/parts/blocks.ts';
import { may, whoCan } from '../ui/rules.ts';
import { type FormVisit, joinSections, type Page, redirect, type Section, text, type Visit } from '../ui/section.ts';
import { attempt, campaignFormsSection, ownerOf } from './forms.ts';
import { campaignItemsSection, chosenItems, itemChoice, itemsIn, removedItem } from './items.ts';
import { campaignTable } from './list.ts';
import { campaignPage, dateFields, reportNameField } from './page.ts';
import { type Failed, type ShowCampaign, typed } from './request.ts';
import { shareSection } from './share.ts';
import { campaignSheetsSection } from './sheets.ts';

const area = '/dashboard/campaigns';

/** Creates the campaign pages: list, status changes, items, reports, share links and spreadsheets. */
export function campaignsSection(deps: CampaignPageDeps): Section {
  const show: ShowCampaign = (visit, failed) => campaignPage(visit, deps, failed);
  const list: Section = {
    menu: { path: '/dashboard/campaigns', label: 'Campaigns' },
    pages: {
      '/dashboard/campaigns': (visit) => campaignsPage(visit, deps, null),
      '/dashboard/campaigns/:campaign_id': (visit) => campaignPage(visit, deps, null),
    },
    forms: { '/dashboard/campaigns': (visit) => create(visit, deps) },
    once: { '/dashboard/campaigns': '/dashboard/campaigns' },
    notices: {
      'campaign-made':
        'Campaign created. The first report appears here on Monday. To get it by email, add a recipient under Notifications.',
      'campaign-made-earlier':
        'Campaign created. Reports of the weeks since its first day are created within about an hour.',
      'campaign-made-later':
        'Campaign created. The first report appears here on the Monday after its first week. To get it by email, add a recipient under Notifications.',
    },
  };
  return joinSections([
    list,
    campaignFormsSection(deps, show),
    campaignItemsSection(deps, show),
    reportSection(deps),
    brandingSection(deps),
    shareSection(deps, show),
    campaignSheetsSection(deps, show),
  ]);
}

async function campaignsPage(visit: Visit, deps: CampaignPageDeps, failed: Failed | null): Promise<Page> {
  const { visitor, url } = visit;
  const { workspace_id, tier } = visitor;
  const { sql } = deps.db;
  const slots = tiers[tier].campaigns;
  const [used, campaigns, tracked, lists] = await Promise.all([
    countSlots(sql, workspace_id),
    listCampaigns(sql, workspace_id),
    listItems(sql, workspace_id),
    listLists(sql, workspace_id),
  ]);
  const here = new URL(`/dashboard/campaigns${url.search}`, url);
  const list =
    campaigns.length === 0
      ? html`<p>No campaigns yet. ${whoCan(visitor, area, 'Create one below.', 'create campaigns')}</p>`
      : campaignTable(campaigns, here);
  const mayAdd = slots > 0 && may(visitor, 'POST', area);
  const addForm = newForm(visit, deps, { tracked, lists }, failed);
  const add = {
    label: 'New campaign',
    form: mayAdd && used < slots ? addForm : null,
    entries: campaigns.length,
    is_open: failed !== null,
  };
  const content = html`${notice(failed?.problem ?? null, 'bad')}
${slots === 0 ? paidTiers() : null}
${listWithForm(slots > 0 || campaigns.length > 0 ? card('Your campaigns', list) : null, add)}${mayAdd && used >= slots ? card('New campaign', limitHint(slots)) : null}`;
  const facts =
    slots > 0
      ? html`<b>${count(used)} of ${count(slots)}</b> ${slots === 1 ? 'campaign' : 'campaigns'} in use (active and paused).`
      : null;
  const actions = html`<a class="button quiet" href="/dashboard/branding">Report branding</a>`;
  return { title: 'Campaigns', facts, actions, content, status: failed ? 400 : 200 };
}

function limitHint(slots: number): Piece {
  return html`<p>${slots === 1 ? 'Your tier allows 1 campaign, and it is' : `All ${slots} campaigns of your tier are`} in use. Archive a campaign first, or get a higher tier. <a href="/prices">Compare tiers</a></p>`;
}

/**
 * Returns an explanation of campaigns and the limits of each paid tier, for a workspace whose tier has no campaigns.
 */
function paidTiers(): Piece {
  const paid = (Object.keys(tiers) as Tier[]).filter((tier) => tiers[tier].campaigns > 0);
  const line = (name: string, of: (limits: TierLimits) => string) => [name, ...paid.map((tier) => of(tiers[tier]))];
  const columns = ['Limit', ...paid.map((tier) => ({ heading: tiers[tier].name, number: true }))];
  const rows = [
    line('Campaigns', ({ campaigns }) => count(campaigns)),
    line('Tracked items', ({ tracked_items }) => count(tracked_items)),
    line('History', ({ history_days }) => `${history_days} days`),
    line('Automatic daily checks', ({ daily_checks }) => (daily_checks ? 'yes' : 'no')),
    line('Custom report name', ({ report_name }) => (report_name ? 'yes' : 'no')),
  ];
  return card('Campaigns need the tier Pro or higher', [
    html`<p>A campaign groups tracked items and reports every week how their public numbers changed: as a page, PDF, CSV, share link or in your spreadsheet. Your tier, Air, has one manually checked item and no campaigns.</p>`,
    table('Limits of each tier', columns, rows),
    html`<p><a class="button" href="/prices">Compare tiers</a></p>`,
  ]);
}

function newForm(
  { visitor }: Visit,
  { now }: CampaignPageDeps,
  { tracked, lists }: { tracked: readonly TrackedItem[]; lists: readonly TrackingList[] },
  failed: Failed | null,
): Piece {
  const chosen = new Set(failed?.form ? chosenItems(failed.form) : []);
  return form(
    '/dashboard/campaigns',
    [
      field('Name', 'name', { required: true, maxlength: maxNameLength, value: typed(failed, 'name', '') }),
      dateFields(typed(failed, 'starts_on', dayOf(now().getTime())), typed(failed, 'ends_on', '')),
      reportNameField(visitor, typed(failed, 'report_name', '')),
      tracked.length === 0
        ? html`<p class="hint">You are not tracking anything yet. You can create the campaign now and add items later. <a href="/dashboard/tracking">Track an account</a></p>`
        : itemChoice(tracked, lists, chosen),
    ],
    'Create campaign',
  );
}

async function create(visit: FormVisit, deps: CampaignPageDeps): Promise<Page | Response> {
  const { form: sent } = visit;
  const input = {
    name: text(sent, 'name'),
    starts_on: text(sent, 'starts_on'),
    ends_on: text(sent, 'ends_on') || null,
    report_name: text(sent, 'report_name') || null,
    item_ids: await itemsIn(visit, deps),
  };
  let campaignId = '';
  const problem = await attempt(async () => {
    campaignId = await createCampaign(deps.db.sql, ownerOf(visit, deps), input);
  }, removedItem);
  if (problem !== null) return campaignsPage(visit, deps, { problem, form: sent });
  return redirect(`/dashboard/campaigns/${campaignId}`, createdNotice(input.starts_on, deps.now()));
}

/**
 * Returns the name of the message after a new campaign was created, which says when its first report arrives. A
 * campaign that began in an earlier week also gets reports of its finished weeks.
 */
function createdNotice(startsOn: string, now: Date): string {
  const thisWeek = weekStart(now.getTime());
  if (startsOn < dayOf(thisWeek)) return 'campaign-made-earlier';
  return startsOn < dayOf(thisWeek + weekMs) ? 'campaign-made' : 'campaign-made-later';
}
