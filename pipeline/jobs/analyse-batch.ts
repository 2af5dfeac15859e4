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
/** No row is begun after this long; the rest is for the next run. With the longest wait for a source it stays below `expire_seconds`. */
const runMs = 60_000;

/** Analyses batches; its tick, every minute, queues those that should be at work and are not, and paused ones that could go on. */
export const analyseBatch: Job = {
  name: 'analyse-batch',
  tick: '* * * * *',
  batch_size: 4,
  expire_seconds: 120,
  retries: 3,
  async run(items, context) {
    await allDone(
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

/** One run: first what is known and free, then the sources, until all rows are answered or the rest has to wait. */
async function analyse(batch: BatchId, context: JobContext): Promise<void> {
  const { db, now } = context;
  if (!(await startBatch(db.sql, batch))) return;
  const standing = await readRunState(db.sql, batch, now());
  if (standing?.waiting_for === 'PAUSED') return close(batch, 'PAUSED', context);
  const answers = createRowAnswers(batch, context);
  const unknown = await answers.fromCache(await openRows(db.sql, batch));
  await close(batch, await fetchRows(batch, unknown, answers, context), context);
  await announceLowBalance(context, batch.workspace_id);
}

/** Fetches rows, a few at once; what the rest has to wait for, null when it does not. */
async function fetchRows(
  batch: BatchId,
  rows: readonly OpenRow[],
  answers: RowAnswers,
  { db, now, signal }: JobContext,
): Promise<WaitingFor | null> {
  const endsAt = now().getTime() + runMs;
  const waiting = rows.values();
  let begun = 0;
  let done = 0;
  let waitingFor: WaitingFor | null = null;

  async function work(): Promise<void> {
    while (!signal.aborted && now().getTime() < endsAt) {
      const doneBefore = done;
      const standing = await readRunState(db.sql, batch, now());
      if (!standing?.running) return;
      if (standing.waiting_for !== null) {
        waitingFor = standing.waiting_for;
        return;
      }
      // Those that were not done may take all the credits that were seen: one of them looks again when it is.
      if (standing.credits_left <= begun - doneBefore) return;
      const row = waiting.next().value;
      if (row === undefined) return;
      begun += 1;
      const refusal = await answers.fromSource(row).finally(() => {
        done += 1;
      });
      waitingFor ??= refusal;
    }
  }

  await allDone(Array.from({ length: rowsAtOnce }, work));
  return waitingFor;
}

async function close(batch: BatchId, waitingFor: WaitingFor | null, context: JobContext): Promise<void> {
  await inTransaction(context.db.sql, async (tx) => {
    const closed = await closeBatch(tx, batch, waitingFor, context.now());
    if (closed !== 'finished') return;
    const finished = await readBatch(tx, batch.workspace_id, batch.batch_id);
    await announce(context, tx, batch.workspace_id, 'batch.finished', announcementOf(finished));
  });
}

function announcementOf({ batch_id, name, total, ok, failed, credits }: Batch) {
  return { batch_id, name, total, ok, failed, credits };
}

/** Waits for all of them before it fails with the first failure: nothing is at work any more when the job is tried again. */
async function allDone(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
