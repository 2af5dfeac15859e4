import { callsSocial } from './sheet-formula-text.ts';

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

export const scopes = ['selection', 'sheet', 'file'] as const;
export type Scope = (typeof scopes)[number];

/** A cell with a SOCIAL_ formula (custom function of the add-on). The first row and the first column are 1. */
export type FormulaCell = { sheet: Sheet; row: number; column: number; formula: string };

/** A group of adjacent cells of one column that all have a SOCIAL_ formula. Their formulas are written in one call. */
type FormulaRun = { sheet: Sheet; row: number; column: number; formulas: string[] };

/** Returns the cells with a SOCIAL_ formula in the selected ranges, the active sheet, or the whole spreadsheet. */
export function socialFormulas(scope: Scope): FormulaCell[] {
  const file = SpreadsheetApp.getActiveSpreadsheet();
  if (scope === 'file') return file.getSheets().flatMap((sheet) => formulasIn(sheet.getDataRange()));
  if (scope === 'sheet') return formulasIn(file.getActiveSheet().getDataRange());
  const ranges = file.getActiveRangeList()?.getRanges() ?? [];
  const cells = ranges.flatMap(usedPart).flatMap(formulasIn);
  const seen = new Set<string>();
  return cells.filter(({ row, column }) => seen.size < seen.add(`${row},${column}`).size);
}

/** Returns the name of the active sheet and the selected ranges in A1 notation. */
export function selectedCells(): string[] {
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const ranges = file.getActiveRangeList()?.getRanges() ?? [];
  return [file.getActiveSheet().getName(), ...ranges.map((range) => range.getA1Notation())];
}

/**
 * Returns the part of a range that is in the used area of its sheet. Most cells of a selected column are outside this
 * area.
 */
function usedPart(range: GoogleAppsScript.Spreadsheet.Range): GoogleAppsScript.Spreadsheet.Range[] {
  const sheet = range.getSheet();
  const rows = Math.min(range.getLastRow(), sheet.getLastRow()) - range.getRow() + 1;
  const columns = Math.min(range.getLastColumn(), sheet.getLastColumn()) - range.getColumn() + 1;
  return rows < 1 || columns < 1 ? [] : [range.offset(0, 0, rows, columns)];
}

function formulasIn(range: GoogleAppsScript.Spreadsheet.Range): FormulaCell[] {
  const sheet = range.getSheet();
  return range.getFormulas().flatMap((formulas, down) =>
    formulas.flatMap((formula, right) => {
      if (!callsSocial(formula)) return [];
      return [{ sheet, row: range.getRow() + down, column: range.getColumn() + right, formula }];
    }),
  );
}

/** Groups adjacent cells of a column, so that the formulas of each group can be written in one call. */
export function runsOf(cells: readonly FormulaCell[]): FormulaRun[] {
  const ordered = [...cells].sort(
    (a, b) => a.sheet.getSheetId() - b.sheet.getSheetId() || a.column - b.column || a.row - b.row,
  );
  const runs: FormulaRun[] = [];
  for (const { sheet, row, column, formula } of ordered) {
    const last = runs[runs.length - 1];
    const isNext =
      last !== undefined &&
      last.sheet.getSheetId() === sheet.getSheetId() &&
      last.column === column &&
      last.row + last.formulas.length === row;
    if (isNext) last.formulas.push(formula);
    else runs.push({ sheet, row, column, formulas: [formula] });
  }
  return runs;
}

/** Returns the range of a group of adjacent formula cells. */
export function rangeOfRun({ sheet, row, column, formulas }: FormulaRun): GoogleAppsScript.Spreadsheet.Range {
  return sheet.getRange(row, column, formulas.length, 1);
}

/** Writes the formulas of a group of adjacent cells into these cells. */
export function setRun(run: FormulaRun): void {
  rangeOfRun(run).setFormulas(run.formulas.map((formula) => [formula]));
}
