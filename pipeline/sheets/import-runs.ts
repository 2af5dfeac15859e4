import type { Sql } from 'postgres';
import { countOpenBatches } from '../../db/deliveries/batch-state.ts';
import { type BatchPlan, findBatch, insertBatch, lockBatch, moveBatch } from '../../db/deliveries/batches.ts';
import { type EndedRun, endRun, type RunEnd } from '../../db/deliveries/sheet-import-ends.ts';
import {
  findRun,
  type RunId,
  stagesBeforeWriting,
  startFetching,
  startRun,
} from '../../db/deliveries/sheet-import-runs.ts';
import type { SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { alone, inTransaction } from '../../db/transaction.ts';
import { batchItem } from '../batches/batches.ts';
import { newRows } from '../batches/lines.ts';
import { rowKinds } from '../batches/row-requests.ts';
import type { LinkFailures } from '../collect/short-links.ts';
import { announce } from '../notify/webhooks.ts';
import type { JobContext, JobItem } from '../queue/job.ts';
import { hasHandleSign, listedAddress, type Platform } from '../rows/profile-address.ts';
import type { SourceLine } from './import-source.ts';

type RunDeps = Pick<JobContext, 'queue' | 'now'> & { db: Pick<JobContext['db'], 'sql'> };

/**
 * Returns the entry of the job queue for one run of a sheet import. The queue accepts only one entry per key, so two
 * jobs never work on the same run at the same time.
 */
export function importItem({ workspace_id, run_id }: RunId): JobItem {
  return { key: run_id, data: { workspace_id, run_id } };
}

/** Starts a run of a sheet import now. Returns false when the import is paused or its previous run has not ended. */
export function runImportNow({ db, queue, now }: RunDeps, { workspace_id, import_id }: SheetImport): Promise<boolean> {
  return inTransaction(db.sql, async (tx) => {
    const run = await startRun(tx, workspace_id, import_id, now());
    if (run) await queue.send('run-imports', [importItem(run)], { tx });
    return run !== null;
  });
}

/**
 * Cancels a run of a sheet import. Rows in progress are still fetched and charged, but nothing is written into the
 * spreadsheet. A run that is already writing cannot be cancelled. Returns `writing` or `ended` when it was not
 * cancelled.
 */
export function cancelRun({ db, now }: RunDeps, run: RunId): Promise<'cancelled' | 'writing' | 'ended'> {
  return inTransaction(db.sql, async (tx) => {
    const message = 'Cancelled. Nothing was written by this run.';
    const end = { outcome: 'CANCELLED', message, written_rows: null, now: now() };
    const batch = { workspace_id: run.workspace_id, batch_id: run.run_id };
    await lockBatch(tx, batch);
    if (!(await endRun(tx, run, end, stagesBeforeWriting))) {
      return (await findRun(tx, run))?.finished_at === null ? 'writing' : 'ended';
    }
    const move = { from: ['queued', 'running', 'paused'] as const, to: 'cancelled' as const, finished_at: now() };
    await moveBatch(tx, batch, move);
    return 'cancelled';
  });
}

/**
 * Stores the result of a sheet import's run and sends the webhook event `import.finished` or `import.failed`. Returns
 * null when the run had already ended.
 */
export function finishRun(
  context: RunDeps,
  run: RunId,
  { import_id, label }: SheetImport,
  end: Omit<RunEnd, 'now'>,
): Promise<EndedRun | null> {
  const { workspace_id, run_id } = run;
  return inTransaction(context.db.sql, async (tx) => {
    const ended = await endRun(tx, run, { ...end, now: context.now() });
    if (!ended) return null;
    const { ok, failed, credits } = (await findBatch(tx, { workspace_id, batch_id: run_id })) ?? noRows;
    const event = end.outcome === 'OK' ? 'import.finished' : 'import.failed';
    const result = { ...end, message: ended.message, ok, failed, credits };
    await announce(context, tx, workspace_id, event, { import_id, run_id, name: label, ...result });
    return ended;
  });
}

/** The result of a run that failed before any row was fetched. */
const noRows = { ok: 0, failed: 0, credits: 0 };

/**
 * Stores the links of a sheet import as rows of a batch (the bulk analysis that fetches their data) and queues the
 * batch. Does nothing when the run already has its batch.
 */
export async function storeLines(
  { db, queue, now }: RunDeps,
  run: RunId,
  settings: SheetImport,
  { lines, failures }: { lines: readonly SourceLine[]; failures: LinkFailures },
): Promise<void> {
  const { kind, posts_each, max_age_seconds, import_id } = settings;
  const plan: BatchPlan = { kind, posts_each, max_age_seconds, import_id };
  const id = { workspace_id: run.workspace_id, batch_id: run.run_id };
  const platform = settings.platform as Platform | null;
  const texts = lines.map((line, index) => {
    const candidates = platform === null ? line.cells : [...line.cells, ...handlesIn(line, platform, index === 0)];
    return { row_no: line.row_no, text: addressIn(candidates, plan, failures) };
  });
  const rows = newRows(texts, plan, failures);
  // Locks the workspace, so that the import cannot be removed between changing its run and storing the new batch.
  await alone(db.sql, run.workspace_id, async (tx: Sql) => {
    if (!(await startFetching(tx, run))) return;
    await insertBatch(tx, { ...id, name: settings.label, now: now(), plan }, rows);
    const { batches } = await countOpenBatches(tx, run.workspace_id);
    await queue.send('analyse-batch', [batchItem({ ...id, earlier: batches - 1 })], { tx });
  });
}

/**
 * Returns the texts of a spreadsheet row as links to profiles of a platform. Texts with an @ come first, because any
 * other word may be a name.
 */
function handlesIn({ cells }: SourceLine, platform: Platform, isFirst: boolean): string[] {
  const marked = cells.filter(hasHandleSign);
  const others = cells.filter((text) => !hasHandleSign(text));
  return [...marked, ...others].map((text) => listedAddress(platform, text, isFirst));
}

/**
 * Returns the first text that is a valid link. If none is valid, returns the short link that could not be followed now,
 * or else the first text. The returned text later gets an error.
 */
function addressIn(texts: readonly string[], plan: BatchPlan, failures: LinkFailures): string {
  const valid = texts.find((text) => rowKinds[plan.kind].parse(text, plan).ok);
  return valid ?? texts.find((text) => failures.has(text)) ?? texts[0] ?? '';
}
