import { html } from 'hono/html';
import { type Metric, metrics } from '../../../db/schema/metrics.ts';
import { accountsAndPosts } from '../../../pipeline/report/accounts-and-posts.ts';
import type { ItemReport } from '../../../pipeline/report/items.ts';
import { causeLabels } from '../../../pipeline/report/notes.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import { metricTitle } from '../../../pipeline/report/summary/headline.ts';
import type { Totals } from '../../../pipeline/report/totals.ts';
import type { MetricValue } from '../../../pipeline/report/values.ts';
import { engagementMetrics } from '../../../pipeline/tracking/metrics.ts';
import { count, markedCount, type Piece, table, tag } from '../ui/components.ts';
import { kindsName, platformNames } from '../ui/platform-names.ts';
import { createShortDays, formatChange, formatDays, formatPercent, itemLink, missingMark, signed } from './figures.ts';
import { meaningsOf } from './meanings.ts';

const number = (heading: string) => ({ heading, number: true });

/**
 * Returns a report table of the totals at the start and the end of the period, their change, and the number of counted
 * items.
 */
export function totalsTable(caption: string, totals: Totals, title: (metric: Metric) => string): Piece {
  const columns = [
    { heading: 'Metric', title: true },
    number('Start'),
    number('End'),
    number('Change'),
    number('Change %'),
    number('Counted'),
    number('Without data'),
  ];
  const rows = metrics.flatMap((metric) => {
    const total = totals[metric];
    if (!total) return [];
    const { start, end, change, quality, items, items_missing } = total;
    const rounded = quality === 'rounded';
    const ends = [markedCount(start, rounded), html`<b>${markedCount(end, rounded)}</b>`, signed(change, rounded)];
    return [[title(metric), ...ends, formatPercent(total), count(items), count(items_missing)]];
  });
  return rows.length === 0
    ? html`<p>No totals yet: no account or post has data at the start and at the end of the period.</p>`
    : html`${table(caption, columns, rows, { as_cards: true })}${meaningsOf(totals, title)}`;
}

/** Returns a report table for each platform, with its totals and engagement rates. */
export function platformParts({ by_platform, items: all }: Report): Piece[] {
  return by_platform.map(({ platform, items, totals, rates }) => {
    const name = platformNames[platform] ?? platform;
    const rounded = all.some((item) => item.platform === platform && isRateRounded(item));
    return html`<div class="part"><h3>${name}: ${accountsAndPosts(items)}</h3>
${totalsTable(`Totals, ${name}`, totals, (metric) => metricTitle(metric, [platform]))}
${rates.map(
  ({ formula, percent, items, items_missing }) =>
    html`<p>Engagement rate by views: <b>${rateText(percent, rounded)}</b> <span class="hint">${formula}, for ${accountsAndPosts(items)}${items_missing > 0 ? `; ${count(items_missing)} without data` : ''}</span></p>`,
)}</div>`;
  });
}

/** Returns an engagement rate such as `4.2%`, with ≈ before it when `rounded` is true. Returns "–" for null. */
function rateText(percent: number | null, rounded: boolean): string {
  return percent === null ? '–' : `${markedCount(percent, rounded)}%`;
}

/**
 * Returns true when an item counts for the engagement rate of its platform and the platform rounded one of the used
 * numbers.
 */
function isRateRounded({ platform, kind, status, metrics: values }: ItemReport): boolean {
  const parts = engagementMetrics[`${platform} ${kind}`];
  if (!parts || status === 'identity_changed') return false;
  const used = ['views' as const, ...parts].map((metric) => values[metric]);
  return used.every((value) => typeof value?.end === 'number') && used.some((value) => value?.quality === 'rounded');
}

/** Returns a report table for each kind of tracked item, with the metrics of that kind. */
export function itemTables({ items }: Report): Piece[] {
  const byKind = Map.groupBy(items, kindsName);
  const shortDays = createShortDays();
  const tables = [...byKind].map(([name, of]) => {
    const having = metrics.filter((metric) => of.some((item) => item.metrics[metric]));
    const formula = of.find(({ rates }) => rates.length > 0)?.rates[0]?.formula;
    const columns = [
      { heading: 'Account or post', title: true },
      ...having.map((metric) =>
        number(
          metricTitle(
            metric,
            of.map(({ platform }) => platform),
          ),
        ),
      ),
      ...(formula ? [number('Rate')] : []),
    ];
    const rows = of.map((item) => itemRow(item, having, { rated: formula !== undefined, shortDays }));
    return html`<div class="part items"><h3>${name}</h3>${table(`${name}: values at the end of the period, with their change`, columns, rows, { as_cards: true })}
${formula ? html`<p class="hint">Rate: engagement rate by views, ${formula}</p>` : null}</div>`;
  });
  const hint =
    'Below each name: the days of its checks. The first one is the last check before the week, where there is one.';
  return [html`<p class="hint">${hint}</p>`, ...tables];
}

interface ItemTable {
  /** True when the table has a column of engagement rates. */
  rated: boolean;
  shortDays: ReturnType<typeof createShortDays>;
}

function itemRow(item: ItemReport, having: readonly Metric[], { rated, shortDays }: ItemTable): Piece[] {
  const [rate] = item.rates;
  return [
    html`${itemLink(item)}${stateOf(item)}<small>${observedText(item, shortDays)}</small>`,
    ...having.map((metric) => valueCell(item.metrics[metric])),
    ...(rated ? [rateText(rate?.percent ?? null, isRateRounded(item))] : []),
  ];
}

function stateOf({ status }: ItemReport): Piece {
  if (status === 'active') return null;
  return html` ${status === 'paused' ? tag('paused') : tag('other account', 'warn')}`;
}

function observedText(
  { first_observed_at: first, last_observed_at: last }: ItemReport,
  shortDays: ItemTable['shortDays'],
): string {
  if (first === null || last === null) return 'no data';
  return `checks ${shortDays(first, last)}`;
}

function valueCell(value: MetricValue | undefined): Piece {
  if (!value) return null;
  const { start, end, quality } = value;
  const shown = (number: number | null) => markedCount(number, quality === 'rounded');
  return html`<b>${shown(end)}</b> ${missingMark(value)}${end === null ? null : html`<small>${formatChange(value)}</small>`}${start === null ? null : html`<small>from\u00a0${shown(start)}</small>`}`;
}

/** Returns a report table of each tracked item's days without data and the causes. */
export function gapsTable({ items, coverage }: Report): Piece {
  const rows = items.flatMap((item) => {
    if (item.gaps.length === 0) return [];
    const lines = item.gaps.map(({ from, to, cause }) => html`<li>${formatDays(from, to)}: ${causeText(cause)}</li>`);
    return [[itemLink(item), html`<ul class="plain">${lines}</ul>`]];
  });
  if (rows.length === 0 && coverage.expected_observations === 0)
    return html`<p>No missing days: this period has no finished day that counts.</p>`;
  if (rows.length === 0) return html`<p>No missing days: every account and post was checked on every finished day.</p>`;
  return html`<div class="items">${table('Missing days', ['Account or post', 'Days and cause'], rows)}</div>`;
}

function causeText(cause: string): string {
  if (cause === 'NOT_TRACKED') return 'not tracked yet';
  return causeLabels[cause] ?? cause;
}
