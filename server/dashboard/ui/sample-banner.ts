import { html } from 'hono/html';
import type { Piece } from './components.ts';
import type { Visitor } from './visitor.ts';
import { switchPath } from './workspace-switcher.ts';

/** The path of the form that opens a sample workspace. */
export const samplePath = '/dashboard/sample';

/**
 * Returns the line above each page of a sample workspace (invented data), with buttons to return to the user's own
 * workspace and to delete the sample.
 */
export function sampleBanner({
  sample,
  workspace_id,
  workspaces,
}: Pick<Visitor, 'sample' | 'workspace_id' | 'workspaces'>): Piece {
  if (!sample) return null;
  const own = workspaces.find((one) => one.workspace_id !== workspace_id);
  const back = own
    ? html`<form method="post" action="${switchPath}"><button class="quiet small" name="workspace_id" value="${own.workspace_id}"><span>Back to <bdi>${own.name}</bdi></span></button></form>`
    : null;
  return html`<div class="notice sample-banner"><span><b>Sample data.</b> These accounts are invented. Nothing here is checked or costs credits.</span><span class="buttons">${back}<form method="post" action="${samplePath}/delete"><button class="quiet small">Delete sample data</button></form></span></div>`;
}

/** Returns the button that opens the sample workspace. */
export function sampleButton(): Piece {
  return html`<form method="post" action="${samplePath}"><button class="quiet">Look around with sample data</button></form>`;
}
