import { profileColumns, readFields } from '../formulas/fields.ts';
import { readMaxAge } from '../formulas/max-age.ts';
import { askTables } from '../formulas/tables.ts';
import { asObject, type Failure } from '../platform/client.ts';
import { failureSentence } from '../platform/failure-sentence.ts';
import { holdLock } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import type { FillReply, FillView } from '../platform/page-replies.ts';
import { actionServer, keyStores, network } from '../platform/platform.ts';
import { recordRun } from '../refresh/runs.ts';
import { claimChunk, requireJob, type Settled, settleChunk } from './chunk.ts';
import { dropJob, type FillJob, fileStore, readJob, splitChunks, writeChunk, writeJob } from './job.ts';
import { askedFields, type FillMode, fillModes } from './table.ts';
import { prepareFill } from './target.ts';

/** What a refusal for too many requests waits when it does not say how long. */
const windowMs = 60_000;
/** A chunk is one request, or two where its URLs are long. */
const profileRoute = { path: '/v1/workflows/profile', name: 'url', per_request_max: 50, at_once: 2 } as const;
const waitingCodes = ['RATE_LIMITED', 'SOURCE_CAPACITY'];

/** The fill that was begun in this file and not finished, if any. */
export function fillState(): FillReply {
  const job = readJob(fileStore(keyStores().document));
  return reply(job === null ? null : viewOf(job));
}

/** Begins a fill of the selected URLs: makes the place for the results and keeps the list. Nothing is bought yet. */
export function startFill(asked: unknown): FillReply {
  const question = asObject(asked) ?? {};
  const mode = fillModes.find((known) => known === question.mode);
  if (mode === undefined) throw new PlainError('Choose how the results are written.');
  if (actionServer().key === null) throw new PlainError('No API key is connected. Connect one under Account.');
  const maxAge = readMaxAge(question.max_age, network.now());
  const fields = readFields(question.fields, profileColumns).filter((field) => field !== 'credits_charged');
  return holdLock(() => {
    const store = fileStore(keyStores().document);
    if (readJob(store) !== null) throw new PlainError('Another fill is not finished: resume or discard it first.');
    const { urls, columns, place } = prepareFill(mode, fields, question.area ?? null);
    const chunks = splitChunks(urls);
    chunks.forEach((chunk, index) => {
      writeChunk(store, index, chunk);
    });
    const job: FillJob = {
      ...{ id: `fill-${network.now()}-${Math.floor(network.random() * 1e9)}`, mode, columns, max_age: maxAge, place },
      ...{ started_ms: network.now(), total: urls.length, ok: 0, failed: 0, gone: 0, credits: 0 },
      ...{ next_chunk: 0, chunk_count: chunks.length, lease: null, unsure: false },
    };
    writeJob(store, job);
    return reply(viewOf(job));
  });
}

/** Asks for the next chunk and writes it. One call stays far below the time of an execution. */
export function fillChunk(id: unknown): FillReply {
  const by = `${network.now()}-${network.random()}`;
  const claim = holdLock(() => claimChunk(id, by, network.now()));
  if (claim.wait_ms !== null) {
    return { ...reply(viewOf(claim.job)), ...waiting(claim.wait_ms, 'This fill is at work in another window.') };
  }
  const { job, urls, sure } = claim;
  // What an interrupted attempt bought as fresh is in the cache now, and must not be bought again.
  const maxAge = job.max_age === 'fresh' && !sure ? '1d' : job.max_age;
  const query = `${maxAge === 'fresh' ? 'fresh=true' : `cache_max_age=${maxAge}`}&fields=${askedFields(job.columns).join(',')}`;
  const columns = askedFields(job.columns);
  const question = { ...profileRoute, query, columns };
  const parts = askTables(question, urls, actionServer());
  const settled = holdLock(() => settleChunk(claim, parts));
  return finishIfDone(settled);
}

function finishIfDone({ job, failure }: Settled): FillReply {
  if (job.next_chunk >= job.chunk_count) {
    dropJob(fileStore(keyStores().document), job);
    record(job, 'Finished');
    return reply({ ...viewOf(job), finished: true });
  }
  if (failure === null) return reply(viewOf(job));
  if (waitingCodes.includes(failure.code)) {
    return { ...reply(viewOf(job)), ...waiting(failure.retry_after_ms ?? windowMs, failureSentence(failure)) };
  }
  return { ...reply(viewOf(job)), stopped: stoppedSentence(failure) };
}

function stoppedSentence(failure: Failure): string {
  return `${failureSentence(failure)} What is done stays in the sheet; resume goes on from there.`;
}

/** Forgets what was still to do; what is written stays. */
export function discardFill(id: unknown): FillReply {
  holdLock(() => {
    const job = requireJob(id);
    dropJob(fileStore(keyStores().document), job);
    record(job, 'Discarded');
  });
  return reply(null);
}

const modeWords: Record<FillMode, string> = {
  replace: 'Fill beside the URLs',
  append: 'Fill as a snapshot',
  update: 'Fill, one row for each account',
};

function record(job: FillJob, end: string): void {
  const { ok, failed, gone, credits } = job;
  const rows = ok + failed;
  const left = job.total - rows - gone;
  const parts = [end, left > 0 ? `${left} not asked for` : '', gone > 0 ? `${gone} no longer in the sheet` : ''];
  const message = `${parts.filter((part) => part !== '').join(', ')}.`;
  recordRun({ what: modeWords[job.mode], rows, ok, failed, credits, message });
}

function viewOf(job: FillJob): FillView {
  const { id, mode, total, ok, failed, gone, credits } = job;
  return { id, mode, total, done: ok + failed + gone, ok, failed, gone, credits, finished: false };
}

function reply(job: FillView | null): FillReply {
  return { ok: true, job, wait_s: null, wait_reason: null, stopped: null };
}

function waiting(waitMs: number, waitReason: string): { wait_s: number; wait_reason: string } {
  return { wait_s: Math.max(1, Math.ceil(waitMs / 1000)), wait_reason: waitReason };
}
