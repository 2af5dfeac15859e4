import { metrics } from '../../db/schema/metrics.ts';
import type { ItemReport } from '../report/items.ts';
import type { Report } from '../report/report.ts';
import type { TableCell } from '../rows/xlsx.ts';
import { metricName } from '../tracking/metrics.ts';

type Section = 'totals' | 'items' | 'series';

interface SectionTable {
  columns: readonly string[];
  rows: readonly (readonly TableCell[])[];
}

const periodColumns = ['campaign', 'period_start', 'period_end', 'final', 'generated_at'] as const;
const changeColumns = ['start', 'end', 'change', 'change_percent'] as const;

/**
 * Returns one section of a campaign report (totals, items or series) as a table. Every row also contains the campaign,
 * the period and the time at which the report was created.
 */
export function sectionOfReport(report: Report, section: Section): SectionTable {
  const { columns, rows } = sections[section](report);
  const { campaign, period_start, period_end, final, generated_at } = report;
  const period = [campaign.name, new Date(period_start), new Date(period_end), final, new Date(generated_at)];
  return { columns: [...columns, ...periodColumns], rows: rows.map((row) => [...row, ...period]) };
}

const sections: Record<Section, (report: Report) => SectionTable> = {
  totals: ({ totals }) => ({
    columns: ['metric', ...changeColumns, 'quality', 'items', 'items_missing'],
    rows: metrics.flatMap((metric) => {
      const total = totals[metric];
      if (!total) return [];
      const { start, end, change, change_percent, quality, items, items_missing } = total;
      return [[metricName(metric), start, end, change, change_percent, quality, items, items_missing]];
    }),
  }),
  items: ({ items }) => ({
    columns: [
      ...['name', 'platform', 'kind', 'url', 'status', 'first_observed_at', 'last_observed_at'],
      ...metrics.flatMap((metric) => [metric, `${metric}_change`, `${metric}_change_percent`, `${metric}_quality`]),
      ...['engagement_rate_percent', 'item_id'],
    ],
    rows: items.map(itemRow),
  }),
  series: ({ series }) => ({
    columns: ['platform', 'metric', 'step', 'day', 'value', 'quality', 'items', 'items_missing'],
    rows: series.flatMap(({ platform, metric, step, points }) =>
      points.map(({ at, value, quality, items, items_missing }) => {
        return [platform, metricName(metric), step, new Date(at), value, quality, items, items_missing];
      }),
    ),
  }),
};

function itemRow(item: ItemReport): TableCell[] {
  const { name, platform, kind, url, status, first_observed_at, last_observed_at, item_id, rates } = item;
  const values = metrics.flatMap((metric): TableCell[] => {
    const value = item.metrics[metric];
    return value ? [value.end, value.change, value.change_percent, value.quality] : [null, null, null, null];
  });
  const observed = [dateOf(first_observed_at), dateOf(last_observed_at)];
  return [name, platform, kind, url, status, ...observed, ...values, rates[0]?.percent ?? null, item_id];
}

const dateOf = (at: number | null) => (at === null ? null : new Date(at));
