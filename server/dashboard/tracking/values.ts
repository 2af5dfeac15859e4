import { html } from 'hono/html';
import type { Observed } from '../../../db/campaigns/reports.ts';
import type { Metric } from '../../../db/schema/metrics.ts';
import { qualityOf } from '../../../pipeline/tracking/metrics.ts';
import { metricName } from '../reports/figures.ts';
import { count, type Piece } from '../ui/components.ts';

/** Returns the hint beside a number, such as "rounded". Returns '' for an exact number. */
export function qualityText(observation: Observed, metric: Metric): string {
  const quality = qualityOf(observation, metric);
  if (observation[metric] !== null) return quality === 'rounded' ? 'rounded' : '';
  return quality === 'hidden' ? 'hidden by the account' : 'not shown by the platform';
}

/** Returns a number with the name of its metric and its quality hint. */
export function valueCell(observation: Observed | undefined, metric: Metric): Piece {
  if (!observation) return html`<div>–<br><span class="hint">no data yet</span></div>`;
  const hint = [metricName(metric).toLowerCase(), qualityText(observation, metric)].filter(Boolean).join(', ');
  return html`<div>${count(observation[metric])}<br><span class="hint">${hint}</span></div>`;
}

export function differenceOf(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : after - before;
}
