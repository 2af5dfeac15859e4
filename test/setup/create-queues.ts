import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { listJobs } from '../../pipeline/jobs/all.ts';
import { startQueue } from '../../pipeline/queue/queue.ts';

// A program that creates the queues of all jobs in the database of its parameter. Loading the jobs in the process of the
// database server would take longer, because Vitest transforms each module there.
const database = connectClients(parseDatabaseUrl(process.argv[2] ?? ''), 'test');
const silentLog = { info() {}, warn() {}, error() {} };
const queue = await startQueue({ sql: database.sql, jobs: listJobs(), log: silentLog, work: null });
await queue.stop();
await database.close();
