import { z } from 'zod';
import { type CollectContext, collect } from '../../pipeline/collect/collect.ts';
import { SourceError } from '../../pipeline/errors.ts';
import { createLongvideoCollectors } from '../../pipeline/longvideo/collectors.ts';
import { createSurfaces } from '../../pipeline/longvideo/surfaces.ts';
import { operatorCollectors } from '../../pipeline/operator-collectors.ts';
import { createSources, openQuota } from '../../pipeline/start.ts';
import { catalog } from '../../server/data/catalog.ts';
import type { AnyCollector } from '../../server/data/route.ts';
import { nearest } from '../../server/http/nearest.ts';
import { type Command, table, UsageError, wrongUse } from './command.ts';
import { coverageOf, coverageText, summaryOf } from './coverage.ts';
import { withVerifiedPage } from './pages.ts';
import { type RecordedCall, recordedCalls } from './recorded.ts';

const byName = (collectors: readonly AnyCollector[]) =>
  new Map(
    collectors.filter(({ sources }) => sources.length > 0).map((collector) => [collector.name, collector] as const),
  );
const collectors = byName([...catalog.flatMap(({ collector }) => collector ?? []), ...operatorCollectors]);

export const collectCommand: Command = {
  name: 'collect',
  usage: 'COLLECTOR name=value…',
  does: 'fetches a record from the sources and shows it with its fields; charges nothing',
  words: ['COLLECTOR', 'name=value…'],
  options: [],
  async run({ words, db, config, now }) {
    const [name = '', ...pairs] = words;
    const collector = collectors.get(name);
    if (!collector) throw unknownCollector(name);
    const parsed = collector.params.safeParse(await withVerifiedPage(db.sql, valuesOf(pairs)));
    if (!parsed.success) {
      const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
      throw wrongUse(collectCommand, issues.join('\n'));
    }
    try {
      const signal = new AbortController().signal;
      const context = { ...createSources(config, now), quota: openQuota(config, db.sql), signal };
      const collected = await collect(collector, parsed.data, context);
      const { record, ...about } = collected;
      const coverage = coverageOf(collector.record, record, about.quality);
      const shown = [JSON.stringify(record, null, 2), JSON.stringify(about, null, 2), coverageText(coverage)];
      return { json: { ...collected, coverage }, text: shown.join('\n\n') };
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const { code, message, reason } = error;
      return {
        json: { error: { code, message, reason } },
        text: `${code}: ${message}${reason ? ` (${reason})` : ''}`,
        exit_code: 1,
      };
    }
  },
};

/** Must come before {@link collectCommand} in the list of commands, because both names begin with `collect`. */
export const collectRecorded: Command = {
  name: 'collect --all-recorded',
  usage: '',
  does: 'runs every collector on the recordings of UPSTREAM_REPLAY; exit 1 when a recording is missing',
  words: [],
  options: [],
  async run({ config, now }) {
    if (config.upstream_replay === null) {
      throw new UsageError(
        'Set UPSTREAM_REPLAY to a manifest of recorded answers: this command never uses the network.',
      );
    }
    const context = { ...createSources(config, now), signal: new AbortController().signal };
    const calls = recordedCalls(config.upstream_replay);
    const rows: RecordedRow[] = [];
    for (const name of collectors.keys()) {
      const own = calls.filter(({ collector }) => collector === name);
      if (own.length === 0) rows.push(rowOf(name, null, 'NOT_RECORDED'));
      for (const call of own) rows.push(await recordedRow(call, context));
    }
    const failed = rows.filter(({ outcome }) => outcome === 'INTERNAL');
    const shown = rows.map(({ message: _, ...row }) => row);
    const reasons = failed.map(({ collector, identifier, message }) => `${collector} ${identifier}: ${message}`);
    return {
      json: rows,
      text: [table(shown), ...reasons, countsOf(rows)].join('\n\n'),
      exit_code: failed.length > 0 ? 1 : 0,
    };
  },
};

/** Rows to request of a list: a whole page, for a meaningful coverage. */
const recordedRows = 20;

interface RecordedRow {
  collector: string;
  /** The parameters, in the form that `collect` takes. */
  identifier: string | null;
  /** `OK`, an error code, or `NOT_RECORDED` for a collector without recordings. */
  outcome: string;
  source: string | null;
  /** `31 of 40 given`. */
  fields: string | null;
  partial: boolean | null;
  message: string | null;
}

function rowOf(collector: string, identifier: string | null, outcome: string): RecordedRow {
  return { collector, identifier, outcome, source: null, fields: null, partial: null, message: null };
}

/** Runs one recorded call, with only the sources that have a recording for it. */
async function recordedRow(call: RecordedCall, context: CollectContext): Promise<RecordedRow> {
  const collector = withNewState(call.collector);
  const sources = collector.sources.filter(({ name }) => call.sources.has(name));
  const row = (outcome: string) => rowOf(call.collector, identifierOf(call.params), outcome);
  const paging = collector.record instanceof z.ZodArray ? { limit: recordedRows } : {};
  const params = collector.params.safeParse({ ...call.params, ...paging });
  if (!params.success) return { ...row('INVALID_INPUT'), message: params.error.issues[0]?.message ?? null };
  try {
    const { record, source, partial, quality } = await collect({ ...collector, sources }, params.data, context);
    const fields = summaryOf(coverageOf(collector.record, record, quality));
    return { ...row('OK'), source, fields, partial };
  } catch (error) {
    const outcome = error instanceof SourceError ? error.code : 'INTERNAL';
    return { ...row(outcome), message: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the collector with new internal state, so that a recorded "quota exceeded" does not affect the next call. */
function withNewState(name: string): AnyCollector {
  const longvideo: readonly AnyCollector[] = Object.values(createLongvideoCollectors(createSurfaces()));
  return byName(longvideo).get(name) ?? (collectors.get(name) as AnyCollector);
}

function identifierOf(params: Record<string, unknown>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

function countsOf(rows: readonly RecordedRow[]): string {
  const counts = Map.groupBy(rows, ({ outcome }) => outcome);
  return Array.from(counts, ([outcome, { length }]) => `${length} ${outcome}`).join(', ');
}

function unknownCollector(name: string): UsageError {
  const names = [...collectors.keys()];
  const near = nearest(name, names);
  return new UsageError(`There is no collector ${name}${near ? `: did you mean ${near}?` : '.'}\n${names.join('\n')}`);
}

/** Parameters that are not text. */
const readers: Record<string, (text: string) => unknown> = {
  limit: Number,
  type: (text) => text.split(','),
};

function valuesOf(pairs: string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw wrongUse(collectCommand, `"${pair}" must be written name=value.`);
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
      return [name, readers[name]?.(value) ?? value];
    }),
  );
}
