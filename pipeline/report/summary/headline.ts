import type { Metric } from '../../../db/schema/metrics.ts';
import { numberText, roundedText, signedText } from '../../quantity.ts';
import { metricName } from '../../tracking/metrics.ts';
import { accountsAndPosts } from '../accounts-and-posts.ts';
import type { Report } from '../report.ts';
import { type ReportSummary, summarize } from './summary.ts';

/**
 * Metric names that only one platform uses: on YouTube (`longvideo`), followers are subscribers and posts are videos.
 */
const platformMetricNames: Readonly<Record<string, Partial<Record<Metric, string>>>> = {
  longvideo: { followers: 'subscribers', posts: 'videos' },
};

/**
 * Returns the name of a metric for people, such as "Channel views". When all numbers are from one platform, uses the
 * term of that platform, such as "Subscribers" for YouTube.
 */
export function metricTitle(metric: Metric, platforms: readonly string[] = []): string {
  const [first, ...others] = new Set(platforms);
  const own = first !== undefined && others.length === 0 ? platformMetricNames[first]?.[metric] : undefined;
  const name = own ?? metricName(metric);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Returns the platforms that have a total of this metric in a report. */
export function platformsOf({ by_platform }: Pick<Report, 'by_platform'>, metric: Metric): string[] {
  return by_platform.filter(({ totals }) => totals[metric]).map(({ platform }) => platform);
}

/**
 * Returns one sentence with the most important change in a report, such as "Views grew by 1,234 (+5.2%) to 25,000 in
 * the week." The sentence says when some items are not counted, or when no change is known, and marks rounded numbers
 * with ≈.
 */
export function headlineOf(report: Report, summary: ReportSummary = summarize(report)): string {
  const { metric } = summary;
  const total = metric && report.totals[metric];
  if (!metric || !total || total.change === null || total.end === null) return unknownHeadline(report);
  const title = metricTitle(metric, platformsOf(report, metric));
  const when = report.final ? 'in the week' : 'so far this week';
  const all = total.items + total.items_missing;
  const counted =
    total.items_missing > 0
      ? `, counting ${numberText(total.items)} of the ${accountsAndPosts(all)} that have ${title.toLowerCase()}`
      : '';
  const mark = total.quality === 'rounded' ? '≈' : '';
  const end = `${mark}${numberText(total.end)}`;
  if (total.change === 0) return `${title} did not change ${when}: ${end}${counted}.`;
  const verb = total.change > 0 ? 'grew' : 'fell';
  const by = `${mark}${numberText(Math.abs(total.change))}${percentText(total.change_percent)}`;
  return `${title} ${verb} by ${by} to ${end} ${when}${counted}.`;
}

function percentText(percent: number | null): string {
  if (percent === null || Math.abs(percent) < 0.05) return '';
  return ` (${signedText(percent, roundedText)}%)`;
}

function unknownHeadline({ coverage }: Report): string {
  if (coverage.items === 0) return 'This campaign has no accounts or posts yet.';
  if (coverage.items_never_observed === coverage.items) return 'No account or post has a number in this week yet.';
  return 'There are no changes to show yet: a change needs two checks of the same account or post.';
}
