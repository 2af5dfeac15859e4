import pino from 'pino';
import { openDatabase } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { StartError } from '../db/start-error.ts';
import { ConfigError, readPipelineConfig } from './config.ts';
import { createSources, openQuota, startPipeline } from './start.ts';

const log = pino({ base: null, redact: { paths: ['*.token', '*.key', '*.authorization'], remove: true } });
const now = () => new Date();

try {
  await run();
} catch (error) {
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** The jobs as a process of their own; as many as one likes may run beside each other and the server. */
async function run(): Promise<void> {
  const config = readPipelineConfig(process.env);
  const askedToStop = new Promise<void>((resolve) => {
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
    log.info('the pipeline works');
    await askedToStop;
    log.info('stopping: jobs under way are finished first');
    await pipeline.stop();
  } finally {
    await db.close();
  }
  log.info('stopped');
  process.exit(0);
}
