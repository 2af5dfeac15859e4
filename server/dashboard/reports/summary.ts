import { html } from 'hono/html';
import type { ItemReport } from '../../../pipeline/report/items.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import { metricTitle } from '../../../pipeline/report/summary/headline.ts';
import type { Mover, ReportSummary, Tile } from '../../../pipeline/report/summary/summary.ts';
import { card, count, type Piece, table, tag } from '../ui/components.ts';
import { avatar } from '../ui/parts/avatar.ts';
import { tiles } from '../ui/parts/blocks.ts';
import { change as changed, compact } from '../ui/parts/numbers.ts';
import { kindName } from '../ui/platform-names.ts';
import { chartPart } from './charts.ts';
import { formatPercent, itemLink, signed } from './figures.ts';

/** Returns the part of a report that is read first, below the headline: tiles, one chart, movers and best posts. */
export function summaryPart(report: Report, summary: ReportSummary): Piece {
  return html`${tilesOf(summary.tiles)}
${mainChart(report, summary)}
${moversPart(summary)}
${bestPart(summary)}`;
}

/** Returns the tiles of the totals. They are also the first part of a campaign's page. */
export function tilesOf(shown: readonly Tile[]): Piece {
  return shown.length === 0 ? null : tiles(shown.map(tileOf));
}

function tileOf({ metric, total, previous_change: previous }: Tile) {
  const { end, items, items_missing: missing, quality } = total;
  const percent = total.change_percent === null ? null : html` (${formatPercent(total)})`;
  const before = previous === null ? 'week before unknown' : `week before ${signed(previous)}`;
  const gap = missing > 0 ? html`<br>${count(missing)} of ${count(items + missing)} items without data` : null;
  return {
    label: metricTitle(metric),
    value: html`${compact(end)} ${quality === 'rounded' ? tag('rounded', 'warn') : null}`,
    change: html`${changed(total.change)}${percent}`,
    hint: html`${before}${gap}`,
  };
}

/** Returns one chart for the headline's metric: the weeks, or the days of the first week. The platform with the largest total is drawn. */
export function mainChart({ series, by_platform }: Report, { metric }: ReportSummary): Piece {
  if (!metric) return null;
  const largest = by_platform.toSorted((a, b) => (b.totals[metric]?.end ?? -1) - (a.totals[metric]?.end ?? -1))[0];
  const own = series.filter((one) => one.metric === metric && one.platform === largest?.platform);
  const drawn = own.find(({ step }) => step === 'week') ?? own[0];
  return drawn ? html`<section class="card large-chart">${chartPart(drawn, 'main')}</section>` : null;
}

function moversPart({ metric, up, down }: ReportSummary): Piece {
  if (!metric || up.length + down.length === 0) return null;
  const part = (heading: string, movers: readonly Mover[]) =>
    movers.length === 0
      ? null
      : html`<div><h3>${heading}</h3>${moversTable(`${heading}: ${metricTitle(metric)}`, movers)}</div>`;
  return card(
    `What moved: ${metricTitle(metric).toLowerCase()}`,
    html`<div class="columns">${part('Up most', up)}${part('Down most', down)}</div>`,
  );
}

function moversTable(caption: string, movers: readonly Mover[]): Piece {
  const rows = movers.map(({ item, change, change_percent }) => [
    html`${itemLink(item)}<small>${kindName(item)}</small>`,
    changed(change),
    formatPercent({ change, change_percent }),
  ]);
  return table(caption, ['Item', { heading: 'Change', number: true }, { heading: 'Change %', number: true }], rows);
}

function bestPart({ best }: ReportSummary): Piece {
  if (best.length === 0) return null;
  return card('Best posts', html`<ol class="best">${best.map(bestPost)}</ol>`);
}

function bestPost(item: ItemReport): Piece {
  const { views, likes } = item.metrics;
  return html`<li>${avatar(item.name ?? '?', null, 'large')}${itemLink(item)}<small>${kindName(item)}</small>
<span><b>${count(views?.end ?? null)}</b> views</span>
${typeof likes?.end === 'number' ? html`<span><b>${count(likes.end)}</b> likes</span>` : null}</li>`;
}
