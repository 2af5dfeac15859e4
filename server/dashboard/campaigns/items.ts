import { html, raw } from 'hono/html';
import type { CampaignItem } from '../../../db/campaigns/reports.ts';
import type { TrackedItem } from '../../../db/tracking/items.ts';
import { attachToCampaign, detachFromCampaign } from '../../../pipeline/campaigns/campaigns.ts';
import type { CampaignDeps } from '../deps.ts';
import { itemLink, shownName } from '../reports/figures.ts';
import { card, type Piece, table, tag } from '../ui/components.ts';
import { kindName } from '../ui/platform-names.ts';
import { type FormVisit, type Page, redirect, type Section } from '../ui/section.ts';
import { attempt } from './forms.ts';
import { readCampaignId, type ShowCampaign } from './request.ts';

const path = '/dashboard/campaigns/:campaign_id';

/** Creates the forms that add tracked items to a campaign and remove them. */
export function campaignItemsSection(deps: CampaignDeps, show: ShowCampaign): Section {
  return {
    pages: {},
    forms: {
      [`${path}/attach`]: (visit) => attach(visit, deps, show),
      [`${path}/detach`]: (visit) => detach(visit, deps, show),
    },
    notices: {
      'items-attached': 'Items added. Reports of the current and later weeks include them.',
      'items-detached': 'Items removed from the campaign. They are still tracked, and finished reports keep them.',
    },
  };
}

/** Returns the card with the items of a campaign and the items that can be added. */
export function itemsCard(campaignId: string, items: readonly CampaignItem[], tracked: readonly TrackedItem[]): Piece {
  const attached = new Set(items.map(({ item_id }) => item_id));
  const others = tracked.filter(({ item_id }) => !attached.has(item_id));
  return card('Items', [
    items.length === 0
      ? html`<p>This campaign has no items yet, so its reports are empty. Add items below.</p>`
      : attachedForm(campaignId, items),
    others.length === 0
      ? html`<p class="hint">${tracked.length === 0 ? 'You are not tracking anything yet.' : 'All tracked items are in this campaign.'} <a href="/dashboard/tracking">Track more accounts</a></p>`
      : html`<details><summary>Add items</summary><form method="post" action="/dashboard/campaigns/${campaignId}/attach">${itemChoice(others, new Set())}<button class="quiet">Add selected items</button></form></details>`,
  ]);
}

function attachedForm(campaignId: string, items: readonly CampaignItem[]): Piece {
  const rows = items.map((item) => [
    html`<label class="check"><input type="checkbox" name="items" value="${item.item_id}"><span class="hidden">Select</span>${shownName(item.name || item.url)}</label>`,
    kindName(item),
    item.identity_changed
      ? tag('other account', 'warn')
      : tag(item.status, item.status === 'active' ? 'good' : 'plain'),
    itemLink({ name: 'Open', url: item.url }),
  ]);
  return html`<form method="post" action="/dashboard/campaigns/${campaignId}/detach" class="items">${table('Items of this campaign', ['Item', 'Type', 'Status', 'Link'], rows)}<button class="quiet">Remove selected items</button></form>`;
}

/** Returns a checkbox for each tracked item. */
export function itemChoice(items: readonly TrackedItem[], chosen: ReadonlySet<string>): Piece {
  return html`<fieldset class="choice"><legend>Items</legend>${items.map(
    ({ item_id, name, url, platform, kind }) =>
      html`<label class="check"><input type="checkbox" name="items" value="${item_id}"${raw(chosen.has(item_id) ? ' checked' : '')}><span>${shownName(name || url)} <small class="hint">${kindName({ platform, kind })}</small></span></label>`,
  )}</fieldset>`;
}

export function chosenItems(form: FormData): string[] {
  return form.getAll('items').filter((id) => typeof id === 'string');
}

async function attach(visit: FormVisit, { db }: CampaignDeps, show: ShowCampaign): Promise<Page | Response> {
  const campaignId = readCampaignId(visit.params);
  const ids = chosenItems(visit.form);
  if (ids.length === 0) return show(visit, { problem: 'Select the items to add.' });
  const problem = await attempt(() => attachToCampaign(db.sql, visit.visitor.workspace_id, campaignId, ids));
  return problem === null ? redirect(`/dashboard/campaigns/${campaignId}`, 'items-attached') : show(visit, { problem });
}

async function detach(visit: FormVisit, { db }: CampaignDeps, show: ShowCampaign): Promise<Page | Response> {
  const campaignId = readCampaignId(visit.params);
  const ids = chosenItems(visit.form);
  if (ids.length === 0) return show(visit, { problem: 'Select the items to remove.' });
  const problem = await attempt(() => detachFromCampaign(db.sql, visit.visitor.workspace_id, campaignId, ids));
  return problem === null ? redirect(`/dashboard/campaigns/${campaignId}`, 'items-detached') : show(visit, { problem });
}
