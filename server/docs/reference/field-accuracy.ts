import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import type { Html } from '../layout.ts';

/** How often one source gave each field: `[present, rounded]`, of `records` records. */
interface SourceFacts {
  records: number;
  fields: Readonly<Record<string, readonly [present: number, rounded: number]>>;
}

/** The figures by collector and source. `npm run field-facts` writes the file from recorded answers of the platforms. */
type FieldFacts = Readonly<Record<string, Readonly<Record<string, SourceFacts>>>>;

const facts = JSON.parse(readFileSync(new URL('./field-facts.json', import.meta.url), 'utf8')) as FieldFacts;

/** Returns one sentence about what the figures of a collector were counted in. */
export function accuracySources(collector: string): Html | Promise<Html> | string {
  const sources = Object.entries(facts[collector] ?? {});
  if (sources.length === 0) return 'How often each field is filled was not measured yet.';
  const counted = sources.map(([source, { records }]) => `${records} from ${source}`).join(', ');
  return html`<b>Filled</b> says how many real records had the field, counted by source: ${counted}.`;
}

/** Returns how often each source gave a field, and how exactly. Returns null when it was not measured. */
export function accuracyCell(collector: string, field: string): Html | Promise<Html> | null {
  const counted = Object.entries(facts[collector] ?? {}).flatMap(([source, { records, fields }]) => {
    const [present, rounded] = fields[field] ?? [];
    return present === undefined || rounded === undefined ? [] : [{ source, records, present, rounded }];
  });
  if (counted.length === 0) return null;
  return html`<span class="filled">Filled: ${counted.map(
    ({ source, records, present, rounded }, index) =>
      html`${index > 0 ? '; ' : ''}<b>${present} of ${records}</b> (${source}${rounded > 0 ? `, ${rounded} rounded` : ''})`,
  )}</span>`;
}
