import type { Sql } from 'postgres';
import { type Allowance, throttle } from '../../db/accounts/throttle.ts';
import { type BatchRow, listRows, rowParts } from '../../db/deliveries/batch-rows.ts';
import { type BatchTurn, countOpenBatches } from '../../db/deliveries/batch-state.ts';
import {
  type Batch,
  type BatchId,
  type BatchStatus,
  deleteBatches,
  findBatch,
  insertBatch,
  moveBatch,
} from '../../db/deliveries/batches.ts';
import { hourSeconds } from '../../db/durations.ts';
import { digestId, isId, newId } from '../../db/ids.ts';
import type { Tier } from '../../db/tier.ts';
import { alone, inTransaction } from '../../db/transaction.ts';
import type { LinkFailures } from '../collect/short-links.ts';
import { isOneLine } from '../parse/text.ts';
import type { JobContext, JobItem } from '../queue/job.ts';
import type { OwnColumns } from '../rows/own-columns.ts';
import type { Cell } from '../rows/profile-row.ts';
import { repeatedRow } from '../rows/repeated-rows.ts';
import { readLines, storableText } from './lines.ts';
import { type BatchCells, type BatchRowKind, rowKinds } from './row-requests.ts';

export const maxBatchNameLength = 120;
/** Maximum number of unfinished bulk analyses per workspace. */
const maxOpenAnalyses = 20;
/** Limits how many bulk analyses a workspace starts per hour, because each is stored and may notify ten webhooks. */
const starts: Allowance = { limit: 60, window_seconds: hourSeconds };

/**
 * Error that explains why a batch (bulk analysis of a list of links) was not created or changed. `message` is one
 * sentence for the user.
 */
export class BatchError extends Error {
  override readonly name = 'BatchError';
  readonly code: 'INVALID_INPUT' | 'RESOURCE_NOT_FOUND';

