import { address, readAddress, readArea } from '../a1.ts';
import { clearSpill } from '../formula.ts';
import { type SheetState, sheetNamed } from '../world.ts';
import { chartMethods } from './charts.ts';
import { countQuestion, type Execution, modelled, requireMode } from './execution.ts';
import { range } from './range.ts';

export type Sheeted = { state: SheetState };

export function sheet(execution: Execution, state: SheetState) {
  const last = (side: 'row' | 'column') => {
    let max = 0;
    for (const a1 in state.grid) max = Math.max(max, readAddress(a1)[side]);
    return max;
  };
  const isHidden = (row: number, by: 'filter' | 'user') => {
    countQuestion(execution, 'isRowHidden');
    return state.hidden_rows[row] === by;
  };
  const self = modelled('Sheet', {
    state,
    getSheetId: () => state.id,
    getName: () => state.name,
    getIndex: () => execution.world.sheets.indexOf(state) + 1,
    getType: () => 'GRID',
    isSheetHidden: () => state.hidden,
    getFilter: () => (Object.values(state.hidden_rows).includes('filter') ? modelled('Filter', {}) : null),
    isRowHiddenByFilter: (row: number) => isHidden(row, 'filter'),
    isRowHiddenByUser: (row: number) => isHidden(row, 'user'),
    getMaxRows: () => state.rows,
    getMaxColumns: () => state.columns,
    getLastRow: () => last('row'),
    getLastColumn: () => last('column'),
    getRange: (first: string | number, column = 1, rows = 1, columns = 1) => {
      if (typeof first === 'string') return range(execution, state, readArea(first));
      if (rows < 1 || columns < 1) throw new Error('The number of rows and columns in the range must be at least 1.');
      const to = { row: first + rows - 1, column: column + columns - 1 };
      return range(execution, state, { from: { row: first, column }, to });
    },
    getDataRange: () => {
      const to = { row: Math.max(1, self.getLastRow()), column: Math.max(1, self.getLastColumn()) };
      return range(execution, state, { from: { row: 1, column: 1 }, to });
    },
    ...changes(execution, state),
    ...chartMethods(execution, state),
  });
  return self;
}

function changes(execution: Execution, state: SheetState) {
  const writing = (what: string) => requireMode(execution, `Sheet.${what}`, ['FULL']);
  return {
    setName: (name: string) => {
      writing('setName');
      if (sheetNamed(execution.world, name) !== undefined)
        throw new Error(`A sheet with the name "${name}" already exists.`);
      const { current, named_ranges } = execution.world;
      for (const place of [current, ...Object.values(named_ranges)]) if (place.sheet === state.name) place.sheet = name;
      state.name = name;
    },
    activate: () => {
      writing('activate');
      execution.world.current = { sheet: state.name, a1: 'A1' };
    },
    setFrozenRows: (rows: number) => {
      writing('setFrozenRows');
      state.frozen_rows = rows;
    },
    setHiddenGridlines: (hidden: boolean) => {
      writing('setHiddenGridlines');
      state.hidden_gridlines = hidden;
    },
    setColumnWidth: (column: number, widthPx: number) => {
      writing('setColumnWidth');
      state.widths[column] = widthPx;
    },
    setColumnWidths: (first: number, count: number, widthPx: number) => {
      writing('setColumnWidths');
      if (first + count - 1 > state.columns) throw new Error('Those columns are out of bounds.');
      for (let column = first; column < first + count; column++) state.widths[column] = widthPx;
    },
    insertRowsAfter: (after: number, count: number) => {
      writing('insertRowsAfter');
      if (after < 1 || after > state.rows || count < 1) throw new Error('Those rows are out of bounds.');
      move(execution, state, ({ row, column }) => ({ row: row > after ? row + count : row, column }));
      state.rows += count;
    },
    insertColumnsAfter: (after: number, count: number) => {
      writing('insertColumnsAfter');
      if (after < 1 || after > state.columns || count < 1) throw new Error('Those columns are out of bounds.');
      move(execution, state, ({ row, column }) => ({ row, column: column > after ? column + count : column }));
      state.columns += count;
    },
    clear: () => {
      writing('clear');
      state.grid = {};
      state.looks = {};
    },
  };
}

type Move = (at: { row: number; column: number }) => { row: number; column: number };

/**
 * Moves cells, formats, named ranges and charts, as inserting rows or columns does. Unlike Google Sheets, leaves the
 * references in formulas unchanged.
 */
export function move({ world }: Pick<Execution, 'world'>, state: SheetState, to: Move): void {
  const moved = (a1: string) => address(to(readAddress(a1)));
  for (const [a1, cell] of Object.entries(state.grid)) if (cell.formula !== undefined) clearSpill(state.grid, a1);
  state.grid = Object.fromEntries(Object.entries(state.grid).map(([a1, cell]) => [moved(a1), cell]));
  state.looks = Object.fromEntries(Object.entries(state.looks).map(([a1, look]) => [moved(a1), look]));
  for (const place of Object.values(world.named_ranges)) {
    if (place.sheet === state.name) place.a1 = place.a1.split(':').map(moved).join(':');
  }
  for (const chart of state.charts) chart.anchor = { ...chart.anchor, ...to(chart.anchor) };
}
