import { byPlatform } from '../formulas/rows/handles.ts';
import { fetchTables, type Row, type TablePart, unreadable } from '../formulas/tables.ts';
import { deadlineOf, type Failure } from '../platform/client.ts';
import { failureSentence, mayBeCharged } from '../platform/failure-sentence.ts';
import { holdLock } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import { actionServer, network } from '../platform/platform.ts';
import { requestedFields } from './cells.ts';
import { kindOf } from './kinds.ts';
import { markOf } from './marks.ts';
import { findRun, finishedMarks, isInStep, type RunState, runEnded, saveRun } from './run-state.ts';
import { requireImport } from './saved.ts';
import type { SavedImport } from './saved-import.ts';
import { findSourceCells, readAllEntries } from './source.ts';
import { locateTable, requireWritable } from './table.ts';
import { type Answered, writeRows } from './write.ts';

/**
 * Milliseconds for which one sidebar window reserves the next step of an import run. If the user closes the window,
 * another window can continue the run after this time.
 */
const leaseMs = 60_000;
/** Milliseconds to wait when the API server refuses a request because of the rate limit and sends no `Retry-After`. */
const windowMs = 60_000;
/** Maximum characters of the URLs and handles of one step of an import run, so that they fit into few requests. */
const maxStepCharacters = 8_000;
/**
 * Error codes of a row that stop an import run, because all other rows would fail too. A row with such a code was not
 * charged and is requested again later.
 */
const stoppingCodes = ['INSUFFICIENT_CREDITS', 'RATE_LIMITED', 'INVALID_API_KEY', 'API_KEY_NOT_SET'];
const waitingCodes = ['RATE_LIMITED', 'SOURCE_CAPACITY'];

/**
 * The state of an import run after one step. `finished`: true when no URL or handle is left. `wait_ms`: milliseconds to
 * wait before the next step, because of `reason`; null for no wait.
 */
export type StepResult = {
  saved: SavedImport;
  run: RunState;
  finished: boolean;
  wait_ms: number | null;
  reason: string;
};
type Claim = { saved: SavedImport; run: RunState; by: string; entries: string[]; uncertain: boolean };

/**
 * Runs one step of an import run: requests the rows of the next URLs or handles and writes them into the sheet. A step
 * takes far less time than Apps Script allows. `runId`: the ID of the run; null for any run of the import.
 *
 * @throws PlainError when the run has ended.
 */
export function runStep(id: string, runId: string | null): StepResult {
  const by = `${network.now()}-${network.random()}`;
  const claim = holdLock(() => claimStep(id, runId, by));
  if ('finished' in claim) return claim;
  const parts = requestRows(claim);
  return holdLock(() => completeStep(claim, parts));
}

/**
 * Returns the unfinished run of an import. `runId`: the ID that the run must have; null for any run.
 *
 * @throws PlainError when the run was finished or cancelled in another window, even when another run has begun.
 */
function requireRun(id: string, runId: string | null): RunState {
  const run = findRun(id);
  if (run === null || (runId !== null && run.id !== runId)) throw new PlainError(runEnded);
  return run;
}

/**
 * Reserves the next URLs or handles of an import run for one window, so that two windows never pay for the same rows or
 * write them twice.
 */
function claimStep(id: string, runId: string | null, by: string): Claim | StepResult {
  const saved = requireImport(id);
  const run = requireRun(id, runId);
  if (run.lease !== null && isInStep(run)) {
    const waitMs = run.lease.until_ms - network.now();
    return { saved, run, finished: false, wait_ms: waitMs, reason: 'This import is running in another window.' };
  }
  if (run.cancelled) return { saved, run: { ...run, lease: null }, finished: false, wait_ms: null, reason: '' };
  try {
    const { entries, uncertain } = nextEntries(saved, run);
    if (entries.length === 0) return { saved, run, finished: true, wait_ms: null, reason: '' };
    const lease = { by, until_ms: network.now() + leaseMs };
    const claimed: RunState = { ...run, lease, uncertain: entries.map(markOf), stopped: null };
    saveRun(id, claimed);
    return { saved, run: claimed, by, entries, uncertain };
  } catch (error) {
    return stopRun(saved, run, error);
  }
}

function nextEntries(saved: SavedImport, run: RunState): { entries: string[]; uncertain: boolean } {
  const { entries, cells } = readAllEntries(saved);
  requireWritable(locateTable(saved, cells));
  const finished = finishedMarks(saved.id, run);
  const left = entries.filter((entry) => !finished.has(markOf(entry)));
  // Entries (URLs or handles) that an interrupted step may have paid for are requested first and separately. Their rows
  // can then be read from the server's cache, so that they are not charged again.
  const uncertain = left.filter((entry) => run.uncertain.includes(markOf(entry)));
  // Rows that users add during this run are left for the next run, because the cost that the user saw does not include
  // them.
  const allowed = Math.min(kindOf(saved.kind).step_max, run.total - run.entries);
  const next: string[] = [];
  let characters = 0;
  for (const entry of uncertain.length > 0 ? uncertain : left) {
    characters += encodeURIComponent(entry.replace(/\p{Surrogate}/gu, '')).length;
    if (next.length >= allowed || (next.length > 0 && characters > maxStepCharacters)) break;
    next.push(entry);
  }
  return { entries: next, uncertain: uncertain.length > 0 };
}

