import { type Metric, metrics } from '../../db/tracking/checks.ts';
import type { Quality } from '../tracking/metrics.ts';
import type { Coverage, ReportInput } from './input.ts';
import { type MeasuredItem, startsLate } from './items.ts';
import { dayMs, dayOf, historyStart, startOf, type Window, weekMs } from './period.ts';
import type { Totals } from './totals.ts';
import { isInside, type Measured } from './values.ts';

/** Names that a note lists; the others are counted. */
const maxNames = 5;

/** How the numbers are made, printed with every report. */
export const method =
  'Public counts, observed at most once a day for each item. Start: the last count known at or before the beginning of the period, else the first one in it. ' +
  'End: the last count known in the period. Change: end minus start. Totals add only items with both; items_missing says how many are left out. ' +
  'Unknown is null, never 0. Views are never added to followers, nor the likes of accounts to those of posts. Unique reach, sales, conversions and media value are not measured.';

export interface NoteContext {
  input: ReportInput;
  window: Window;
  items: readonly MeasuredItem[];
  coverage: Coverage;
  totals: Totals;
}

/** What is missing, rounded or partial, in words; always in the same order. */
export function notesOf(context: NoteContext): string[] {
  return [
    ...periodNotes(context),
    ...coverageNotes(context),
    ...startNotes(context),
    ...qualityNotes(context),
    ...identityNotes(context),
    ...sourceNotes(context),
    ...totalNotes(context),
  ];
}

function periodNotes({ input, window }: NoteContext): string[] {
  const { campaign, final, period_start, generated_at, history_days } = input;
  const periodEnd = period_start + weekMs;
  const notes: string[] = [];
  if (!final && generated_at >= periodEnd) notes.push('This period is over; its final report is not made yet.');
  else if (!final) {
    const asOf = new Date(generated_at).toISOString();
    notes.push(`This period is still running, to the end of ${dayOf(periodEnd - dayMs)}: this is as of ${asOf}.`);
  }
  const starts = startOf(campaign.starts_on);
  if (starts >= periodEnd || starts > generated_at) {
    notes.push(`The campaign begins on ${campaign.starts_on}: there is nothing to report before.`);
  } else if (starts > period_start) {
    notes.push(
      `The campaign began on ${campaign.starts_on}, within this period: counts are compared from that day on.`,
    );
  }
  if (campaign.ends_on !== null && startOf(campaign.ends_on) + dayMs < periodEnd) {
    notes.push(`The last day of the campaign is ${campaign.ends_on}: later days are not in this report.`);
  }
  const historyFrom = historyStart(generated_at, history_days);
  if (historyFrom > period_start && window.from === historyFrom) {
    notes.push(`The history of ${history_days} days goes back to ${dayOf(historyFrom)}: earlier days are not shown.`);
  }
  return notes;
}

/** What a cause of a gap means. */
export const causeWords: Readonly<Record<string, string>> = {
  NOT_CHECKED: 'no check was attempted: the item was paused, or the service was down',
  IDENTITY_CHANGED: 'the address belonged to another account',
  SKIPPED_PAUSED: 'checks were paused',
  SKIPPED_CAP_REACHED: 'the monthly cap was reached',
  SKIPPED_NO_CREDITS: 'the credits were used up',
  RESOURCE_NOT_FOUND: 'the source says that it does not exist or was removed',
  SOURCE_RESTRICTED: 'the source restricts access',
  SOURCE_TIMEOUT: 'the source did not answer in time',
  SOURCE_RESPONSE_CHANGED: 'the answer of the source could not be read',
  SOURCE_CAPACITY: 'the source was throttling',
  SOURCE_UNAVAILABLE: 'the source was unavailable',
  SOURCE_NOT_CONFIGURED: 'the operator has not set up the source',
};

