import type { Sql } from 'postgres';
import { type BatchRow, listRows } from '../../db/deliveries/batch-rows.ts';
import {
  type Batch,
  type BatchId,
  type BatchStatus,
  findBatch,
  insertBatch,
  moveBatch,
} from '../../db/deliveries/batches.ts';
import { digestId, newId } from '../../db/ids.ts';
import type { Tier } from '../../db/tier.ts';
import { inTransaction } from '../../db/transaction.ts';

import { isId } from '../campaigns/campaigns.ts';
import type { JobContext, JobItem } from '../queue/job.ts';
import { csvOf } from '../rows/csv.ts';
import { blankRow, type Cell, type ProfileRow, profileColumns } from '../rows/profile-row.ts';
import { readLines } from './lines.ts';

export const maxBatchNameLength = 120;

/** Why a batch was not made or changed; `message` is one sentence for the person who asked. */
export class BatchError extends Error {
  override readonly name = 'BatchError';
  readonly code: 'INVALID_INPUT' | 'RESOURCE_NOT_FOUND';

  constructor(code: BatchError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface BatchDeps extends Pick<JobContext, 'queue' | 'now'> {
  db: Pick<JobContext['db'], 'sql'>;
}

/**
 * Makes a batch of profile URLs, one a line, and queues it; a line that names no profile is a row that says so. What is sent
 * again with the same `once` is the batch that it made before. Throws BatchError.
 */
export async function createBatch(
  { db, queue, now }: BatchDeps,
  workspaceId: string,
  tier: Tier,
  lines: readonly string[],
  name: string | null = null,
  once: string | null = null,
): Promise<Batch> {
  const read = readLines(lines, tier);
  if (!read.ok) throw new BatchError('INVALID_INPUT', read.message);
  const madeAt = now();
  const batchId = once === null ? newId(madeAt) : digestId(JSON.stringify([workspaceId, once]));
  const batch = { workspace_id: workspaceId, batch_id: batchId, name: readName(name), now: madeAt };
  return inTransaction(db.sql, async (tx) => {
    const made = await insertBatch(tx, batch, read.rows);
    if (made) await queue.send('analyse-batch', [batchItem(batch)], { tx });
    return readBatch(tx, workspaceId, batch.batch_id);
  });
}

/** A batch as an item of the queue: one is there at a time. */
export function batchItem({ workspace_id, batch_id }: BatchId): JobItem {
  return { key: batch_id, data: { workspace_id, batch_id } };
}

/** A batch of the workspace with its progress; another one's is not found. Throws BatchError. */
export async function readBatch(sql: Sql, workspaceId: string, batchId: string): Promise<Batch> {
  const batch = isId(batchId) ? await findBatch(sql, { workspace_id: workspaceId, batch_id: batchId }) : null;
  if (!batch) throw new BatchError('RESOURCE_NOT_FOUND', 'This workspace has no such batch.');
  return batch;
}

/** Stops a batch that is not over; rows under way are still answered, and what is answered stays. Throws BatchError. */
export async function cancelBatch({ db, now }: BatchDeps, workspaceId: string, batchId: string): Promise<Batch> {
  const { status } = await readBatch(db.sql, workspaceId, batchId);
  const move = { from: ['queued', 'running', 'paused'] as const, to: 'cancelled' as const, finished_at: now() };
  if (!(await moveBatch(db.sql, { workspace_id: workspaceId, batch_id: batchId }, move)))
    throw wrongState(status, 'cancelled');
  return readBatch(db.sql, workspaceId, batchId);
}

/** Queues a paused batch again, which pauses again when nothing changed. Throws BatchError. */
export async function resumeBatch({ db, queue }: BatchDeps, workspaceId: string, batchId: string): Promise<Batch> {
  const { status } = await readBatch(db.sql, workspaceId, batchId);
  const batch = { workspace_id: workspaceId, batch_id: batchId };
  return inTransaction(db.sql, async (tx) => {
    const moved = await moveBatch(tx, batch, { from: ['paused'], to: 'queued', finished_at: null });
    if (!moved) throw wrongState(status, 'resumed');
    await queue.send('analyse-batch', [batchItem(batch)], { tx });
    return readBatch(tx, workspaceId, batchId);
  });
}

function wrongState(status: BatchStatus, wish: string): BatchError {
  return new BatchError('INVALID_INPUT', `A batch that is ${status} cannot be ${wish}.`);
}

function readName(name: string | null): string | null {
  const trimmed = name?.trim() ?? '';
  if (trimmed === '') return null;
  if (trimmed.length <= maxBatchNameLength && !/\p{Cc}/u.test(trimmed) && trimmed.isWellFormed()) return trimmed;
  throw new BatchError('INVALID_INPUT', `A name has at most ${maxBatchNameLength} characters on one line.`);
}

export interface BatchResults {
  columns: readonly string[];
  /** One row a line, in order; `status` is null while it is not answered. */
  rows: Cell[][];
  /** The number of each row's line as it was sent, from 1. */
  lines: number[];
}

/** The rows of a batch as the columns of the profile workflow. Throws BatchError. */
export async function batchResults(sql: Sql, workspaceId: string, batchId: string): Promise<BatchResults> {
  await readBatch(sql, workspaceId, batchId);
  const rows = await listRows(sql, { workspace_id: workspaceId, batch_id: batchId });
  return { columns: profileColumns, rows: rows.map(cellsOf), lines: rows.map(({ row_no }) => row_no) };
}

/** The same as CSV, with a header row; cells that a spreadsheet would take for formulas are escaped. Throws BatchError. */
export async function batchCsv(sql: Sql, workspaceId: string, batchId: string): Promise<string> {
  const { columns, rows } = await batchResults(sql, workspaceId, batchId);
  return csvOf(columns, rows);
}

/** A duplicate shows what was fetched for the row that it repeats, under its own address and free. */
function cellsOf({ url, status, duplicate_of, cells }: BatchRow): Cell[] {
  const known = cells === null ? blankRow(url, null) : (JSON.parse(cells) as ProfileRow);
  const row =
    duplicate_of === null ? known : { ...known, url, cached: known.cached || status === 'OK', credits_charged: 0 };
  return profileColumns.map((column) => row[column] ?? null);
}
