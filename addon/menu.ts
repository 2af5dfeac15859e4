import { refreshName } from './formulas/max-age.ts';
import { type Answer, asObject } from './platform/client.ts';
import { fetchBalance, isForFiles } from './platform/connect.ts';
import { copyKey, failureSentence } from './platform/failure-sentence.ts';
import { installKind } from './platform/install.ts';
import { askForPermissions, basicPermissions } from './platform/permissions.ts';
import { activeAccount, keyStores } from './platform/platform.ts';
import {
  allowFormulas,
  findActionKey,
  type KeyLocation,
  lastFour,
  readKey,
  removeActionKey,
  saveKey,
} from './platform/settings.ts';
import { withoutResultSentence } from './refresh/after-key.ts';
import { rewriteRefreshCell } from './refresh/refresh.ts';

const getKey = `Make a sheet key on ${API_ORIGIN}/addon#key, where it is shown only once.`;
const locationLabels: Record<KeyLocation, string> = { file: 'in this file', account: 'with your account' };

/**
 * Adds the menu of the add-on to the spreadsheet. Calls no other Google service, because this function runs before the
 * user has given any permission.
 */
export function showMenu(): void {
  SpreadsheetApp.getUi()
    .createAddonMenu()
    .addItem('Open sidebar', 'openSidebar_')
    .addItem('Refresh formulas with the refresh cell', 'refresh_')
    .addSeparator()
    .addItem('Connect key…', 'setKey_')
    .addItem('Disconnect key', 'forgetKey_')
    .addItem('About and balance', 'showBalance_')
    .addToUi();
}

/**
 * Opens the sidebar. Google first asks for missing permissions. The page contains an ID of the Google account that
 * opened it, see `activeAccount`.
 */
export function openSidebar(): void {
  const ui = SpreadsheetApp.getUi();
  askForPermissions(basicPermissions);
  const page = HtmlService.createHtmlOutputFromFile('Sidebar').setTitle('Tidemark');
  ui.showSidebar(page.append(`<p id="opened-by" hidden>${activeAccount()}</p>`));
}

/**
 * Asks the user for an API key, checks it with the server, and saves it unless the server refuses it. Calls `getUi`
 * first, which throws in a formula, so that no formula can run this function.
 */
export function promptForKey(): void {
  const ui = SpreadsheetApp.getUi();
  const prompt = ui.prompt(
    'Connect key',
    installKind() === 'bound'
      ? `Paste a sheet key. It is saved in this file, and everyone who can edit the file can use it up to its monthly cap. ${getKey}`
      : `Paste an API key. We recommend a sheet key. ${getKey}`,
    ui.ButtonSet.OK_CANCEL,
  );
  if (prompt.getSelectedButton() !== ui.Button.OK) return;
  const key = readKey(prompt.getResponseText());
  if (key === null) {
    showAlert(ui, 'This is not an API key', copyKey);
    return;
  }
  const answer = fetchBalance(key);
  const refusal = refusalOf(answer);
  if (refusal !== null) {
    showAlert(ui, 'The key was not saved', failureSentence({ code: refusal, message: '' }));
    return;
  }
  const choice = promptForUse(ui, answer?.ok === true && isForFiles(answer.data));
  if (choice === null) return;
  saveKey(keyStores(), choice.location, key);
  if (choice.location === 'account') allowFormulas(keyStores(), choice.formulas);
  showAlert(
    ui,
    'The key was saved',
    `${lastFour(key)} is saved ${locationLabels[choice.location]}. ${balanceSentence(answer)} ${withoutResultSentence() ?? ''}`.trim(),
  );
}

/**
 * Returns the error code that says why an API key must not be saved; null when it may be saved. When the server could
 * not check the key, an add-on that serves many spreadsheets saves it anyway, but only with the account of the user.
 */
function refusalOf(answer: Answer | undefined): string | null {
  const isBound = installKind() === 'bound';
  if (answer?.ok === true) return isBound && !isForFiles(answer.data) ? 'SHEET_KEY_NEEDED' : null;
  const code = answer?.failure.code ?? 'SERVER_UNREACHABLE';
  return code === 'INVALID_API_KEY' || isBound ? code : null;
}

/** Where a key is saved, and whether formulas of this spreadsheet may use it. */
type KeyUse = { location: KeyLocation; formulas: boolean };

/**
 * Asks where to save a key; null when the user cancels. A key without a certain monthly cap is never saved in the
 * spreadsheet. The user must then agree that all editors spend it through formulas.
 */
