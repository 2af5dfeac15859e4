import { profileColumns, readFields } from '../formulas/fields.ts';
import { readMaxAge } from '../formulas/max-age.ts';
import { fetchTables } from '../formulas/tables.ts';
import { asObject, type Failure } from '../platform/client.ts';
import { failureSentence } from '../platform/failure-sentence.ts';
import { holdLock } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import type { FillReply, FillView } from '../platform/page-replies.ts';
import { actionServer, keyStores, network } from '../platform/platform.ts';
import { recordRun } from '../refresh/runs.ts';
import { type ChunkResult, claimChunk, completeChunk, requireJob } from './chunk.ts';
import { dropJob, type FillJob, fileStore, readJob, splitChunks, writeChunk, writeJob } from './job.ts';
import { type FillMode, fillModes, requestedFields } from './table.ts';
import { prepareFill } from './target.ts';

/** Milliseconds to wait when the server refuses a request because of the rate limit and sends no `Retry-After`. */
const windowMs = 60_000;
/** The route that returns the profiles. A chunk (at most 20 URLs) is one request, or two when its URLs are long. */
const profileRoute = { path: '/v1/workflows/profile', name: 'url', per_request_max: 50, at_once: 2 } as const;
const waitingCodes = ['RATE_LIMITED', 'SOURCE_CAPACITY'];

/** Returns the unfinished fill of this file, if it has one. A fill writes the data of a list of profiles into a sheet. */
export function fillState(): FillReply {
  const job = readJob(fileStore(keyStores().document));
  return reply(job === null ? null : viewOf(job));
}

/** Starts a fill: writes the headings and saves the list of the picked URLs. This costs no credits. */
export function startFill(input: unknown): FillReply {
  const request = asObject(input) ?? {};
  const mode = fillModes.find((known) => known === request.mode);
  if (mode === undefined) throw new PlainError('Choose where to write the results.');
  if (actionServer().key === null) throw new PlainError('No API key is connected. Connect one under Keys.');
  const maxAge = readMaxAge(request.max_age, network.now());
  const fields = readFields(request.fields, profileColumns).filter((field) => field !== 'credits_charged');
  return holdLock(() => {
    const store = fileStore(keyStores().document);
    if (readJob(store) !== null) throw new PlainError('Another fill is not finished. Resume or discard it first.');
    const { urls, columns, position } = prepareFill(mode, fields, request.area ?? null);
    const chunks = splitChunks(urls);
    chunks.forEach((chunk, index) => {
      writeChunk(store, index, chunk);
    });
    const job: FillJob = {
      ...{
        id: `fill-${network.now()}-${Math.floor(network.random() * 1e9)}`,
        mode,
        columns,
        max_age: maxAge,
        place: position,
      },
      ...{ started_ms: network.now(), total: urls.length, ok: 0, failed: 0, gone: 0, credits: 0 },
      ...{ next_chunk: 0, chunk_count: chunks.length, lease: null, uncertain: false },
    };
    writeJob(store, job);
    return reply(viewOf(job));
  });
}

/** Requests the rows of the next chunk and writes them. One call takes far less time than Apps Script allows. */
export function fillChunk(id: unknown): FillReply {
  const by = `${network.now()}-${network.random()}`;
  const claim = holdLock(() => claimChunk(id, by, network.now()));
  if (claim.wait_ms !== null) {
    return { ...reply(viewOf(claim.job)), ...waiting(claim.wait_ms, 'This fill is running in another window.') };
  }
  const { job, urls, certain } = claim;
  // Rows for which an interrupted attempt paid are in the server's cache now; `fresh` would pay for them again.
  const maxAge = job.max_age === 'fresh' && !certain ? '1d' : job.max_age;
  const query = `${maxAge === 'fresh' ? 'fresh=true' : `cache_max_age=${maxAge}`}&fields=${requestedFields(job.columns).join(',')}`;
  const columns = requestedFields(job.columns);
  const tableQuery = { ...profileRoute, query, columns };
  const parts = fetchTables(tableQuery, urls, actionServer());
  const result = holdLock(() => completeChunk(claim, parts));
  return finishIfDone(result);
}

function finishIfDone({ job, failure }: ChunkResult): FillReply {
  if (job.next_chunk >= job.chunk_count) {
    dropJob(fileStore(keyStores().document), job);
    logRun(job, 'Finished');
    return reply({ ...viewOf(job), finished: true });
  }
  if (failure === null) return reply(viewOf(job));
  if (waitingCodes.includes(failure.code)) {
    return { ...reply(viewOf(job)), ...waiting(failure.retry_after_ms ?? windowMs, failureSentence(failure)) };
  }
  return { ...reply(viewOf(job)), stopped: stoppedSentence(failure) };
}

function stoppedSentence(failure: Failure): string {
  return `${failureSentence(failure)} The finished rows stay in the sheet. Choose Resume to continue.`;
}

/** Ends a fill before all its rows are requested. Rows that are already written stay. */
export function discardFill(id: unknown): FillReply {
  holdLock(() => {
    const job = requireJob(id);
    dropJob(fileStore(keyStores().document), job);
    logRun(job, 'Discarded');
  });
  return reply(null);
}

const modeLabels: Record<FillMode, string> = {
  replace: 'Fill beside the URLs',
  append: 'Fill as a snapshot',
  update: 'Fill, one row for each account',
};

function logRun(job: FillJob, end: string): void {
  const { ok, failed, gone, credits } = job;
  const rows = ok + failed;
  const left = job.total - rows - gone;
  const parts = [end, left > 0 ? `${left} not requested` : '', gone > 0 ? `${gone} no longer in the sheet` : ''];
  const message = `${parts.filter((part) => part !== '').join(', ')}.`;
  recordRun({ what: modeLabels[job.mode], rows, ok, failed, credits, message });
}

function viewOf(job: FillJob): FillView {
  const { id, mode, total, ok, failed, gone, credits } = job;
  return { id, mode, total, done: ok + failed + gone, ok, failed, removed: gone, credits, finished: false };
}

function reply(job: FillView | null): FillReply {
  return { ok: true, job, wait_s: null, wait_reason: null, stopped: null };
}

function waiting(waitMs: number, waitReason: string): { wait_s: number; wait_reason: string } {
  return { wait_s: Math.max(1, Math.ceil(waitMs / 1000)), wait_reason: waitReason };
}
