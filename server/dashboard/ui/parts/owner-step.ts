import { html } from 'hono/html';
import type { Piece } from '../components.ts';
import { may } from '../rules.ts';
import type { Visitor } from '../visitor.ts';

/**
 * The steps of an owner when something stops the work of the workspace: the page, the label of its link, and the words
 * with which other members ask for it.
 */
const steps = {
  credits: ['/dashboard/credits', 'Add credits', 'add credits'],
  cap: ['/dashboard/settings', 'Change the cap', 'change the cap'],
  pause: ['/dashboard/settings', 'Resume in settings', 'resume them'],
} as const;

export type OwnerStep = keyof typeof steps;

/** Returns the link to the page for this step, or a sentence for a visitor who must ask an owner to do it. */
export function ownerStep(visitor: Pick<Visitor, 'role' | 'is_operator'>, step: OwnerStep): Piece {
  const [page, label, request] = steps[step];
  if (may(visitor, 'POST', page)) return html`<a href="${page}">${label}</a>`;
  return `Ask an owner of this workspace to ${request}.`;
}
