import type { CampaignStatus } from '../../db/campaigns/campaigns.ts';
import { weekMs } from '../../db/durations.ts';
import type { Observed } from '../../db/observations/observed.ts';
import type { Coverage, ReportInput } from './input.ts';
import {
  compareItems,
  type ItemReport,
  type MeasuredItem,
  measureItem,
  startsLate,
  withoutDoubleLikes,
} from './items.ts';
import { method, notesOf } from './notes.ts';
import { historyStart, startOf, type Window, windowOf } from './period.ts';
import { type Series, seriesOf } from './series.ts';
import { type PlatformReport, platformReports, type Totals, totalsOf } from './totals.ts';
import { isInside } from './values.ts';

/**
 * The weekly report of a campaign. The API, CSV files, web pages and spreadsheets all show this data. Times are Unix
 * ms, and an unknown value is null. See docs/reports.md.
 */
export interface Report {
  /** The ID of the stored final report. Null for a report that is not final, because its week is not over. */
  report_id: string | null;
  final: boolean;
  campaign: { id: string; name: string; status: CampaignStatus };
  report_name: string | null;
  period_start: number;
  /** End of the report's period in Unix ms, exclusive. */
  period_end: number;
  generated_at: number;
  history_days: number;
  /** True when at least one number covers less than the whole week. `notes` says why. */
  partial_period: boolean;
  coverage: Coverage;
  totals: Totals;
  by_platform: PlatformReport[];
  items: ItemReport[];
  series: Series[];
  notes: string[];
  method: string;
}

/**
 * Builds a weekly campaign report from the observed numbers. The result does not depend on the order of items,
 * observations and checks.
 */
export function buildReport(input: ReportInput): Report {
  const { campaign, period_start, generated_at, history_days } = input;
  const { starts_on, ends_on } = campaign;
  const window = windowOf({ period_start, generated_at, history_days, starts_on, ends_on });
  const historyFrom = Math.max(historyStart(generated_at, history_days), startOf(starts_on));
  const items = measuredItems(input, window);
  const coverage = coverageOf(items);
  const totals = totalsOf(items);
  const cut = window.from > period_start || window.to < period_start + weekMs;
  return {
    report_id: input.report_id,
    final: input.final,
    campaign: { id: campaign.campaign_id, name: campaign.name, status: campaign.status },
    report_name: campaign.report_name,
    period_start,
    period_end: period_start + weekMs,
    generated_at,
    history_days,
    partial_period: cut || items.some((item) => startsLate(item, window)),
    coverage,
    totals,
    by_platform: platformReports(items),
    items: items.map(({ report }) => report),
    series: seriesOf(items, window, { from: Math.min(historyFrom, window.from), to: window.to }),
    notes: notesOf({ input, window, items, coverage, totals }),
    method,
  };
}

function measuredItems(input: ReportInput, window: Window): MeasuredItem[] {
  const { items, observations, missed, generated_at, history_days } = input;
  const visible: Window = { from: historyStart(generated_at, history_days), to: window.to };
  const byItem = new Map(items.map(({ item_id }): [string, Observed[]] => [item_id, []]));
  for (const row of observations) if (isInside(row, visible)) byItem.get(row.item_id)?.push(row);
  const missedByItem = Map.groupBy(missed, ({ item_id }) => item_id);
  const measured = items.map((item) => {
    const own = byItem.get(item.item_id) ?? [];
    own.sort((a, b) => a.observed_at.getTime() - b.observed_at.getTime());
    const ownMissed = (missedByItem.get(item.item_id) ?? []).toSorted(
      (a, b) => a.attempted_at.getTime() - b.attempted_at.getTime(),
    );
    return measureItem({ item, observations: own, missed: ownMissed }, window, generated_at);
  });
  return withoutDoubleLikes(measured.toSorted(compareItems));
}

function coverageOf(items: readonly MeasuredItem[]): Coverage {
  const sum = (of: 'expected' | 'observed') => items.reduce((total, { presence }) => total + presence[of], 0);
  return {
    expected_observations: sum('expected'),
    observations: sum('observed'),
    items: items.length,
    items_never_observed: items.filter(({ presence }) => presence.observed === 0).length,
  };
}
