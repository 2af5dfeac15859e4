import { type Area, address, addressTable, areaName, type Position, readAddress, relativeFormula } from '../a1.ts';
import { isDateFormat, momentOf, serialOf, shownDate } from '../dates.ts';
import { putCell } from '../formula.ts';
import type { CellState, Look, SheetState } from '../world.ts';
import { countQuestion, type Execution, modelled, requireMode } from './execution.ts';
import { isMerged, mayEdit, withoutRules } from './guarded-areas.ts';
import { checkGuards } from './guards.ts';

type Input = string | number | boolean | Date;
export type Place = { sheet: SheetState; area: Area };
export type Ranged = { place: Place };

const usualDateFormat = 'yyyy-mm-dd';
const lookSetters = [
  ...['Background', 'FontColor', 'FontFamily', 'FontLine', 'FontSize', 'FontStyle', 'FontWeight'],
  ...['HorizontalAlignment', 'VerticalAlignment', 'Wrap', 'WrapStrategy', 'Note'],
];

/** Returns a range. @throws Error for an area that is not in the sheet. */
export function range(execution: Execution, sheet: SheetState, area: Area): ReturnType<typeof rangeMethods> & Ranged {
  const { from, to } = area;
  const inside = from.row >= 1 && from.column >= 1 && to.row <= sheet.rows && to.column <= sheet.columns;
  if (!inside) throw new Error('The coordinates of the range are outside the dimensions of the sheet.');
  const place = { sheet, area };
  const chain = (): unknown => self;
  const self = modelled('Range', {
    place,
    ...rangeMethods(execution, place),
    ...writers(execution, place, chain),
    ...formatMethods(execution, place, chain),
  });
  return self;
}

function rangeMethods(execution: Execution, place: Place) {
  const { sheet, area } = place;
  const { from, to } = area;
  const rows = to.row - from.row + 1;
  const columns = to.column - from.column + 1;
  const sized = (at: Position, height: number, width: number): unknown =>
    range(execution, sheet, { from: at, to: { row: at.row + height - 1, column: at.column + width - 1 } });
  return {
    getA1Notation: () => {
      countQuestion(execution, 'getA1Notation');
      return areaName(area);
    },
    getSheet: () => execution.sheet_of(sheet),
    getRow: () => from.row,
    getColumn: () => from.column,
    getLastRow: () => to.row,
    getLastColumn: () => to.column,
    getNumRows: () => rows,
    getNumColumns: () => columns,
    canEdit: () => {
      countQuestion(execution, 'canEdit');
      return mayEdit(execution, sheet, area);
    },
    getCell: (row: number, column: number) =>
      sized({ row: from.row + row - 1, column: from.column + column - 1 }, 1, 1),
    offset: (down: number, right: number, height = rows, width = columns) =>
      sized({ row: from.row + down, column: from.column + right }, height, width),
    ...readers(execution, place),
  };
}

function readers({ world }: Execution, { sheet, area }: Place) {
  const { grid, looks } = sheet;
  const table = <T>(read: (cell: CellState | undefined, look: Look) => T): T[][] =>
    addressTable(area).map((row) => row.map((a1) => read(sheet.grid[a1], looks[a1] ?? {})));
  const value = (cell: CellState | undefined, look: Look) => readCell(cell, look, world.time_zone);
  return {
    getValue: () => table(value)[0]?.[0],
    getValues: () => table(value),
    getDisplayValue: () => table(shown)[0]?.[0],
    getDisplayValues: () => table(shown),
    getFormula: () => grid[address(area.from)]?.formula ?? '',
    getFormulas: () => table((cell) => cell?.formula ?? ''),
    getFormulaR1C1: () => relativeFormula(grid[address(area.from)]?.formula ?? '', area.from) || null,
    getFormulasR1C1: () =>
      addressTable(area).map((row) => row.map((a1) => relativeFormula(grid[a1]?.formula ?? '', readAddress(a1)))),
    getNumberFormat: () => looks[address(area.from)]?.number_format ?? 'General',
    getNumberFormats: () => table((_, look) => look.number_format ?? 'General'),
    isPartOfMerge: () => isMerged(sheet, area),
    isBlank: () =>
      table((cell) => cell === undefined)
        .flat()
        .every(Boolean),
  };
}

/** Returns the value of a cell. A number that is shown as a date is a Date in the file's time zone. */
function readCell(cell: CellState | undefined, look: Look, timeZone: string): Input {
  if (cell === undefined) return '';
  if (cell.type === 'date') return new Date(Date.parse(String(cell.value)));
  if (typeof cell.value === 'number' && isDateFormat(look.number_format)) {
    return new Date(momentOf(cell.value, timeZone));
  }
  return cell.value;
}

