import { html } from 'hono/html';
import { deleteWorkspace, type Holdings, readHoldings } from '../../../db/workspace-data/deletion.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import type { SettingsDeps } from '../deps.ts';
import { answerPage } from '../ui/answer-page.ts';
import { field, notice, type Piece } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { publicPage } from '../ui/layout.ts';
import { type FormVisit, type Page, PageNotFound, text, type Visit } from '../ui/section.ts';

/** Returns the page that lists what will be deleted and asks the user to type the name of the workspace. */
export async function deletePage(
  { visitor }: Visit,
  { db, now }: Pick<SettingsDeps, 'db' | 'now'>,
  problem: Problem | null,
): Promise<Page> {
  const holdings = await readHoldings(db.sql, visitor.workspace_id, now());
  if (!holdings) throw new PageNotFound();
  const { workspace_name: name, balance } = visitor;
  const content = html`${notice('You cannot undo this, and neither can we.', 'bad')}
<p>To remove only yourself, <a href="/dashboard/people">leave this workspace</a> under <i>People</i> instead. The last owner first makes somebody else an owner.</p>
<p>This is deleted immediately, for everyone in the workspace <b><bdi>${name}</bdi></b>:</p>
<ul>${lossesOf(holdings, balance).map((loss) => html`<li>${loss}</li>`)}</ul>
<p>Your spreadsheets, downloads and printed reports are not affected. Before you continue, <a href="/dashboard/settings/export" download>download all your data</a>.</p>
${notice(problem, 'bad')}
<form method="post" action="/dashboard/settings/delete">
${field('Type the workspace name to confirm', 'name', { required: true, autocomplete: 'off', hint: `Workspace name: ${name}` })}
<p class="row"><button class="danger">Delete this workspace</button> <a class="button quiet" href="/dashboard/settings">Cancel</a></p></form>`;
  return { title: 'Delete this workspace', content, status: problem ? 400 : 200 };
}

function lossesOf(holdings: Holdings, balance: number): Piece[] {
  return [
    html`<b>${quantity(balance, 'credit')}</b>, and the ledger of all purchases and charges`,
    `${quantity(holdings.keys, 'active key')}: everything that uses ${holdings.keys === 1 ? 'it' : 'them'} stops working`,
    `${quantity(holdings.tracked_items, 'tracked item')} with ${quantity(holdings.observations, 'observation')}`,
    `${quantity(holdings.campaigns, 'campaign')} with ${quantity(holdings.reports, 'weekly report')}, and all share links`,
    `${quantity(holdings.batches, 'bulk analysis', 'bulk analyses')} and ${quantity(holdings.webhooks, 'webhook')}`,
    'all sheet imports, data links, alert rules and their recipients',
    'the accounts (name, email address and sign-in) of all people in it who belong to no other workspace. This can include yours',
  ];
}

/**
 * Deletes the workspace when the user typed its name correctly. Then signs the user out and shows a page that confirms
 * the deletion.
 */
export async function deleteConfirmed(visit: FormVisit, deps: SettingsDeps): Promise<Page | Response> {
  const { visitor, request } = visit;
  if (text(visit.form, 'name') !== visitor.workspace_name.trim()) {
    return deletePage(
      visit,
      deps,
      at('name', 'The workspace name is not correct. Nothing was deleted. Type the name exactly as it is shown.'),
    );
  }
  if (!(await deleteWorkspace(deps.db.sql, visitor.workspace_id))) throw new PageNotFound();
  const answer = await answerPage(publicPage('Workspace deleted', deletedContent()));
  for (const cookie of await deps.accounts.signOut(request.headers)) answer.headers.append('set-cookie', cookie);
  return answer;
}

function deletedContent() {
  return html`<h1>The workspace is deleted</h1>
<p>Its keys, credits and data were deleted, and you are signed out. Your account was deleted too, unless you belong to another workspace.</p>
<p><a href="/">Go to the home page</a></p>`;
}
