import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { type FieldCount, fieldCountDays } from '../../../db/requests/field-counts.ts';
import type { Html } from '../layout.ts';

/**
 * Counts how often one source returned each field in recorded answers. `records` is the number of all records. For each
 * field, `fields` has two numbers: how many records have the field, and in how many of these the value is rounded.
 */
interface SourceFacts {
  records: number;
  fields: Readonly<Record<string, readonly [present: number, rounded: number]>>;
}

/**
 * The content of field-facts.json: counts by collector, then by source. `npm run field-facts` writes the file from
 * recorded answers of the platforms.
 */
type FieldFacts = Readonly<Record<string, Readonly<Record<string, SourceFacts>>>>;

const facts = JSON.parse(readFileSync(new URL('./field-facts.json', import.meta.url), 'utf8')) as FieldFacts;

/** How often this server got each field of one collector's records. Null when the database cannot be reached. */
export type LiveFigures = readonly FieldCount[] | null;

type Content = Html | Promise<Html>;

/**
 * Returns a text that says how many answers a collector's figures are based on: those that were recorded for the tests,
 * and those that this server received.
 */
export function accuracySources(collector: string, live: LiveFigures): Content {
  const sources = Object.entries(facts[collector] ?? {});
  const recorded =
    sources.length === 0
      ? 'How often each field is filled was not measured in recorded answers.'
      : html`<b>Filled</b> says how many recorded answers of the platforms had the field, by source: ${sources.map(([source, { records }]) => `${records} from ${source}`).join(', ')}.`;
  return html`${recorded} ${liveSources(live)}`;
}

function liveSources(live: LiveFigures): Content | string {
  if (live === null) return 'The figures of this server cannot be read now.';
  const bySource = Map.groupBy(live, ({ source }) => source);
  if (bySource.size === 0) return `This server got no such answer in the last ${fieldCountDays} days.`;
  const counted = [...bySource].map(([source, fields]) => `${number(recordsOf(fields))} from ${source}`);
  return html`<b>Here</b> says the same for the answers that this server got in the last ${fieldCountDays} days (UTC): ${counted.join(', ')}.`;
}

const number = (value: number) => value.toLocaleString('en-US');
const recordsOf = (counts: readonly FieldCount[]) => Math.max(...counts.map(({ given, missing }) => given + missing));

/**
 * Returns a text that says how often each source returned a field, and how often the value was rounded. Returns null
 * when this was not measured.
 */
export function accuracyCell(collector: string, field: string, live: LiveFigures): Content | null {
  const recorded = Object.entries(facts[collector] ?? {}).flatMap(([source, { records, fields }]) => {
    const [present, rounded] = fields[field] ?? [];
    return present === undefined || rounded === undefined ? [] : [{ source, records, present, rounded }];
  });
  const here = (live ?? []).filter((count) => count.field === field);
  if (recorded.length === 0 && here.length === 0) return null;
  return html`<span class="filled">${recorded.length > 0 ? html`Filled: ${joined(recorded.map(recordedShare))}` : null}${recorded.length > 0 && here.length > 0 ? html`<br>` : null}${here.length > 0 ? html`Here: ${joined(here.map(liveShare))}` : null}</span>`;
}

const joined = (parts: readonly Content[]) => parts.map((part, index) => html`${index > 0 ? '; ' : ''}${part}`);

function recordedShare(counted: { source: string; records: number; present: number; rounded: number }): Content {
  const { source, records, present, rounded } = counted;
  return html`<b>${present} of ${records}</b> (${source}${rounded > 0 ? `, ${rounded} rounded` : ''})`;
}

function liveShare({ source, given, missing, rounded }: FieldCount): Content {
  const share = percent(given, given + missing);
  return html`<b>${share}</b> (${source}${rounded > 0 ? `, ${percent(rounded, given)} of them rounded` : ''})`;
}

/** Returns a share as a percentage. The result is 100% only when `part` equals `all`, and 0% only when `part` is 0. */
function percent(part: number, all: number): string {
  const rounded = Math.round((part * 1_000) / all) / 10;
  if (rounded === 100 && part < all) return '99.9%';
  return rounded === 0 && part > 0 ? '0.1%' : `${rounded}%`;
}
