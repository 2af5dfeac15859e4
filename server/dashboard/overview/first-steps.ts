import { html } from 'hono/html';
import type { Overview } from '../../../db/workspace-data/overview.ts';
import { icon } from '../../design/icons.ts';
import { card, type Piece } from '../ui/components.ts';

interface Step {
  done: boolean;
  text: string;
  button: string;
  path: string;
}

/** Returns the list of first steps, each with a button. A step is ticked when the workspace has done it. Returns nothing when all steps are done. */
export function firstSteps({ keys, has_requests, items, campaigns }: Overview): Piece {
  const steps: Step[] = [
    {
      done: has_requests,
      text: 'See the numbers of a profile',
      button: 'Open the playground',
      path: '/dashboard/playground',
    },
    { done: keys > 0, text: 'Get the add-on for Google Sheets or Excel', button: 'Get the add-on', path: '/addon' },
    {
      done: items > 0,
      text: 'Track an account and see how it changes',
      button: 'Track an account',
      path: '/dashboard/tracking',
    },
    {
      done: campaigns > 0,
      text: 'Get a report every Monday',
      button: 'Create a campaign',
      path: '/dashboard/campaigns',
    },
  ];
  if (steps.slice(0, 3).every(({ done }) => done)) return null;
  const lines = steps.map(
    ({ done, text, button, path }) =>
      html`<li class="${done ? 'done' : 'open'}">${icon(done ? 'circle-check' : 'circle')}<span>${done ? html`<span class="hidden">Done: </span>` : null}${text}</span>${done ? null : html`<a class="button quiet small" href="${path}">${button}</a>`}</li>`,
  );
  return card('First steps', html`<ol class="steps">${lines}</ol>`);
}
