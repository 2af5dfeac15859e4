import { hash } from 'node:crypto';
import { PushError } from './client.ts';

const codeLength = 12;

/**
 * Returns the name of the tab with which an editor of a spreadsheet allows a workspace to use it. All workspaces share one service account,
 * so the access of this account does not show that the workspace may use the spreadsheet. The name need not be secret, because only an
 * editor can add a tab.
 */
export function permissionTab(workspaceId: string): string {
  return `tidemark-${hash('sha256', `spreadsheets of ${workspaceId}`).slice(0, codeLength)}`;
}

/** Throws PushError unless one of these tabs allows the workspace to use the spreadsheet. */
export function requirePermission(workspaceId: string, titles: readonly (string | null | undefined)[]): void {
  const name = permissionTab(workspaceId);
  if (titles.some((title) => title?.trim().toLowerCase() === name)) return;
  const message = `Add an empty tab named ${name} to the spreadsheet: it shows that an editor allows this workspace to use it.`;
  throw new PushError('NOT_ALLOWED', message);
}
