import { html } from 'hono/html';
import { deleteWorkspace, type Holdings, readHoldings } from '../../db/workspace-deletion.ts';
import type { SettingsDeps } from './deps.ts';
import { publicPage } from './layout.ts';
import { answerPage } from './routes.ts';
import { type FormVisit, type Page, PageNotFound, text, type Visit } from './section.ts';
import { count, field, notice, type Piece } from './ui.ts';

/** What would be lost, and the form that wants the name of the workspace. */
export async function deletePage(
  { visitor }: Visit,
  { db, now }: Pick<SettingsDeps, 'db' | 'now'>,
  problem: string | null,
): Promise<Page> {
  const holdings = await readHoldings(db.sql, visitor.workspace_id, now());
  if (!holdings) throw new PageNotFound();
  const { workspace_name: name, balance } = visitor;
  const content = html`${notice('This cannot be undone, not by us either.', 'bad')}
<p>These are gone at once:</p>
<ul>${lossesOf(holdings, balance).map((loss) => html`<li>${loss}</li>`)}</ul>
<p>Spreadsheets, downloads and reports you printed stay with you. Before you go: <a href="/dashboard/settings/export" download>download all data</a>.</p>
${notice(problem, 'bad')}
<form method="post" action="/dashboard/settings/delete">
${field('Type the name of the workspace', 'name', { required: true, autocomplete: 'off', hint: `It is called ${name}` })}
<p class="row"><button class="danger">Delete everything</button> <a class="button quiet" href="/dashboard/settings">Keep it</a></p></form>`;
  return { title: 'Delete the account', content, status: problem ? 400 : 200 };
}

function lossesOf(holdings: Holdings, balance: number): Piece[] {
  const many = (number: number, one: string, more = `${one}s`) => `${count(number)} ${number === 1 ? one : more}`;
  return [
    html`<b>${many(balance, 'credit')}</b>, and the ledger of all that were bought and spent`,
    `${many(holdings.keys, 'key')} that ${holdings.keys === 1 ? 'works' : 'work'} now: whatever uses them stops`,
    `${many(holdings.tracked_items, 'tracked item')} with ${many(holdings.observations, 'observation')}`,
    `${many(holdings.campaigns, 'campaign')} with ${many(holdings.reports, 'weekly report')}, and every link by which a report is shared`,
    `${many(holdings.batches, 'bulk analysis', 'bulk analyses')} and ${many(holdings.webhooks, 'webhook')}`,
    'your sign-in on this server, on every device',
  ];
}

/** Deletes everything once the name is right, and ends with a page for somebody who is not signed in any more. */
export async function deleteWhenNamed(visit: FormVisit, deps: SettingsDeps): Promise<Page | Response> {
  const { visitor, request } = visit;
  if (text(visit.form, 'name') !== visitor.workspace_name.trim()) {
    return deletePage(visit, deps, 'This is not the name of the workspace: nothing was deleted.');
  }
  if (!(await deleteWorkspace(deps.db.sql, visitor.workspace_id))) throw new PageNotFound();
  const answer = await answerPage(publicPage('Deleted', goodbye()));
  for (const cookie of await deps.accounts.signOut(request.headers)) answer.headers.append('set-cookie', cookie);
  return answer;
}

function goodbye() {
  return html`<h1>Your account is deleted</h1>
<p>The workspace, its keys, its credits, everything it tracked and your sign-in are gone, and you are signed out.</p>
<p><a href="/">To the front page</a></p>`;
}
