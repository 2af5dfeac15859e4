import { refreshName } from './formulas/max-age.ts';
import { askAll, asObject } from './platform/client.ts';
import { keyStores, network } from './platform/platform.ts';
import {
  allowFormulas,
  findActionKey,
  forgetKey,
  type KeyPlace,
  lastFour,
  readKey,
  saveKey,
} from './platform/settings.ts';
import { rewriteRefreshCell } from './refresh/refresh.ts';

const placeWords: Record<KeyPlace, string> = { file: 'in this file', account: 'with your account' };

/** Puts the menu into the file. It must work before the user has granted anything, so it touches nothing but the menu. */
export function showMenu(): void {
  SpreadsheetApp.getUi()
    .createAddonMenu()
    .addItem('Open sidebar', 'openSidebar_')
    .addItem('Refresh', 'refresh_')
    .addSeparator()
    .addItem('Set API key…', 'setKey_')
    .addItem('Forget API key', 'forgetKey_')
    .addItem('About and balance', 'showBalance_')
    .addToUi();
}

/** Opens the sidebar, which stays open until the user closes it. */
export function openSidebar(): void {
  SpreadsheetApp.getUi().showSidebar(HtmlService.createHtmlOutputFromFile('Sidebar').setTitle('Tidemark'));
}

/** Asks for a key, tries it, and keeps it unless the server refuses it. `getUi` comes first: it throws in a cell. */
export function askForKey(): void {
  const ui = SpreadsheetApp.getUi();
  const prompt = ui.prompt('Set API key', 'Paste a key from your dashboard, best a sheet key.', ui.ButtonSet.OK_CANCEL);
  if (prompt.getSelectedButton() !== ui.Button.OK) return;
  const key = readKey(prompt.getResponseText());
  if (key === null) {
    tell(ui, 'This is not an API key', 'Copy the whole key from your dashboard and try again.');
    return;
  }
  const balance = readBalance(key);
  if (balance.code === 'INVALID_API_KEY') {
    tell(ui, 'The key was not saved', 'The server does not know this key, or it was revoked.');
    return;
  }
  const place = askForPlace(ui);
  if (place === null) return;
  saveKey(keyStores(), place, key);
  if (place === 'account') allowFormulas(keyStores(), true);
  tell(ui, 'The key was saved', `${lastFour(key)} is kept ${placeWords[place]}. ${balance.sentence}`);
}

function askForPlace(ui: GoogleAppsScript.Base.Ui): KeyPlace | null {
  const answer = ui.alert(
    'Keep the key in this file?',
    'Yes: formulas of everyone who can edit this file use its credits. ' +
      'No: it stays with your account, and if you own this file, its formulas use it, whoever types them.',
    ui.ButtonSet.YES_NO_CANCEL,
  );
  if (answer === ui.Button.YES) return 'file';
  return answer === ui.Button.NO ? 'account' : null;
}

/** Forgets the key that the menu uses: the user's own, else the file's. */
export function forgetSavedKey(): void {
  const ui = SpreadsheetApp.getUi();
  const place = forgetKey(keyStores());
  tell(ui, 'Forget API key', place === null ? 'No API key is saved.' : `The key kept ${placeWords[place]} is gone.`);
}

/** Rewrites the refresh cell, so that every formula that names it runs again; makes one of the selected cell at first. */
export function refreshFormulas(): void {
  const ui = SpreadsheetApp.getUi();
  const file = SpreadsheetApp.getActiveSpreadsheet();
  if (file.getRangeByName(refreshName) === null && !makeRefreshCell(ui, file)) return;
  rewriteRefreshCell();
}

/** Whether the person wants the selected cell to be the refresh cell. */
function makeRefreshCell(ui: GoogleAppsScript.Base.Ui, file: GoogleAppsScript.Spreadsheet.Spreadsheet): boolean {
  const cell = file.getCurrentCell();
  if (cell === null || cell.getValue() !== '') {
    tell(ui, 'There is no refresh cell yet', 'Select an empty cell for it and choose Refresh again.');
    return false;
  }
  const answer = ui.alert(
    'There is no refresh cell yet',
    `Make ${cell.getA1Notation()} the refresh cell? Then give ${refreshName} to your formulas as their last argument, and ` +
      'Refresh asks for fresh data, which costs credits. Write 7d into the cell to buy only what is older than 7 days.',
    ui.ButtonSet.OK_CANCEL,
  );
  if (answer !== ui.Button.OK) return false;
  file.setNamedRange(refreshName, cell);
  return true;
}

/** Says which key is in use (its end), where it is kept, and its balance. */
export function tellBalance(): void {
  const ui = SpreadsheetApp.getUi();
  const found = findActionKey(keyStores());
  const sentence =
    found === null
      ? 'No API key is saved.'
      : `API key ${lastFour(found.key)}, kept ${placeWords[found.place]}. ${readBalance(found.key).sentence}`;
  tell(ui, 'About', `${sentence} Server: ${API_ORIGIN}`);
}

function readBalance(key: string): { code: string; sentence: string } {
  const [answer] = askAll([`${API_ORIGIN}/v1/credit/balance`], key, network);
  if (answer === undefined || !answer.ok) {
    const code = answer?.failure.code ?? 'SERVER_UNREACHABLE';
    return { code, sentence: `The balance could not be read (${code}).` };
  }
  const credits = asObject(answer.data)?.credits_remaining;
  if (typeof credits !== 'number') return { code: 'OK', sentence: 'The server did not say the balance.' };
  return { code: 'OK', sentence: `${credits} credits remain.` };
}

function tell(ui: GoogleAppsScript.Base.Ui, title: string, text: string): void {
  ui.alert(title, text, ui.ButtonSet.OK);
}
