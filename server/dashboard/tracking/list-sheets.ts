import { html } from 'hono/html';
import { listLists } from '../../../db/tracking/lists.ts';
import type { TrackingPageDeps } from '../deps.ts';
import { type TargetOwner, targetForms, targetOnce, targetsCard } from '../sheets/targets.ts';
import { notice } from '../ui/components.ts';
import type { Problem } from '../ui/forms/field-problem.ts';
import { type FormVisit, idOf, type Page, PageNotFound, type Section, text, type Visit } from '../ui/section.ts';

const lists = '/dashboard/tracking/lists';

const listTargets: TargetOwner = {
  column: 'list_id',
  path: `${lists}/:list_id/sheets`,
  idIn: ({ list_id }) => idOf(list_id),
  page: (id) => `${lists}/${id}/sheets`,
  notices: { added: 'list-sheet-added', removed: 'list-sheet-removed', pushed: 'list-sheet-push' },
  labels: {
    table: 'Spreadsheets of this list',
    modes: [
      ['append', 'Add the rows of each day below the previous ones'],
      ['replace', 'Keep only the newest rows (deletes everything else in the tab)'],
    ],
    default_tab: 'Tracking',
  },
};

/** Creates the page with the spreadsheets into which a tracking list is written every day. */
export function listSheetsSection(deps: TrackingPageDeps): Section {
  return {
    pages: { [listTargets.path]: (visit) => sheetsPage(visit, deps, null) },
    forms: targetForms(listTargets, deps, (visit, problem) => sheetsPage(visit, deps, problem)),
    once: targetOnce(listTargets),
    notices: {
      'list-sheet-added': 'Spreadsheet added. The list is written into it within the hour, and then once a day.',
      'list-sheet-removed': 'Spreadsheet removed. The list is no longer written into it; existing rows stay.',
      'list-sheet-push':
        'Writing the list into the spreadsheet, unless it was written today. The table shows the result.',
    },
  };
}

async function sheetsPage(visit: Visit | FormVisit, deps: TrackingPageDeps, problem: Problem | null): Promise<Page> {
  const id = listTargets.idIn(visit.params);
  const list = (await listLists(deps.db.sql, visit.visitor.workspace_id)).find(({ list_id }) => list_id === id);
  if (!list) throw new PageNotFound();
  const sent = 'form' in visit ? visit.form : null;
  const typed = (name: string, value: string) => (sent?.has(name) ? text(sent, name) : value);
  const intro = html`<p>Once a day, one row for each item of the list ${list.name} can be written into a Google spreadsheet, with its newest numbers.</p>`;
  const content = html`${notice(problem, 'bad')}${targetsCard(visit, listTargets, deps, { id, intro, typed })}
<p><a href="${lists}">Back to lists</a></p>`;
  return { title: `Spreadsheets of ${list.name}`, content, status: problem ? 400 : 200 };
}
