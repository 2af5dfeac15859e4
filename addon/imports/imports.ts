import { estimateEntries } from '../formulas/builder/estimate.ts';
import { findFormula } from '../formulas/builder/formula-builder.ts';
import { asObject } from '../platform/client.ts';
import { holdLock } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import type { Estimate } from '../platform/page-replies.ts';
import { network } from '../platform/platform.ts';
import { setImportTrigger } from '../refresh/schedule.ts';
import { isOwn, lateSentence, nextRun, ownUserId } from './due.ts';
import { kindOf } from './kinds.ts';
import { readChoice, readScheduleChoice } from './recipe.ts';
import { continueRun, endRun, startRun, unfinishedRun } from './run.ts';
import { findRun, isInStep, type RunState, runEnded } from './run-state.ts';
import {
  dropImport,
  findImport,
  newImportId,
  readId,
  requireImport,
  savedImports,
  saveImport,
  updateImport,
} from './saved.ts';
import type { Choice, LastRun, SavedImport, Schedule } from './saved-import.ts';
import { findDraftCells, findSourceCells, pickedRange, rangeName, readDraft, readEntries } from './source.ts';
import { previewColumns, targetCell } from './table.ts';
import type {
  ChangeReply,
  ImportEstimate,
  ImportReply,
  ImportsReply,
  ImportView,
  RunReply,
  RunView,
  SaveReply,
} from './views.ts';

const changed =
  'Another user changed this import while you were editing it. Your changes were not saved. Open the import again.';

const cancelling =
  'This import is being cancelled. Another window still writes the rows that are already paid for. If this takes longer than a minute, choose Resume, then Cancel.';

/** Returns all saved imports of this spreadsheet. */
export function listImports(): ImportsReply {
  return { ok: true, imports: savedImports().map(viewOf) };
}

/**
 * Returns a saved import for the form in the sidebar. Its source and target are the current positions of the cells,
 * which may have moved since the import was saved.
 */
export function readImport(id: unknown): ImportReply {
  const saved = requireImport(id);
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const source = file.getRangeByName(rangeName(saved.id, 'SOURCE'));
  const target = file.getRangeByName(rangeName(saved.id, 'TARGET'));
  const now = (range: GoogleAppsScript.Spreadsheet.Range) => ({
    sheet: range.getSheet().getName(),
    a1: range.getA1Notation(),
  });
  const movedSource =
    'cells' in saved.source && source !== null
      ? { ...saved.source, cells: { ...saved.source.cells, ...now(source) } }
      : saved.source;
  const movedTarget = saved.target !== 'beside' && target !== null ? now(target) : saved.target;
  return { ok: true, saved: { ...saved, source: movedSource, target: movedTarget } };
}

/**
 * Saves a new or changed import. `input.id` and `input.version` identify the import that the user opened; both are null
 * for a new one. `input.form`: an ID that the sidebar made when it opened the form. When the answer to a save was lost
 * and the user saves the same form again, the second save changes the same import.
 *
 * @throws PlainError when a value is not usable, or another user has changed the import since it was opened.
 */
export function saveChoice(input: unknown): SaveReply {
  const submitted = asObject(input) ?? {};
  const choice = readChoice(submitted);
  const wanted = readScheduleChoice(submitted.schedule);
  const form = readId(submitted.form);
  const done = holdLock(() => {
    const before = findImport(submitted.id ?? form);
    const schedule = scheduleOf(wanted, before?.schedule ?? null);
    return withTrigger(isOwn(schedule), () => save(submitted, { ...choice, schedule, form }, before));
  }, 'The import was not saved.');
  return { ...listImports(), ...done };
}

/**
 * Calls `work`, which changes saved imports. Then keeps this user's time-driven trigger if an import has a schedule of
 * this user, and deletes it otherwise. When `isNeeded`, creates the trigger before `work`, so that nothing changes when
 * Google refuses the trigger. The caller must hold the lock of the spreadsheet.
 */
function withTrigger<T>(isNeeded: boolean, work: () => T): T {
  if (isNeeded) setImportTrigger(true);
  try {
    return work();
  } finally {
    setImportTrigger(savedImports().some(({ schedule }) => isOwn(schedule)));
  }
}

/** Saves an import. `before`: the import as it is saved now; null when it does not exist. */
function save(
  submitted: Record<string, unknown>,
  values: Choice & Pick<SavedImport, 'schedule' | 'form'>,
  before: SavedImport | null,
): { id: string; again: boolean } {
  const again = before !== null && values.form !== null && before.form === values.form;
  const opened = typeof submitted.id === 'string' ? submitted.version : null;
  if (!again && (before?.version ?? null) !== opened) throw new PlainError(changed);
  if (before !== null && findRun(before.id) !== null) {
    throw new PlainError('This import is not finished. Resume or cancel its run first.');
  }
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const source = 'cells' in values.source ? pickedRange(file, values.source.cells) : null;
  const target = values.target === 'beside' ? null : targetCell(file, values.target);
  const id = before?.id ?? values.form ?? newImportId();
  const last = before !== null && isSameTarget(before, values.target) ? before.last : null;
  saveImport({ ...values, id, version: (before?.version ?? 0) + 1, columns: null, last });
  setName(file, rangeName(id, 'SOURCE'), source);
  setName(file, rangeName(id, 'TARGET'), target);
  return { id, again };
}

