import { html } from 'hono/html';
import type { ListedCampaign } from '../../../db/campaigns/campaigns.ts';
import { shownName } from '../reports/figures.ts';
import { currentWeek } from '../reports/page.ts';
import { count, type Piece, select } from '../ui/components.ts';
import { type DataColumn, dataTable } from '../ui/parts/data-table.ts';
import { pageOfRows, type SortKey, searchIn, sortRows } from '../ui/parts/sort-rows.ts';
import { campaignDays, campaignTag, currentWeekLabel } from './page.ts';

const pageSize = 50;
const states = [
  ['', 'All states'],
  ['active', 'Active'],
  ['paused', 'Paused'],
  ['ended', 'Ended'],
  ['archived', 'Archived'],
] as const;

const columns: DataColumn[] = [
  { heading: 'Name', sort: 'name', title: true },
  { heading: 'Status' },
  { heading: 'Dates', sort: 'start' },
  { heading: 'Items', number: true, sort: 'items' },
  { heading: 'Reports', long: true },
];

const sortKeys: Record<string, SortKey<ListedCampaign>> = {
  name: ({ name }) => name,
  start: ({ starts_on }) => starts_on,
  items: ({ items }) => items,
};

/**
 * Returns a table of the campaigns that match the search and the filter in the page's URL. The URL also contains the
 * sort order. By default, the newest campaign comes first.
 */
export function campaignTable(campaigns: readonly ListedCampaign[], url: URL): Piece {
  const state = states.find(([name]) => name === url.searchParams.get('state'))?.[0] ?? '';
  const searched = searchIn(url);
  const found = campaigns.filter(
    ({ name, report_name, status }) =>
      `${name}\n${report_name ?? ''}`.toLowerCase().includes(searched) && (state === '' || status === state),
  );
  const page = pageOfRows(sortRows(found, url.searchParams.get('sort') ?? '', sortKeys), url, pageSize);
  return dataTable({
    ...{ id: 'campaigns', caption: 'Campaigns of this workspace', columns, url: page.url },
    ...{ total: found.length, page_size: pageSize },
    rows: page.rows.map((campaign) => ({ id: campaign.campaign_id, label: campaign.name, cells: cellsOf(campaign) })),
    filters: select('Status', 'state', states, { value: state }),
    search: 'Search campaigns',
    facts: html`<p class="hint">Showing ${count(found.length)} of ${count(campaigns.length)} campaigns.</p>`,
    empty: html`<p>No campaigns match this filter. <a href="/dashboard/campaigns">Show all campaigns</a></p>`,
  });
}

function cellsOf(campaign: ListedCampaign): Piece[] {
  const path = `/dashboard/campaigns/${campaign.campaign_id}`;
  return [
    html`<a href="${path}">${shownName(campaign.name)}</a>`,
    campaignTag(campaign.status),
    campaignDays(campaign),
    count(campaign.items),
    html`<a href="${path}/reports/${currentWeek}">${currentWeekLabel(campaign)}</a>${campaign.newest_report_id ? html` · <a href="${path}/reports/${campaign.newest_report_id}">Last full week</a>` : null}`,
  ];
}
