import { forgetSavedKey, openSidebar, promptForKey, refreshFormulas, showAbout, showMenu } from './menu.ts';
import { forMenu } from './platform/page-call.ts';

// This module exports the functions that the menu and the sidebar call. Apps Script calls each of them through a
// function in entry-points.js or sheet-entry-points.js. The build adds the functions of the formulas. No export may
// return the API key, because everyone who can edit the spreadsheet can call these functions from a cell.

export function onOpen(): void {
  showMenu();
}

export function onInstall(): void {
  showMenu();
}

export * from './page-entries.ts';
export * from './sheet-entries.ts';
export { openSidebar };
export const setKey = forMenu(promptForKey);
export const forgetKey = forMenu(forgetSavedKey);
export const refresh = forMenu(refreshFormulas);
export const showBalance = forMenu(showAbout);
