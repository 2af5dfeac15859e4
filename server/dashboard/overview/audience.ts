import { html } from 'hono/html';
import { dayOf } from '../../../db/calendar.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { type AudienceGrowth, audienceHistory, audienceOf, recentValues } from '../../../pipeline/tracking/growth.ts';
import { itemName } from '../tracking/labels.ts';
import type { ItemRow } from '../tracking/rows.ts';
import { changeCell } from '../tracking/values.ts';
import { chartTable, lineChart } from '../ui/chart.ts';
import { sparkline } from '../ui/charts/sparkline.ts';
import { card, count, type Piece, table, titleColumn } from '../ui/components.ts';
import { avatar } from '../ui/parts/avatar.ts';
import type { Tile } from '../ui/parts/blocks.ts';
import { change, compact } from '../ui/parts/numbers.ts';
import { kindName } from '../ui/platform-names.ts';

/**
 * Maximum number of accounts in each of two lists: accounts that gained most followers, and accounts that lost most.
 */
const movers = 5;

/**
 * Returns tiles with the total followers of all tracked accounts and the changes of this total. Returns no tiles when
 * no account has a known number of followers.
 */
export function audienceTiles(rows: readonly ItemRow[], now: Date): Tile[] {
  const accounts = rows.filter(isAccount);
  const [week, month] = [7, 30].map((days) =>
    audienceOf(
      accounts.map(({ series }) => series),
      { metric: 'followers', days, now },
    ),
  );
  if (!week || !month || week.total === null) return [];
  const missing = accounts.length - week.items;
  const total = {
    label: 'Followers of all accounts',
    value: compact(week.total, week.rounded),
    hint: [
      quantity(week.items, 'account'),
      ...(missing > 0 ? [`${count(missing)} without data`] : []),
      'one person can follow several',
      ...(week.rounded ? ['≈ rounded by the platform'] : []),
    ].join('; '),
    path: '/dashboard/tracking?sort=-newest',
  };
  return [total, changeTile('7 days', week, 'week'), changeTile('30 days', month, 'month')];
}

/**
 * Returns a card with a chart of the total followers in the last 30 days, or in the last 7 days when no account has
 * a number on each of these days. Returns null when no account has a number on each of the 7 days either.
 */
export function audienceCard(rows: readonly ItemRow[], now: Date): Piece {
  const series = rows.filter(isAccount).map((row) => row.series);
  const periods = [30, 7].map((days) => ({ days, ...audienceHistory(series, { metric: 'followers', days, now }) }));
  const shown = periods.find(({ items }) => items > 0);
  if (!shown) return null;
  const { days, items, history } = shown;
  const title = `Followers of ${quantity(items, 'account')} in the last ${days} days`;
  const points = history.map(({ at, value, rounded }) => ({ label: dayOf(at), value, rounded }));
  const chart = { id: 'audience', title, headed: true, points };
  const others = series.length - items;
  const left = `${quantity(others, 'account')} without a number on each of these days ${others === 1 ? 'is' : 'are'} not counted.`;
  const hint = others > 0 ? html`<p class="hint">${left}</p>` : null;
  return card(title, html`${lineChart(chart)}${hint}${chartTable(chart, 'Day', 'Followers')}`);
}

const isAccount = ({ item: { kind } }: ItemRow) => kind === 'profile' || kind === 'channel';

function changeTile(
  period: string,
  { change: sum, compared, change_rounded: rounded }: AudienceGrowth,
  sort: string,
): Tile {
  const hint =
    compared === 0
      ? 'not enough history yet'
      : `in the followers of ${quantity(compared, 'account')} checked then and now`;
  return {
    label: `Change in ${period}`,
    value: change(sum, { rounded }),
    hint,
    path: `/dashboard/tracking?sort=-${sort}`,
  };
}

/** Returns a card with the accounts whose followers changed most in 7 days. Returns null when none changed. */
export function moversCard(rows: readonly ItemRow[], now: Date): Piece {
  const accounts = rows.filter(isAccount);
  const changed = accounts.filter((row): row is ItemRow & { week: number } => row.week !== null && row.week !== 0);
  const sorted = changed.toSorted((a, b) => b.week - a.week);
  const up = sorted.filter(({ week }) => week > 0).slice(0, movers);
  const down = sorted
    .filter(({ week }) => week < 0)
    .slice(-movers)
    .reverse();
  if (up.length + down.length === 0) return null;
  return html`<div class="columns">${moverList('Biggest gains', up, now)}${moverList('Biggest losses', down, now)}</div>`;
}

function moverList(heading: string, rows: readonly ItemRow[], now: Date): Piece {
  if (rows.length === 0) return null;
  const lines = rows.map((row) => {
    const { item, series } = row;
    return [
      html`<div class="who">${avatar(itemName(item))}<span><a href="/dashboard/tracking/${item.item_id}"><bdi>${itemName(item)}</bdi></a><br><span class="hint">${kindName(item)}</span></span></div>`,
      changeCell(row, 7, now),
      sparkline(recentValues(series, now)),
    ];
  });
  const title = `${heading} in 7 days`;
  const chart = { heading: 'Last 30 days', illustration: true };
  return card(title, table(title, [titleColumn('Account'), { heading: 'Change', number: true }, chart], lines));
}
