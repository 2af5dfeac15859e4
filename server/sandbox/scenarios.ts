import type { Quality } from '../../pipeline/collect/quality.ts';
import { type ErrorCode, errorTable } from '../../pipeline/errors.ts';
import type { RouteSample, SampleRecord } from './samples.ts';

export type Effect =
  | { kind: 'error'; code: ErrorCode }
  | { kind: 'slow'; delay_ms: number }
  | { kind: 'pages' }
  | { kind: 'rounded' }
  | { kind: 'hidden' }
  | { kind: 'nulls' }
  | { kind: 'low_balance'; credits_remaining: number };

interface Scenario {
  name: string;
  /**
   * Three letters or digits that select this scenario. A client writes them after `sandbox_` or `sandbox-` in a handle,
   * tag, query, code or alphanumeric id.
   */
  suffix: string;
  /** Four digits that select this scenario. A client writes them after ten nines in a numeric id. */
  number: string;
  effect: Effect;
  /** Description of the answer, for the documentation. */
  answer: string;
}

/** One sandbox scenario (a test answer) for each error code that a data route can return. */
const errorScenarios = (Object.keys(errorTable) as ErrorCode[]).flatMap((code): Scenario[] => {
  const { sandbox, status } = errorTable[code];
  if (!sandbox) return [];
  const [suffix, number] = sandbox;
  return [{ name: code, suffix, number, effect: { kind: 'error', code }, answer: `${status} ${code}` }];
});

/**
 * All scenarios (test answers) of the sandbox. A request with a development key selects a scenario by a reserved
 * identifier, such as the handle `sandbox_slo`.
 */
export const scenarios: readonly Scenario[] = [
  ...errorScenarios,
  {
    name: 'slow answer',
    suffix: 'slo',
    number: '2001',
    effect: { kind: 'slow', delay_ms: 3_000 },
    answer: 'the sample, after 3 seconds',
  },
  {
    name: 'page sequence',
    suffix: 'pag',
    number: '2002',
    effect: { kind: 'pages' },
    answer: 'lists: the rows in pages of `limit`, each with a `next_cursor`; on the last page it is null',
  },
  {
    name: 'rounded count',
    suffix: 'rnd',
    number: '2003',
    effect: { kind: 'rounded' },
    answer: 'the first count (followers, views, likes, …) rounded to three significant figures and marked `rounded`',
  },
  {
    name: 'hidden count',
    suffix: 'hid',
    number: '2004',
    effect: { kind: 'hidden' },
    answer: 'followers (or likes, if there are no followers) null and marked `hidden`; never 0',
  },
  {
    name: 'nulls everywhere',
    suffix: 'nul',
    number: '2005',
    effect: { kind: 'nulls' },
    answer: 'every field null except the identity (`id`; `video_id` of a transcript), including lists and objects',
  },
  {
    name: 'low balance',
    suffix: 'low',
    number: '2006',
    effect: { kind: 'low_balance', credits_remaining: 3 },
    answer: 'the sample, with `x-credits-remaining: 3`',
  },
];

