import type { Admission } from '../../db/requests/admission.ts';
import type { Cursor } from '../../pipeline/collect/list-cursor.ts';
import type { Quality } from '../../pipeline/collect/quality.ts';
import { reindexedQuality, rowsBetween } from '../../pipeline/collect/row-indexes.ts';
import { collectedAnswer } from '../../pipeline/collect/stored-answer.ts';
import { loadOnce } from '../../pipeline/lazy.ts';
import { type CursorSeal, sampleSource } from '../data/cursor.ts';
import { dataOf } from '../data/envelope.ts';
import type { MeteredSample } from '../data/meter.ts';
import type { DataRequest } from '../data/request.ts';
import { invalidInput, RequestError } from '../http/errors.ts';
import { applyScenario, type Effect, scenarioOf } from './scenarios.ts';

/**
 * Retrieval time of every sample. The time is constant, so that the same request returns exactly the same answer on
 * every day.
 */
const sampledAt = '2026-01-15T12:00:00.000Z';
const retryAfterSeconds = 20;

/** Loads the samples. A server that gets no sandbox requests never loads them. */
const loadSamples = loadOnce(async () => (await import('./samples.ts')).samples);

interface SandboxDeps {
  cursors: CursorSeal;
  sleep: (milliseconds: number) => Promise<void>;
}

/**
 * Returns the answer for a development key: the sample of the route. A reserved identifier selects a scenario. A
 * scenario changes the sample, delays the answer, or causes an error.
 */
export async function sampleOf(request: DataRequest, admission: Admission, deps: SandboxDeps): Promise<MeteredSample> {
  const sample = (await loadSamples())[request.route.path];
  if (!sample) throw new Error(`The sandbox has no sample for ${request.route.path}.`);
  const scenario = scenarioOf(Object.values(request.params).filter((value) => typeof value === 'string'));
  if (scenario) await delayOrFail(scenario.effect, deps);
  const changed = scenario ? applyScenario(scenario, sample) : sample;
  const { record, next_cursor, quality } = 'rows' in changed ? pageOf(changed, request, deps.cursors) : single(changed);
  const data = dataOf(request, { record, next_cursor, limit: request.limit });
  return {
    ...collectedAnswer(data, { source: sampleSource, retrieved_at: sampledAt, partial: false, quality, warnings: [] }),
    credits_remaining: scenario?.effect.kind === 'low_balance' ? scenario.effect.credits_remaining : admission.balance,
  };
}

async function delayOrFail(effect: Effect, deps: SandboxDeps): Promise<void> {
  if (effect.kind === 'slow') await deps.sleep(effect.delay_ms);
  if (effect.kind !== 'error') return;
  if (effect.code === 'INVALID_INPUT') {
    throw invalidInput([{ parameter: 'sandbox', message: 'is the identifier of the scenario INVALID_INPUT' }]);
  }
  const hasWait = effect.code === 'RATE_LIMITED' || effect.code === 'SOURCE_CAPACITY';
  throw new RequestError(effect.code, hasWait ? { retry_after_seconds: retryAfterSeconds } : {});
}

type SamplePage = { record: unknown; next_cursor: string | null; quality: Quality };

function single(sample: { record: unknown; quality: Quality }): SamplePage {
  return { record: sample.record, next_cursor: null, quality: sample.quality };
}

function pageOf(
  sample: { rows: readonly unknown[]; quality: Quality },
  request: DataRequest,
  cursors: CursorSeal,
): SamplePage {
  const from = offsetOf(request.cursor);
  const to = from + request.limit;
  const more: Cursor = { source: sampleSource, at: { offset: to } };
  return {
    record: sample.rows.slice(from, to),
    next_cursor: to < sample.rows.length ? cursors.seal(more, request.binding) : null,
    quality: reindexedQuality(sample.quality, rowsBetween(from, to)),
  };
}

/** Returns the index of the first row of the page. The cursor belongs to a sample, as `checkCursorKind` ensures. */
function offsetOf(cursor: Cursor | null): number {
  return cursor !== null && 'source' in cursor ? Number(cursor.at.offset) : 0;
}
