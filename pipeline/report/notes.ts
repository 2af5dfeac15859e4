import { dayOf } from '../../db/calendar.ts';
import { dayMs, weekMs } from '../../db/durations.ts';
import { type Metric, metrics } from '../../db/schema/metrics.ts';
import { type MetricQuality, metricName } from '../tracking/metrics.ts';
import { accountsAndPosts } from './accounts-and-posts.ts';
import type { Coverage, ReportInput } from './input.ts';
import { type MeasuredItem, startsLate } from './items.ts';
import { historyStart, startOf, type Window } from './period.ts';
import type { Total, Totals } from './totals.ts';
import { isInside, type Measured } from './values.ts';

/**
 * Maximum number of account and post names in a note of a report. If there are more names, the note ends with the
 * number of the remaining names.
 */
const maxNames = 5;

/** Text in every campaign report that explains how its numbers are computed. */
export const method =
  'All numbers are public counts, checked at most once a day for each account and post. Start: the last known count at or before the beginning of the period, or the first one in it if no earlier one exists. ' +
  'End: the last known count in the period. Change: end minus start. Totals count only accounts and posts whose start and end are known, and say how many they leave out. ' +
  'An unknown count is empty, never 0. Views are not added to followers, and likes of accounts are not added to likes of posts. Unique reach, sales, conversions and media value are not measured.';

interface NoteContext {
  input: ReportInput;
  window: Window;
  items: readonly MeasuredItem[];
  coverage: Coverage;
  totals: Totals;
}

/**
 * Returns the notes of a campaign report: one sentence for each reason why numbers are missing, rounded or partial. The
 * order of the notes is always the same.
 */
