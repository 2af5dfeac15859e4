import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { readPipelineConfig } from './config.ts';
import { createSources, openFieldCounts, openQuota } from './create-sources.ts';
import { createLog } from './log.ts';
import { createMetricsReader, sharedMetrics } from './metrics/metrics.ts';
import { openMetricsPort } from './metrics/port.ts';
import { runProcess } from './process.ts';
import { startPipeline } from './start.ts';
import { releaseStartMemory } from './start-memory.ts';
import { startTelemetry } from './telemetry/start.ts';

const log = createLog();
const now = () => new Date();

await runProcess(run, log);

/**
 * Runs the background jobs in a process that has no HTTP server. Any number of such processes may run at the same time.
 */
async function run(): Promise<void> {
  const config = readPipelineConfig(process.env);
  const stopRequested = new Promise<void>((resolve) => {
    process.on('SIGINT', resolve);
    process.on('SIGTERM', resolve);
    // Stops this process when its parent process was killed. Only `npm run up` starts this file as a child process.
    process.on('disconnect', resolve);
  });
  const upstreams = createSources(config, now);
  const db = await openDatabase({ ...config, role: 'pipeline' }, log);
  try {
    await migrate(db.sql);
    const fieldCounts = openFieldCounts(config, db.sql, { now, log });
    const sources = { ...upstreams, quota: openQuota(config, db.sql), ...fieldCounts.hook };
    const onError = (error: unknown) => log.error({ err: error }, 'the metrics could not be read');
    const { breakers } = upstreams;
    const families = createMetricsReader({ ...sharedMetrics(db.sql), breakers, on_error: onError });
    // Before the jobs: a process that cannot open its port ends, and would interrupt jobs that it had begun.
    const closeMetrics = config.metrics_port && (await openMetricsPort(config.metrics_port, families));
    const baseUrl = config.base_url ?? 'http://127.0.0.1:8787';
    const pipeline = await startPipeline({ ...config, db, now, sources, base_url: baseUrl, log, work: true });
    const telemetry = await startTelemetry(process.env, { service: 'tidemark-pipeline', families, log });
    log.info('pipeline started');
    releaseStartMemory();
    await stopRequested;
    log.info('pipeline stopping: jobs in progress finish first');
    await pipeline.stop();
    await fieldCounts.close();
    closeMetrics?.();
    await telemetry.stop();
  } finally {
    await db.close();
  }
  log.info('pipeline stopped');
  process.exit(0);
}
