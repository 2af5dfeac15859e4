import { html } from 'hono/html';
import { dayMs } from '../../../db/durations.ts';
import { lazy } from '../../../pipeline/lazy.ts';
import { signedText } from '../../../pipeline/quantity.ts';
import { dayStart } from '../../../pipeline/report/period.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import type { Change, MetricValue } from '../../../pipeline/report/values.ts';
import { type Piece, tag } from '../ui/components.ts';

/** Maximum number of characters of a name on a report page. The CSV download has the full name. */
const maxShownName = 120;

/** Returns a name in a `<bdi>` element, so that a right-to-left name does not reorder the text beside it. */
export function shownName(name: string): Piece {
  const cut = [...name].slice(0, maxShownName).join('');
  return html`<bdi>${cut.length < name.length ? `${cut}…` : name}</bdi>`;
}

/** Returns the name of a tracked item. The name is a link when the item's URL begins with http: or https:. */
export function itemLink({ name, url }: { name: string | null; url: string }): Piece {
  const shown = shownName(name || url);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return shown;
  return html`<a href="${url}" rel="nofollow noopener noreferrer">${shown}</a>`;
}

/**
 * Returns a change with its sign, such as `+5`, `−5` or `0`, with ≈ before it when the platform rounded a number behind
 * the change. Returns "–" when the change is unknown.
 */
export function signed(value: number | null, rounded = false): string {
  return value === null ? '–' : `${rounded ? '≈' : ''}${signedText(value)}`;
}

/**
 * Returns a change in percent, such as `+5.5%`. Returns `<0.01%` for a change that rounds to 0, and "–" when the change
 * is unknown.
 */
export function formatPercent({ change, change_percent }: Pick<Change, 'change' | 'change_percent'>): string {
  if (change_percent === null) return '–';
  return change_percent === 0 && change !== 0 ? '<0.01%' : `${signed(change_percent)}%`;
}

/** Returns a change such as `+5 (+5.5%)`, or `+5` when the percentage is unknown. A rounded change begins with ≈. */
export function formatChange(value: MetricValue): string {
  const change = signed(value.change, value.quality === 'rounded');
  return value.change_percent === null ? change : `${change} (${formatPercent(value)})`;
}

const qualityLabels = { hidden: 'hidden', not_exposed: 'not shown' } as const;

/** Returns a tag for a number that is hidden, not shown or missing. Returns null for an exact or a rounded number. */
export function missingMark({ end, quality }: Pick<MetricValue, 'end' | 'quality'>): Piece {
  if (quality === 'hidden' || quality === 'not_exposed') return tag(qualityLabels[quality]);
  return end === null ? tag('no data') : null;
}

const days = lazy(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
);

/** Returns a period such as `9–15 November 2026`. `to` is exclusive: it is the day after the period. */
export function formatDays(from: number, to: number): string {
  return to - dayMs <= from ? days().format(from) : days().formatRange(from, to - dayMs);
}

const shortDays = lazy(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    }),
);

/**
 * Creates a function that returns a period such as `8–15 Nov 2026`, which includes `first` and `last`. The function
 * caches each formatted period, because formatting takes longer than the rest of a row, and most items of a report have
 * the same period.
 */
export function createShortDays(): (first: number, last: number) => string {
  const known = new Map<string, string>();
  return (first, last) => {
    const days = `${dayStart(first)} ${dayStart(last)}`;
    const text = known.get(days) ?? shortDays().formatRange(first, last);
    known.set(days, text);
    return text;
  };
}

/** Returns the report name, or the name of the campaign when no report name is set. */
export function reportTitle({ report_name, campaign }: Report): string {
  return report_name ?? campaign.name;
}
