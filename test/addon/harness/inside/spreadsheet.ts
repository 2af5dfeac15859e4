import { readAddress } from '../a1.ts';
import { typedCell } from '../typing.ts';
import { type Execution, modelled, requireMode } from './execution.ts';

export function spreadsheetApp(execution: Execution) {
  return modelled('SpreadsheetApp', {
    getUi: () => userInterface(execution),
    getActiveSpreadsheet: () => {
      requireMode(execution, 'SpreadsheetApp.getActiveSpreadsheet', ['LIMITED', 'CUSTOM_FUNCTION', 'FULL']);
      return spreadsheet(execution);
    },
  });
}

type Place = { sheet: string; a1: string };

function spreadsheet(execution: Execution) {
  const { world } = execution;
  return modelled('Spreadsheet', {
    getRangeByName: (name: string) => {
      const place = world.named_ranges[name];
      return place === undefined ? null : range(execution, place);
    },
    setNamedRange: (name: string, { place }: { place: Place }) => {
      requireMode(execution, 'Spreadsheet.setNamedRange', ['FULL']);
      world.named_ranges[name] = place;
    },
    getCurrentCell: () => range(execution, { ...world.current }),
  });
}

function range(execution: Execution, place: Place) {
  readAddress(place.a1);
  const grid = execution.world.sheets[place.sheet] ?? {};
  return modelled('Range', {
    place,
    getA1Notation: () => place.a1,
    getValue: () => grid[place.a1]?.value ?? '',
    setValue: (input: string | number | boolean) => {
      requireMode(execution, 'Range.setValue', ['FULL']);
      const state = typedCell(input);
      if (state === null) delete grid[place.a1];
      else grid[place.a1] = state;
    },
  });
}

const buttons = { OK: 'OK', CANCEL: 'CANCEL', YES: 'YES', NO: 'NO', CLOSE: 'CLOSE' };
const button_sets = { OK: 'OK', OK_CANCEL: 'OK_CANCEL', YES_NO: 'YES_NO', YES_NO_CANCEL: 'YES_NO_CANCEL' };

/** A cell has no user interface; before the user has granted anything only the menu can be made. */
function userInterface(execution: Execution) {
  if (execution.mode === 'CUSTOM_FUNCTION') throw new Error('Cannot call SpreadsheetApp.getUi() from this context.');
  const { ui } = execution.world;
  const show = (title: string, text: string) => {
    requireMode(execution, 'Ui.alert', ['FULL']);
    ui.shown.push(`${title}: ${text}`);
    const answer = ui.answers.shift();
    if (answer === undefined) throw new Error(`Nobody answers the dialog "${title}: ${text}"`);
    return answer;
  };
  return modelled('Ui', {
    Button: modelled('Ui.Button', buttons),
    ButtonSet: modelled('Ui.ButtonSet', button_sets),
    alert: (title: string, text: string, _buttons: string) => show(title, text).button,
    prompt: (title: string, text: string, _buttons: string) => {
      const answer = show(title, text);
      return modelled('PromptResponse', {
        getSelectedButton: () => answer.button,
        getResponseText: () => answer.text ?? '',
      });
    },
    createAddonMenu: () => addonMenu(execution),
  });
}

function addonMenu(execution: Execution) {
  const items: { label: string; handler: string }[] = [];
  const menu = modelled('Menu', {
    addItem: (label: string, handler: string) => {
      items.push({ label, handler });
      return menu;
    },
    addSeparator: () => menu,
    addToUi: () => {
      execution.world.ui.menu = items;
    },
  });
  return menu;
}
