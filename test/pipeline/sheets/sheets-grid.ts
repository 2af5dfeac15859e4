import { typedCell } from '../../addon/harness/typing.ts';

/** A cell of the fake spreadsheet. */
export interface GridCell {
  type: 'number' | 'text' | 'boolean' | 'date' | 'error';
  value: string | number | boolean;
  /** The formula of the cell; set only when the value was parsed as a formula. */
  formula?: string;
}

export interface Tab {
  sheet_id: number;
  title: string;
  rows: number;
  columns: number;
  frozen_rows: number;
  cells: Map<string, GridCell>;
  /** The number format of each column, by column index. */
  formats: Map<number, string>;
  /** For each hidden row, the reason why it is hidden, by row number. */
  hidden_rows: Map<number, 'hiddenByFilter' | 'hiddenByUser'>;
  /** The links of cells that show a text other than their link, by `row,column`. */
  links: Map<string, string>;
  /** Ranges that the service account may not edit. */
  protected_areas: Area[];
  /** Developer metadata of rows and columns. */
  marks: Mark[];
}

/** Developer metadata of one row or column. `index` is counted from 0. */
export interface Mark {
  key: string;
  value: string;
  dimension: 'ROWS' | 'COLUMNS';
  index: number;
}

export type Values = unknown[][];

export interface Area {
  row: number;
  column: number;
  last_row: number;
  last_column: number;
}

/** An error of the fake Google Sheets API, with the message that Google sends. */
export class GridError extends Error {}

export function newTab(sheetId: number, title: string, rows = 1_000, columns = 26): Tab {
  return { sheet_id: sheetId, title, rows, columns, frozen_rows: 0, ...emptyTab() };
}

const emptyTab = () => ({
  cells: new Map(),
  formats: new Map(),
  hidden_rows: new Map(),
  links: new Map(),
  protected_areas: [],
  marks: [],
});

const at = (row: number, column: number) => `${row},${column}`;

/**
 * Parses a range: `'Tab'!A1:B2`, `'Tab'!1:1`, `'Tab'!E:E` or `'Tab'!A1`. Throws when the area is not inside the grid.
 */
export function readRange(tabs: readonly Tab[], range: string): { tab: Tab; area: Area } {
  const match = /^'((?:[^']|'')+)'!([A-Z]*)(\d*)(?::([A-Z]*)(\d*))?$/.exec(range);
  const tab = tabs.find(({ title }) => title === match?.[1]?.replaceAll("''", "'"));
  if (!match || !tab) throw new GridError(`Unable to parse range: ${range}`);
  const [, , left = '', top = '', right = left, bottom = top] = match;
  const area = {
    row: Number(top || 1),
    column: left === '' ? 1 : numberOf(left),
    last_row: bottom === '' ? tab.rows : Number(bottom),
    last_column: right === '' ? tab.columns : numberOf(right),
  };
  if (area.last_row > tab.rows || area.last_column > tab.columns) {
    throw new GridError(`Range (${range}) exceeds grid limits. Max rows: ${tab.rows}, max columns: ${tab.columns}`);
  }
  return { tab, area };
}

function numberOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Returns the values of an area, without empty cells and rows at its end. */
export function readValues({ cells }: Tab, area: Area): Values {
  const values: Values = [];
  for (const [key, { value }] of cells) {
    const [row = 0, column = 0] = key.split(',').map(Number);
    if (row < area.row || row > area.last_row || column < area.column || column > area.last_column) continue;
    const index = row - area.row;
    while (values.length <= index) values.push([]);
    const line = values[index] as unknown[];
    while (line.length <= column - area.column) line.push('');
    line[column - area.column] = value;
  }
  return values;
}

/**
 * Writes values from the top left corner on. With the option RAW, the values stay as they are; otherwise, they are
 * parsed as if typed. An empty string clears a cell, and null skips it.
 */
export function writeValues(tab: Tab, corner: { row: number; column: number }, values: Values, option: string): void {
  for (const [down, line] of values.entries()) {
    for (const [right, value] of line.entries()) {
      if (value === null) continue;
      const cell = cellOf(value as string | number | boolean, option);
      const key = at(corner.row + down, corner.column + right);
      if (cell) tab.cells.set(key, cell);
      else tab.cells.delete(key);
    }
  }
}

/** Maximum number of characters in a cell of Google Sheets. */
const maxCellLength = 50_000;

