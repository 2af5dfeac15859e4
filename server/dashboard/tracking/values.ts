import { html } from 'hono/html';
import type { Metric } from '../../../db/schema/metrics.ts';
import { metricTitle } from '../../../pipeline/report/summary/headline.ts';
import { isGrowthRounded } from '../../../pipeline/tracking/growth.ts';
import { qualityOf } from '../../../pipeline/tracking/metrics.ts';
import type { Piece } from '../ui/components.ts';
import { cellNumber, change } from '../ui/parts/numbers.ts';
import { mainMetric } from './labels.ts';
import type { ItemRow, Newest } from './rows.ts';

/** Returns the hint beside the value of a metric, such as "rounded by the platform". Returns '' for an exact number. */
export function qualityText(value: number | null, observation: { quality: number }, metric: Metric): string {
  const quality = qualityOf(observation, metric);
  if (value !== null) return quality === 'rounded' ? 'rounded by the platform' : '';
  return quality === 'hidden' ? 'hidden by the account' : 'not shown by the platform';
}

/**
 * Returns a table cell with the newest number of a tracked item, the name of its metric, and a hint such as "rounded by
 * the platform".
 */
export function valueCell(newest: Newest | undefined, metric: Metric, platform: string): Piece {
  if (!newest) return html`<div>–<br><span class="hint">no data yet</span></div>`;
  const { value } = newest;
  const hint = [metricTitle(metric, [platform]).toLowerCase(), qualityText(value, newest, metric)]
    .filter(Boolean)
    .join(', ');
  return html`<div>${cellNumber(value, qualityOf(newest, metric) === 'rounded')}<br><span class="hint">${hint}</span></div>`;
}

/**
 * Returns the change of a tracked item in the last 7 or 30 days, with ≈ when the platform rounded a number behind the
 * change.
 */
export function changeCell({ item, series, week, month }: ItemRow, days: 7 | 30, now: Date): Piece {
  const rounded = isGrowthRounded(series, { metric: mainMetric(item), days, now });
  return change(days === 7 ? week : month, { rounded });
}

export function differenceOf(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : after - before;
}