export function notesOf(context: NoteContext): string[] {
  return [
    ...periodNotes(context),
    ...coverageNotes(context),
    ...removedNotes(context),
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
  if (!final && generated_at >= periodEnd) notes.push('This week is over, but its final report is not ready yet.');
  else if (!final) {
    const asOf = new Date(generated_at).toISOString().slice(0, 16).replace('T', ' ');
    notes.push(`This week ends on ${dayOf(periodEnd - dayMs)}. The numbers are as of ${asOf} UTC.`);
  }
  const starts = startOf(campaign.starts_on);
  if (starts >= periodEnd || starts > generated_at) {
    notes.push(`The campaign starts on ${campaign.starts_on}: there are no numbers for earlier days.`);
  } else if (starts > period_start) {
    notes.push(`The campaign started on ${campaign.starts_on}, during this week: changes are counted from that day.`);
  }
  if (campaign.ends_on !== null && startOf(campaign.ends_on) + dayMs < periodEnd) {
    notes.push(`The last day of the campaign is ${campaign.ends_on}: later days are not counted.`);
  }
  const historyFrom = historyStart(generated_at, history_days);
  if (historyFrom > period_start && window.from === historyFrom) {
    notes.push(`The history limit is ${history_days} days: days before ${dayOf(historyFrom)} are not counted.`);
  }
  return notes;
}

/**
 * Texts that say why a metric has no value for a day. A report puts a count of days before the text: `2 × all checks
 * were paused`.
 */
export const causeLabels: Readonly<Record<string, string>> = {
  NOT_CHECKED: 'no check was made, because tracking was paused or the service was not running',
  IDENTITY_CHANGED: 'the handle belonged to another account',
  SKIPPED_PAUSED: 'all checks were paused',
  SKIPPED_CAP_REACHED: 'the monthly cap was reached',
  SKIPPED_NO_CREDITS: 'no credits were left',
  RESOURCE_NOT_FOUND: 'not found (deleted or renamed?)',
  SOURCE_RESTRICTED: 'the platform restricts access',
  SOURCE_TIMEOUT: 'the platform did not answer in time',
  SOURCE_RESPONSE_CHANGED: 'the answer of the platform could not be read',
  SOURCE_CAPACITY: 'the platform limited our requests',
  SOURCE_UNAVAILABLE: 'the platform was unavailable',
  SOURCE_NOT_CONFIGURED: 'this server is not set up for this platform',
  INTERNAL: 'the check failed on our side',
};

function coverageNotes({ items, coverage }: NoteContext): string[] {
  if (items.length === 0) return ['This campaign has no accounts or posts.'];
  const notes: string[] = [];
  const missing = coverage.expected_observations - coverage.observations;
  if (missing > 0) {
    const causes = [...daysByCause(items)].filter(([cause]) => cause !== 'NOT_TRACKED');
    const list = causes.map(([cause, days]) => `${days} × ${causeLabels[cause] ?? cause}`).join('; ');
    notes.push(`Missing daily checks: ${missing} of ${coverage.expected_observations} (${list}).`);
  }
  const added = items.filter(({ presence }) => presence.gaps.some(({ cause }) => cause === 'NOT_TRACKED'));
  if (added.length > 0)
    notes.push(`Added after the start of this week, so earlier days have no numbers: ${namesOf(added)}.`);
  const never = items.filter(({ presence }) => presence.observed === 0);
  if (never.length > 0) notes.push(`No number in this week: ${namesOf(never)}.`);
  return notes;
}

const removedPrefixes = [
  ['RESOURCE_NOT_FOUND', 'Not found at the last check (deleted or renamed?)'],
  ['SOURCE_RESTRICTED', 'Not public at the last check (private or restricted?)'],
] as const;

/** Returns a note with the names of the items that had numbers in this week, but could no longer be seen at its end. */
function removedNotes({ items }: NoteContext): string[] {
  return removedPrefixes.flatMap(([cause, prefix]) => {
    const names = items.flatMap(({ label, presence, observations }) => {
      const last = presence.gaps.at(-1);
      if (last?.cause !== cause || presence.observed === 0) return [];
      const isBack = observations.some(({ observed_at }) => observed_at.getTime() >= last.from);
      return isBack ? [] : [`${label} (since ${dayOf(last.from)})`];
    });
    return names.length === 0 ? [] : [`${prefix}, so the last known numbers are from before: ${listed(names)}.`];
  });
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
  const late = items.filter((item) => startsLate(item, window));
  if (late.length > 0)
    notes.push(
      `A number is not known from before this week, so its change starts at the check that first found it: ${namesOf(late)}.`,
    );
  const tooEarly = ({ start_at, end_at }: Measured) =>
    start_at !== null && end_at !== null && start_at < window.from - dayMs;
  const early = items.filter(({ measured }) => [...measured.values()].some(tooEarly));
  if (early.length > 0) {
    notes.push(
      `The start number is from more than a day before the period, so the change covers more than the period: ${namesOf(early)}.`,
    );
  }
  return notes;
}

const qualityPrefixes: readonly (readonly [MetricQuality, string])[] = [
  ['rounded', '≈ Rounded by the platform, so small changes are not visible'],
  ['hidden', 'Hidden by the account'],
  ['not_exposed', 'Not shown by the platform'],
];

function qualityNotes({ items }: NoteContext): string[] {
  return qualityPrefixes.flatMap(([quality, prefix]) => {
    const counts = metrics.flatMap((metric) => {
      const having = items.filter(({ report }) => report.metrics[metric]?.quality === quality);
      return having.length === 0 ? [] : [`${metricName(metric)} of ${namesOf(having)}`];
    });
    return counts.length === 0 ? [] : [`${prefix}: ${counts.join('; ')}.`];
  });
}

function identityNotes({ items }: NoteContext): string[] {
  const changed = items.filter(({ item }) => item.identity_changed);
  if (changed.length === 0) return [];
  return [
    `The handle now belongs to another account. The numbers are from the earlier account and are not in any total: ${namesOf(changed)}.`,
  ];
}

function sourceNotes({ items, window }: NoteContext): string[] {
  const mixed = items.filter(({ observations, measured }) => {
    if (observations.every(({ source }) => source === observations[0]?.source)) return false;
    const starts = new Set([...measured.values()].map(({ start_at }) => start_at));
    const used = observations.filter((row) => isInside(row, window) || starts.has(row.observed_at.getTime()));
    return new Set(used.map(({ source }) => source)).size > 1;
  });
  if (mixed.length === 0) return [];
  return [`The numbers come from more than one data source, and sources can count differently: ${namesOf(mixed)}.`];
}

function totalNotes({ items, totals }: NoteContext): string[] {
  const notes = metrics.flatMap((metric) => {
    const total = totals[metric];
    return total && total.items_missing > 0 ? [missingNote(metric, total, items)] : [];
  });
  const separate = items.filter(({ measured, adds }) => measured.has('likes') && !adds.has('likes'));
  if (separate.length > 0) {
    notes.push(
      `The likes of an account include those of all its posts, so they are not added to the likes of posts: ${namesOf(separate)}.`,
    );
  }
  return notes;
}

/**
 * Returns a sentence with the number of items that a total of the report does not count, and the reason. Example:
 * "Likes: 1 of the 7 accounts and posts that have likes is not counted because its number is unknown."
 */
function missingNote(
  metric: Metric,
  { items: counted, items_missing: missing }: Total,
  items: readonly MeasuredItem[],
) {
  const changed = items.filter(({ item, adds }) => item.identity_changed && adds.has(metric)).length;
  const [verb, owner] = missing === 1 ? ['is', 'its'] : ['are', 'their'];
  const reasons = [
    ...(missing > changed ? [`${owner} number is unknown`] : []),
    ...(changed > 0 ? [`${owner} handle now belongs to another account`] : []),
  ];
  const label = metricName(metric);
  const all = counted + missing;
  const of =
    all === 1
      ? `the only account or post that has ${label}`
      : `${missing} of the ${accountsAndPosts(all)} that have ${label}`;
  const name = label.charAt(0).toUpperCase() + label.slice(1);
  return `${name}: ${of} ${verb} not counted because ${reasons.join(' or ')}.`;
}

function namesOf(items: readonly MeasuredItem[]): string {
  return listed(items.map(({ label }) => label));
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNames);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
