import { maxAges, refreshedText, refreshName } from '../formulas/max-age.ts';
import { namesRefresh, stamped } from '../formulas/sheet-formula-text.ts';
import {
  areaOf,
  type FormulaCell,
  runsOf,
  type Scope,
  scopes,
  setRun,
  socialFormulas,
} from '../formulas/sheet-formulas.ts';
import { writtenText } from '../platform/grid.ts';
import { holdLock } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import { network } from '../platform/platform.ts';
import { recordRun } from './runs.ts';

export type Done = { ok: true; message: string };

/**
 * Makes formulas of ours ask again. The whole file goes through the refresh cell; a part must not, for every formula
 * that names the cell would pay: there each formula gets a stamp of its own behind the name. What does not name the
 * cell is put in anew and asks within its own `max_age`.
 *
 * @throws PlainError when there is nothing to refresh, or somebody else is writing.
 */
export function refreshPart(asked: unknown): Done {
  const scope = scopes.find((known) => known === asked);
  if (scope === undefined) throw new PlainError('Choose the selection, the sheet or the file.');
  const { message, formulas } = holdLock(() => (scope === 'file' ? refreshFile() : refreshCells(scope)));
  recordRun({ what: `Refresh of the ${scope}`, rows: formulas, ok: formulas, failed: 0, credits: null, message });
  return { ok: true, message };
}

type Refreshed = { message: string; formulas: number };

function refreshFile(): Refreshed {
  if (!rewriteRefreshCell()) {
    throw new PlainError(
      `This file has no refresh cell. Select an empty cell, choose Refresh in the menu, and give ${refreshName} to your formulas as max_age.`,
    );
  }
  const formulas = socialFormulas('file').filter(({ formula }) => namesRefresh(formula)).length;
  const message = `Asked again, ${price()} Formulas that name ${refreshName}: ${formulas}.`;
  return { message, formulas };
}

/** Whether there is a refresh cell to rewrite. */
export function rewriteRefreshCell(): boolean {
  const cell = SpreadsheetApp.getActiveSpreadsheet().getRangeByName(refreshName);
  cell?.setValue(writtenText(refreshedText(cell.getValue(), network.now())));
  return cell !== null;
}

function refreshCells(scope: Scope): Refreshed {
  const cells = socialFormulas(scope);
  if (cells.length === 0) throw new PlainError(nothingIn(scope));
  const stamp = `&" fresh ${new Date(network.now()).toISOString()}"`;
  const naming = cells.filter(({ formula }) => namesRefresh(formula));
  if (naming.length > 0) requireWord();
  const others = cells.filter((cell) => !naming.includes(cell));
  for (const run of runsOf(naming.map((cell) => ({ ...cell, formula: stamped(cell.formula, stamp) })))) setRun(run);
  putInAnew(others);
  SpreadsheetApp.flush();
  const parts: string[] = [];
  if (naming.length > 0) parts.push(`${counted(naming.length)} asked again ${price()}`);
  if (others.length > 0) {
    parts.push(
      `${counted(others.length)} asked again, at most for what is older than the own max_age (1d when empty).`,
    );
  }
  return { message: parts.join(' '), formulas: cells.length };
}

/** A formula runs again when an argument changes, or when it is put in anew. */
function putInAnew(cells: readonly FormulaCell[]): void {
  const runs = runsOf(cells);
  try {
    for (const run of runs) areaOf(run).clearContent();
    SpreadsheetApp.flush();
  } finally {
    for (const run of runs) setRun(run);
  }
}

/** A stamp behind anything but a word of ours would be no max_age. */
function requireWord(): void {
  const content = refreshCellContent();
  const [word = ''] = String(content).trim().toLowerCase().split(/\s+/);
  if (word === '' || maxAges.some((known) => known === word)) return;
  throw new PlainError(
    'The refresh cell holds something else than a max_age, such as fresh or 7d: refresh the whole file once.',
  );
}

function refreshCellContent(): unknown {
  return SpreadsheetApp.getActiveSpreadsheet().getRangeByName(refreshName)?.getValue() ?? '';
}

function price(): string {
  const [word = ''] = String(refreshCellContent()).trim().split(/\s+/);
  const bought = word === '' || word === 'fresh' ? 'for fresh data' : `for what is older than ${word}`;
  return `${bought}, for which credits may be charged.`;
}

function counted(formulas: number): string {
  return formulas === 1 ? '1 formula' : `${formulas} formulas`;
}

/** What to do where no formula of ours was found. */
export function nothingIn(scope: Scope): string {
  return scope === 'selection'
    ? 'The selection has no SOCIAL_ formula. Select the cell that holds the formula, not only the rows it fills.'
    : `This ${scope} has no SOCIAL_ formula.`;
}
