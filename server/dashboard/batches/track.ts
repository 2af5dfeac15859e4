import type { BatchRow } from '../../../db/deliveries/batch-rows.ts';
import type { Batch } from '../../../db/deliveries/batches.ts';
import { addItem } from '../../../db/tracking/items.ts';
import { addList, listLists } from '../../../db/tracking/lists.ts';
import { linkText } from '../../../pipeline/parse/addresses.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { trackable } from '../../../pipeline/tracking/tracked-kinds.ts';
import type { BatchesDeps } from '../deps.ts';
import { count } from '../ui/components.ts';
import { type FormVisit, text } from '../ui/section.ts';
import { batchName } from './labels.ts';
import { resultFilterIn, shownResults } from './results.ts';

/** Value of the form field `list` that asks for a new tracking list. The new list gets the name of the batch. */
const newList = 'new';
const maxListName = 80;

const listName = (batch: Batch) => batchName(batch).slice(0, maxListName).trim();

/** Returns the options of the select field for the tracking list to which the profiles of a batch are added. */
export async function trackingListChoices(batch: Batch, { db }: BatchesDeps): Promise<[string, string][]> {
  const lists = await listLists(db.sql, batch.workspace_id);
  return [
    ['', 'No list'],
    [newList, `New list “${listName(batch)}”`],
    ...lists.map(({ list_id, name }): [string, string] => [list_id, name]),
  ];
}

/**
 * Starts to track the profiles in the selected rows of a batch, or in all rows that the filter shows. Returns one
 * message for the user about the result.
 */
export async function trackRows(
  { form, url, visitor }: FormVisit,
  { batch, rows }: { batch: Batch; rows: readonly BatchRow[] },
  deps: BatchesDeps,
): Promise<{ problem: string } | { done: string }> {
  const usable = shownResults(rows, resultFilterIn(url.searchParams)).filter(({ row }) => row.status === 'OK');
  const chosen = new Set(form.getAll('id').map(String));
  const wanted = text(form, 'act') === 'shown' ? usable : usable.filter(({ row }) => chosen.has(String(row.row_no)));
  if (wanted.length === 0) return { problem: 'Nothing was selected. Select at least one line with a result.' };
  const list = await listOf(text(form, 'list'), batch, visitor, deps);
  if ('problem' in list) return list;
  const outcomes = { added: 0, known: 0, full: 0, refused: 0 };
  const limit = tiers[visitor.tier].tracked_items;
  for (const { row, known } of wanted) {
    const address = String(known?.profile_url ?? row.url);
    const parsed = trackable(address);
    const item = parsed.ok ? { url: linkText(address), ...parsed.item, list_id: list.list_id } : null;
    const added = item && (await addItem(deps.db.sql, visitor.workspace_id, item, limit));
    outcomes[added?.outcome ?? 'refused'] += 1;
  }
  return summary(outcomes, limit);
}

function summary(outcomes: Record<'added' | 'known' | 'full' | 'refused', number>, limit: number) {
  const { added, known, full, refused } = outcomes;
  const parts = [
    `${count(added)} now tracked`,
    ...(known > 0 ? [`${count(known)} already tracked`] : []),
    ...(refused > 0 ? [`${count(refused)} cannot be tracked`] : []),
  ];
  if (full === 0) return { done: `${parts.join(', ')}.` };
  const problem = `${parts.join(', ')}. ${count(full)} not tracked, because your tier allows ${count(limit)} tracked items. Remove some, or get a higher tier.`;
  return { problem };
}

/** Returns the tracking list that the user chose. Creates the list when the user chose a new one. */
async function listOf(
  choice: string,
  batch: Batch,
  { workspace_id, tier }: FormVisit['visitor'],
  { db }: BatchesDeps,
): Promise<{ list_id: string | null } | { problem: string }> {
  if (choice === '') return { list_id: null };
  const lists = await listLists(db.sql, workspace_id);
  const name = listName(batch);
  const known = lists.find((list) => (choice === newList ? list.name === name : list.list_id === choice));
  if (known) return { list_id: known.list_id };
  if (choice !== newList) return { problem: 'This list no longer exists. Choose another one.' };
  const { tracking_lists: allowed } = tiers[tier];
  const listId = await addList(db.sql, workspace_id, name, allowed);
  if (listId !== null) return { list_id: listId };
  return {
    problem: `Your tier allows ${quantity(allowed, 'list')}. Choose an existing list, or get a higher tier.`,
  };
}
