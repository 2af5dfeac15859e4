import { areaName, readArea } from '../a1.ts';
import { recalculateBuiltIns } from '../formula.ts';
import { newSheet, type SheetState, sheetNamed } from '../world.ts';
import { type Execution, modelled, requireMode } from './execution.ts';
import { type Ranged, range } from './range.ts';
import { type Sheeted, sheet } from './sheet.ts';
import { userInterface } from './ui.ts';

const maxSheetNameCharacters = 100;

export function spreadsheetApp(execution: Execution) {
  const reading = ['LIMITED', 'CUSTOM_FUNCTION', 'FULL'] as const;
  return modelled('SpreadsheetApp', {
    getUi: () => userInterface(execution),
    flush: () => {
      execution.has_unflushed = false;
      recalculateBuiltIns(execution.world);
    },
    getActiveSpreadsheet: () => {
      requireMode(execution, 'SpreadsheetApp.getActiveSpreadsheet', reading);
      return spreadsheet(execution);
    },
    getActiveSheet: () => {
      requireMode(execution, 'SpreadsheetApp.getActiveSheet', reading);
      return sheet(execution, activeSheet(execution));
    },
    getActiveRange: () => activeRange(execution),
  });
}

/** Returns the active sheet. While a formula runs, its own sheet and cell are active. */
function activeSheet({ world }: Execution): SheetState {
  const active = sheetNamed(world, (world.calling ?? world.current).sheet);
  if (active === undefined) throw new Error(`There is no sheet ${world.current.sheet}`);
  return active;
}

function activeRange(execution: Execution) {
  const { calling, current } = execution.world;
  const [last = 'A1'] = (calling ?? current).a1.split(',').slice(-1);
  return range(execution, activeSheet(execution), readArea(last));
}

function spreadsheet(execution: Execution) {
  return modelled('Spreadsheet', {
    getId: () => 'invented-spreadsheet',
    getName: () => 'Invented spreadsheet',
    // According to Google's documentation, a file in a shared drive has no owner.
    getOwner: () => (execution.world.owner === '' ? null : modelled('User', {})),
    getSpreadsheetTimeZone: () => execution.world.time_zone,
    getSpreadsheetLocale: () => execution.world.locale,
    toast: (message: string) => void execution.world.log.push(`toast: ${message}`),
    ...names(execution),
    ...sheets(execution),
    ...selection(execution),
  });
}

function names(execution: Execution) {
  const { world } = execution;
  const placed = ({ sheet, a1 }: { sheet: string; a1: string }) => {
    const state = sheetNamed(world, sheet);
    return state === undefined ? null : range(execution, state, readArea(a1));
  };
  return {
    getRangeByName: (name: string) => {
      const place = world.named_ranges[name];
      return place === undefined ? null : placed(place);
    },
    setNamedRange: (name: string, { place }: Ranged) => {
      requireMode(execution, 'Spreadsheet.setNamedRange', ['FULL']);
      world.named_ranges[name] = { sheet: place.sheet.name, a1: areaName(place.area) };
    },
    removeNamedRange: (name: string) => {
      requireMode(execution, 'Spreadsheet.removeNamedRange', ['FULL']);
      if (world.named_ranges[name] === undefined) throw new Error(`There is no range with the name ${name}.`);
      delete world.named_ranges[name];
    },
    getRange: (a1: string) => {
      const [name, area] = a1.includes('!') ? a1.split('!') : [world.current.sheet, a1];
      const found = placed({ sheet: (name ?? '').replace(/^'|'$/g, '').replaceAll("''", "'"), a1: area ?? '' });
      if (found === null) throw new Error(`Range not found: ${a1}`);
      return found;
    },
  };
}

function sheets(execution: Execution) {
  const { world } = execution;
  const found = (state: SheetState | undefined) => (state === undefined ? null : sheet(execution, state));
  return {
    getSheets: () => world.sheets.map((state) => sheet(execution, state)),
    getNumSheets: () => world.sheets.length,
    getSheetByName: (name: string) => found(sheetNamed(world, name)),
    getSheetById: (id: number) => found(world.sheets.find((state) => state.id === id)),
    insertSheet: (name: string, index = world.sheets.length) => {
      requireMode(execution, 'Spreadsheet.insertSheet', ['FULL']);
      if (typeof name !== 'string' || name.length === 0 || name.length > maxSheetNameCharacters) {
        throw new Error(`Invalid argument: sheet name ${name}`);
      }
      if (sheetNamed(world, name) !== undefined)
        throw new Error(`A sheet with the name "${name}" already exists. Please enter another name.`);
      const state = newSheet(world, name);
      world.sheets.splice(index, 0, state);
      // Sheets makes a new sheet the active one.
      world.current = { sheet: name, a1: 'A1' };
      return sheet(execution, state);
    },
    deleteSheet: ({ state }: Sheeted) => {
      requireMode(execution, 'Spreadsheet.deleteSheet', ['FULL']);
      world.sheets = world.sheets.filter((one) => one !== state);
    },
  };
}

function selection(execution: Execution) {
  const { world } = execution;
  return {
    getActiveSheet: () => sheet(execution, activeSheet(execution)),
    setActiveSheet: (given: Sheeted) => {
      requireMode(execution, 'Spreadsheet.setActiveSheet', ['FULL']);
      world.current = { sheet: given.state.name, a1: 'A1' };
      return given;
    },
    getActiveRange: () => activeRange(execution),
    getActiveRangeList: () =>
      modelled('RangeList', {
        getRanges: () =>
          world.current.a1.split(',').map((a1) => range(execution, activeSheet(execution), readArea(a1))),
      }),
    getCurrentCell: () => {
      const { from } = readArea(world.current.a1.split(',')[0] ?? 'A1');
      return range(execution, activeSheet(execution), { from, to: from });
    },
  };
}
