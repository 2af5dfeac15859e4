import { openRows } from '../../db/deliveries/batch-rows.ts';
import {
  type Batch,
  type BatchId,
  closeBatch,
  readRunState,
  resumeReadyBatches,
  startBatch,
  type WaitingFor,
} from '../../db/deliveries/batches.ts';
import { inTransaction } from '../../db/transaction.ts';
import { batchItem, readBatch } from '../batches/batches.ts';
import { createRowAnswers, type OpenRow, type RowAnswers } from '../batches/rows.ts';
import { announce, announceLowBalance } from '../notify/webhooks.ts';
import type { Job, JobContext, JobItem } from '../queue/job.ts';

const rowsAtOnce = 5;
/** After this time a run starts no more rows; the next run takes the rest. Plus the longest source time-out it is below `expire_seconds`. */
const runMs = 60_000;

/** Runs batches. Each minute its tick queues batches that should be running, and paused ones whose cause is resolved. */
export const analyseBatch: Job = {
  name: 'analyse-batch',
  tick: '* * * * *',
  batch_size: 4,
  expire_seconds: 120,
  retries: 3,
  async run(items, context) {
    await waitForAll(
      items.map((item) => (item.data.batch_id === undefined ? wake(context) : analyse(idOf(item), context))),
    );
  },
};

function idOf({ data }: JobItem): BatchId {
  return { workspace_id: String(data.workspace_id), batch_id: String(data.batch_id) };
}

async function wake({ db, now, queue }: JobContext): Promise<void> {
  await inTransaction(db.sql, async (tx) => {
    const batches = await resumeReadyBatches(tx, now());
    await queue.send('analyse-batch', batches.map(batchItem), { tx });
  });
}

/** Runs a batch once: first the cached rows, then the sources, until all rows are finished or the rest has to wait. */
async function analyse(batch: BatchId, context: JobContext): Promise<void> {
  const { db, now } = context;
  if (!(await startBatch(db.sql, batch))) return;
  const standing = await readRunState(db.sql, batch, now());
  if (standing?.waiting_for === 'PAUSED') return close(batch, 'PAUSED', context);
  const answers = createRowAnswers(batch, context);
  const remaining = await answers.fromCache(await openRows(db.sql, batch));
  await close(batch, await fetchRows(batch, remaining, answers, context), context);
  await announceLowBalance(context, batch.workspace_id);
}

/** Fetches up to {@link rowsAtOnce} rows at once. Returns what the rest has to wait for, null when it does not wait. */
async function fetchRows(
  batch: BatchId,
  rows: readonly OpenRow[],
  answers: RowAnswers,
  { db, now, signal }: JobContext,
): Promise<WaitingFor | null> {
  const endsAt = now().getTime() + runMs;
  const waiting = rows.values();
  let started = 0;
  let finished = 0;
  let waitingFor: WaitingFor | null = null;

  async function work(): Promise<void> {
    while (!signal.aborted && now().getTime() < endsAt) {
      const finishedBefore = finished;
      const standing = await readRunState(db.sql, batch, now());
      if (!standing?.running) return;
      if (standing.waiting_for !== null) {
        waitingFor = standing.waiting_for;
        return;
      }
      // Rows in progress may use all remaining credits: their workers read the balance again when they finish.
      if (standing.credits_left <= started - finishedBefore) return;
      const row = waiting.next().value;
      if (row === undefined) return;
      started += 1;
      const refusal = await answers.fromSource(row).finally(() => {
        finished += 1;
      });
      waitingFor ??= refusal;
    }
  }

  await waitForAll(Array.from({ length: rowsAtOnce }, work));
  return waitingFor;
}

async function close(batch: BatchId, waitingFor: WaitingFor | null, context: JobContext): Promise<void> {
  await inTransaction(context.db.sql, async (tx) => {
    const closed = await closeBatch(tx, batch, waitingFor, context.now());
    if (closed !== 'finished') return;
    const finished = await readBatch(tx, batch.workspace_id, batch.batch_id);
    await announce(context, tx, batch.workspace_id, 'batch.finished', payloadOf(finished));
  });
}

function payloadOf({ batch_id, name, total, ok, failed, credits }: Batch) {
  return { batch_id, name, total, ok, failed, credits };
}

/** Waits for all tasks, then throws the first error, so that no task still runs when the queue retries the job. */
async function waitForAll(tasks: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
