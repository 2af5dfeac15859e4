import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { listJobs } from '../../pipeline/jobs/all.ts';
import { startQueue } from '../../pipeline/queue/queue.ts';

// This program creates the queues of all jobs in the database given as its argument. It runs as a separate process,
// because in Vitest each module of the jobs would have to be transformed, which takes longer.
const database = connectClients(parseDatabaseUrl(process.argv[2] ?? ''), 'test');
const silentLog = { info() {}, warn() {}, error() {} };
const queue = await startQueue({ sql: database.sql, jobs: listJobs(), log: silentLog, work: null });
await queue.stop();
await database.close();
