import type { ReportBrand } from '../../../db/campaigns/report-brands.ts';
import { dayMs } from '../../../db/durations.ts';
import type { Metric } from '../../../db/schema/metrics.ts';
import { lazy } from '../../lazy.ts';
import type { Message, MessageTable } from '../../notify/message.ts';
import { numberText, signedText } from '../../quantity.ts';
import type { ItemReport } from '../items.ts';
import type { Report } from '../report.ts';
import { bestPostsTitle } from './best-posts.ts';
import { headlineOf, metricTitle, platformsOf } from './headline.ts';
import { type ReportMover, type ReportSummary, summarize } from './summary.ts';

/** Maximum characters of a campaign, account or post name in a message. */
const maxName = 80;
const maxNotes = 5;
const days = lazy(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
);

/**
 * Returns a weekly report as an email or Slack message with the same numbers as its web page: headline, totals, items
 * that rose or fell most, best posts and notes. Its button opens the page, which needs no sign-in.
 */
export function reportMessage(report: Report, { color, footer }: Pick<ReportBrand, 'color' | 'footer'>): Message {
  const { period_start, period_end, notes, coverage, campaign, report_id } = report;
  const summary = summarize(report);
  // Removes the thin spaces around the dash of the date range, because some mail programs show them as boxes.
  const period = days()
    .formatRange(period_start, period_end - dayMs)
    .replaceAll('\u2009', '');
  const checks = `Based on ${numberText(coverage.observations)} of ${numberText(coverage.expected_observations)} daily checks.`;
  return {
    subject: `${shorten(report.report_name ?? campaign.name)}: weekly report, ${period}`,
    lines: [headlineOf(report, summary)],
    tables: tablesOf(report, summary),
    notes: [checks, ...notes.slice(0, maxNotes), ...(footer ? [footer] : [])],
    action: { label: 'Open report', path: `/reports/${campaign.id}/${report_id}`, open_to_recipient: true },
    ...(color ? { color } : {}),
  };
}

function tablesOf(report: Report, { metric, tiles, up, down, best }: ReportSummary): MessageTable[] {
  const title = (one: Metric) => metricTitle(one, platformsOf(report, one));
  const withBefore = tiles.some(({ previous_change }) => previous_change !== null);
  const totals = tiles.map(({ metric, total, previous_change: previous, previous_rounded }) => [
    title(metric),
    known(total),
    signed(total.change, isRounded(total)),
    ...(withBefore ? [signed(previous, previous_rounded)] : []),
  ]);
  const label = metric ? title(metric) : '';
  const movers = (heading: string, list: readonly ReportMover[]) => ({
    columns: [heading, label],
    rows: list.map(({ item, change }) => [
      nameOf(item),
      signed(change, metric !== null && isRounded(item.metrics[metric])),
    ]),
  });
  const posts = best.map((item) => [nameOf(item), newNumber(item, 'views'), newNumber(item, 'likes')]);
  const tables = [
    { columns: ['Totals', 'Now', 'Change', ...(withBefore ? ['Previous week'] : [])], rows: totals },
    movers('Biggest gains', up),
    movers('Biggest losses', down),
    { columns: [bestPostsTitle, 'New views', 'New likes'], rows: posts },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

/** Returns the change of a post's metric in the week, or an empty text when the post does not have the metric. */
function newNumber({ metrics }: ItemReport, metric: Metric): string {
  const value = metrics[metric];
  return value ? signed(value.change, isRounded(value)) : '';
}

const nameOf = ({ name, url }: { name: string | null; url: string }) => shorten(name || url);

/** Returns the number at the end of the week, or "unknown". Puts ≈ before a number that the platform rounded. */
function known(value: { end: number | null; quality: string | null } | undefined): string {
  if (typeof value?.end !== 'number') return 'unknown';
  return `${isRounded(value) ? '≈' : ''}${numberText(value.end)}`;
}

/** Returns a change with its sign, or "unknown". Puts ≈ before a change that was computed from a rounded number. */
function signed(value: number | null, rounded: boolean): string {
  if (value === null) return 'unknown';
  return `${rounded ? '≈' : ''}${signedText(value)}`;
}

const isRounded = (value: { quality: string | null } | undefined) => value?.quality === 'rounded';

function shorten(name: string): string {
  const characters = [...name];
  return characters.length > maxName ? `${characters.slice(0, maxName).join('')}…` : name;
}
