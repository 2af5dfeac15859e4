import { html } from 'hono/html';
import type { Metric } from '../../db/checks.ts';
import type { Observed } from '../../db/reports.ts';
import { qualityOf } from '../../pipeline/report-metrics.ts';
import { metricName } from './tracking-words.ts';
import { count, day, type Piece } from './ui.ts';

/** What is to be said of a number beside it; '' for an exact one. */
export function qualityWords(observation: Observed, metric: Metric): string {
  const quality = qualityOf(observation, metric);
  if (observation[metric] !== null) return quality === 'rounded' ? 'rounded' : '';
  return quality === 'hidden' ? 'hidden by the account' : 'not given by the source';
}

/** A number with its metric and what is to be said of it. */
export function valueCell(observation: Observed | undefined, metric: Metric): Piece {
  if (!observation) return html`–<br><span class="hint">not observed</span>`;
  const words = [metricName(metric).toLowerCase(), qualityWords(observation, metric)].filter(Boolean).join(', ');
  return html`${count(observation[metric])}<br><span class="hint">${words}</span>`;
}

/** The difference of the two newest observations, and since when; "–" where either is not known. */
export function changeCell([newest, before]: readonly Observed[], metric: Metric): Piece {
  const change = differenceOf(before?.[metric] ?? null, newest?.[metric] ?? null);
  if (change === null || !before) return '–';
  return html`${signed(change)}<br><span class="hint">since <time>${day(before.observed_at)}</time></span>`;
}

export function differenceOf(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : after - before;
}

/** A change with its sign: +12, −3, 0. */
export function signed(change: number): string {
  if (change === 0) return '0';
  return `${change > 0 ? '+' : '−'}${count(Math.abs(change))}`;
}
