import { findFormula } from '../formulas/builder/formula-builder.ts';
import type { SelectionView } from '../formulas/builder/selection.ts';
import type { Estimate, PageFailure } from '../platform/page-replies.ts';
import { shownCredits } from './account.ts';
import { callServer } from './call.ts';
import { counted, setText, showFailure, whileBusy } from './elements.ts';

/** The cells of the sheet that the user picked for a section of the sidebar; null when none are picked. */
export type Picked = SelectionView | null;

/**
 * Reads the cells that are selected in the sheet, and shows them in a section of the sidebar.
 *
 * @param byUser true when the user pressed the button. Otherwise an unsuitable selection is not shown as an error.
 */
export async function pickCells(section: 'formula' | 'first-rows', byUser: boolean): Promise<Picked> {
  const reply = await whileBusy(`${section}-pick`, 'Reading…', () => callServer('sidebarSelection'));
  showFailure(`${section}-pick-error`, byUser ? reply : { ok: true });
  setText(`${section}-picked`, reply.ok ? pickedText(reply) : 'No cells selected');
  return reply.ok ? reply : null;
}

/** Returns a text that describes the picked cells, such as "Sheet1, A2:A3: 2 entries". */
export function pickedText({ sheet, a1, urls, blank, filtered }: SelectionView): string {
  const empty = blank === 0 ? '' : `, ${counted(blank, 'empty cell', 'empty cells')}`;
  const hidden = filtered ? '. Rows that the filter hides are included' : '';
  return `${sheet}, ${a1}: ${counted(urls, 'entry', 'entries')}${empty}${hidden}`;
}

/**
 * Returns a sentence with the estimated cost of a formula for the picked cells. `limit`: the number of posts of each
 * profile.
 */
export async function costText(
  picked: SelectionView,
  maxAge: string,
  formula = 'SOCIAL_PROFILE',
  limit = '',
  platform = '',
): Promise<string> {
  const { sheet, a1 } = picked;
  const cells = { sheet, a1 };
  const reply: Estimate | PageFailure = await callServer('sidebarEstimate', maxAge, cells, formula, limit, platform);
  return reply.ok ? costSentence(reply, formula) : reply.message;
}

/**
 * Returns a sentence for the user about an estimated cost. `formula`: the name of the formula, which decides the words
 * "profile" or "post".
 */
export function costSentence(estimate: Estimate, formula: string): string {
  const { rows, cost_min, cost_max, cached_rows, unreadable_rows, note } = estimate;
  const unit = findFormula(formula)?.estimate?.unit ?? 'profile';
  const of = counted(rows, unit, `${unit}s`);
  const cost =
    cost_min === cost_max
      ? `Costs ${counted(cost_max, 'credit', 'credits')} now for ${of}.`
      : `Costs at most ${counted(cost_max, 'credit', 'credits')} for ${of}.`;
  const cached = cached_rows === 0 ? '' : ` ${counted(cached_rows, 'row is', 'rows are')} cached and free.`;
  const bad = unreadable_rows === 0 ? '' : ` ${counted(unreadable_rows, 'cell is', 'cells are')} not a ${unit} link.`;
  const credits = shownCredits();
  const short = credits !== null && credits < cost_min ? ` Only ${counted(credits, 'is', 'are')} left.` : '';
  return `${cost}${short}${cached}${bad}${note === null ? '' : ` ${note}`}`;
}
