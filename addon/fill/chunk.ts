import { type Row, type TablePart, unreadable } from '../formulas/tables.ts';
import type { Failure } from '../platform/client.ts';
import { PlainError } from '../platform/page-call.ts';
import { keyStores } from '../platform/platform.ts';
import { type FillJob, fileStore, readChunk, readJob, writeChunk, writeJob } from './job.ts';
import { goneUrls, writeRows } from './write.ts';

/** Longer than a chunk takes: whoever closed the page in the middle leaves the chunk free again after this. */
const leaseMs = 60_000;
/** What of a chunk may have been bought although no answer came. */
const unsureCodes = ['SERVER_UNREACHABLE', 'SERVER_UNAVAILABLE', 'SERVER_ANSWER_UNREADABLE'];
/** A row with one of these is asked again later: nothing was bought, and others would fare alike. */
const stoppingCodes = ['INSUFFICIENT_CREDITS', 'RATE_LIMITED', 'INVALID_API_KEY', 'API_KEY_NOT_SET'];

/** `wait_ms` is set when somebody else is at this fill now. */
export type Claim = { job: FillJob; by: string; urls: string[]; sure: boolean; wait_ms: number | null };
/** `failure` is why the chunk did not come through, null when it did. */
export type Settled = { job: FillJob; failure: Failure | null };

/** The kept fill of this id. @throws PlainError when it was discarded or finished elsewhere. */
export function requireJob(id: unknown): FillJob {
  const job = readJob(fileStore(keyStores().document));
  if (job === null || job.id !== id) throw new PlainError('This fill was finished or discarded in another window.');
  return job;
}

/** Takes the next chunk for one execution, so that two sidebars never buy or write the same rows. */
export function claimChunk(id: unknown, by: string, nowMs: number): Claim {
  const store = fileStore(keyStores().document);
  const job = requireJob(id);
  if (job.lease !== null && job.lease.until_ms > nowMs) {
    return { job, by, urls: [], sure: true, wait_ms: job.lease.until_ms - nowMs };
  }
  const kept = readChunk(store, job.next_chunk);
  const gone = goneUrls(job, kept);
  const urls = kept.filter((url) => !gone.includes(url));
  const sure = !job.unsure;
  writeChunk(store, job.next_chunk, urls);
  const claimed = { ...job, gone: job.gone + gone.length, lease: { by, until_ms: nowMs + leaseMs }, unsure: true };
  writeJob(store, claimed);
  return { job: claimed, by, urls, sure, wait_ms: null };
}

/** Writes what was answered into the sheet and keeps what was not for later. */
export function settleChunk(claim: Claim, parts: readonly TablePart[]): Settled {
  const store = fileStore(keyStores().document);
  const job = requireJob(claim.job.id);
  // Whoever came after the lease asked for the same rows and writes them.
  if (job.lease?.by !== claim.by) return { job, failure: null };
  const { answered, failure } = sortParts(parts);
  writeRows(job, answered);
  const done = new Set(answered.map(({ url }) => url));
  const rest = claim.urls.filter((url) => !done.has(url));
  writeChunk(store, job.next_chunk, rest);
  const failed = answered.filter(({ row }) => row.status !== 'OK').length;
  const settled: FillJob = {
    ...job,
    ok: job.ok + answered.length - failed,
    failed: job.failed + failed,
    credits: job.credits + answered.reduce((sum, { row }) => sum + Number(row.credits_charged ?? 0), 0),
    next_chunk: rest.length === 0 ? job.next_chunk + 1 : job.next_chunk,
    lease: null,
    unsure: rest.length > 0 && failure !== null && unsureCodes.includes(failure.code),
  };
  writeJob(store, settled);
  return { job: settled, failure };
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

/** What is refused as it stands would be refused again: it is the outcome of its rows. */
function invalidRow({ code, message }: Failure): Row {
  return { status: code, message, credits_charged: 0 };
}

function stoppingFailure({ status, message }: Row): Failure | null {
  const code = String(status);
  return stoppingCodes.includes(code) ? { code, message: String(message ?? '') } : null;
}
