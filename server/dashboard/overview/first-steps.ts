import { html } from 'hono/html';
import type { Tier } from '../../../db/tier.ts';
import type { Overview } from '../../../db/workspace-data/overview.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { icon } from '../../design/icons.ts';
import { card, type Piece } from '../ui/components.ts';

interface Step {
  done: boolean;
  text: string;
  button: string;
  path: string;
}

/**
 * Returns a checklist of the first things to do in a new workspace, each with a button. Finished steps are ticked.
 * Returns null when all steps except the campaign are finished.
 */
export function firstSteps({ keys, has_requests, items, campaigns }: Overview, tier: Tier): Piece {
  const steps: Step[] = [
    {
      done: has_requests || items > 0,
      text: 'See the numbers of a profile',
      button: 'Paste a profile',
      path: '#url',
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
      text: tiers[tier].campaigns > 0 ? 'Get a report every Monday' : 'Get a report every Monday (tier Pro or higher)',
      button: tiers[tier].campaigns > 0 ? 'Create a campaign' : 'See what you get',
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
