import { hash } from 'node:crypto';
import { PushError } from './client.ts';

const codeLength = 12;

/**
 * Returns the name of the tab that allows a workspace to use a spreadsheet. An editor of the spreadsheet adds this tab.
 * All workspaces share one Google service account: without the tab, any workspace could write into every spreadsheet
 * that is shared with this account. The name need not be secret, because only editors can add a tab.
 */
export function permissionTab(workspaceId: string): string {
  return `tidemark-${hash('sha256', `spreadsheets of ${workspaceId}`).slice(0, codeLength)}`;
}

/**
 * Returns true when a tab with this name gives a workspace permission to use its spreadsheet. The server never creates
 * such a tab. Otherwise, a user could give permission to a workspace without being an editor of the spreadsheet.
 */
export function isPermissionTab(name: string): boolean {
  return /^tidemark-[0-9a-f]{12}$/.test(plainTitle(name));
}

/**
 * Throws PushError when the spreadsheet does not have the tab that allows this workspace to use it. `titles` are the
 * names of its tabs.
 */
export function requirePermission(workspaceId: string, titles: readonly (string | null | undefined)[]): void {
  const name = permissionTab(workspaceId);
  if (titles.some((title) => plainTitle(title ?? '') === name)) return;
  const message = `Add an empty tab named ${name} to the spreadsheet: it proves that an editor allows this workspace to read and write the file.`;
  throw new PushError('NOT_ALLOWED', message);
}

const plainTitle = (title: string) => title.trim().toLowerCase();
