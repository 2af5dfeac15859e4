import { openDatabase } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { readPipelineConfig } from './config.ts';
import { createLog } from './log.ts';
import { runProcess } from './process.ts';
import { createSources, openQuota, startPipeline } from './start.ts';

const log = createLog();
const now = () => new Date();

await runProcess(run, log);

/** Runs the jobs in a process without a server. Any number of such processes may run at the same time. */
async function run(): Promise<void> {
  const config = readPipelineConfig(process.env);
  const stopRequested = new Promise<void>((resolve) => {
    process.on('SIGINT', resolve);
    process.on('SIGTERM', resolve);
  });
  const upstreams = createSources(config, now);
  const db = await openDatabase({ ...config, role: 'pipeline' }, log);
  try {
    await migrate(db.sql);
    const sources = { ...upstreams, quota: openQuota(config, db.sql) };
    const baseUrl = config.base_url ?? 'http://127.0.0.1:8787';
    const pipeline = await startPipeline({ ...config, db, now, sources, base_url: baseUrl, log, work: true });
    log.info('pipeline started');
    await stopRequested;
    log.info('pipeline stopping: jobs in progress finish first');
    await pipeline.stop();
  } finally {
    await db.close();
  }
  log.info('pipeline stopped');
  process.exit(0);
}
