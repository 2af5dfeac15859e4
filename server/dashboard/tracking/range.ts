import { html, raw } from 'hono/html';
import { dayOf, isDay } from '../../../db/calendar.ts';
import type { Span } from '../../../db/campaigns/reports.ts';
import { dayMs } from '../../../db/durations.ts';
import type { Tier } from '../../../db/tier.ts';
import { historyStart, startOf } from '../../../pipeline/report/period.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { dayText } from '../../design/dates.ts';
import { field, type Piece } from '../ui/components.ts';
import { withParameter } from '../ui/parts/data-table.ts';
import { upgradeHint } from './labels.ts';

const presets = [7, 30, 90, 365] as const;
const defaultDays = 30;

/** The days for which the page of a tracked item shows numbers. */
interface Range {
  span: Span;
  /** Number of days of a preset range, such as the last 30 days. Null when the user chose the dates. */
  days: number | null;
  /** The reason why the dates that the user chose were refused. The page shows the default range instead. */
  problem: { field: 'from' | 'to'; message: string } | null;
}

/**
 * Returns the days for which the page of a tracked item shows numbers, limited to the tier's days of history. Dates
 * that the user chose are whole days in UTC, and the first and the last day are included.
 */
export function rangeIn({ searchParams }: URL, tier: Tier, now: Date): Range {
  const { history_days } = tiers[tier];
  const requested = presets.find((days) => String(days) === searchParams.get('days')) ?? defaultDays;
  const days = Math.min(requested, history_days);
  const standard = { span: { from: new Date(historyStart(now.getTime(), days)), to: now }, days };
  const [fromText, toText] = [searchParams.get('from') ?? '', searchParams.get('to') ?? ''];
  if (fromText === '' && toText === '') return { ...standard, problem: null };
  const earliest = historyStart(now.getTime(), history_days);
  const from = fromText === '' ? earliest : dayIn(fromText);
  const last = toText === '' ? now.getTime() : dayIn(toText);
  const wrong = (name: 'from' | 'to', message: string): Range => ({ ...standard, problem: { field: name, message } });
  if (from === null) return wrong('from', 'Enter a day, such as 2026-11-20.');
  if (last === null) return wrong('to', 'Enter a day, such as 2026-11-20.');
  if (from > now.getTime()) return wrong('from', 'The first day is in the future. Choose an earlier day.');
  if (last + dayMs <= earliest) return wrong('to', `Your history begins on ${dayText(earliest)}. Choose a later day.`);
  if (last < from) return wrong('to', 'The last day is before the first day. Choose a later one.');
  const to = toText === '' ? now.getTime() : Math.min(last + dayMs, now.getTime());
  return { span: { from: new Date(Math.max(from, earliest)), to: new Date(to) }, days: null, problem: null };
}

/** Returns the start of a day written as `YYYY-MM-DD`, in milliseconds (UTC). Returns null for any other text. */
function dayIn(text: string): number | null {
  return isDay(text) ? startOf(text) : null;
}

/** Returns the links to the preset date ranges, the form for other dates, and the download links. */
export function rangeChoice(url: URL, { span, days: chosen, problem }: Range, tier: Tier): Piece {
  const { history_days } = tiers[tier];
  const plain = new URL(url);
  for (const name of ['from', 'to']) plain.searchParams.delete(name);
  const links = presets.map((days) =>
    days > history_days
      ? html`<span class="hint">${days} days</span>`
      : html`<a href="${withParameter(plain, 'days', String(days))}"${raw(days === chosen ? ' aria-current="true"' : '')}>${days} days</a>`,
  );
  return html`<div class="ranges"><nav class="segments" aria-label="Time range">${links}</nav>${ownDays(url, span, chosen, problem)}</div>
${history_days < Math.max(...presets) ? html`<p class="hint">${upgradeHint(tier, 'history_days', 'days of history')}</p>` : null}`;
}

function ownDays(url: URL, span: Span, chosen: number | null, problem: Range['problem']): Piece {
  const typed = (name: 'from' | 'to') =>
    url.searchParams.get(name) ?? dayOf(name === 'to' ? span.to.getTime() - 1 : span.from.getTime());
  const input = (label: string, name: 'from' | 'to') =>
    field(label, name, { type: 'date', value: typed(name), error: problem?.field === name ? problem.message : null });
  return html`<details class="own-days"${raw(problem ? ' open' : '')}><summary${raw(chosen === null ? ' aria-current="true"' : '')}>${chosen === null ? `${dayText(span.from)} to ${dayText(span.to.getTime() - 1)}` : 'Choose dates'}</summary>
<form method="get" action="${url.pathname}" class="row">${keptParameters(url, ['from', 'to', 'days'])}${input('First day (UTC)', 'from')}${input('Last day (UTC)', 'to')}<button class="quiet">Show</button></form></details>`;
}

/**
 * Returns the parameters of the page's URL as hidden fields, so that a form keeps them. Leaves out the parameters in
 * `replaced`, which the form sets itself.
 */
export function keptParameters({ searchParams }: URL, replaced: readonly string[]): Piece {
  const kept = [...searchParams].filter(([name, value]) => value !== '' && !replaced.includes(name));
  return html`${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}
