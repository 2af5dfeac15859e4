import { dayMs } from '../durations.ts';
import { fieldLabel } from '../formulas/field-labels.ts';
import type { Report } from '../formulas/report-tables.ts';
import { asObject } from '../platform/client.ts';
import type { Column } from './cells.ts';
import { itemName, itemNumber, itemRemarks } from './facts.ts';
import { kindName, platformName, statusLabel } from './labels.ts';
import { arrangeBlocks, type Block, endBlock, type SheetPlan } from './layout.ts';
import { numberOf, objects, timeOf } from './read-report.ts';

/**
 * Arranges the details sheet of a campaign report, with one row for each tracked item, and with columns only for the
 * metrics that at least one item has.
 */
export function arrangeDetails(report: Report): SheetPlan {
  const items = objects(report.items);
  const metrics = [...new Set(items.flatMap((item) => Object.keys(asObject(item.metrics) ?? {})))];
  const table: Block = {
    lines: [],
    columns: [...nameColumns, ...metrics.flatMap(metricColumns), ...factColumns],
    rows: items.map((item) => [
      ...[itemName(item), platformName(item.platform), kindName(item.kind)],
      ...metrics.flatMap((metric) => {
        const { end, change, change_percent } = itemNumber(item, metric);
        return [end, change, change_percent];
      }),
      ...[numberOf(objects(item.rates)[0]?.percent), itemRemarks(item, metrics)],
      ...[statusLabel(item.status), timeOf(item.first_observed_at), timeOf(item.last_observed_at)],
      ...[missingDays(item), String(item.item_id ?? ''), item.url],
    ]),
  };
  return arrangeBlocks([], [table, endBlock]);
}

const nameColumns: Column[] = [
  { heading: 'Name', kind: 'text' },
  { heading: 'Platform', kind: 'text' },
  { heading: 'Type', kind: 'text' },
];

const factColumns: Column[] = [
  { heading: 'Engagement rate', kind: 'share' },
  { heading: 'Remarks', kind: 'text' },
  { heading: 'Status', kind: 'text' },
  { heading: 'First check (UTC)', kind: 'time' },
  { heading: 'Last check (UTC)', kind: 'time' },
  { heading: 'Days missing (UTC)', kind: 'text' },
  { heading: 'Item ID', kind: 'text' },
  { heading: 'Link', kind: 'text' },
];

function metricColumns(metric: string): Column[] {
  const label = fieldLabel(metric);
  return [
    { heading: label, kind: 'count' },
    { heading: `${label} change`, kind: 'change' },
    { heading: `${label} change %`, kind: 'growth' },
  ];
}

function missingDays(item: Report): string {
  const periods = objects(item.gaps).flatMap(({ from, to }) => {
    const [first, end] = [timeOf(from), timeOf(to)];
    if (first === null || end === null) return [];
    return [[...new Set([dayOf(first), dayOf(end - dayMs)])].join(' to ')];
  });
  return periods.join(', ');
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
