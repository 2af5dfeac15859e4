import { z } from 'zod';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { type AnyCollector, type CollectContext, collect } from '../../../pipeline/collect/collect.ts';
import { createSources, openQuota } from '../../../pipeline/create-sources.ts';
import { SourceError } from '../../../pipeline/errors.ts';
import { type Command, textTable, UsageError, wrongUse } from '../command.ts';
import { collectorNamed, collectors, paramsOf } from './collectors.ts';
import { coverageOf, coverageText, summaryOf } from './coverage.ts';
import { withVerifiedPage } from './pages.ts';
import { type RecordedCall, recordedCalls } from './recorded.ts';

export const collectCommand: Command = {
  name: 'collect',
  usage: 'COLLECTOR name=value…',
  does: 'fetches a record from the sources and shows it with its fields; charges nothing',
  args: ['COLLECTOR', 'name=value…'],
  options: [],
  async run({ args, db, config, now }) {
    const [name = '', ...pairs] = args;
    const collector = collectorNamed(name);
    const values = paramsOf(pairs, (problem) => wrongUse(collectCommand, problem));
    const parsed = collector.params.safeParse(await withVerifiedPage(db.sql, values));
    if (!parsed.success) {
      throw wrongUse(collectCommand, parsed.error.issues.map((issue) => problemOf(issue, name, values)).join('\n'));
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

/** Returns a sentence about a parameter that a collector does not accept. */
function problemOf(issue: z.core.$ZodIssue, collector: string, values: Record<string, unknown>): string {
  if (issue.code === 'unrecognized_keys') return `${collector} has no parameter ${issue.keys.join(', ')}.`;
  const name = issue.path.join('.');
  return name in values ? `${name}: ${issue.message}` : `${name}=… is missing.`;
}

/**
 * Runs every collector on recorded answers. In the list of commands it must come before {@link collectCommand}, because
 * both names begin with `collect` and the first match runs.
 */
export const collectRecorded: Command = {
  name: 'collect --all-recorded',
  usage: '',
  does: 'runs every collector on the recordings of UPSTREAM_REPLAY; exit code 1 when a recording is missing',
  args: [],
  options: [],
  async run({ config, now }) {
    if (config.recordings === null) {
      throw new UsageError(
        'Set UPSTREAM_REPLAY to a manifest of recorded answers: this command never uses the network.',
      );
    }
    const context = { ...createSources(config, now), signal: new AbortController().signal };
    const calls = recordedCalls(config.recordings);
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
      text: [textTable(shown), ...reasons, countsOf(rows)].join('\n\n'),
      exit_code: failed.length > 0 ? 1 : 0,
    };
  },
};

/** Number of rows to request of a list: a whole page, so that the result shows which fields usually have a value. */
const recordedRows = 20;

/** One row in the output of the command `collect --all-recorded`. */
interface RecordedRow {
  collector: string;
  /** The parameters of the call, written as on the command line of `collect`. */
  identifier: string | null;
  /**
   * The result of the collector: `OK`, an error code, or `NOT_RECORDED` when no answer of the platform was recorded for
   * the collector.
   */
  outcome: string;
  source: string | null;
  /** Number of fields with a value, as text such as `31 of 40 given`. */
  fields: string | null;
  partial: boolean | null;
  message: string | null;
}

function rowOf(collector: string, identifier: string | null, outcome: string): RecordedRow {
  return { collector, identifier, outcome, source: null, fields: null, partial: null, message: null };
}

/** Runs one recorded call. Uses only the sources that have a recording for it. */
async function recordedRow(call: RecordedCall, context: CollectContext): Promise<RecordedRow> {
  const collector = collectors.get(call.collector) as AnyCollector;
  // Gives each call its own circuit breakers, which contain the quota counter. A recorded "quota exceeded" then affects
  // only that call.
  const own = { ...context, breakers: createBreakers({ now: context.now, enabled: false }) };
  const sources = collector.sources.filter(({ name }) => call.sources.has(name));
  const row = (outcome: string) => rowOf(call.collector, identifierOf(call.params), outcome);
  const paging = collector.record instanceof z.ZodArray ? { limit: recordedRows } : {};
  const params = collector.params.safeParse({ ...call.params, ...paging });
  if (!params.success) return { ...row('INVALID_INPUT'), message: params.error.issues[0]?.message ?? null };
  try {
    const { record, source, partial, quality } = await collect({ ...collector, sources }, params.data, own);
    const fields = summaryOf(coverageOf(collector.record, record, quality));
    return { ...row('OK'), source, fields, partial };
  } catch (error) {
    const outcome = error instanceof SourceError ? error.code : 'INTERNAL';
    return { ...row(outcome), message: error instanceof Error ? error.message : String(error) };
  }
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
