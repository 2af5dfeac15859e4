import type { PageFailure } from '../platform/page-replies.ts';
import type { Estimate, SelectionView } from '../platform/selection.ts';
import { shownCredits } from './account.ts';
import { ask } from './call.ts';
import { busy, counted, setText } from './elements.ts';

/** Cells that a person picked for a section of the page. */
export type Picked = SelectionView | null;

/**
 * Reads what is selected in the sheet and shows it in a section.
 *
 * @param asked whether a person asked for it: only then is an unfit selection an error.
 */
export async function pickCells(section: 'formula' | 'fill', asked: boolean): Promise<Picked> {
  const reply = await busy(`${section}-pick`, 'Reading…', () => ask('sidebarSelection'));
  setText(`${section}-pick-error`, reply.ok || !asked ? '' : reply.message);
  setText(`${section}-picked`, reply.ok ? pickedWords(reply) : 'No cells picked');
  return reply.ok ? reply : null;
}

function pickedWords({ sheet, a1, urls, blank }: SelectionView): string {
  const empty = blank === 0 ? '' : `, ${counted(blank, 'empty cell', 'empty cells')}`;
  return `${sheet}, ${a1}: ${counted(urls, 'entry', 'entries')}${empty}`;
}

/** What a formula over the picked cells would cost, as a sentence. `limit`: posts of each, where it has them. */
export async function costWords(
  picked: SelectionView,
  maxAge: string,
  formula = 'SOCIAL_PROFILE',
  limit = '',
): Promise<string> {
  const { sheet, a1 } = picked;
  const reply: Estimate | PageFailure = await ask('sidebarEstimate', maxAge, { sheet, a1 }, formula, limit);
  if (!reply.ok) return reply.message;
  const { rows, cost_min, cost_max, cached_rows, unreadable_rows, note } = reply;
  const single = formula === 'SOCIAL_POST';
  const of = single ? counted(rows, 'post', 'posts') : counted(rows, 'profile', 'profiles');
  const cost =
    cost_min === cost_max
      ? `Costs ${counted(cost_max, 'credit', 'credits')} now for ${of}.`
      : `Costs at most ${counted(cost_max, 'credit', 'credits')} for ${of}.`;
  const paid = cached_rows === 0 ? '' : ` ${cached_rows} already paid for.`;
  const bad = unreadable_rows === 0 ? '' : ` ${unreadable_rows} not a ${single ? 'post' : 'profile'} URL.`;
  const credits = shownCredits();
  const short = credits !== null && credits < cost_min ? ` Only ${counted(credits, 'is', 'are')} left.` : '';
  return `${cost}${short}${paid}${bad}${note === null ? '' : ` ${note}`}`;
}
