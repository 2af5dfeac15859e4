import { holdLock } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import { actionServer, network } from '../platform/platform.ts';
import { recordRun } from '../platform/runs.ts';
import { markOf } from './marks.ts';
import { findRun, isInStep, type RunState, saveRun } from './run-state.ts';
import { deleteRun, newImportId, requireImport, updateImport } from './saved.ts';
import type { SavedImport } from './saved-import.ts';
import { type Entries, findSourceCells, readEntries } from './source.ts';
import { runStep, type StepResult } from './step.ts';
import { bindTable, locateTable, requireWritable } from './table.ts';
import { clearLeftovers } from './write.ts';

const cancelledByOther = 'This import was cancelled in another window. Its finished rows stay in the sheet.';

/** Who starts a run. `run_id`: the ID that the sidebar made for the new run; null to make one here. */
type Starter = { by_schedule: boolean; run_id: string | null };

/**
 * Starts a run of an import, or returns the run that is not finished yet. Finds or writes the headings in the sheet.
 * Costs no credits. `runId`: the ID that the sidebar made for the new run; null to make one here.
 */
export function startRun(id: string, runId: string | null): RunState {
  requireKey();
  const unfinished = unfinishedRun(id);
  if (unfinished !== null) return unfinished;
  const saved = requireImport(id);
  // The URLs and handles are read before the lock of the spreadsheet is taken. Reading can take minutes, and other
  // users and formulas would have to wait for the lock.
  const source = readEntries(saved);
  return holdLock(() => findRun(id) ?? beginRun(saved, source, { by_schedule: false, run_id: runId }));
}

/**
 * Starts a scheduled run of an import as {@link startRun} does, or returns the run that is not finished yet. Returns
 * null when the import is not due and has no scheduled run to continue.
 *
 * @param claim reserves the import, see `claimDue`. `claim` is called only when the run starts, or when an error
 * prevents the start. When Google stops the script earlier, the import is still due.
 */
export function startDueRun(id: string, claim: () => boolean): RunState | null {
  try {
    requireKey();
    const unfinished = unfinishedRun(id);
    if (unfinished !== null) return claim() || unfinished.by_schedule ? unfinished : null;
    const saved = requireImport(id);
    const source = readEntries(saved);
    return holdLock(() => {
      const isClaimed = claim();
      const begun = findRun(id);
      if (begun !== null) return isClaimed || begun.by_schedule ? begun : null;
      return isClaimed ? beginRun(saved, source, { by_schedule: true, run_id: null }) : null;
    });
  } catch (error) {
    claim();
    throw error;
  }
}

function requireKey(): void {
  if (actionServer().key === null) throw new PlainError('No key is connected. Connect one under Keys.');
}

/** Returns the unfinished run of an import. Ends a cancelled run whose last step was interrupted. */
export function unfinishedRun(id: string): RunState | null {
  const run = findRun(id);
  if (run?.cancelled && !isInStep(run)) endRun(id, run.id, 'Cancelled');
  return findRun(id);
}

function beginRun(read: SavedImport, { entries, hidden, skipped }: Entries, starter: Starter): RunState {
  const saved = requireImport(read.id);
  if (saved.version !== read.version) throw new PlainError('Another user has just changed this import. Run it again.');
  if (entries.length === 0) throw new PlainError(nothingToDo(hidden.length, skipped));
  const source = findSourceCells(saved);
  const columns = bindTable(saved, source);
  requireWritable(locateTable({ ...saved, columns }, source));
  if (saved.columns !== columns) updateImport(saved.id, { columns });
  const run: RunState = {
    ...{
      id: starter.run_id ?? newImportId(),
      by_schedule: starter.by_schedule,
      started_ms: network.now(),
      total: entries.length,
    },
    ...{ hidden: hidden.length, skipped, ok: 0, failed: 0, credits: 0, rows: 0, entries: 0, marks: 0 },
    ...{ lease: null, uncertain: [], stopped: null },
  };
  // Entries in hidden rows are saved as finished. The steps of the run then need not ask Google again which rows are
  // hidden, which is slow.
  saveRun(saved.id, run, hidden.map(markOf));
  return { ...run, marks: hidden.length };
}

function nothingToDo(hidden: number, skipped: string): string {
  if (hidden > 0) return 'All rows with links are hidden. Show them, or tick “Also read hidden and filtered rows”.';
  return `There are no links or handles in the cells of this import. ${skipped}`.trim();
}

/**
 * Runs the next step of an import run: requests some rows and writes them. Ends the run after the last step. `runId`:
 * the ID of the run; null for any run of the import.
 *
 * @throws PlainError when the run has ended.
 */
export function continueRun(id: string, runId: string | null): StepResult {
  const result = runStep(id, runId);
  const { saved, run } = result;
  if (run.cancelled && run.lease === null) {
    endRun(saved.id, run.id, 'Cancelled');
    return { ...result, run: { ...run, stopped: cancelledByOther }, finished: false, wait_ms: null };
  }
  if (result.finished) endRun(saved.id, run.id, 'Finished');
  return result;
}

/**
 * Ends an import run: saves its result in the log and in the import. Does not change rows in the sheet, with one
 * exception: a finished run in the mode `replace` clears old rows. Does nothing when the run has already ended.
 *
 * A run that is cancelled during a step ends after the step: the rows of the step may already be paid for, so they must
 * be written and counted.
 */
export function endRun(id: string, runId: string, end: 'Finished' | 'Cancelled'): void {
  holdLock(() => {
    const saved = requireImport(id);
    const run = findRun(id);
    if (run?.id !== runId) return;
    if (end === 'Cancelled' && isInStep(run)) {
      saveRun(id, { ...run, cancelled: true });
      return;
    }
    const replaces = saved.mode === 'replace' && saved.target !== 'beside';
    if (end === 'Finished' && replaces) clearOldRows(saved, run);
    const rows = replaces ? Math.max(run.rows, end === 'Finished' ? 0 : (saved.last?.rows ?? 0)) : 0;
    const { ok, failed, credits } = run;
    const message = endSentence(run, end);
    const finished = end === 'Finished' ? runId : null;
    updateImport(id, { last: { at: network.now(), ok, failed, credits, message, rows, run: finished } });
    deleteRun(id);
    recordRun({ what: `Import “${saved.name}”`, rows: ok + failed, ok, failed, credits, message });
  });
}

function clearOldRows(saved: SavedImport, run: RunState): void {
  try {
    clearLeftovers(saved, locateTable(saved, findSourceCells(saved)), run.rows);
  } catch (error) {
    // A user changed the table after the run wrote its last row. The rows of the previous run then stay in the sheet.
    if (!(error instanceof PlainError)) throw error;
  }
}

function endSentence({ total, entries, hidden, skipped }: RunState, end: string): string {
  const left = total - entries;
  const reason = end === 'Finished' ? 'no longer in the sheet' : 'not requested';
  const parts = [end, left > 0 ? `${left} ${reason}` : '', hidden > 0 ? `${hidden} in hidden rows left out` : ''];
  return `${parts.filter((part) => part !== '').join(', ')}. ${skipped}`.trim();
}
