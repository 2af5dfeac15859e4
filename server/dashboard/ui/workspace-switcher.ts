import { html } from 'hono/html';
import type { Piece } from './components.ts';
import type { Visitor } from './visitor.ts';

/** Returns the name of the workspace, above the navigation. */
export function workspaceSwitcher({ workspace_name }: Visitor): Piece {
  return html`<p class="workspace-name">${workspace_name}</p>`;
}
