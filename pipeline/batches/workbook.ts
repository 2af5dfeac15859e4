import { Worker } from 'node:worker_threads';
import { SourceError } from '../errors.ts';
import { createConcurrencyLimit } from '../network/concurrency-limit.ts';
import type { WorkbookReply, WorkbookTask } from './workbook-worker.ts';

const maxWorkbookRows = 10_000;
const maxUnpackedBytes = 32 * 1024 * 1024;
/** Maximum number of cells plus their characters. A bulk analysis does not accept longer lists. */
const maxSize = 1_000_000;
const maxHeapMb = 128;
const maxReadMs = 15_000;
const maxWaitMs = 30_000;
/**
 * Limits how many Excel files this process reads at the same time, because one file can need a CPU core and 200 MB of
 * memory.
 */
const reading = createConcurrencyLimit({ in_flight: 2, waiting: 20 });

/** Error that explains why an uploaded Excel file was not read. `message` is one sentence for the user. */
export class WorkbookError extends Error {
  override readonly name = 'WorkbookError';
}

const useless = 'This Excel file cannot be read. Save the sheet as CSV and upload that file.';
const tooLarge =
  'This Excel file is too large to be read. Copy the column with the links into a new file and upload that file.';
const busy = 'Too many Excel files are being read at the moment. Try again in a minute, or save the sheet as CSV.';

/**
 * Returns the cells of the first sheet of an .xlsx file as texts: one array for each row, including empty rows. Reads
 * the file in a separate thread with a memory and a time limit, because a malicious file could exhaust both. Reads at
 * most two files at the same time; some further files wait. Throws WorkbookError.
 */
export async function readWorkbook(bytes: Uint8Array): Promise<string[][]> {
  try {
    return await reading(AbortSignal.timeout(maxWaitMs), () => readAlone(bytes));
  } catch (error) {
    // A SourceError means that too many files are waiting, and a DOMException that this file waited too long.
    throw error instanceof SourceError || error instanceof DOMException ? new WorkbookError(busy) : error;
  }
}

async function readAlone(bytes: Uint8Array): Promise<string[][]> {
  const limits = { max_rows: maxWorkbookRows, max_unpacked_bytes: maxUnpackedBytes, max_size: maxSize };
  const task: WorkbookTask = { bytes, ...limits };
  const worker = new Worker(new URL('./workbook-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<WorkbookReply>();
  const timer = setTimeout(() => reject(new WorkbookError(tooLarge)), maxReadMs);
  worker.once('message', resolve);
  worker.once('error', () => reject(new WorkbookError(tooLarge)));
  worker.once('exit', () => reject(new WorkbookError(useless)));
  try {
    const reply = await promise;
    if (reply.outcome === 'read') return reply.rows;
    throw new WorkbookError(reply.outcome === 'too_large' ? tooLarge : useless);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
