import { html, raw } from 'hono/html';
import { icon } from '../../design/icons.ts';
import { field, form, type Piece, tag } from '../ui/components.ts';
import type { Visit } from '../ui/section.ts';
import { switchPath } from '../ui/workspace-switcher.ts';

/** Path to which the form for a new workspace is sent. */
export const workspacesPath = '/dashboard/workspaces';
export const maxWorkspaceName = 80;

/** Returns the workspaces of the user with buttons to open them, and the folded form for a new one. */
export function workspaceList({ visitor }: Visit, isOpen: boolean): Piece {
  const list = visitor.workspaces.map(({ workspace_id, name }) =>
    workspace_id === visitor.workspace_id
      ? html`<li>${icon('building-2')}<b><bdi>${name}</bdi></b>${tag('current', 'good')}</li>`
      : html`<li>${icon('building-2')}<span><bdi>${name}</bdi></span><form method="post" action="${switchPath}"><input type="hidden" name="workspace_id" value="${workspace_id}"><button class="quiet small">Open<span class="hidden"> ${name}</span></button></form></li>`,
  );
  const hint =
    'A workspace has its own credits, tier, keys, tracking and people. It starts in the free tier with 0 credits. For several clients, one workspace with a campaign for each client is often enough.';
  const add = form(
    workspacesPath,
    field('Name of the new workspace', 'name', { required: true, maxlength: maxWorkspaceName, hint }),
    'Create workspace',
    'quiet',
  );
  return html`<ul class="row-list">${list}</ul><details${raw(isOpen ? ' open' : '')}><summary>New workspace</summary>${add}</details>`;
}
