import { socialCredits } from './formulas/credits.ts';
import { socialPost, socialPosts } from './formulas/posts.ts';
import { socialProfile } from './formulas/profiles.ts';
import { socialReport } from './formulas/report-formula.ts';
import { socialTracked } from './formulas/tracked.ts';
import { askForKey, forgetSavedKey, openSidebar, refreshFormulas, showMenu, tellBalance } from './menu.ts';
import type { Cell } from './platform/grid.ts';
import { server } from './platform/platform.ts';

/** Every export has one stub in functions.js, and no export returns the key: any editor can call a stub from a cell. */
export function SOCIAL_PROFILE(urls: unknown, fields: unknown, maxAge: unknown): Cell[][] {
  return socialProfile({ urls, fields, max_age: maxAge }, server());
}

export function SOCIAL_POSTS(profiles: unknown, limit: unknown, fields: unknown, maxAge: unknown): Cell[][] {
  return socialPosts({ profiles, limit, fields, max_age: maxAge }, server());
}

export function SOCIAL_POST(urls: unknown, fields: unknown, maxAge: unknown): Cell[][] {
  return socialPost({ urls, fields, max_age: maxAge }, server());
}

/** A refresh argument of a free formula only makes Sheets run it again. */
export function SOCIAL_TRACKED(items: unknown, metrics: unknown, days: unknown, _refresh: unknown): Cell[][] {
  return socialTracked({ items, metrics, days }, server());
}

export function SOCIAL_REPORT(campaign: unknown, section: unknown, _refresh: unknown): Cell[][] {
  return socialReport({ campaign, section }, server());
}

export function SOCIAL_CREDITS(_refresh: unknown): number {
  return socialCredits(server());
}

export function onOpen(): void {
  showMenu();
}

export function onInstall(): void {
  showMenu();
}

export * from './page-entries.ts';
export * from './sheet-entries.ts';
export {
  askForKey as setKey,
  forgetSavedKey as forgetKey,
  openSidebar,
  refreshFormulas as refresh,
  tellBalance as showBalance,
};
