import { html, raw } from 'hono/html';
import type { Piece } from './components.ts';
import { switchPath } from './own-workspace.ts';
import type { Visitor } from './visitor.ts';

/** Returns the menu that shows the workspace and chooses another one. */
export function workspaceSwitcher({ workspace_id, workspace_name, workspaces }: Visitor): Piece {
  const entries = workspaces.map(
    (one) =>
      html`<li><button class="link" name="workspace_id" value="${one.workspace_id}"${raw(one.workspace_id === workspace_id ? ' aria-current="true"' : '')}>${one.name}</button></li>`,
  );
  return html`<details class="switcher"><summary><span class="hidden">Workspace: </span>${workspace_name}</summary>
<form method="post" action="${switchPath}"><ul>${entries}</ul></form>
<p><a href="/dashboard/people">People and workspaces</a></p></details>
`;
}
