// Counts how often each source returned each field in recorded answers of the platforms, and whether the value was
// exact or rounded. Writes only the counts. RECORDED=FOLDER npm run field-facts (FOLDER has the manifest.json of the
// recordings)
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBreakers } from '../../pipeline/collect/breaker.ts';
import { type AnyCollector, collect } from '../../pipeline/collect/collect.ts';
import { countFields, type FieldCounts } from '../../pipeline/collect/count-fields.ts';
import { createRecordedFetcher } from '../../pipeline/network/recorded-fetcher.ts';
import { catalog } from '../../server/data/catalog.ts';
import type { SourcedRoute } from '../../server/data/route.ts';

const folder = process.env.RECORDED ?? '../shared/recorded';
const manifest = join(folder, 'manifest.json');
const output = 'server/docs/reference/field-facts.json';
const maxPerRequestMs = 5_000;

/**
 * Placeholders for the credentials of the sources. A source is used only when it has credentials, and the recorded
 * answers do not depend on them.
 */
const config = {
  youtube_api_key: 'recorded',
  instagram_graph_token: 'recorded',
  instagram_graph_user_id: '1',
  meta_adlibrary_token: 'recorded',
  x_bearer_token: 'recorded',
  keyless: () => true,
};

const fetch = createRecordedFetcher(manifest);
const facts: Record<string, FieldCounts> = {};
for (const route of catalog.filter((one) => one.availability !== 'planned')) {
  const { name } = route.collector;
  const counts = facts[name] ?? (await countsOf(route));
  if (Object.keys(counts).length > 0) facts[name] = counts;
}
const lines = Object.entries(facts).map(([name, counts]) => `  ${JSON.stringify(name)}: ${JSON.stringify(counts)}`);
writeFileSync(output, `{\n${lines.join(',\n')}\n}\n`);
console.log(`${output}: ${lines.length} kinds of records.`);

/**
 * Returns the words of the manifest that may be identifiers. The caller tries each word with each recording, because
 * the recordings do not say which handle or id a request was for.
 */
function candidates(): string[] {
  const candidates = readFileSync(manifest, 'utf8').match(/[\w.@-]{2,60}/g) ?? [];
  return [...new Set(candidates)];
}

async function countsOf(route: SourcedRoute): Promise<FieldCounts> {
  const counts: FieldCounts = {};
  const seen = new Set<string>();
  for (const source of route.collector.sources) {
    const collector: AnyCollector = { ...route.collector, sources: [source] };
    for (const params of paramsOf(route)) {
      const answer = await answerOf(collector, params);
      if (answer === null) continue;
      const rows = (Array.isArray(answer.record) ? answer.record : [answer.record]) as Record<string, unknown>[];
      rows.forEach((row, index) => {
        const id = `${source.name} ${row.id ?? row.username ?? JSON.stringify(row)}`;
        if (seen.has(id)) return;
        seen.add(id);
        countFields(counts, source.name, row, answer.quality, Array.isArray(answer.record) ? `${index}.` : '');
      });
    }
  }
  return counts;
}

function paramsOf(route: SourcedRoute): unknown[] {
  const identifiers = Object.entries(route.identifiers).filter(([name]) => !/url$/i.test(name));
  const found = new Map<string, unknown>();
  for (const word of candidates()) {
    for (const [, { schema }] of identifiers) {
      const parsed = schema.safeParse(word);
      if (!parsed.success) continue;
      const list = route.container === 'items' ? { limit: 20, cursor: null } : {};
      const params = route.collector.params.safeParse({ ...(parsed.data as object), ...list });
      if (params.success) found.set(JSON.stringify(params.data), params.data);
    }
  }
  return [...found.values()];
}

async function answerOf(collector: AnyCollector, params: unknown) {
  const context = {
    fetch,
    config,
    now: () => new Date(),
    breakers: createBreakers({ enabled: false }),
    signal: AbortSignal.timeout(maxPerRequestMs),
  };
  // Ignores the error, because most words are not identifiers and have no recorded answer.
  return collect(collector, params, context).catch(() => null);
}
