import { html } from 'hono/html';
import type { Report } from '../../pipeline/report.ts';
import { day_ms } from '../../pipeline/report-period.ts';
import type { Change, MetricValue } from '../../pipeline/report-values.ts';
import { count, type Piece, tag } from './ui.ts';

/** Names of platforms are of any length: what is longer is cut here, and whole in the CSV. */
const max_shown_name = 120;

export const platformNames: Readonly<Record<string, string>> = {
  photo: 'Photo',
  shortvideo: 'Short video',
  longvideo: 'Long video',
};

const kindNames: Readonly<Record<string, string>> = {
  'photo profile': 'Photo profiles',
  'photo post': 'Photo posts',
  'shortvideo profile': 'Short-video profiles',
  'shortvideo video': 'Short videos',
  'longvideo channel': 'Long-video channels',
  'longvideo video': 'Long videos',
};

/** Items of one platform and kind, as a heading says it. */
export function kindName(platform: string, kind: string): string {
  return kindNames[`${platform} ${kind}`] ?? `${platform} ${kind}`;
}

/** A metric as people write it. */
export function metricName(metric: string): string {
  const words = metric.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A name in its own direction of writing, so that it cannot turn what stands beside it. */
export function shownName(name: string): Piece {
  const cut = [...name].slice(0, max_shown_name).join('');
  return html`<bdi>${cut.length < name.length ? `${cut}…` : name}</bdi>`;
}

/** An item's name, leading to its page where its address is one of the web. */
export function itemLink({ name, url }: { name: string | null; url: string }): Piece {
  const shown = shownName(name || url);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return shown;
  return html`<a href="${url}" rel="nofollow noopener noreferrer">${shown}</a>`;
}

/** `+5`, `−5` or `0`; unknown is "–". */
export function signed(value: number | null): string {
  if (value === null) return '–';
  return value > 0 ? `+${count(value)}` : count(value).replace('-', '−');
}

/** `+5.5%`; unknown is "–", and what was rounded away is no 0. */
export function percentWords({ change, change_percent }: Pick<Change, 'change' | 'change_percent'>): string {
  if (change_percent === null) return '–';
  return change_percent === 0 && change !== 0 ? '<0.01%' : `${signed(change_percent)}%`;
}

/** `+5 (+5.5%)`; the percentage is left out where there is none. */
export function changeWords(value: Change): string {
  const { change, change_percent } = value;
  return change_percent === null ? signed(change) : `${signed(change)} (${percentWords(value)})`;
}

const qualityWords = { exact: null, rounded: 'rounded', hidden: 'hidden', not_exposed: 'not given' } as const;

/** What keeps a count from being exact, null where nothing does. */
export function qualityMark({ end, quality }: Pick<MetricValue, 'end' | 'quality'>): Piece {
  if (quality === null) return end === null ? tag('not observed') : null;
  const words = qualityWords[quality];
  return words === null ? null : tag(words, quality === 'rounded' ? 'warn' : 'plain');
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `9–15 November 2026`; `to` is exclusive. */
export function daysInWords(from: number, to: number): string {
  return to - day_ms <= from ? days.format(from) : days.formatRange(from, to - day_ms);
}

const shortDays = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `8–15 Nov 2026`, where little room is; both days included. */
export function shortDaysInWords(first: number, last: number): string {
  return shortDays.formatRange(first, last);
}

/** The name that is printed: one's own, or the campaign's. */
export function reportTitle({ report_name, campaign }: Report): string {
  return report_name ?? campaign.name;
}
