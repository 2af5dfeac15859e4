import { html } from 'hono/html';
import { type Metric, metrics } from '../../../db/schema/metrics.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import { platformsOf } from '../../../pipeline/report/summary/headline.ts';
import type { Totals } from '../../../pipeline/report/totals.ts';
import type { Piece } from '../ui/components.ts';
import { platformNames } from '../ui/platform-names.ts';

/** Texts that say what a total counts, for metrics whose name alone is not clear. */
const meanings: Partial<Record<Metric, string>> = {
  views: 'of the posts and videos, all time',
  posts: 'published by the accounts, all time',
  favorites: 'how often people saved the videos',
  total_views: 'all views of the YouTube channels, all time',
};

/**
 * Returns what a total of a report counts, such as "of the posts and videos, all time, TikTok only". Returns null when
 * the name of the metric already says what is counted.
 */
export function meaningOf(report: Report, metric: Metric): string | null {
  const [platform, ...others] = platformsOf(report, metric);
  const isOnly = platform !== undefined && others.length === 0 && report.by_platform.length > 1;
  const only = isOnly && metric !== 'total_views' ? `${platformNames[platform] ?? platform} only` : null;
  return [meanings[metric], only].filter(Boolean).join(', ') || null;
}

/** Returns a line below a table of totals that says what the totals count. */
export function meaningsOf(totals: Totals, title: (metric: Metric) => string): Piece {
  const known = metrics.flatMap((metric) =>
    totals[metric] && meanings[metric] ? [`${title(metric)}: ${meanings[metric]}.`] : [],
  );
  return known.length === 0 ? null : html`<p class="hint">${known.join(' ')}</p>`;
}
