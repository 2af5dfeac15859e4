import { html } from 'hono/html';
import { quantity } from '../../../pipeline/quantity.ts';
import { type AudienceGrowth, audienceOf, recentValues } from '../../../pipeline/tracking/growth.ts';
import { itemName } from '../tracking/labels.ts';
import type { ItemRow } from '../tracking/rows.ts';
import { changeCell } from '../tracking/values.ts';
import { sparkline } from '../ui/charts/sparkline.ts';
import { card, count, type Piece, table } from '../ui/components.ts';
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
  return card(title, table(title, ['Account', { heading: 'Change', number: true }, chart], lines));
}