function cellOf(value: string | number | boolean, option: string): GridCell | null {
  if (String(value).length > maxCellLength)
    throw new GridError(`Your input contains more than the maximum of ${maxCellLength} characters in a single cell.`);
  if (value === '') return null;
  if (option === 'USER_ENTERED') return typedCell(value);
  if (option !== 'RAW') throw new GridError("'valueInputOption' is required but not specified");
  const type = typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean';
  return { type, value };
}

/** Throws Google's error when an area has a cell that the service account may not edit. */
export function refuseProtected({ protected_areas }: Tab, area: Area): void {
  const overlaps = protected_areas.some(
    (own) =>
      own.row <= area.last_row &&
      area.row <= own.last_row &&
      own.column <= area.last_column &&
      area.column <= own.last_column,
  );
  if (overlaps) throw new GridError(protectedMessage);
}

export const protectedMessage =
  'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.';

/**
 * Returns the grid data of an area, as `spreadsheets.get` does with a range: the shown texts, links and hidden rows.
 */
export function gridData(tab: Tab, area: Area): object {
  const values = readValues(tab, area);
  const rowData = values.map((line, down) => ({
    values: line.map((value, right) => {
      const hyperlink = tab.links.get(at(area.row + down, area.column + right));
      return { ...(value === '' ? {} : { formattedValue: String(value) }), ...(hyperlink ? { hyperlink } : {}) };
    }),
  }));
  const rowMetadata = Array.from({ length: area.last_row - area.row + 1 }, (_, down) => {
    const why = tab.hidden_rows.get(area.row + down);
    return why ? { [why]: true } : {};
  });
  return { ...(area.row > 1 ? { startRow: area.row - 1 } : {}), rowData, rowMetadata };
}

export function clearArea(tab: Tab, area: Area): void {
  for (const key of tab.cells.keys()) {
    const [row = 0, column = 0] = key.split(',').map(Number);
    const inside = row >= area.row && row <= area.last_row && column >= area.column && column <= area.last_column;
    if (inside) tab.cells.delete(key);
  }
}

/**
 * Writes values below the table that begins in the first row. INSERT_ROWS inserts new rows for them; any other option
 * overwrites existing cells.
 */
export function appendValues(tab: Tab, values: Values, option: string, insert: string): void {
  let row = 1;
  while (Array.from({ length: tab.columns }, (_, index) => at(row, index + 1)).some((key) => tab.cells.has(key))) row++;
  if (Math.max(...values.map((line) => line.length)) > tab.columns)
    throw new GridError('The row is wider than the grid');
  if (insert === 'INSERT_ROWS') insertRows(tab, row, values.length);
  writeValues(tab, { row, column: 1 }, values, option);
}

/** Inserts empty rows before the row `before`, as a person does. A negative number deletes rows from `before` on. */
export function insertRows(tab: Tab, before: number, count: number): void {
  shiftCells(tab, 'ROWS', before, count);
  tab.rows += count;
}

/** Inserts empty columns before the column `before`, as a person does. A negative number deletes columns. */
export function insertColumns(tab: Tab, before: number, count: number): void {
  shiftCells(tab, 'COLUMNS', before, count);
  tab.columns += count;
}

/**
 * Moves cells and developer metadata when rows or columns are inserted or deleted. Metadata of deleted ones is deleted.
 */
function shiftCells(tab: Tab, dimension: Mark['dimension'], before: number, count: number): void {
  const moved = (at: number) => (at < before ? at : at < before - count ? null : at + count);
  const cells = [...tab.cells].flatMap(([key, cell]) => {
    const [row = 0, column = 0] = key.split(',').map(Number);
    const [nextRow, nextColumn] = dimension === 'ROWS' ? [moved(row), column] : [row, moved(column)];
    return nextRow === null || nextColumn === null ? [] : [[at(nextRow, nextColumn), cell] as const];
  });
  tab.cells = new Map(cells);
  tab.marks = tab.marks.flatMap((mark) => {
    const next = mark.dimension === dimension ? moved(mark.index + 1) : mark.index + 1;
    return next === null ? [] : [{ ...mark, index: next - 1 }];
  });
}

/** Returns all values of a tab, row by row. */
export function tableOf(tab: Tab): Values {
  return readValues(tab, { row: 1, column: 1, last_row: tab.rows, last_column: tab.columns });
}

export function formulasOf(tab: Tab): string[] {
  return [...tab.cells.values()].flatMap(({ formula }) => (formula === undefined ? [] : [formula]));
}
