import type { Cell } from './grid.ts';
import { askForKey, forgetSavedKey, refreshFormulas, showMenu, tellBalance } from './menu.ts';
import { server } from './platform.ts';
import { socialProfile } from './profiles.ts';

/** Every export has one stub in functions.js, and no export returns the key: any editor can call a stub from a cell. */
export function SOCIAL_PROFILE(urls: unknown, fields: unknown, max_age: unknown): Cell[][] {
  return socialProfile({ urls, fields, max_age }, server());
}

export function onOpen(): void {
  showMenu();
}

export function onInstall(): void {
  showMenu();
}

export { askForKey as setKey, forgetSavedKey as forgetKey, refreshFormulas as refresh, tellBalance as showBalance };