function coverageNotes({ items, coverage }: NoteContext): string[] {
  if (items.length === 0) return ['No items are attached to this campaign.'];
  const notes: string[] = [];
  const missing = coverage.expected_observations - coverage.observations;
  if (missing > 0) {
    const causes = [...daysByCause(items)].filter(([cause]) => cause !== 'NOT_TRACKED');
    const list = causes.map(([cause, days]) => `${days} × ${cause}${inWords(cause)}`).join(', ');
    notes.push(`${missing} of ${coverage.expected_observations} daily observations are missing: ${list}.`);
  }
  const added = items.filter(({ presence }) => presence.gaps.some(({ cause }) => cause === 'NOT_TRACKED'));
  if (added.length > 0) notes.push(`Not tracked from the beginning of the period on: ${namesOf(added)}.`);
  const never = items.filter(({ presence }) => presence.observed === 0);
  if (never.length > 0) notes.push(`Not observed in this period: ${namesOf(never)}.`);
  return notes;
}

function inWords(cause: string): string {
  const words = causeWords[cause];
  return words ? ` (${words})` : '';
}

function daysByCause(items: readonly MeasuredItem[]): [string, number][] {
  const days = new Map<string, number>();
  for (const { presence } of items) {
    for (const { from, to, cause } of presence.gaps) days.set(cause, (days.get(cause) ?? 0) + (to - from) / dayMs);
  }
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1));
}

function startNotes({ items, window }: NoteContext): string[] {
  const notes: string[] = [];
  const late = items.filter((one) => startsLate(one, window));
  if (late.length > 0) notes.push(`The change begins at the first observation in the period: ${namesOf(late)}.`);
  const tooEarly = ({ start_at }: Measured) => start_at !== null && start_at < window.from - dayMs;
  const early = items.filter(({ measured }) => [...measured.values()].some(tooEarly));
  if (early.length > 0) {
    notes.push(
      `The start was observed more than a day before the period, so the change covers more: ${namesOf(early)}.`,
    );
  }
  return notes;
}

const qualitySentences: readonly (readonly [Quality, string])[] = [
  ['rounded', 'Rounded by the source, so that a small change does not show'],
  ['hidden', 'Hidden by the account'],
  ['not_exposed', 'Not given by the source'],
];

function qualityNotes({ items }: NoteContext): string[] {
  return qualitySentences.flatMap(([quality, sentence]) => {
    const counts = metrics.flatMap((metric) => {
      const having = items.filter(({ report }) => report.metrics[metric]?.quality === quality);
      return having.length === 0 ? [] : [`${wordsOf(metric)} of ${namesOf(having)}`];
    });
    return counts.length === 0 ? [] : [`${sentence}: ${counts.join('; ')}.`];
  });
}

function identityNotes({ items }: NoteContext): string[] {
  const changed = items.filter(({ item }) => item.identity_changed);
  if (changed.length === 0) return [];
  return [
    `The address belongs to another account now: counts of the account before are shown and are in no total: ${namesOf(changed)}.`,
  ];
}

function sourceNotes({ items, window }: NoteContext): string[] {
  const mixed = items.filter(({ observations, measured }) => {
    const starts = new Set([...measured.values()].map(({ start_at }) => start_at));
    const used = observations.filter((one) => isInside(one, window) || starts.has(one.observed_at.getTime()));
    return new Set(used.map(({ source }) => source)).size > 1;
  });
  if (mixed.length === 0) return [];
  return [`Counts come from more than one source, which may count differently: ${namesOf(mixed)}.`];
}

function totalNotes({ items, totals }: NoteContext): string[] {
  const notes: string[] = [];
  const lacking = metrics.flatMap((metric) => {
    const total = totals[metric];
    if (!total || total.items_missing === 0) return [];
    return [`${wordsOf(metric)} ${total.items_missing} of ${total.items + total.items_missing}`];
  });
  if (lacking.length > 0) {
    notes.push(
      `Totals leave out items of which a count is unknown or the address changed hands: ${lacking.join(', ')}.`,
    );
  }
  const apart = items.filter(({ measured, adds }) => measured.has('likes') && !adds.has('likes'));
  if (apart.length > 0) {
    notes.push(
      `The likes of an account are those of all its posts, so they are not added to those of posts: ${namesOf(apart)}.`,
    );
  }
  return notes;
}

const wordsOf = (metric: Metric) => metric.replaceAll('_', ' ');

function namesOf(items: readonly MeasuredItem[]): string {
  const names = items.slice(0, maxNames).map(({ label }) => label);
  const more = items.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
