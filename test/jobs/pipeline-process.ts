import { inspect } from 'node:util';
import { openDatabase } from '../../db/open.ts';
import { readPipelineConfig } from '../../pipeline/config.ts';
import { createSources, openQuota } from '../../pipeline/create-sources.ts';
import { startPipeline } from '../../pipeline/start.ts';
import { type Ended, type Running, runProgram } from '../harness/service-process.ts';
import { until } from '../setup/processes.ts';
import { patientMs, silentLog } from '../setup/test-database.ts';

export interface PipelineProcess extends Running {
  /** Sends SIGTERM to the pipeline and waits for the end of its process. */
  stop(): Promise<Ended>;
}

/**
 * Starts `node pipeline/main.ts` and waits until the pipeline runs. If the process ends instead, throws with its
 * output.
 */
export async function startPipelineProcess(env: Record<string, string>): Promise<PipelineProcess> {
  const started = runProgram(['pipeline/main.ts'], { DATABASE_TIMEOUT_MS: String(patientMs), ...env });
  let over = false;
  const ended = started.ended.finally(() => {
    over = true;
  });
  const isRunning = () => started.output().includes('pipeline started');
  await until(async () => over || isRunning());
  if (!isRunning()) throw new Error(`the pipeline did not start: ${started.output()}`);
  return {
    ...started,
    stop() {
      started.child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Functions that stop the pipelines which {@link startPipelineHere} started and which still run. */
const runningHere = new Set<() => Promise<void>>();

/** Stops every pipeline that runs in this process. Call this before closing the database of a test. */
export async function stopPipelinesHere(): Promise<void> {
  await Promise.allSettled([...runningHere].map((stop) => stop()));
}

/**
 * Starts the pipeline in this process, for tests in which only another pipeline must be a separate process. Takes the
 * same environment as {@link startPipelineProcess}. Returns a function that stops the pipeline and throws if a job
 * failed.
 */
export async function startPipelineHere(env: Record<string, string>): Promise<() => Promise<void>> {
  const config = readPipelineConfig({ DATABASE_TIMEOUT_MS: String(patientMs), ...env });
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (details: object, message: string) => errors.push({ details, message }) };
  const now = () => new Date();
  const db = await openDatabase({ ...config, role: 'pipeline' }, log);
  const sources = { ...createSources(config, now), quota: openQuota(config, db.sql) };
  const work = { ...config, db, now, sources, base_url: 'http://127.0.0.1', log, work: true };
  const pipeline = await startPipeline(work).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  const stop = async () => {
    runningHere.delete(stop);
    await pipeline.stop().finally(() => db.close());
    if (errors.length > 0) throw new Error(`A job of the pipeline failed: ${inspect(errors)}`);
  };
  runningHere.add(stop);
  return stop;
}
