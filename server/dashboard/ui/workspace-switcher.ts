import { html, raw } from 'hono/html';
import { icon } from '../../design/icons.ts';
import type { Piece } from './components.ts';
import type { Visitor } from './visitor.ts';

/** The path of the form that switches to another workspace. Every page of the dashboard contains this form. */
export const switchPath = '/dashboard/workspaces/switch';

/** Returns the menu that shows the current workspace and in which the user can choose another one. */
export function workspaceSwitcher({ workspace_id, workspace_name, workspaces }: Visitor): Piece {
  const entries = workspaces.map((one) => {
    const chosen = one.workspace_id === workspace_id;
    return html`<button name="workspace_id" value="${one.workspace_id}"${raw(chosen ? ' aria-current="true"' : '')}>${monogram(one.name)}<bdi>${one.name}</bdi>${chosen ? icon('check') : null}</button>`;
  });
  return html`<details class="menu switcher"><summary><span class="hidden">Workspace: </span>${monogram(workspace_name)}<bdi>${workspace_name}</bdi>${icon('chevrons-up-down')}</summary>
<div><form method="post" action="${switchPath}">${entries}</form><a href="/dashboard/people">${icon('users')}People</a></div></details>
`;
}

/** Returns a square with the first letter of a workspace's name. */
function monogram(name: string): Piece {
  return html`<span class="monogram" aria-hidden="true">${[...name.trim()][0]?.toUpperCase() ?? '·'}</span>`;
}
