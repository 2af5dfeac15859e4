import type { Sql } from 'postgres';
import { type CampaignItem, frozenReport } from '../../db/campaigns/reports.ts';
import type { LinkContent } from '../../db/deliveries/data-links.ts';
import { listedItems } from '../../db/deliveries/sheet-targets.ts';
import type { Observed } from '../../db/observations/observed.ts';
import { metrics } from '../../db/schema/metrics.ts';
import type { Tier } from '../../db/tier.ts';
import { listLists } from '../../db/tracking/lists.ts';
import { listObservations } from '../../db/tracking/tracked-history.ts';
import { BatchError, batchResults } from '../batches/batches.ts';
import { currentReport } from '../report/load.ts';
import { historyStart } from '../report/period.ts';
import type { Report } from '../report/report.ts';
import type { OwnColumns } from '../rows/own-columns.ts';
import { withDates } from '../rows/times.ts';
import type { TableCell } from '../rows/xlsx.ts';
import { tiers } from '../tiers.ts';
import { metricName, shownQuality } from '../tracking/metrics.ts';
import { sectionOfReport } from './report-sections.ts';

/** The table that a data link (a secret URL) shows. `columns` are the field names in JSON. */
export interface LinkTable {
  columns: readonly string[];
  rows: readonly (readonly TableCell[])[];
  /** The columns of the file that the user uploaded, which are shown before the other columns. */
  own?: OwnColumns;
}

/**
 * Error for a data link whose list, report or bulk analysis was deleted. `message` is one sentence for the person who
 * opens the link.
 */
export class LinkContentDeleted extends Error {
  override readonly name = 'LinkContentDeleted';
}

interface TableContext {
  workspace_id: string;
  tier: Tier;
  now: Date;
}

/**
 * The kinds of data links that show only stored values and never fetch new ones. Opening such a link costs no credits.
 */
type StoredContent = Exclude<LinkContent, { kind: 'profiles' | 'posts' }>;

/**
 * Maximum number of rows that a data link shows. Only a history can be longer, and the link then shows its newest rows.
 */
const maxLinkRows = 10_000;

/**
 * Returns the table of a data link that shows a list of tracked items, their history, a bulk analysis or a campaign
 * report. Throws LinkContentDeleted when the data was deleted.
 */
export async function storedTable(sql: Sql, content: StoredContent, context: TableContext): Promise<LinkTable> {
  if (content.kind === 'batch') return batchTable(sql, content.batch_id, context);
  if (content.kind === 'report') return sectionOfReport(await readReport(sql, content, context), content.section);
  const { workspace_id, tier, now } = context;
  const { list_id } = content;
  if (list_id !== null && !(await listLists(sql, workspace_id)).some((list) => list.list_id === list_id)) {
    throw new LinkContentDeleted('The list that this link showed was deleted.');
  }
  const from = new Date(historyStart(now.getTime(), tiers[tier].history_days));
  return content.kind === 'list'
    ? newestValues(await listedItems(sql, workspace_id, list_id, from))
    : history(await listObservations(sql, workspace_id, list_id, { from, limit: maxLinkRows }));
}

const itemColumns = ['name', 'platform', 'kind', 'url'] as const;
const valueColumns = ['observed_at', ...metrics, 'quality', 'source', 'item_id'] as const;

function newestValues(items: Awaited<ReturnType<typeof listedItems>>): LinkTable {
  const rows = items.map((item) => {
    const { name, platform, kind, url, list_name, item_id } = item;
    const status = item.identity_changed ? 'other account' : item.status;
    const observed = item.observed_at === null ? null : (item as typeof item & Observed);
    return [name, platform, kind, url, list_name, status, ...(observed ? valuesOf(observed) : withoutValues(item_id))];
  });
  return { columns: [...itemColumns, 'list', 'status', ...valueColumns], rows };
}

function history(observations: Awaited<ReturnType<typeof listObservations>>): LinkTable {
  const rows = observations.map((row) => [row.name, row.platform, row.kind, row.url, ...valuesOf(row)]);
  return { columns: [...itemColumns, ...valueColumns], rows };
}

function valuesOf(observed: Observed & Pick<CampaignItem, 'platform' | 'kind'>): TableCell[] {
  const inexact = metrics.flatMap((metric) => {
    const quality = shownQuality(observed, observed, metric);
    return quality === null || quality === 'exact' ? [] : [`${metricName(metric)} ${quality.replaceAll('_', ' ')}`];
  });
  const quality = inexact.length === 0 ? 'exact' : inexact.join('; ');
  const { observed_at, source, item_id } = observed;
  return [observed_at, ...metrics.map((metric) => observed[metric]), quality, source, item_id];
}

function withoutValues(itemId: string): TableCell[] {
  return [null, ...metrics.map(() => null), null, null, itemId];
}

async function batchTable(sql: Sql, batchId: string, { workspace_id }: TableContext): Promise<LinkTable> {
  try {
    const { columns, rows, own } = await batchResults(sql, workspace_id, batchId);
    return { columns, rows: withDates(columns, rows), own };
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    throw new LinkContentDeleted('The bulk analysis that this link showed was deleted.');
  }
}

type ReportContent = Extract<LinkContent, { kind: 'report' }>;

/**
 * Returns the campaign report of the week that the data link selects. Without a selected week, returns the newest
 * finished report. If no report is finished yet, returns the report of the current week.
 */
async function readReport(
  sql: Sql,
  { campaign_id, week }: ReportContent,
  { workspace_id, tier, now }: TableContext,
): Promise<Report> {
  const period = week === undefined ? {} : { period_start: new Date(week) };
  const finished = await frozenReport(sql, workspace_id, campaign_id, period);
  if (finished !== null) return JSON.parse(finished) as Report;
  if (week !== undefined) throw new LinkContentDeleted('The report that this link showed was deleted.');
  const current = await currentReport(sql, { workspace_id, campaign_id, tier, now });
  if (current === null) throw new LinkContentDeleted('The campaign that this link showed was deleted.');
  return current;
}
