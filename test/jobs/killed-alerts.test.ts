import { afterEach, expect, onTestFinished, test } from 'vitest';
import { listJobs } from '../../pipeline/jobs/all.ts';
import { startQueue } from '../../pipeline/queue/queue.ts';
import { type DatabaseProxy, databaseProxy } from '../harness/database-proxy.ts';
import { killServices } from '../harness/service-process.ts';
import { createAlertSetup } from '../pipeline/alerts/alert-workspace.ts';
import { header, startMailServer } from '../pipeline/notify/mail-server.ts';
import { isCitusRun } from '../setup/citus.ts';
import { until } from '../setup/processes.ts';
import { silentLog } from '../setup/test-database.ts';
import { startPipelineHere, startPipelineProcess, stopPipelinesHere } from './pipeline-process.ts';
import { anHourPasses } from './tracked-database.ts';

const evaluation = 'with oldest as materialized';
const message = 'insert into notifications';
const event = 'insert into webhook_deliveries';
/**
 * The beginning of the SQL with which a process claims a message to send. On a Citus cluster, a first statement only
 * reads, and this second statement claims.
 */
const claim = isCitusRun ? 'update notifications n set' : 'with due as materialized';
/**
 * Time limit (ms) until the process reaches the point at which the test kills it. Starting takes long on a busy
 * machine.
 */
const reachedLimitMs = 60_000;
const record = 'update notifications set status';

interface Point {
  /** Resolves when the process has reached the point at which the test kills it. */
  reached(proxy: DatabaseProxy): Promise<void>;
  /**
   * How often the mail server gets the message: twice when the process is killed after sending the message and before
   * storing the result.
   */
  mails: number;
}

/** The points at which the test kills the process, in the order in which the process reaches them. */
const points: Record<string, Point> = {
  'before the decision': { reached: (proxy) => proxy.hold(evaluation), mails: 1 },
  'after the decision': { reached: (proxy) => proxy.hold(evaluation, ''), mails: 1 },
  'before the message is added': { reached: (proxy) => proxy.hold(message), mails: 1 },
  'after the message was added': { reached: (proxy) => proxy.hold(message, ''), mails: 1 },
  'before the webhook event is added': { reached: (proxy) => proxy.hold(event), mails: 1 },
  'after the webhook event was added, before the commit': { reached: (proxy) => proxy.hold(event, ''), mails: 1 },
  'after the commit, whose reply is lost': { reached: (proxy) => proxy.hold(event, 'COMMIT'), mails: 1 },
  'before the message is claimed': { reached: (proxy) => proxy.hold(claim), mails: 1 },
  'after the message was claimed': { reached: (proxy) => proxy.hold(claim, ''), mails: 1 },
  'after the mail server took the message': { reached: (proxy) => proxy.hold(record), mails: 2 },
  'after the sending was recorded': { reached: (proxy) => proxy.hold(record, ''), mails: 1 },
};

afterEach(async () => {
  await killServices();
  await stopPipelinesHere();
});

/** Creates a workspace with one tracking check that raises an alert, an email recipient for the alert and a webhook. */
async function createRaisingCheck() {
  const setup = await createAlertSetup();
  onTestFinished(() => setup.db.close());
  const workspaceId = await setup.workspace(10);
  const itemId = await setup.item(workspaceId);
  await setup.rule(workspaceId, { recipient_ids: [await setup.recipient(workspaceId)] });
  await setup.endpoint(workspaceId, 'http://127.0.0.1:9/hook', ['alert.raised']);
  await setup.check(workspaceId, itemId, { day: 1, followers: 1_000 });
  await setup.evaluate();
  await setup.check(workspaceId, itemId, { day: 2, followers: 2_000 });
  return setup;
}

/** Returns a function that starts jobs by name immediately, instead of at their next scheduled minute. */
async function createTicks(sql: Parameters<typeof startQueue>[0]['sql']) {
  const { send, stop } = await startQueue({ sql, jobs: listJobs(), log: silentLog, work: null });
  onTestFinished(() => stop());
  return async (...names: string[]) => {
    for (const name of names) await send(name, [{ key: name, data: {} }]);
  };
}

test.each(Object.entries(points))(
  'kill -9 %s loses no alert, raises no alert twice, and repeats an email only with the same Message-ID',
  async (_, { reached, mails }) => {
    const { db } = await createRaisingCheck();
    const mailServer = await startMailServer();
    const proxy = await databaseProxy(db.sql);
    onTestFinished(() => proxy.close());
    const tick = await createTicks(db.sql);
    const env = { SMTP_URL: `smtp://${mailServer.address}`, KEYLESS_SOURCES: 'off' };
    const point = reached(proxy);
    const killed = await startPipelineProcess({ ...env, DATABASE_URL: proxy.database_url });
    // Starts only the evaluation, which itself queues the sending job. If the test also queued that job with the same
    // key, the second queue entry would wait for the transaction of the evaluation.
    await tick('evaluate-alerts');
    let isReached = false;
    void point.then(() => {
      isReached = true;
    });
    await until(async () => isReached, reachedLimitMs);
    await killed.kill();
    // Makes all queued jobs due, and ends the killed process's lease on a message that it had claimed.
    await anHourPasses(db.sql);
    await db.sql`update notifications set next_at = created_at where status = 'waiting'`;

    const isQueued = async () =>
      (
        await db.sql`select from jobs.job where state < 'completed' and name in ('evaluate-alerts', 'send-notifications')`
      ).length > 0;
    const states = () => db.sql<{ status: string }[]>`select status from notifications`;
    const stopNext = await startPipelineHere({ ...env, DATABASE_URL: db.database_url });
    await until(async () => {
      if (!(await isQueued())) await tick('evaluate-alerts', 'send-notifications');
      return (await states()).some(({ status }) => status === 'sent');
    });
    // Runs the jobs a second time and expects them to find nothing to do.
    await until(async () => !(await isQueued()));
    await tick('evaluate-alerts', 'send-notifications');
    await until(async () => !(await isQueued()));
    await stopNext();

    expect([...(await states())]).toEqual([{ status: 'sent' }]);
    expect(await db.sql`select from alerts`).toHaveLength(1);
    expect(await db.sql`select from webhook_deliveries where event = 'alert.raised'`).toHaveLength(1);
    expect(await db.sql`select from check_attempts where alerts_pending`).toHaveLength(0);
    expect(mailServer.received).toHaveLength(mails);
    const ids = mailServer.received.map(({ source }) => header(source, 'Message-ID'));
    expect([new Set(ids).size, ids[0]]).toEqual([1, expect.stringMatching(/^<[\da-f-]{36}@/)]);
  },
  120_000,
);
