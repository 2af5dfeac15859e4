import { forgetSavedKey, openSidebar, promptForKey, refreshFormulas, showAbout, showMenu } from './menu.ts';

/**
 * Exports the functions of the menu and the sidebar; each needs a stub in entry-points.js or sheet-entry-points.js. The
 * build adds the formulas. No export may return the API key: any editor of the file can call a stub from a cell.
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
