import { html } from 'hono/html';
import type { Piece } from './components.ts';
import type { Visitor } from './visitor.ts';

/** The path of the form that opens a sample workspace. */
export const samplePath = '/dashboard/sample';

/** Returns the line above each page of a workspace with invented data, with the button that deletes the workspace. */
export function sampleBanner({ sample }: Pick<Visitor, 'sample'>): Piece {
  if (!sample) return null;
  return html`<div class="notice sample-banner"><span><b>Sample data.</b> These accounts are invented. Nothing here is checked or costs credits.</span><form method="post" action="${samplePath}/delete"><button class="quiet small">Delete sample data</button></form></div>`;
}

/** Returns the button that opens the sample workspace. */
export function sampleButton(): Piece {
  return html`<form method="post" action="${samplePath}"><button class="quiet">Look around with sample data</button></form>`;
}
