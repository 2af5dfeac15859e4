import { estimateEntries } from '../formulas/builder/estimate.ts';
import { findFormula } from '../formulas/builder/formula-builder.ts';
import { PlainError } from '../platform/page-call.ts';
import type { Estimate } from '../platform/page-replies.ts';
import { listImports } from './imports.ts';
import { kindOf } from './kinds.ts';
import { readChoice } from './recipe.ts';
import { continueRun, endRun, startRun, unfinishedRun } from './run.ts';
import { findRun, type RunState, runEnded, runView } from './run-state.ts';
import { readId, requireImport } from './saved.ts';
import type { LastRun } from './saved-import.ts';
import { findDraftCells, findSourceCells, readDraft, readEntries } from './source.ts';
import { previewColumns } from './table.ts';
import type { ImportEstimate, ImportsReply, RunReply } from './views.ts';

/**
 * Estimates the credits that a run of an import would cost now. The estimate is free. `input`: the values of the form,
 * or the ID of a saved import.
 */
export function estimateImport(input: unknown): ImportEstimate {
  const saved = typeof input === 'string' ? requireImport(input) : null;
  const choice = saved ?? readChoice(input);
  const { entries, hidden, skipped } = saved === null ? readDraft(choice) : readEntries(saved);
  const source = saved === null ? findDraftCells(choice) : findSourceCells(saved);
  const { formula } = kindOf(choice.kind);
  const kind = findFormula(formula)?.estimate ?? null;
  if (kind === null) throw new Error(`${formula} has no estimate.`);
  const limit = String(choice.limit ?? '');
  const estimate: Estimate = estimateEntries(kind, entries, choice.max_age, limit, choice.platform);
  return { ...estimate, formula, hidden: hidden.length, skipped, columns: previewColumns(choice, source) };
}

/**
 * Starts a run of an import. If a run is not finished yet, returns that run, so that the sidebar continues it.
 *
 * @param runId the ID that the sidebar made for the run. If this run is already finished, returns its result and starts
 * no second run, which would pay for the same rows again. The sidebar may not know that the run is finished: the answer
 * to its last step was lost, or another user continued it.
 * @param isResumed true when the sidebar knows that the run was started. A new run is then never started.
 * @throws PlainError when the run to resume has ended and its result is no longer saved.
 */
export function startImport(id: unknown, runId: unknown = null, isResumed: unknown = false): RunReply {
  const wanted = readId(runId);
  const { id: importId, last } = requireImport(id);
  const unfinished = unfinishedRun(importId);
  const isOther = unfinished === null || (isResumed === true && unfinished.id !== wanted);
  if (isOther && wanted !== null && last?.run === wanted) return finishedReply(wanted, last);
  if (isOther && isResumed === true) throw new PlainError(runEnded);
  return replyOf(startRun(importId, wanted), false);
}

function finishedReply(id: string, { ok, failed, credits }: LastRun): RunReply {
  const entries = ok + failed;
  const counts = { total: entries, done: entries, ok, failed, removed: 0, credits, hidden: 0 };
  return {
    ok: true,
    run: { id, ...counts, skipped: '', finished: true },
    wait_s: null,
    wait_reason: '',
    stopped: null,
  };
}

/** Runs the next step of an import run: requests some rows and writes them into the sheet. */
export function stepImport(id: unknown, runId: unknown = null): RunReply {
  const { run, finished, wait_ms, reason } = continueRun(String(id), readId(runId));
  const waitS = wait_ms === null ? null : Math.max(1, Math.ceil(wait_ms / 1000));
  return { ...replyOf(run, finished), wait_s: waitS, wait_reason: reason };
}

/**
 * Ends a run of an import early. The URLs and handles that are left are not requested.
 *
 * @throws PlainError when the run has ended and another one has begun.
 */
export function cancelImport(id: unknown, runId: unknown = null): ImportsReply {
  const run = findRun(String(id));
  if (run !== null && run.id !== (readId(runId) ?? run.id)) throw new PlainError(runEnded);
  if (run !== null) endRun(String(id), run.id, 'Cancelled');
  return listImports();
}

function replyOf(run: RunState, finished: boolean): RunReply {
  return { ok: true, run: runView(run, finished), wait_s: null, wait_reason: '', stopped: run.stopped };
}