  constructor(code: BatchError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

interface BatchDeps extends Pick<JobContext, 'queue' | 'now'> {
  db: Pick<JobContext['db'], 'sql'>;
}

interface BatchOptions {
  name?: string | null;
  /**
   * Idempotency key: a second call with the same key returns the batch of the first call instead of creating another
   * batch.
   */
  once?: string | null;
  /**
   * The columns of the file that the user uploaded, with one row for each line of the file. These columns are copied
   * into the results.
   */
  own?: OwnColumns | null;
  /** The errors of the lines whose short link could not be followed now. */
  failures?: LinkFailures;
}

/**
 * Creates a batch (bulk analysis) from a list with one profile URL per line, and queues it for processing. A line
 * without a valid URL becomes a result row that shows the error. Throws BatchError when the whole list is refused.
 */
export async function createBatch(
  { db, queue, now }: BatchDeps,
  workspaceId: string,
  tier: Tier,
  lines: readonly string[],
  { name = null, once = null, own = null, failures }: BatchOptions = {},
): Promise<Batch> {
  const read = readLines(lines, tier, own, failures);
  if (!read.ok) throw new BatchError('INVALID_INPUT', read.message);
  const createdAt = now();
  const wait = await throttle(db.sql, `bulk analyses ${workspaceId}`, starts, createdAt);
  if (wait !== null)
    throw tooMany(`${starts.limit} can be started in an hour: try again in ${Math.ceil(wait / 60)} min.`);
  const batchId = once === null ? newId(createdAt) : digestId(JSON.stringify([workspaceId, once]));
  const batch = {
    ...{ workspace_id: workspaceId, batch_id: batchId, name: readName(name), now: createdAt },
    own_headings: own?.headings.map(storableText) ?? null,
  };
  return alone(db.sql, workspaceId, async (tx) => {
    if (await insertBatch(tx, batch, read.rows)) {
      const open = await countOpenBatches(tx, workspaceId);
      if (open.analyses > maxOpenAnalyses) {
        throw tooMany(`${maxOpenAnalyses} can be unfinished: wait until one has finished, or cancel one.`);
      }
      await queue.send('analyse-batch', [batchItem({ ...batch, earlier: open.batches - 1 })], { tx });
    }
    return readBatch(tx, workspaceId, batch.batch_id);
  });
}

function tooMany(limit: string): BatchError {
  return new BatchError('INVALID_INPUT', `This workspace has too many bulk analyses. At most ${limit}`);
}

/**
 * Returns the job queue entry that processes a batch (bulk analysis). The queue accepts only one entry per key, so two
 * jobs never process the same batch at the same time. `earlier` is the number of unfinished earlier batches of the
 * workspace: the more there are, the later the batch runs, so that other workspaces need not wait.
 */
export function batchItem({ workspace_id, batch_id, earlier = 0 }: BatchId & Partial<BatchTurn>): JobItem {
  return { key: batch_id, data: { workspace_id, batch_id }, priority: -earlier };
}

/**
 * Returns a batch (bulk analysis) with its progress. Throws BatchError when the workspace has no batch with this ID.
 */
export async function readBatch(sql: Sql, workspaceId: string, batchId: string): Promise<Batch> {
  const batch = isId(batchId) ? await findBatch(sql, { workspace_id: workspaceId, batch_id: batchId }) : null;
  if (!batch)
    throw new BatchError(
      'RESOURCE_NOT_FOUND',
      'This workspace has no batch with this ID. Check the ID, or list the batches.',
    );
  return batch;
}

/**
 * Cancels a batch (bulk analysis) that has not ended. Rows in progress are still fetched, and finished rows stay.
 * Throws BatchError when the batch has already ended.
 */
export async function cancelBatch({ db, now }: BatchDeps, workspaceId: string, batchId: string): Promise<Batch> {
  const { status } = await readBatch(db.sql, workspaceId, batchId);
  const move = { from: ['queued', 'running', 'paused'] as const, to: 'cancelled' as const, finished_at: now() };
  if (!(await moveBatch(db.sql, { workspace_id: workspaceId, batch_id: batchId }, move)))
    throw wrongState(status, 'cancelled');
  return readBatch(db.sql, workspaceId, batchId);
}

/**
 * Resumes a paused batch (bulk analysis). If the cause of the pause, such as missing credits, still exists, the batch
 * pauses again. Throws BatchError when the batch is not paused.
 */
export async function resumeBatch({ db, queue }: BatchDeps, workspaceId: string, batchId: string): Promise<Batch> {
  const { status } = await readBatch(db.sql, workspaceId, batchId);
  const batch = { workspace_id: workspaceId, batch_id: batchId };
  return inTransaction(db.sql, async (tx) => {
    const moved = await moveBatch(tx, batch, { from: ['paused'], to: 'queued', finished_at: null });
    if (!moved) throw wrongState(status, 'resumed');
    const { batches } = await countOpenBatches(tx, workspaceId);
    await queue.send('analyse-batch', [batchItem({ ...batch, earlier: batches - 1 })], { tx });
    return readBatch(tx, workspaceId, batchId);
  });
}

/**
 * Deletes a batch (bulk analysis) that has ended, with its results. Its charges stay in the ledger. If a cancelled
 * batch still has rows that are being fetched, these rows are neither stored nor charged. Throws BatchError when the
 * batch has not ended.
 */
export async function deleteBatch({ db }: Pick<BatchDeps, 'db'>, workspaceId: string, batchId: string): Promise<void> {
  const { status } = await readBatch(db.sql, workspaceId, batchId);
  const deleted = await inTransaction(db.sql, (tx) =>
    deleteBatches(tx, workspaceId, tx`batch_id = ${batchId} and status in ('finished', 'cancelled')`),
  );
  if (deleted === 0) throw wrongState(status, 'deleted');
}

function wrongState(status: BatchStatus, action: string): BatchError {
  return new BatchError(
    'INVALID_INPUT',
    `This bulk analysis cannot be ${action}, because it is ${status}: load the page again to see what you can do.`,
  );
}

function readName(name: string | null): string | null {
  const trimmed = name?.trim() ?? '';
  if (trimmed === '') return null;
  if (trimmed.length <= maxBatchNameLength && isOneLine(trimmed)) return trimmed;
  throw new BatchError(
    'INVALID_INPUT',
    `The name is too long or has line breaks: use one line of at most ${maxBatchNameLength} characters.`,
  );
}

interface BatchResults {
  columns: readonly string[];
  /** The result rows in the order of the submitted lines. `status` is null until the row is finished. */
  rows: Cell[][];
  /** For each result row, the number of its line in the submitted list, counted from 1. */
  lines: number[];
  /** The columns of the file that the user uploaded, with one row for each result row in `rows`. */
  own: OwnColumns;
}

/**
 * Returns the result rows of a batch (bulk analysis). Their columns depend on the kind of batch: profiles, posts or
 * latest posts. Throws BatchError when the workspace has no batch with this ID.
 */
export async function batchResults(sql: Sql, workspaceId: string, batchId: string): Promise<BatchResults> {
  const { kind: name, own_headings } = await readBatch(sql, workspaceId, batchId);
  const kind = rowKinds[name];
  const lines = await listRows(sql, { workspace_id: workspaceId, batch_id: batchId });
  const rows = lines.flatMap((line) =>
    rowsOf(line, kind).map((cells) => ({ cells, row_no: line.row_no, own: ownCells(line) })),
  );
  return {
    columns: kind.columns,
    rows: rows.map(({ cells }) => kind.columns.map((column) => cells[column] ?? null)),
    lines: rows.map(({ row_no }) => row_no),
    own: { headings: own_headings ?? [], rows: rows.map(({ own }) => own_headings?.map((_, n) => own[n] ?? '') ?? []) },
  };
}

/**
 * Number of lines of a batch that are converted in one step. A line can have 20 rows with long texts, and the server
 * cannot answer other requests during a step.
 */
const linesAtOnce = 10;

/** Returns the columns of the results of a batch, and its result rows in parts. */
export function resultParts(sql: Sql, batch: Batch): { columns: readonly string[]; parts: AsyncIterable<Cell[][]> } {
  const kind = rowKinds[batch.kind];
  async function* parts() {
    for await (const lines of rowParts(sql, batch, linesAtOnce)) {
      const rows = lines.flatMap((line) => rowsOf(line, kind));
      yield rows.map((cells) => kind.columns.map((column) => cells[column] ?? null));
    }
  }
  return { columns: kind.columns, parts: parts() };
}

/** Returns the cells of this line in the file that the user uploaded; an empty list when no file was uploaded. */
export function ownCells({ own_cells }: Pick<BatchRow, 'own_cells'>): string[] {
  return own_cells === null ? [] : (JSON.parse(own_cells) as string[]);
}

/**
 * Returns the result rows of one submitted line. If the line is a duplicate, the rows contain the data that was fetched
 * for the other line with the same account or post, but the URL of this line and 0 credits.
 */
function rowsOf({ url, duplicate_of, cells }: BatchRow, kind: BatchRowKind): BatchCells[] {
  const known = cells === null ? [kind.blank(url, null)] : [JSON.parse(cells) as BatchCells | BatchCells[]].flat();
  if (duplicate_of === null) return known;
  return known.map((row) => repeatedRow(row, url));
}
