import { openRows } from '../../db/deliveries/batch-rows.ts';
import { type BatchState, readBatchState, resumeReadyBatches } from '../../db/deliveries/batch-state.ts';
import {
  type Batch,
  type BatchId,
  closeBatch,
  startBatch,
  type Waiting,
  type WaitingFor,
} from '../../db/deliveries/batches.ts';
import { inTransaction } from '../../db/transaction.ts';
import { batchItem, readBatch } from '../batches/batches.ts';
import { createRowAnswers, type OpenRow, type RowAnswers, type StopReason } from '../batches/row-answers.ts';
import { createCursorCipher, cursorSecret } from '../collect/list-cursor.ts';
import type { Message } from '../notify/message.ts';
import { notify } from '../notify/notify.ts';
import { announce, announceLowBalance } from '../notify/webhooks.ts';
import { numberText, quantity } from '../quantity.ts';
import type { Job, JobContext, JobItem } from '../queue/job.ts';
import { waitForAll } from '../queue/wait-for-all.ts';
import { importItem } from '../sheets/import-runs.ts';

const rowsAtOnce = 5;
/**
 * Milliseconds after which a run of this job fetches no further rows; the next run fetches the rest. This time plus the
 * longest time-out of a fetch must be less than `expire_seconds`.
 */
const runMs = 60_000;

/**
 * Processes batches (bulk analyses of users' lists). Every minute, queues all batches that have unfinished rows and can
 * continue, including batches that waited, for example for credits.
 */
export const analyseBatch: Job = {
  name: 'analyse-batch',
  schedule: '* * * * *',
  items_per_run: 4,
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

/**
 * Processes one batch (bulk analysis). Finishes the rows with a cached answer first, then fetches the other rows. Ends
 * when all rows are finished, the time is over, or the remaining rows must wait.
 */
async function analyse(batch: BatchId, context: JobContext): Promise<void> {
  const { db, now } = context;
  const plan = await startBatch(db.sql, batch);
  if (!plan) return;
  const waitingFor = (await readBatchState(db.sql, batch, now(), 0))?.waiting_for;
  if (waitingFor === 'PAUSED' || waitingFor === 'IMPORT_PAUSED')
    return close(batch, { reason: waitingFor, cost: null }, context);
  const cursors = createCursorCipher(await cursorSecret(db.sql));
  const answers = createRowAnswers({ ...batch, ...plan }, { ...context, cursors });
  const remaining = await answers.fromCache(await openRows(db.sql, batch));
  await close(batch, await fetchRows(batch, remaining, answers, context), context);
  await announceLowBalance(context, batch.workspace_id);
}

/**
 * Fetches the data of rows from the platforms, at most {@link rowsAtOnce} rows at the same time. Returns why the
 * remaining rows must wait, such as missing credits, and the cost of the first remaining row. Returns null when no row
 * must wait.
 */
async function fetchRows(
  batch: BatchId,
  rows: readonly OpenRow[],
  answers: RowAnswers,
  { db, now, signal }: JobContext,
): Promise<Waiting | null> {
  const endsAt = now().getTime() + runMs;
  let position = 0;
  let startedCredits = 0;
  let finishedCredits = 0;
  let waitingFor: WaitingFor | null = null;
  const open = new Set(rows);
  const stateFor = (row: OpenRow) => readBatchState(db.sql, batch, now(), answers.costOf(row));

  async function work(): Promise<void> {
    while (!signal.aborted && now().getTime() < endsAt) {
      const next = rows[position];
      if (next === undefined) return;
      const finishedBefore = finishedCredits;
      const state = await stateFor(next);
      const stopped = stopReasonOf(state);
      if (state === null || stopped !== null) {
        if (stopped !== 'ENDED') waitingFor = stopped;
        return;
      }
      // Stops this worker when the rows in progress may use up all remaining credits. Each of the other workers reads
      // the balance again when its row is finished, and then continues.
      const row = rows[position];
      if (row === undefined) return;
      const cost = answers.costOf(row);
      if (state.credits_left < startedCredits - finishedBefore + cost) return;
      position += 1;
      startedCredits += cost;
      const stopReason = async () => stopReasonOf(await stateFor(row));
      const refusal = await answers.fromSource(row, stopReason).finally(() => {
        finishedCredits += cost;
      });
      if (refusal === null) open.delete(row);
      else if (refusal !== 'ENDED') waitingFor ??= refusal;
    }
  }

  await waitForAll(Array.from({ length: rowsAtOnce }, work));
  return waitingFor && waitingOf(waitingFor, [...open][0], answers);
}

/**
 * Returns why a batch must not fetch its next row; null when the batch may fetch it. `state` is null when the batch was
 * removed.
 */
function stopReasonOf(state: BatchState | null): StopReason | null {
  return state?.running ? state.waiting_for : 'ENDED';
}

/**
 * Returns why a batch waits. `cost` is the cost of the first unfinished row; null when the batch is paused, because it
 * then does not wait for credits.
 */
function waitingOf(reason: WaitingFor, first: OpenRow | undefined, answers: RowAnswers): Waiting {
  const isPaused = reason === 'PAUSED' || reason === 'IMPORT_PAUSED';
  return { reason, cost: isPaused || first === undefined ? null : answers.costOf(first) };
}

async function close(batch: BatchId, waiting: Waiting | null, context: JobContext): Promise<void> {
  await inTransaction(context.db.sql, async (tx) => {
    const closed = await closeBatch(tx, batch, waiting, context.now());
    if (closed !== 'finished') return;
    const finished = await readBatch(tx, batch.workspace_id, batch.batch_id);
    if (finished.import_id !== null)
      return context.queue.send(
        'run-imports',
        [importItem({ workspace_id: batch.workspace_id, run_id: batch.batch_id })],
        { tx },
      );
    await announce(context, tx, batch.workspace_id, 'batch.finished', payloadOf(finished));
    const notice = { kind: 'batch_finished', subject_key: batch.batch_id, message: messageOf(finished) };
    await notify(context, tx, batch.workspace_id, { topic: 'batch_finished', campaign_id: null }, notice);
  });
}

function messageOf({ batch_id, name, total, ok, failed, credits }: Batch): Message {
  return {
    subject: `Bulk analysis finished: ${name ?? quantity(total, 'line')}`,
    lines: [
      `${numberText(ok)} of ${quantity(total, 'line')} succeeded, ${numberText(failed)} failed. It used ${quantity(credits, 'credit')}.`,
    ],
    action: { label: 'Open results', path: `/dashboard/batches/${batch_id}` },
  };
}

function payloadOf({ batch_id, name, total, ok, failed, credits }: Batch) {
  return { batch_id, name, total, ok, failed, credits };
}