const alphanumeric = /^[@#]?(?:UC|PL)?sandbox[-_]([a-z0-9]{3})(?:-0+)?$/;
const numeric = /^9{10}([0-9]{4})0*$/;

/**
 * Returns the sandbox scenario (test answer) that the first reserved identifier selects. Returns null when no
 * identifier is reserved.
 */
export function scenarioOf(identifiers: readonly string[]): Scenario | null {
  for (const identifier of identifiers) {
    const suffix = alphanumeric.exec(identifier)?.[1];
    const number = numeric.exec(identifier)?.[1];
    const found = scenarios.find((scenario) => scenario.suffix === suffix || scenario.number === number);
    if (found) return found;
  }
  return null;
}

const longId = ({ number }: Scenario) => `9999999999${number}00000`;

/**
 * Functions that build the reserved identifier of a scenario, one for each format of identifiers that the routes
 * accept.
 */
const forms = {
  'photo-handle': ({ suffix }) => `sandbox_${suffix}`,
  'photo-id': ({ suffix }) => `sandbox-${suffix}`,
  'shortvideo-handle': ({ suffix }) => `sandbox_${suffix}`,
  'shortvideo-id': longId,
  'longvideo-id': ({ suffix }) => `sandbox-${suffix}`,
  'channel-id': ({ suffix }) => `UCsandbox-${suffix}-0000000000`,
  'playlist-id': ({ suffix }) => `PLsandbox-${suffix}`,
  'comment-id': ({ suffix }) => `sandbox-${suffix}-00000000`,
  tag: ({ suffix }) => `sandbox_${suffix}`,
  query: ({ suffix }) => `sandbox_${suffix}`,
} as const satisfies Record<string, (scenario: Scenario) => string>;

/**
 * A format of identifiers. `shortvideo-id` is the format of all numeric ids: TikTok videos, sounds, playlists and
 * comments, and pages of the ad library. `comment-id` is the format of YouTube comments. The handle of a YouTube
 * channel uses the format `photo-handle`.
 */
type IdentifierFamily = keyof typeof forms;
export const identifierFamilies = Object.keys(forms) as IdentifierFamily[];

/** Returns the reserved identifiers in one format, one for each scenario, in the order of {@link scenarios}. */
export function reservedIdentifiers(family: IdentifierFamily): string[] {
  return scenarios.map(forms[family]);
}

/**
 * Returns a copy of the sample with the changes of a scenario. A scenario about speed, pages, balance or an error does
 * not change the sample.
 */
export function applyScenario(scenario: Scenario, sample: RouteSample): RouteSample {
  if (scenario.effect.kind === 'rounded') return changeCount(sample, counts, 'rounded', round);
  if (scenario.effect.kind === 'hidden') return changeCount(sample, hideable, 'hidden', hide);
  if (scenario.effect.kind === 'nulls') return withoutValues(sample);
  return { ...sample };
}

/** Count fields, of which the scenario `rounded` changes the first one that a record has. */
const counts = ['followers', 'views', 'likes', 'content_count', 'item_count', 'eu_total_reach'];
const hideable = ['followers', 'likes'];

/**
 * Changes the first count that a record has, and marks it with the quality label `state`. In a list, changes only the
 * first row with a count.
 */
function changeCount(
  sample: RouteSample,
  fields: readonly string[],
  state: Quality[string],
  change: (record: SampleRecord, field: string) => SampleRecord,
): RouteSample {
  const countIn = (record: SampleRecord) => fields.find((field) => typeof record[field] === 'number');
  if ('record' in sample) {
    const field = countIn(sample.record);
    if (field === undefined) return { ...sample };
    return { record: change(sample.record, field), quality: { ...sample.quality, [field]: state } };
  }
  for (const [index, row] of sample.rows.entries()) {
    const field = countIn(row);
    if (field === undefined) continue;
    const quality: Quality = { ...sample.quality, [`${index}.${field}`]: state };
    return { rows: sample.rows.with(index, change(row, field)), quality };
  }
  return { ...sample };
}

/** Rounds a count to three significant figures, as on a page that shows 12.4K. */
function round(record: SampleRecord, field: string): SampleRecord {
  return withPrecision({ ...record, [field]: Number(Number(record[field]).toPrecision(3)) }, field, true);
}

function hide(record: SampleRecord, field: string): SampleRecord {
  const hidden = withPrecision({ ...record, [field]: null }, field, null);
  const isChannel = field === 'followers' && 'hidden_subscriber_count' in hidden;
  return isChannel ? { ...hidden, hidden_subscriber_count: true } : hidden;
}

/**
 * Sets the fields that say whether the count in `field` is rounded. `rounded` is null when this is unknown. Returns a
 * record without such fields unchanged.
 */
function withPrecision(record: SampleRecord, field: string, rounded: boolean | null): SampleRecord {
  const changed = { ...record };
  const flags = field === 'followers' ? ['follower_count_is_rounded', 'subscriber_count_is_rounded'] : [];
  for (const flag of flags) if (flag in record) changed[flag] = rounded;
  const precision = record.counts_rounded;
  if (typeof precision === 'object' && precision !== null && field in precision)
    changed.counts_rounded = { ...precision, [field]: rounded };
  return changed;
}

function withoutValues(sample: RouteSample): RouteSample {
  if ('record' in sample) return { record: onlyIdentity(sample.record), quality: {} };
  return { rows: sample.rows.map(onlyIdentity), quality: {} };
}

function onlyIdentity(record: SampleRecord): SampleRecord {
  const identity = 'id' in record ? 'id' : 'video_id';
  return Object.fromEntries(Object.keys(record).map((field) => [field, field === identity ? record[field] : null]));
}