function requestRows({ saved, entries, uncertain }: Claim): TablePart[] {
  const kind = kindOf(saved.kind);
  const columns = requestedFields(saved);
  // Rows that an interrupted step paid for are now in the cache of the server. A request with `fresh` would ignore the
  // cache and charge them again.
  const maxAge = saved.max_age === 'fresh' && uncertain ? '1d' : saved.max_age;
  const age = maxAge === 'fresh' ? 'fresh=true' : `cache_max_age=${maxAge}`;
  const query = `${age}${saved.limit === null ? '' : `&limit=${saved.limit}`}&fields=${columns.join(',')}`;
  const server = actionServer();
  const deadlineMs = deadlineOf(server.network);
  return byPlatform(entries, saved.platform).flatMap(({ texts, parameter }) =>
    fetchTables({ ...kind, name: 'url', query: query + parameter, columns, deadline_ms: deadlineMs }, texts, server),
  );
}

/** Writes the rows that the server returned into the sheet, and saves that their URLs or handles are finished. */
function completeStep(claim: Claim, parts: readonly TablePart[]): StepResult {
  const saved = requireImport(claim.saved.id);
  const run = requireRun(saved.id, claim.run.id);
  // The reservation of this window expired, and another window reserved the same URLs or handles. The other window
  // writes their rows.
  if (run.lease?.by !== claim.by) return { saved, run, finished: false, wait_ms: null, reason: '' };
  const { answered, failure, uncertain } = sortParts(parts);
  const rows = answered.flatMap((one) => one.rows);
  const credits = run.credits + rows.reduce((sum, row) => sum + Number(row.credits_charged ?? 0), 0);
  try {
    const source = findSourceCells(saved);
    writeRows({ saved, run, source, table: locateTable(saved, source), again: claim.uncertain }, answered);
  } catch (error) {
    // The rows are paid for, although they could not be written. The next step gets them from the cache, for free.
    return stopRun(saved, { ...run, credits }, error);
  }
  const failed = rows.filter(({ status }) => status !== 'OK').length;
  const waits = failure !== null && waitingCodes.includes(failure.code);
  const stopped =
    failure === null || waits
      ? null
      : `${failureSentence(failure)} The finished rows stay in the sheet. Choose Resume to continue.`;
  const updated: RunState = {
    ...run,
    ok: run.ok + rows.length - failed,
    failed: run.failed + failed,
    rows: run.rows + rows.length,
    entries: run.entries + answered.length,
    credits,
    lease: null,
    uncertain: uncertain.map(markOf),
    stopped,
  };
  const marks = answered.map(({ entry }) => markOf(entry));
  saveRun(saved.id, updated, marks);
  const after: RunState = { ...updated, marks: updated.marks + marks.length };
  const waitMs = waits ? (failure.retry_after_ms ?? windowMs) : null;
  const finished = failure === null && after.entries >= after.total;
  return { saved, run: after, finished, wait_ms: waitMs, reason: waits ? failureSentence(failure) : '' };
}

/**
 * Saves the reason why an import run cannot continue. URLs and handles that were already requested stay in `uncertain`,
 * so that none is paid for twice.
 */
function stopRun(saved: SavedImport, run: RunState, error: unknown): StepResult {
  if (!(error instanceof PlainError)) throw error;
  const stopped: RunState = { ...run, lease: null, stopped: error.message };
  saveRun(saved.id, stopped);
  return { saved, run: stopped, finished: false, wait_ms: null, reason: '' };
}

/**
 * The results of one step of an import run. `failure`: the first failure; null when nothing failed. `uncertain`: the
 * URLs or handles that may have been charged although their rows did not arrive.
 */
type Sorted = { answered: Answered[]; failure: Failure | null; uncertain: string[] };

function sortParts(parts: readonly TablePart[]): Sorted {
  const sorted: Sorted = { answered: [], failure: null, uncertain: [] };
  const fail = (failure: Failure, entries: readonly string[]): void => {
    sorted.failure ??= failure;
    if (mayBeCharged(failure)) sorted.uncertain.push(...entries);
  };
  for (const { values, rows, credits } of parts) {
    // A request with the code NOT_IN_TIME was not sent, because no time was left. The next step sends it.
    if (!Array.isArray(rows) && rows.code === 'NOT_IN_TIME') continue;
    if (!Array.isArray(rows) && rows.code !== 'INVALID_INPUT') {
      fail(rows, values);
      continue;
    }
    values.forEach((entry, index) => {
      const own = rowsOf({ values, rows, credits }, index);
      const stopping = own === null ? unreadable : (own.map(stoppingFailure).find((one) => one !== null) ?? null);
      if (own !== null && stopping === null) sorted.answered.push({ entry, rows: own });
      else if (stopping !== null) fail(stopping, [entry]);
    });
  }
  return sorted;
}

/**
 * Returns the rows of one URL or handle from the answer to a request; null when they are missing. A request with a
 * single URL may return any number of rows. A list without posts costs as much as any other list.
 */
function rowsOf({ values, rows, credits }: Omit<TablePart, 'warnings'>, index: number): Row[] | null {
  // The server refused this URL or handle. The row shows the refusal, because the server would refuse a retry too.
  if (!Array.isArray(rows))
    return [{ status: (rows as Failure).code, message: (rows as Failure).message, credits_charged: 0 }];
  if (values.length > 1) return rows[index] === undefined ? null : [rows[index]];
  if (rows.length > 0) return rows;
  return [{ status: 'NO_DATA', message: 'There are no posts.', credits_charged: credits }];
}

function stoppingFailure({ status, message }: Row): Failure | null {
  const code = String(status);
  return stoppingCodes.includes(code) ? { code, message: String(message ?? '') } : null;
}
