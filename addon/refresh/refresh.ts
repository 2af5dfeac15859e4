import { maxAges, refreshedText, refreshName } from '../formulas/max-age.ts';
import { writtenText } from '../platform/grid.ts';
import { holdLockOnce, pressMessage } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import { network } from '../platform/platform.ts';
import { recordRun } from '../platform/runs.ts';
import { stamped, timed, usesRefreshCell } from './sheet-formula-text.ts';
import { runsOf, type Scope, scopes, selectedCells, setRun, socialFormulas } from './sheet-formulas.ts';

export type Done = { ok: true; message: string };

/**
 * Makes SOCIAL_ formulas run again in the selection, the sheet or the whole spreadsheet. Google Sheets runs a formula
 * again only when one of its arguments changes.
 * For the whole spreadsheet, this function writes the time into the refresh cell (the named cell SOCIAL_REFRESH).
 * For a part of the spreadsheet, the refresh cell does not change, because every formula that uses it would run and be
 * charged. Instead, the time is added after the name of the refresh cell in each formula of that part. In a formula
 * that does not use the refresh cell, the time is added after the formula's own `max_age`, which stays the same.
 *
 * @param press the ID of the button press, which the sidebar made. A repeated call with the same ID and input refreshes
 * nothing.
 * @throws PlainError when there is no formula to refresh, or another window or trigger is writing into the spreadsheet.
 */
export function refreshPart(input: unknown, press: unknown = null): Done {
  const scope = scopes.find((known) => known === input);
  if (scope === undefined) throw new PlainError('Choose the selection, the sheet or the file.');
  const { reply, again } = holdLockOnce(
    { button: 'refresh', id: press, input: [scope, ...refreshedCells(scope)] },
    () => (scope === 'file' ? refreshFile() : refreshCells(scope)),
  );
  const { message, formulas } = reply;
  if (!again) {
    recordRun({ what: `Refresh of the ${scope}`, rows: formulas, ok: formulas, failed: 0, credits: null, message });
  }
  return { ok: true, message: pressMessage(message, again) };
}

/**
 * Returns what identifies the cells of a refresh: the sheet's name and the selected ranges, only the name, or nothing
 * for the whole spreadsheet. A second press of the button counts as a repeated press only when it has the same cells.
 */
function refreshedCells(scope: Scope): string[] {
  return selectedCells().slice(0, { file: 0, sheet: 1, selection: undefined }[scope]);
}

type Refreshed = { message: string; formulas: number };

function refreshFile(): Refreshed {
  if (!rewriteRefreshCell()) {
    throw new PlainError(
      `This file has no refresh cell. Select an empty cell, choose “Refresh formulas with the refresh cell” in the menu, and use ${refreshName} as max_age in your formulas.`,
    );
  }
  const formulas = socialFormulas('file').filter(({ formula }) => usesRefreshCell(formula)).length;
  if (formulas === 0) {
    return { message: `No formula in this file uses ${refreshName}, so no formula runs again.`, formulas };
  }
  return { message: `${running(formulas, ` with ${refreshName}`)} ${costHint()}`, formulas };
}

/**
 * Writes the current time into the refresh cell, so that the formulas that use it run again. Returns false when the
 * spreadsheet has no refresh cell.
 */
export function rewriteRefreshCell(): boolean {
  const cell = SpreadsheetApp.getActiveSpreadsheet().getRangeByName(refreshName);
  cell?.setValue(writtenText(refreshedText(cell.getValue(), network.now())));
  return cell !== null;
}

function refreshCells(scope: Scope): Refreshed {
  const cells = socialFormulas(scope);
  if (cells.length === 0) throw new PlainError(noFormulaIn(scope));
  const time = new Date(network.now()).toISOString();
  const stamp = `&" fresh ${time}"`;
  const withCell = cells.filter(({ formula }) => usesRefreshCell(formula));
  if (withCell.length > 0) requireMaxAge();
  const others = cells.filter(({ formula }) => !usesRefreshCell(formula));
  for (const run of runsOf(withCell.map((cell) => ({ ...cell, formula: stamped(cell.formula, stamp) })))) setRun(run);
  for (const run of runsOf(others.map((cell) => ({ ...cell, formula: timed(cell.formula, time) })))) setRun(run);
  SpreadsheetApp.flush();
  const parts: string[] = [];
  if (withCell.length > 0) parts.push(`${running(withCell.length)} ${costHint()}`);
  if (others.length > 0) {
    parts.push(
      `${running(others.length)}: only data older than the formula's own max_age (1d when empty) is replaced.`,
    );
  }
  return { message: parts.join(' '), formulas: cells.length };
}

/**
 * Checks that the refresh cell is empty or contains a `max_age`, such as `7d`. A partial refresh adds a time after this
 * text, and the result must be a valid argument of the formulas.
 *
 * @throws PlainError when the cell contains another text.
 */
function requireMaxAge(): void {
  const content = refreshCellContent();
  const [word = ''] = String(content).trim().toLowerCase().split(/\s+/);
  if (word === '' || maxAges.some((known) => known === word)) return;
  throw new PlainError(
    'The refresh cell does not contain a max_age such as fresh or 7d. Refresh the whole file once to reset it.',
  );
}

function refreshCellContent(): unknown {
  return SpreadsheetApp.getActiveSpreadsheet().getRangeByName(refreshName)?.getValue() ?? '';
}

function costHint(): string {
  const [word = ''] = String(refreshCellContent()).trim().split(/\s+/);
  const replaced = word === '' || word === 'fresh' ? 'with new data' : `with new data for rows older than ${word}`;
  return `${replaced}, which may cost credits.`;
}

/** Returns the beginning of a sentence about formulas that run again. Their results are not known yet. */
function running(formulas: number, which = ''): string {
  return formulas === 1 ? `1 formula${which} runs again` : `${formulas} formulas${which} run again`;
}

/** Returns a sentence for the user for the case that the chosen cells contain no SOCIAL_ formula. */
export function noFormulaIn(scope: Scope): string {
  return scope === 'selection'
    ? 'The selection has no SOCIAL_ formula. Select the cell that holds the formula, not only the rows it fills.'
    : `This ${scope} has no SOCIAL_ formula.`;
}