/**
 * Returns true when a changed import still writes to the same cells as before. The import may then replace the rows of
 * its earlier runs.
 */
function isSameTarget(before: SavedImport, target: SavedImport['target']): boolean {
  return JSON.stringify(readImport(before.id).saved.target) === JSON.stringify(target);
}

/**
 * Returns the schedule to save with an import. An unchanged schedule still belongs to the user who set it and runs with
 * that user's API key. A new or changed schedule belongs to this user.
 */
function scheduleOf(wanted: ReturnType<typeof readScheduleChoice>, before: Schedule | null): Schedule | null {
  if (wanted === null) return null;
  if (before !== null && before.every_hours === wanted.every_hours && before.weekday === wanted.weekday) return before;
  return { ...wanted, by: ownUserId(), last_ms: network.now() };
}

function setName(
  file: GoogleAppsScript.Spreadsheet.Spreadsheet,
  name: string,
  range: GoogleAppsScript.Spreadsheet.Range | null,
): void {
  if (range !== null) file.setNamedRange(name, range);
  else if (file.getRangeByName(name) !== null) file.removeNamedRange(name);
}

/**
 * Changes a saved import from the list in the sidebar. `change`: `delete`, `duplicate`, `rename` or `schedule` (the
 * schedule then runs with the account of this user). `detail`: for `rename`, the new name; for `duplicate`, the ID of
 * the copy, which the sidebar made.
 *
 * @throws PlainError when another user has changed the import since the list was loaded.
 */
export function changeImport(id: unknown, version: unknown, change: unknown, detail: unknown = ''): ChangeReply {
  const again = holdLock(() => {
    if (change === 'duplicate' && readId(detail) !== null && findImport(detail) !== null) return true;
    withTrigger(change === 'schedule', () => applyChange(id, version, change, detail));
    return false;
  }, 'The import was not changed.');
  return { ...listImports(), again };
}

function applyChange(id: unknown, version: unknown, change: unknown, detail: unknown): void {
  const saved = requireImport(id);
  if (saved.version !== version) throw new PlainError(changed);
  const next = { version: saved.version + 1, form: null };
  if (change === 'delete') deleteImport(saved.id);
  else if (change === 'duplicate') duplicateImport(saved, readId(detail) ?? newImportId());
  else if (change === 'rename') updateImport(saved.id, { name: nameOf(detail), ...next });
  else if (change === 'schedule' && saved.schedule !== null) {
    const schedule = { ...saved.schedule, by: ownUserId(), last_ms: network.now() };
    updateImport(saved.id, { schedule, ...next });
  }
}

function nameOf(detail: unknown): string {
  const name = String(detail).trim().slice(0, 80);
  if (name === '') throw new PlainError('Type a name for the import.');
  return name;
}

function deleteImport(id: string): void {
  const run = findRun(id);
  if (run !== null && isInStep(run)) {
    throw new PlainError('This import is running in another window. Cancel its run, then delete the import.');
  }
  dropImport(id);
  const file = SpreadsheetApp.getActiveSpreadsheet();
  for (const what of ['SOURCE', 'TARGET'] as const) setName(file, rangeName(id, what), null);
}

/** Copies a saved import without its schedule and without the results of its last run. */
function duplicateImport(saved: SavedImport, copyId: string): void {
  const copy = { ...saved, id: copyId, name: `${saved.name} (copy)`, version: 1, schedule: null, last: null };
  saveImport({ ...copy, form: null, columns: null });
  const file = SpreadsheetApp.getActiveSpreadsheet();
  for (const what of ['SOURCE', 'TARGET'] as const) {
    setName(file, rangeName(copy.id, what), file.getRangeByName(rangeName(saved.id, what)));
  }
}

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

function runView({ id, total, entries, ok, failed, credits, hidden, skipped }: RunState, finished: boolean): RunView {
  const removed = finished ? total - entries : 0;
  return { id, total, done: entries, ok, failed, removed, credits, hidden, skipped, finished };
}

function viewOf(saved: SavedImport): ImportView {
  const { id, version, name, kind, schedule, last } = saved;
  const run = findRun(id);
  return {
    ...{ id, version, name, kind, last },
    target: saved.target === 'beside' ? 'beside the links' : `in the sheet “${saved.target.sheet}”`,
    schedule: schedule === null ? null : { every_hours: schedule.every_hours, weekday: schedule.weekday },
    next: schedule === null ? null : nextRun(schedule),
    late: lateSentence(saved),
    run: run === null ? null : runView(run, false),
    stopped: run?.cancelled ? cancelling : (run?.stopped ?? null),
  };
}
