import { html } from 'hono/html';
import { weekMs } from '../../../db/durations.ts';
import type { Metric } from '../../../db/schema/metrics.ts';
import { accountsAndPosts } from '../../../pipeline/report/accounts-and-posts.ts';
import type { ItemReport } from '../../../pipeline/report/items.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import { bestPostsTitle } from '../../../pipeline/report/summary/best-posts.ts';
import { metricTitle, platformsOf } from '../../../pipeline/report/summary/headline.ts';
import type { MetricTotal, ReportMover, ReportSummary } from '../../../pipeline/report/summary/summary.ts';
import type { MetricValue } from '../../../pipeline/report/values.ts';
import { platformMark } from '../../design/icons.ts';
import { card, count, type Piece, table, titleColumn } from '../ui/components.ts';
import { avatar, thumbnail } from '../ui/parts/avatar.ts';
import { lines, tiles } from '../ui/parts/blocks.ts';
import { cellNumber, change as changed, compact } from '../ui/parts/numbers.ts';
import { kindName } from '../ui/platform-names.ts';
import { platformsChart } from './charts.ts';
import { formatDays, formatPercent, itemLink, signed } from './figures.ts';
import { meaningOf } from './meanings.ts';
import type { PictureOf } from './pictures.ts';

/**
 * Returns the part of a report below its headline: tiles, one chart, the accounts that changed most, and the best
 * posts.
 */
export function summaryPart(report: Report, summary: ReportSummary, pictureOf: PictureOf): Piece {
  return html`${tilesOf(report, summary.tiles)}
${mainChart(report, summary)}
${moversPart(report, summary, pictureOf)}
${bestPart(summary, pictureOf)}`;
}

/**
 * Returns one tile for each total of a report, such as followers. The page of a campaign also begins with these tiles.
 */
export function tilesOf(report: Report, shown: readonly MetricTotal[]): Piece {
  if (shown.length === 0) return null;
  const withBefore = shown.some(({ previous_change }) => previous_change !== null);
  const all = tiles(shown.map((tile) => tileOf(tile, report, withBefore)));
  return withBefore ? all : html`${all}<p class="hint">${noWeekBefore(report)}</p>`;
}

/**
 * Returns the sentence for a report in which no number can be compared with the previous week. The sentence is shown
 * once instead of in each tile.
 */
function noWeekBefore({ series, period_start }: Report): string {
  return series.some(({ step }) => step === 'week')
    ? `No comparison with the week before yet: it needs checks of all accounts and posts in the two weeks before (${formatDays(period_start - 2 * weekMs, period_start)}).`
    : 'This is the first week with numbers, so there is no previous week to compare with.';
}

function tileOf(tile: MetricTotal, report: Report, withBefore: boolean) {
  const { metric, total, previous_change: previous, previous_rounded } = tile;
  const label = metricTitle(metric, platformsOf(report, metric));
  const { end, items, items_missing: missing, quality } = total;
  const percent = total.change_percent === null ? null : html` (${formatPercent(total)})`;
  const before = previous === null ? 'previous week: unknown' : `previous week: ${signed(previous, previous_rounded)}`;
  const gap =
    missing > 0
      ? `counted: ${count(items)} of the ${accountsAndPosts(items + missing)} that have ${label.toLowerCase()}`
      : null;
  const hints = [meaningOf(report, metric), withBefore ? before : null, gap].filter((text) => text !== null);
  return {
    label,
    value: compact(end, quality === 'rounded'),
    change: html`${changed(total.change, { rounded: quality === 'rounded' })}${percent}`,
    ...(hints.length > 0 ? { hint: lines(hints) } : {}),
  };
}

/**
 * Returns one chart of the metric in the report's headline, with a line for each platform. A point is a week, or a day
 * when the report has only its first week.
 */
export function mainChart({ series, by_platform }: Report, { metric }: ReportSummary): Piece {
  if (!metric) return null;
  const size = (platform: string) => by_platform.find((one) => one.platform === platform)?.totals[metric]?.end ?? -1;
  const own = series.filter((one) => one.metric === metric);
  const step = own.some((one) => one.step === 'week') ? 'week' : 'day';
  const drawn = own.filter((one) => one.step === step).toSorted((a, b) => size(b.platform) - size(a.platform));
  return drawn.length > 0 ? html`<section class="card large-chart">${platformsChart(drawn)}</section>` : null;
}

function moversPart(report: Report, { metric, up, down }: ReportSummary, pictureOf: PictureOf): Piece {
  if (!metric || up.length + down.length === 0) return null;
  const title = metricTitle(metric, platformsOf(report, metric));
  const part = (heading: string, movers: readonly ReportMover[]) =>
    movers.length === 0
      ? null
      : card(`${heading}: ${title.toLowerCase()}`, moversTable(`${heading}: ${title}`, metric, movers, pictureOf));
  return html`<div class="columns">${part('Biggest gains', up)}${part('Biggest losses', down)}</div>`;
}

function moversTable(caption: string, metric: Metric, movers: readonly ReportMover[], pictureOf: PictureOf): Piece {
  const rows = movers.map(({ item, change, change_percent }) => [
    html`<div class="who">${avatar(item.name ?? '?', pictureOf(item.item_id))}<span>${itemLink(item)}<small>${kindName(item)}</small></span></div>`,
    endOf(item.metrics[metric]),
    html`${changed(change, { rounded: item.metrics[metric]?.quality === 'rounded' })}<small>${formatPercent({ change, change_percent })}</small>`,
  ]);
  const columns = [
    titleColumn('Account or post'),
    { heading: 'Total', number: true, illustration: true },
    { heading: 'Change', number: true },
  ];
  return table(caption, columns, rows);
}

function endOf(value: MetricValue | undefined): Piece {
  return cellNumber(value?.end ?? null, value?.quality === 'rounded');
}

function bestPart({ best }: ReportSummary, pictureOf: PictureOf): Piece {
  if (best.length === 0) return null;
  const posts = best.map((item) => bestPost(item, pictureOf(item.item_id)));
  const hint = html`<p class="hint">Posts without a number of views follow, by new likes.</p>`;
  const withHint = best.some(({ metrics: { views } }) => typeof views?.change !== 'number');
  return card(bestPostsTitle, html`<ol class="best">${posts}</ol>${withHint ? hint : null}`);
}

function bestPost(item: ItemReport, picture: string | null): Piece {
  const { views, likes } = item.metrics;
  const [label, shown] = typeof views?.change === 'number' ? ['views', views] : ['likes', likes];
  return html`<li>${thumbnail(item.name ?? '?', picture)}<div class="about">${itemLink(item)}<small>${platformMark(item.platform)} ${kindName(item)}</small>
<dl>${newCount(label, shown)}${countSoFar(label, shown)}</dl></div></li>`;
}

function newCount(label: string, value: MetricValue | undefined): Piece {
  if (!value || value.change === null) return null;
  return html`<div><dt>new ${label}</dt><dd>${changed(value.change, { rounded: value.quality === 'rounded' })}</dd></div>`;
}

function countSoFar(label: string, value: MetricValue | undefined): Piece {
  if (!value || value.end === null) return null;
  return html`<div><dt>${label} so far</dt><dd>${compact(value.end, value.quality === 'rounded')}</dd></div>`;
}
