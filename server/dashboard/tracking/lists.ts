import { html } from 'hono/html';
import { addList, listLists, removeList, renameList, type TrackingList } from '../../../db/tracking/lists.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import type { TrackingPageDeps } from '../deps.ts';
import { card, controlsColumn, count, field, form, notice, type Piece, table, titleColumn } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { may, whoCan } from '../ui/rules.ts';
import { type FormVisit, idOf, oneLine, type Page, PageNotFound, redirect, text, type Visit } from '../ui/section.ts';
import { upgradeHint, upgradeText } from './labels.ts';

const page = '/dashboard/tracking/lists';
const maxNameCharacters = 80;

/** Returns the page on which the user creates, renames and removes lists. A list is a named group of tracked items. */
export async function listsPage(
  visit: Visit | FormVisit,
  { db }: TrackingPageDeps,
  problem: Problem | null,
): Promise<Page> {
  const { visitor, url } = visit;
  const name = 'form' in visit && url.pathname === page ? text(visit.form, 'name') : '';
  const lists = await listLists(db.sql, visitor.workspace_id);
  const { tracking_lists } = tiers[visitor.tier];
  const usage = html`<p>${lists.length} of ${tracking_lists} lists used.</p>`;
  const upgrade =
    visitor.tier === 'ultra' ? null : html`<p class="hint">${upgradeHint(visitor.tier, 'tracking_lists', 'lists')}</p>`;
  const newForm = form(
    page,
    field('Name', 'name', { value: name, required: true, maxlength: maxNameCharacters }),
    'Create list',
  );
  const content = html`${notice(problem, 'bad')}
${lists.length > 0 ? card('Your lists', listTable(lists)) : html`<p>No lists yet. Lists are optional: they group items, and each list can be written into its own spreadsheet. ${whoCan(visitor, page, '', 'create lists')}</p>`}
${may(visitor, 'POST', page) ? card('New list', html`${usage}${lists.length < tracking_lists ? newForm : html`<p>Remove a list first.</p>`}${upgrade}`) : null}
<p><a href="/dashboard/tracking">Back to tracking</a></p>`;
  return { title: 'Tracking lists', content, status: problem ? 400 : 200 };
}

function listTable(lists: readonly TrackingList[]): Piece {
  const rows = lists.map(({ list_id, name, items }) => [
    html`<a href="/dashboard/tracking?list=${list_id}">${name}</a>`,
    count(items),
    html`<a href="${page}/${list_id}/sheets">Write to Google Sheets<span class="hidden">: ${name}</span></a>`,
    html`<a data-needs="/dashboard/links" href="/dashboard/links?show=list:${list_id}">Create a data link…<span class="hidden"> for ${name}</span></a>
<details><summary>Change<span class="hidden"> ${name}</span></summary>
<form method="post" action="${page}/${list_id}/rename"><label for="name-${list_id}">New name</label><input id="name-${list_id}" name="name" value="${name}" required maxlength="${maxNameCharacters}"><button class="quiet">Rename</button></form>
<form method="post" action="${page}/${list_id}/remove" data-confirm="Remove the list ${name}? You cannot undo this. Its alert rules are deleted, and nothing more is written into its spreadsheets. Data links to it stop working. Its items are still tracked."><button class="danger">Remove list</button></form></details>`,
  ]);
  const columns = [
    titleColumn('Name'),
    { heading: 'Items', number: true },
    { heading: 'Google Sheets', wide: true },
    controlsColumn,
  ];
  return table('Lists', columns, rows, {
    as_cards: true,
  });
}

function nameIn(form: FormData): string | null {
  const name = oneLine(form, 'name');
  return name === '' || name.length > maxNameCharacters ? null : name;
}

const badName = at('name', `Enter a list name of 1 to ${maxNameCharacters} characters.`);

/**
 * Creates a tracking list. Shows the page again with a message when the name is not valid or the workspace has reached
 * the list limit of its tier.
 */
export async function createList(visit: FormVisit, deps: TrackingPageDeps): Promise<Page | Response> {
  const { workspace_id, tier } = visit.visitor;
  const name = nameIn(visit.form);
  if (name === null) return listsPage(visit, deps, badName);
  const limit = tiers[tier].tracking_lists;
  if (await addList(deps.db.sql, workspace_id, name, limit)) return redirect(page, 'list-made');
  return listsPage(visit, deps, `List limit reached. ${upgradeText(tier, 'tracking_lists', 'lists')}`);
}

/**
 * Renames a tracking list. Shows the page again when the name is not valid. Throws PageNotFound when the workspace has
 * no such list.
 */
export async function submitListName(visit: FormVisit, deps: TrackingPageDeps): Promise<Page | Response> {
  const listId = idOf(visit.params.list_id);
  const name = nameIn(visit.form);
  if (name === null) return listsPage(visit, deps, badName);
  if (!(await renameList(deps.db.sql, visit.visitor.workspace_id, listId, name))) throw new PageNotFound();
  return redirect(page, 'list-named');
}

/** Removes a tracking list; its items are still tracked. Throws PageNotFound when the workspace has no such list. */
export async function deleteList({ params, visitor }: FormVisit, { db }: TrackingPageDeps): Promise<Response> {
  if (!(await removeList(db.sql, visitor.workspace_id, idOf(params.list_id)))) throw new PageNotFound();
  return redirect(page, 'list-removed');
}
