import { hash } from 'node:crypto';
import { PushError } from './client.ts';

const codeLength = 12;

/**
 * Returns the name of a tab that allows a workspace to use a spreadsheet: an editor of the spreadsheet adds the tab.
 * It is needed because all workspaces share one Google service account, so that a spreadsheet shared with this account
 * is open to all of them. The name need not be secret, because only an editor can add a tab.
 */
export function permissionTab(workspaceId: string): string {
  return `tidemark-${hash('sha256', `spreadsheets of ${workspaceId}`).slice(0, codeLength)}`;
}

/**
 * Throws PushError when the spreadsheet does not have the tab that allows this workspace to use it. `titles` are the
 * names of its tabs.
 */
export function requirePermission(workspaceId: string, titles: readonly (string | null | undefined)[]): void {
  const name = permissionTab(workspaceId);
  if (titles.some((title) => title?.trim().toLowerCase() === name)) return;
  const message = `Add an empty tab named ${name} to the spreadsheet: it proves that an editor allows this workspace to read and write the file.`;
  throw new PushError('NOT_ALLOWED', message);
}
