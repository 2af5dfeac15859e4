import type { SourcedRoute } from '../../data/route.ts';
import { type SampleRecord, samples } from '../../sandbox/samples.ts';

/** Maximum number of entries that an example shows of each list. */
const shownEntries = 1;
/** Maximum number of characters that an example shows of each text. */
const shownCharacters = 160;

/** Returns the answer of the sandbox as an example: lists have one entry, and long texts are cut. */
export function exampleAnswer({ path, container, cost }: SourcedRoute): string {
  const sample = samples[path];
  if (!sample) throw new Error(`The sandbox has no sample for ${path}.`);
  const data =
    'rows' in sample
      ? { items: shortened(sample.rows), pagination: { next_cursor: null, limit: sample.rows.length } }
      : { [container]: shortened(sample.record) };
  const meta = { credits_charged: cost, cached: false, source: 'sandbox', quality: qualityOf(sample) };
  return JSON.stringify({ data, meta }, null, 2);
}

/**
 * Returns the quality labels of a sample, such as `rounded`, without the labels of list rows that the example leaves
 * out.
 */
function qualityOf(sample: { rows: readonly SampleRecord[] } | { record: SampleRecord } | object): object {
  const { quality = {} } = sample as { quality?: Record<string, string> };
  if (!('rows' in sample)) return quality;
  return Object.fromEntries(Object.entries(quality).filter(([name]) => Number.parseInt(name, 10) < shownEntries));
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > shownCharacters) return `${value.slice(0, shownCharacters)}…`;
  if (Array.isArray(value)) return value.slice(0, shownEntries).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}