function shown(cell: CellState | undefined, { number_format }: Look): string {
  if (cell === undefined) return '';
  if (typeof cell.value === 'boolean') return String(cell.value).toUpperCase();
  const asDate = typeof cell.value === 'number' && number_format !== undefined && isDateFormat(number_format);
  return asDate ? shownDate(Number(cell.value), number_format) : String(cell.value);
}

function writers(execution: Execution, { sheet, area }: Place, self: () => unknown) {
  const put = (what: string, inputs: readonly (readonly Input[])[]): unknown => {
    requireMode(execution, `Range.${what}`, ['FULL']);
    const { writes } = execution.world;
    writes[what] = (writes[what] ?? 0) + 1;
    execution.has_unflushed = true;
    const addresses = addressTable(area);
    checkDimensions(what, inputs, addresses);
    checkGuards(execution, sheet, inputs, addresses);
    addresses.forEach((row, index) => {
      row.forEach((a1, offset) => {
        write(execution, sheet, a1, inputs[index]?.[offset]);
      });
    });
    return self();
  };
  const every = (input: Input) => addressTable(area).map((row) => row.map(() => input));
  const formula = (text: string): string => {
    if (text !== '' && !text.startsWith('=')) throw new Error(`The harness does not model ${text} as a formula`);
    return text;
  };
  return {
    setValue: (input: Input) => put('setValue', every(input)),
    setValues: (inputs: Input[][]) => put('setValues', inputs),
    setFormula: (text: string) => put('setFormula', every(formula(text))),
    setFormulas: (texts: string[][]) =>
      put(
        'setFormulas',
        texts.map((row) => row.map(formula)),
      ),
    clearDataValidations: () => {
      sheet.guards = withoutRules(sheet.guards, area);
      return self();
    },
    clearContent: () => put('clearContent', every('')),
    clear: (options: { contentsOnly?: boolean } = {}) => {
      put('clear', every(''));
      if (options.contentsOnly !== true) for (const a1 of addressTable(area).flat()) delete sheet.looks[a1];
      return self();
    },
  };
}

function checkDimensions(what: string, given: readonly (readonly unknown[])[], addresses: readonly string[][]): void {
  const width = addresses[0]?.length ?? 0;
  if (given.length !== addresses.length) {
    throw new Error(
      `${what}: the number of rows in the data does not match: ${given.length}, the range has ${addresses.length}.`,
    );
  }
  const odd = given.find((row) => row.length !== width);
  if (odd !== undefined) {
    throw new Error(
      `${what}: the number of columns in the data does not match: ${odd.length}, the range has ${width}.`,
    );
  }
}

function write({ world }: Execution, sheet: SheetState, a1: string, input: Input | undefined): void {
  if (input === undefined || input === null) throw new Error(`The harness does not model ${input} written into ${a1}`);
  const look = sheet.looks[a1];
  if (look?.number_format === '@' && input !== '') {
    throw new Error(`The harness does not model writing into ${a1}, which is formatted as plain text`);
  }
  if (!(input instanceof Date)) {
    putCell(world, sheet, a1, input);
    return;
  }
  putCell(world, sheet, a1, '');
  sheet.grid[a1] = { type: 'number', value: serialOf(input.getTime(), world.time_zone) };
  if (!isDateFormat(look?.number_format)) sheet.looks[a1] = { ...look, number_format: usualDateFormat };
}

function formatMethods(execution: Execution, { sheet, area }: Place, self: () => unknown) {
  const put = (what: string, property: string, values: readonly (readonly unknown[])[]): unknown => {
    requireMode(execution, `Range.${what}`, ['FULL']);
    const addresses = addressTable(area);
    checkDimensions(what, values, addresses);
    addresses.forEach((row, index) => {
      row.forEach((a1, offset) => {
        sheet.looks[a1] = { ...sheet.looks[a1], [property]: values[index]?.[offset] };
      });
    });
    return self();
  };
  const every = (value: unknown) => addressTable(area).map((row) => row.map(() => value));
  const setters = lookSetters.map((name) => {
    const property = name.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`);
    return [`set${name}`, (value: unknown) => put(`set${name}`, property, every(value))] as const;
  });
  return {
    ...Object.fromEntries(setters),
    setNumberFormat: (pattern: string) => put('setNumberFormat', 'number_format', every(pattern)),
    setHorizontalAlignments: (alignments: string[][]) =>
      put('setHorizontalAlignments', 'horizontal_alignment', alignments),
    setNumberFormats: (patterns: string[][]) => put('setNumberFormats', 'number_format', patterns),
    clearFormat: () => {
      requireMode(execution, 'Range.clearFormat', ['FULL']);
      for (const a1 of addressTable(area).flat()) delete sheet.looks[a1];
      return self();
    },
  };
}