function promptForUse(ui: GoogleAppsScript.Base.Ui, isForFile: boolean): KeyUse | null {
  if (installKind() === 'bound') return { location: 'file', formulas: true };
  if (isForFile) return promptForLocation(ui);
  const answer = ui.alert(
    'Use this key for everybody’s formulas in this file?',
    'This is not a sheet key with a monthly cap, so it is saved with your account only. ' +
      'Yes: if you own this file, everyone who can edit it can spend the credits of your workspace through formulas. ' +
      'No: only your own sidebar, menu and schedules use the key.',
    ui.ButtonSet.YES_NO_CANCEL,
  );
  if (answer === ui.Button.YES) return { location: 'account', formulas: true };
  return answer === ui.Button.NO ? { location: 'account', formulas: false } : null;
}

function promptForLocation(ui: GoogleAppsScript.Base.Ui): KeyUse | null {
  const answer = ui.alert(
    'Save the key in this file?',
    'Yes: everyone who can edit this file can use its credits in formulas. ' +
      'No: the key is saved with your account. If you own this file, formulas in it use the key too, including those of other editors.',
    ui.ButtonSet.YES_NO_CANCEL,
  );
  if (answer === ui.Button.YES) return { location: 'file', formulas: true };
  return answer === ui.Button.NO ? { location: 'account', formulas: true } : null;
}

/**
 * Deletes the saved API key that the menu uses: the user's own key, or the key of the spreadsheet when the user has
 * none.
 */
export function forgetSavedKey(): void {
  const ui = SpreadsheetApp.getUi();
  const location = removeActionKey(keyStores());
  showAlert(
    ui,
    'Disconnect key',
    location === null ? 'No key is connected.' : `The key saved ${locationLabels[location]} was removed.`,
  );
}

/**
 * Writes the current time into the refresh cell (the named cell SOCIAL_REFRESH), so that Google Sheets runs every
 * formula that uses the cell again. Offers to create the refresh cell when the spreadsheet has none.
 */
export function refreshFormulas(): void {
  const ui = SpreadsheetApp.getUi();
  const file = SpreadsheetApp.getActiveSpreadsheet();
  if (file.getRangeByName(refreshName) === null && !createRefreshCell(ui, file)) return;
  rewriteRefreshCell();
}

/**
 * Makes the selected cell the refresh cell (the named cell SOCIAL_REFRESH) when the cell is empty and the user agrees.
 * Returns false when no refresh cell was created.
 */
function createRefreshCell(ui: GoogleAppsScript.Base.Ui, file: GoogleAppsScript.Spreadsheet.Spreadsheet): boolean {
  const cell = file.getCurrentCell();
  if (cell === null || cell.getValue() !== '') {
    showAlert(
      ui,
      'There is no refresh cell yet',
      'Select an empty cell and choose “Refresh formulas with the refresh cell” again.',
    );
    return false;
  }
  const answer = ui.alert(
    'There is no refresh cell yet',
    `Make ${cell.getA1Notation()} the refresh cell? Then use ${refreshName} as the last argument of your formulas. ` +
      'Each refresh gets new data for them, which costs credits. Type 7d into the cell to replace only data older than 7 days.',
    ui.ButtonSet.OK_CANCEL,
  );
  if (answer !== ui.Button.OK) return false;
  file.setNamedRange(refreshName, cell);
  return true;
}

/** Shows the last four characters of the API key in use, where it is saved, and the credits that are left. */
export function showAbout(): void {
  const ui = SpreadsheetApp.getUi();
  const found = findActionKey(keyStores());
  const sentence =
    found === null
      ? 'No key is connected.'
      : `API key ${lastFour(found.key)}, saved ${locationLabels[found.location]}. ${balanceSentence(fetchBalance(found.key))}`;
  showAlert(ui, 'About', `${sentence} Server: ${API_ORIGIN}`);
}

function balanceSentence(answer: Answer | undefined): string {
  if (answer === undefined || !answer.ok) {
    const failure = answer?.failure ?? { code: 'SERVER_UNREACHABLE', message: '' };
    return `The balance could not be read: ${failureSentence(failure)} (${failure.code})`;
  }
  const credits = asObject(answer.data)?.credits_remaining;
  if (typeof credits !== 'number') return 'The server did not return the balance.';
  return credits === 1 ? '1 credit is left.' : `${credits} credits are left.`;
}

function showAlert(ui: GoogleAppsScript.Base.Ui, title: string, text: string): void {
  ui.alert(title, text, ui.ButtonSet.OK);
}
