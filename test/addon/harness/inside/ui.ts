import { type Execution, modelled, requireMode, requireScope } from './execution.ts';

const buttons = { OK: 'OK', CANCEL: 'CANCEL', YES: 'YES', NO: 'NO', CLOSE: 'CLOSE' };
const buttonSets = { OK: 'OK', OK_CANCEL: 'OK_CANCEL', YES_NO: 'YES_NO', YES_NO_CANCEL: 'YES_NO_CANCEL' };

/**
 * Returns the user interface. Throws for cells and triggers, which have none. Until the user has granted permissions,
 * only the menu can be created.
 */
export function userInterface(execution: Execution) {
  if (execution.caller === 'cell' || execution.caller === 'trigger')
    throw new Error('Cannot call SpreadsheetApp.getUi() from this context.');
  requireScope(execution, 'SpreadsheetApp.getUi', 'script.container.ui');
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
    ButtonSet: modelled('Ui.ButtonSet', buttonSets),
    alert: (title: string, text: string, _buttons: string) => show(title, text).button,
    prompt: (title: string, text: string, _buttons: string) => {
      const answer = show(title, text);
      return modelled('PromptResponse', {
        getSelectedButton: () => answer.button,
        getResponseText: () => answer.text ?? '',
      });
    },
    createAddonMenu: () => addonMenu(execution),
    showSidebar: (page: { page: { file: string; title: string; added: string } }) => {
      requireMode(execution, 'Ui.showSidebar', ['FULL']);
      ui.sidebar = { ...page.page };
    },
  });
}

/**
 * Returns HtmlService, which stores only the file, the title and the added HTML of a page. Other tests open the pages
 * in a browser.
 */
export function htmlService() {
  return modelled('HtmlService', {
    createHtmlOutputFromFile: (file: string) => {
      const page = { file, title: '', added: '' };
      const output = modelled('HtmlOutput', {
        page,
        append: (html: string) => {
          page.added += html;
          return output;
        },
        setTitle: (title: string) => {
          page.title = title;
          return output;
        },
      });
      return output;
    },
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
