import { asObject } from '../platform/client.ts';
import { holdLock } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import { network } from '../platform/platform.ts';
import { setImportTrigger } from '../refresh/schedule.ts';
import { isOwn, lateSentence, nextRun, ownUserId } from './due.ts';
import { readChoice, readScheduleChoice } from './recipe.ts';
import { findRun, isInStep, runView } from './run-state.ts';
import {
  deleteSavedImport,
  findImport,
  newImportId,
  readId,
  requireImport,
  savedImports,
  saveImport,
  updateImport,
} from './saved.ts';
import type { Choice, SavedImport, Schedule, Target } from './saved-import.ts';
import { pickedRange, rangeName } from './source.ts';
import { targetCell } from './table.ts';
import type { ChangeReply, ImportReply, ImportsReply, ImportView, SaveReply } from './views.ts';

const changed =
  'Another user changed this import while you were editing it. Your changes were not saved. Open the import again.';

const cancelling =
  'This import is being cancelled. Another window still writes the rows that are already paid for. If this takes longer than a minute, choose Resume, then Cancel.';

/** Returns all saved imports of this spreadsheet. */
export function listImports(): ImportsReply {
  return { ok: true, imports: savedImports().map(viewOf) };
}

/**
 * Returns a saved import for the form in the sidebar. Source and target are the current positions of the cells, which
 * may have moved since the import was saved.
 */
export function readImport(id: unknown): ImportReply {
  const saved = requireImport(id);
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const source = file.getRangeByName(rangeName(saved.id, 'SOURCE'));
  const now = (range: GoogleAppsScript.Spreadsheet.Range) => ({
    sheet: range.getSheet().getName(),
    a1: range.getA1Notation(),
  });
  const movedSource =
    'cells' in saved.source && source !== null
      ? { ...saved.source, cells: { ...saved.source.cells, ...now(source) } }
      : saved.source;
  return { ok: true, saved: { ...saved, source: movedSource, target: currentTarget(saved) } };
}

/** Returns where an import writes its table now. Users may have renamed the sheet or moved the cells. */
function currentTarget({ id, target }: SavedImport): Target {
  const range =
    target === 'beside' ? null : SpreadsheetApp.getActiveSpreadsheet().getRangeByName(rangeName(id, 'TARGET'));
  return range === null ? target : { sheet: range.getSheet().getName(), a1: range.getA1Notation() };
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

/** Saves an import. `before`: the import as it was saved before; null for a new import. */
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
  deleteSavedImport(id);
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

function viewOf(saved: SavedImport): ImportView {
  const { id, version, name, kind, schedule, last } = saved;
  const run = findRun(id);
  const target = currentTarget(saved);
  return {
    ...{ id, version, name, kind, last },
    target: target === 'beside' ? 'beside the links' : `in the sheet “${target.sheet}”`,
    schedule: schedule === null ? null : { every_hours: schedule.every_hours, weekday: schedule.weekday },
    next: schedule === null ? null : nextRun(schedule),
    late: lateSentence(saved),
    run: run === null ? null : runView(run, false),
    stopped: run?.cancelled ? cancelling : (run?.stopped ?? null),
  };
}
