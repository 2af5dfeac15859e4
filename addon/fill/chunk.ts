import { type Row, type TablePart, unreadable } from '../formulas/tables.ts';
import type { Failure } from '../platform/client.ts';
import { mayBeCharged } from '../platform/failure-sentence.ts';
import { PlainError } from '../platform/page-call.ts';
import { keyStores } from '../platform/platform.ts';
import { type FillJob, fileStore, readChunk, readJob, writeChunk, writeJob } from './job.ts';
import { removedUrls, writeRows } from './write.ts';

/** How long one window may work on a chunk (at most 20 URLs). If the user closes the window, another one can continue after this time. */
const leaseMs = 60_000;
/** Errors that stop the fill, because all other rows would fail too. The row was not charged and is requested again later. */
const stoppingCodes = ['INSUFFICIENT_CREDITS', 'RATE_LIMITED', 'INVALID_API_KEY', 'API_KEY_NOT_SET'];

/**
 * The next URLs to request. `certain`: false when an interrupted attempt may have been charged. `wait_ms`: set while another
 * window works.
 */
export type Claim = { job: FillJob; by: string; urls: string[]; certain: boolean; wait_ms: number | null };
/** The fill after a chunk. `failure`: why some of its rows have no data yet; null when none are missing. */
export type ChunkResult = { job: FillJob; failure: Failure | null };

/** Returns the saved fill with this ID. @throws PlainError when the fill was finished or discarded in another window. */
export function requireJob(id: unknown): FillJob {
  const job = readJob(fileStore(keyStores().document));
  if (job === null || job.id !== id) throw new PlainError('This fill was finished or discarded in another window.');
  return job;
}

/** Reserves the next chunk for one window, so that two windows never pay for the same rows or write them twice. */
export function claimChunk(id: unknown, by: string, nowMs: number): Claim {
  const store = fileStore(keyStores().document);
  const job = requireJob(id);
  if (job.lease !== null && job.lease.until_ms > nowMs) {
    return { job, by, urls: [], certain: true, wait_ms: job.lease.until_ms - nowMs };
  }
  const saved = readChunk(store, job.next_chunk);
  const removed = removedUrls(job, saved);
  const urls = saved.filter((url) => !removed.includes(url));
  const certain = !job.uncertain;
  writeChunk(store, job.next_chunk, urls);
  const claimed = {
    ...job,
    gone: job.gone + removed.length,
    lease: { by, until_ms: nowMs + leaseMs },
    uncertain: true,
  };
  writeJob(store, claimed);
  return { job: claimed, by, urls, certain, wait_ms: null };
}

/** Writes the rows that arrived into the sheet and saves the other URLs for later. */
export function completeChunk(claim: Claim, parts: readonly TablePart[]): ChunkResult {
  const store = fileStore(keyStores().document);
  const job = requireJob(claim.job.id);
  // The reservation expired and another window took the chunk. That window writes these rows.
  if (job.lease?.by !== claim.by) return { job, failure: null };
  const { answered, failure } = sortParts(parts);
  writeRows(job, answered);
  const done = new Set(answered.map(({ url }) => url));
  const rest = claim.urls.filter((url) => !done.has(url));
  writeChunk(store, job.next_chunk, rest);
  const failed = answered.filter(({ row }) => row.status !== 'OK').length;
  const updated: FillJob = {
    ...job,
    ok: job.ok + answered.length - failed,
    failed: job.failed + failed,
    credits: job.credits + answered.reduce((sum, { row }) => sum + Number(row.credits_charged ?? 0), 0),
    next_chunk: rest.length === 0 ? job.next_chunk + 1 : job.next_chunk,
    lease: null,
    uncertain: rest.length > 0 && failure !== null && mayBeCharged(failure.code),
  };
  writeJob(store, updated);
  return { job: updated, failure };
}

function sortParts(parts: readonly TablePart[]): { answered: { url: string; row: Row }[]; failure: Failure | null } {
  const answered: { url: string; row: Row }[] = [];
  let failure: Failure | null = null;
  for (const { values, rows } of parts) {
    if (!Array.isArray(rows) && rows.code !== 'INVALID_INPUT') {
      failure ??= rows;
      continue;
    }
    values.forEach((url, index) => {
      const row = Array.isArray(rows) ? rows[index] : invalidRow(rows);
      const stopping = row === undefined ? unreadable : stoppingFailure(row);
      if (row === undefined || stopping !== null) failure ??= stopping;
      else answered.push({ url, row: { ...row, url } });
    });
  }
  return { answered, failure };
}

/** Returns a row with the error for a URL that the server refused as invalid. It is final, because a retry would be refused too. */
function invalidRow({ code, message }: Failure): Row {
  return { status: code, message, credits_charged: 0 };
}

function stoppingFailure({ status, message }: Row): Failure | null {
  const code = String(status);
  return stoppingCodes.includes(code) ? { code, message: String(message ?? '') } : null;
}
