import { forgetSavedKey, openSidebar, promptForKey, refreshFormulas, showAbout, showMenu } from './menu.ts';

/**
 * Exports the functions of the menu and the sidebar. Apps Script calls them through a function with the same name in
 * entry-points.js or sheet-entry-points.js. The build adds the formulas. No export may return the API key, because any
 * editor of the file can call these functions from a cell.
 */
export function onOpen(): void {
  showMenu();
}

export function onInstall(): void {
  showMenu();
}

export * from './page-entries.ts';
export * from './sheet-entries.ts';
export {
  forgetSavedKey as forgetKey,
  openSidebar,
  promptForKey as setKey,
  refreshFormulas as refresh,
  showAbout as showBalance,
};
