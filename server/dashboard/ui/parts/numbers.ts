import { html } from 'hono/html';
import { dayMs, hourMs, minuteMs } from '../../../../db/durations.ts';
import { lazy } from '../../../../pipeline/lazy.ts';
import { dayText, timeText } from '../../../design/dates.ts';
import { count, markedCount, type Piece, shortCount } from '../components.ts';

/** The smallest numbers that are shown in a short form such as 1.2M, with all digits on hover. */
const shortFrom = {
  tile: 10_000,
  /** All digits of such a number would not fit beside other numbers on a phone. */
  cell: 1_000_000_000,
  change: 10_000_000,
} as const;

/**
 * Returns a number for a tile, from 10,000 in a short form such as 1.2M, with all digits on hover, and with ≈ before a
 * number that the platform rounded. Null becomes "–".
 */
export function compact(value: number | null, rounded = false): Piece {
  return shortened(value, rounded, shortFrom.tile);
}

/** Returns a number for a table cell as {@link compact} does, but in the short form only from a billion. */
export function cellNumber(value: number | null, rounded = false): Piece {
  return shortened(value, rounded, shortFrom.cell);
}

function shortened(value: number | null, rounded: boolean, from: number): Piece {
  if (value === null || Math.abs(value) < from) return markedCount(value, rounded);
  return html`<span title="${markedCount(value, rounded)}">${rounded ? '≈' : ''}${shortCount(value)}</span>`;
}

interface ChangeOptions {
  unit?: '' | '%';
  /** True when the platform rounded a number from which the change was computed. Default: false. */
  rounded?: boolean;
}

/**
 * Returns a change with its sign and color, such as ↑ +1,204, and with ≈ before the number when the change is rounded.
 * A change of ten million or more is short, such as ↑ +12.3M, with all digits on hover. Null becomes "–".
 */
export function change(value: number | null, { unit = '', rounded = false }: ChangeOptions = {}): Piece {
  if (value === null) return '–';
  const shown = unit === '%' ? Math.round(value * 10) / 10 : value;
  const mark = rounded ? '≈' : '';
  if (shown === 0) return html`<span class="change">${mark}0${unit}</span>`;
  const [side, arrow, sign] = shown > 0 ? ['up', '↑', '+'] : ['down', '↓', '−'];
  const all = `${mark}${sign}${count(Math.abs(shown))}${unit}`;
  const isShort = Math.abs(shown) >= shortFrom.change;
  const text = isShort ? `${mark}${sign}${shortCount(Math.abs(shown))}${unit}` : all;
  return html`<span class="change ${side}"${isShort ? html` title="${all}"` : ''}>${arrow} ${text}</span>`;
}

const units = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;
const relative = lazy(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }));

/**
 * Returns a time such as "3 hours ago", with the exact time in UTC on hover. For a time more than 30 days ago, shows
 * the day.
 */
export function ago(moment: Date | null, now: Date): Piece {
  return relativeTime(moment, now, 'just now');
}

/** Returns a time in the future such as "in 3 hours", or "due now", with the exact time in UTC on hover. */
export function until(moment: Date | null, now: Date): Piece {
  return relativeTime(moment, now, 'due now');
}

function relativeTime(moment: Date | null, now: Date, nearby: string): Piece {
  if (moment === null) return '–';
  const distance = moment.getTime() - now.getTime();
  const [unit, length] = units.find(([, ms]) => Math.abs(distance) >= ms) ?? ['minute', minuteMs];
  const far = Math.abs(distance) > 30 * dayMs;
  const near = Math.abs(distance) < minuteMs;
  const shown = near ? nearby : far ? dayText(moment) : relative().format(Math.round(distance / length), unit);
  return html`<time datetime="${moment.toISOString()}" title="${timeText(moment)} UTC">${shown}</time>`;
}
